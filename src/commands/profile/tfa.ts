import type { Account } from '../../account/account'
import * as actions from '../../account/actions/profile'
import type { AnswerRecord } from '../../catalogue/operation'
import { profile } from '../../catalogue/profile/profile'
import { securityQuestions } from '../../catalogue/profile/security-questions'
import { tfa } from '../../catalogue/profile/tfa'
import { changeCommand } from '../../engine/change-command'
import type { PrintedContext } from '../../engine/change-command-context'
import type { Command, CommandGroup, Flag } from '../../engine/command'
import { eagerCommands } from '../../engine/command-tree'
import { choiceFlag, textFlag } from '../../engine/flag-values'
import { outputFlags } from '../../engine/flags'
import { printAnswer } from '../../engine/print-answers'
import { viewOf } from '../../engine/printing'
import { ignoreProblem } from '../../errors'
import { columnsFor } from '../../output/column'
import type { Sink } from '../../output/sink'
import { textWidth } from '../../output/width'
import { wrapLines } from '../../output/wrap'
import type { Dialogue } from '../flows/dialogue'
import { printOnce } from '../one-time-secret'
import { openDialogue } from '../open-dialogue'
import { forceFlag, secretFile, writeSecret } from '../secret-file'
import { readAccount } from './account'
import { codeWithoutBlanks } from './one-time-codes'

const scratchFlags: readonly Flag[] = [
  {
    name: 'scratch-file',
    value: 'file',
    description: 'Write the scratch code to a private file instead of showing it',
    values: 'files',
  },
  forceFlag,
]

const alreadyOn =
  'Two-factor authentication is already on: the current secret stays valid until a code confirms the new one'

/** Reports a secret that is in use: the new one would replace it. A profile that cannot be read is no failure. */
async function noteCurrentSecret(account: Account): Promise<void> {
  const client = await account.client({ brief: true })
  const current = await client.call(profile.view).catch(ignoreProblem)
  if (current?.two_factor_auth) await account.reporter.status(alreadyOn)
}

const enable = changeCommand({
  name: 'enable',
  action: actions.enableTwoFactor,
  columns: columnsFor<AnswerRecord<typeof tfa.enable>>(['secret', 'expiry']),
  done: () => 'Nothing changes until a code confirms it: skyctl profile tfa confirm --tfa-code CODE',
  async deliver(answer, context) {
    const secret = { name: 'the secret', file: 'tfa-secret', secret: answer.secret }
    await printOnce(secret, context.session, () => printAnswer(answer, context))
    await noteCurrentSecret(context.session.account)
    return undefined
  },
  help: {
    details:
      'Prints the secret and its expiry. Requires three answered security questions: skyctl profile security-questions answer. On a terminal, ' +
      '"skyctl profile tfa setup" guides through all steps.',
    examples: [
      { what: 'A secret for an authenticator', line: 'secret=$(skyctl profile tfa enable -o tsv --query secret)' },
    ],
  },
})

const confirm = changeCommand({
  name: 'confirm',
  action: actions.confirmTwoFactor,
  columns: columnsFor<AnswerRecord<typeof tfa.confirm>>(['scratch']),
  input: {
    flags: (derived) => [...derived, ...scratchFlags],
    check: (_body, { flags }) => void secretFile(flags, 'scratch-file'),
    complete: (body) => codeWithoutBlanks(body, 'tfa_code'),
  },
  done: () => 'Two-factor authentication is on; the scratch code replaces a code, once, and is not shown again',
  async deliver(answer, context) {
    await deliver(answer, context)
    return undefined
  },
  help: {
    details: 'Prints a scratch code, which replaces a code once.',
    examples: [
      {
        what: 'Confirm with a code, and save the scratch code in a file',
        line: 'skyctl profile tfa confirm --tfa-code "$(oathtool --totp --base32 "$secret")" --scratch-file scratch.txt',
      },
    ],
  },
})

const disable = changeCommand({
  name: 'disable',
  action: actions.disableTwoFactor,
  question: () => () => 'Logins will need the password only. Switch two-factor authentication off',
  already: () => 'Two-factor authentication is already off',
  done: () => 'Two-factor authentication is off',
  help: {
    details: 'Logins from untrusted computers then need the password only.',
    examples: [{ what: 'Ask first, then switch it off', line: 'skyctl profile tfa disable' }],
  },
})

const qrKinds = ['utf8', 'ascii', 'none'] as const
type QrKind = (typeof qrKinds)[number]

