/** Answers three different security questions at once (api.md, Flows in the profile area). */
import type { Body } from '../../catalogue/operation'
import { securityQuestions } from '../../catalogue/profile/security-questions'
import { Problem } from '../../errors'
import { escapeText } from '../../rules/escape'
import type { Dialogue } from './dialogue'

type Answers = Body<typeof securityQuestions.answer>

interface Answered {
  id: number
  question: string
  response: string
}

/** Asks for three answers and a confirmation, without sending them. `shown`: typed answers are visible. */
export async function askSecurityQuestions(dialogue: Dialogue, { shown = false } = {}): Promise<Answers> {
  const { ask, client, say } = dialogue
  const needs = { essential: ['security_questions.question', 'security_questions.response'] }
  const { security_questions: questions } = await client.call(securityQuestions.list, needs)
  const earlier = questions.some(({ response }) => typeof response === 'string')
  if (earlier) await say('New answers replace all earlier ones.')
  await say('Choose three questions.')
  const answered: Answered[] = []
  while (answered.length < 3) {
    const left = questions.filter(({ id }) => answered.every((other) => other.id !== id))
    const { id, question } = await ask.select(
      `Question ${answered.length + 1} of 3`,
      left.map((one) => ({ name: escapeText(one.question), value: one })),
    )
    answered.push({ id, question, response: await askAnswer(dialogue, shown) })
  }
  await say(answered.map((one) => overviewOf(one, shown)).join('\n'))
  const sure = earlier ? 'Replace the earlier answers with these?' : 'Send these answers?'
  if (!(await ask.confirm(sure))) throw new Problem('refused', 'not confirmed; no answer was sent')
  return { security_questions: answered.map(({ id, response }) => ({ question_id: id, response })) }
}

function askAnswer({ ask }: Dialogue, shown: boolean): Promise<string> {
  const check = (text: string) => text !== '' || 'An answer must not be empty'
  return shown ? ask.text('Answer', { check }) : ask.secret('Answer (not shown)', { check })
}

function overviewOf({ question, response }: Answered, shown: boolean): string {
  const { length } = Array.from(response)
  return `  ${question}\n    ${shown ? response : `${'*'.repeat(length)} (${length} characters)`}`
}
