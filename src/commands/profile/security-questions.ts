import * as actions from '../../account/actions/profile'
import type { RequestBody } from '../../account/change-context'
import { isMissing } from '../../catalogue/normalize'
import type { AnswerRecord } from '../../catalogue/operation'
import { securityQuestions } from '../../catalogue/profile/security-questions'
import { changeCommand } from '../../engine/change-command'
import type { CommandContext } from '../../engine/change-command-context'
import type { Command, CommandGroup } from '../../engine/command'
import { eagerCommands } from '../../engine/command-tree'
import { wholeListFlags } from '../../engine/flags'
import { printPages } from '../../engine/list'
import { Problem } from '../../errors'
import { columnsFor } from '../../output/column'
import { openDialogue, printEquivalentCommand } from '../open-dialogue'

const { list, answer } = securityQuestions

/** The operation as a list of questions, for printing. */
const asList = { ...list, returns: list.returns.entries.security_questions.item }

const questionColumns = columnsFor<AnswerRecord<typeof asList>>([
  'id',
  'question',
  // Answers are like passwords: they are only printed on request.
  {
    path: 'response',
    heading: 'answered',
    show: (value, record) => (isMissing(record, 'response') ? '' : value === null ? 'no' : 'yes'),
  },
])

const listQuestions: Command = {
  name: 'list',
  aliases: ['ls'],
  summary: list.summary,
  paged: true,
  operations: [list],
  records: list,
  flags: wholeListFlags('question~pet'),
  examples: [{ what: 'Questions about pets', line: 'skyctl profile security-questions list --filter question~pet' }],
  async run({ flags }, session) {
    const pages = async function* () {
      const client = await session.account.client()
      yield (await client.call(list)).security_questions
    }
    await printPages(
      asList,
      { columns: questionColumns, plural: 'security questions' },
      { flags, session, pages: pages() },
    )
  },
}

/** Asks for the answers. Without a terminal they come from a file or stdin; they are secrets, and never flags. */
async function askAnswers(body: RequestBody, { flags, dry, session }: CommandContext): Promise<RequestBody> {
  if (flags.body !== undefined) return body
  if (!session.ui.interactive || dry) {
    throw new Problem('usage', 'security_questions is required', {
      errors: [{ field: 'security_questions', reason: 'security_questions is required' }],
      hint: 'Pass the answers in a file with --body, or on stdin with --body -',
    })
  }
  const { askSecurityQuestions } = await import('../flows/security-questions')
  const dialogue = await openDialogue(session, 'skyctl profile security-questions answer --body FILE')
  return { ...(await askSecurityQuestions(dialogue, { shown: flags['show-answers'] === true })) }
}

const answerQuestions = changeCommand({
  name: 'answer',
  aliases: ['set'],
  action: actions.answerQuestions,
  columns: columnsFor<AnswerRecord<typeof answer>>(['security_questions']),
  input: {
    flags: (derived) => [...derived, { name: 'show-answers', description: 'Show the answers while typing' }],
    complete: askAnswers,
  },
  done: () => 'The security questions are answered; earlier answers are replaced',
  // The answers are not printed: the user has them.
  async deliver({ security_questions, ...rest }, { flags, session }) {
    if (flags.body === undefined) {
      await printEquivalentCommand(['profile', 'security-questions', 'answer', '--body', 'FILE'], session)
    }
    return { ...rest, security_questions: security_questions.map(({ response: _, ...question }) => question) }
  },
  help: {
    details:
      'Answers exactly three different questions; earlier answers are overwritten or removed. Two-factor ' +
      'authentication needs them. Asks on a terminal. Scripts pass the answers in a file:\n' +
      '  {"security_questions": [{"question_id": 1, "response": "..."}, ...]}',
    examples: [
      { what: 'Answer the questions on a terminal', line: 'skyctl profile security-questions answer' },
      { what: 'From a password manager', line: 'pass show cloud | skyctl profile security-questions answer --body -' },
    ],
  },
})

const group: CommandGroup = {
  name: 'security-questions',
  aliases: ['security-question'],
  summary: 'Security questions and your answers',
  commands: eagerCommands(listQuestions, answerQuestions),
}

export default group