const setup: Command = {
  name: 'setup',
  summary: 'Switch two-factor authentication on, step by step',
  details:
    'Asks for missing security answers, shows the secret as text, as an address and as a QR ' +
    'code, asks for a code, and shows the scratch code. In scripts, use enable and confirm.',
  operations: [profile.view, securityQuestions.list, securityQuestions.answer, tfa.enable, tfa.confirm],
  flags: [
    ...scratchFlags,
    { name: 'qr', value: 'kind', description: 'Draw the QR code as utf8, ascii or none', values: qrKinds },
    ...outputFlags,
  ],
  examples: [{ what: 'For a terminal whose font has no blocks', line: 'skyctl profile tfa setup --qr ascii' }],
  async run({ flags }, session) {
    // Throws before anything is sent.
    secretFile(flags, 'scratch-file')
    const kind = choiceFlag(flags, 'qr', qrKinds)
    const dialogue = await openDialogue(
      session,
      'skyctl profile tfa enable, then skyctl profile tfa confirm --tfa-code CODE',
    )
    const view = await viewOf({ columns: columnsFor<AnswerRecord<typeof tfa.confirm>>(['scratch']) }, flags, session)
    const { setUpTfa } = await import('../flows/tfa')
    const account = await readAccount(dialogue.client)
    await setUpTfa(dialogue, {
      username: account.profile.username,
      enabled: account.profile.two_factor_auth,
      skewMs: account.serviceTime === undefined ? undefined : account.serviceTime - session.clock.now(),
      issuer: new URL((await session.account.access.signedIn()).baseUrl).hostname,
      draw: (address, around) => draw(address, { kind, ...around }, dialogue, session.ui.stderr),
      deliver: (scratch) => deliver({ scratch }, { flags, view, session }),
    })
    await session.ui.status('Two-factor authentication is on')
  },
}

/**
 * Draws the code, or prints the required window size: a part of a code cannot be scanned. In a window that fits the code
 * and the question, such as one of 80x24 less the status line of tmux, the text above scrolls off.
 */
async function draw(
  address: string,
  { kind, above, below }: { kind: QrKind | undefined; above: string; below: string },
  { ask, say }: Dialogue,
  stderr: Sink,
): Promise<void> {
  if (kind === 'none') return
  const { colors, columns = Number.MAX_SAFE_INTEGER, rows = Number.MAX_SAFE_INTEGER } = ask.window
  const unicode = kind ? kind === 'utf8' : ask.window.unicode
  // The prompt has a mark before the question, and space for six digits and the cursor after it.
  const questionRows = (width: number) => rowsOf(`? ${below} 123456_`, width)
  const { qrLines } = await import('../flows/qr')
  const drawIn = (height: number) => qrLines(address, { unicode, colors }, { columns, rows: height })
  const free = rows - questionRows(columns)
  const withText = await drawIn(free - rowsOf(above, columns))
  const drawn = Array.isArray(withText) ? withText : await drawIn(free)
  if (Array.isArray(drawn)) return stderr.write(`${drawn.join('\n')}\n`)
  const needed = Math.max(columns, drawn.columns)
  await say(
    `The QR code needs a window of ${needed}x${drawn.rows + questionRows(needed)} (columns x rows), and this one has ` +
      `${columns}x${rows}. Enlarge it and press Enter alone for another secret, or type this one in the app.`,
  )
}

function rowsOf(text: string, columns: number): number {
  return wrapLines(text, columns)
    .split('\n')
    .reduce((rows, line) => rows + Math.max(1, Math.ceil(textWidth(line) / columns)), 0)
}

/** Shows the scratch code, or writes it to its file. If that fails, it is shown: there is no other copy. */
async function deliver(
  answer: { scratch: string },
  { flags, view, session }: Pick<PrintedContext, 'flags' | 'view' | 'session'>,
): Promise<void> {
  const secret = { name: 'the scratch code', file: 'scratch-code', secret: answer.scratch }
  const show = () => printOnce(secret, session, () => printAnswer(answer, { view, session }))
  const file = textFlag(flags, 'scratch-file')
  if (file === undefined) return show()
  try {
    await writeSecret(file, answer.scratch)
  } catch (error) {
    await show()
    throw error
  }
  await session.ui.status(`The scratch code is in "${file}".`)
  await printAnswer({}, { view, session })
}

const group: CommandGroup = {
  name: 'tfa',
  summary: 'Two-factor authentication',
  commands: eagerCommands(setup, enable, confirm, disable),
}

export default group
