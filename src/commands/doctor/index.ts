import { profile } from '../../catalogue/profile/profile'
import type { Command } from '../../engine/command'
import { outputFlags } from '../../engine/flags'
import { viewOf } from '../../engine/printing'
import type { Session } from '../../engine/session'
import { exitCodes, Problem } from '../../errors'
import { columnsFor } from '../../output/column'
import { printMany, printOne, type View, wantsDocument, wantsScreen } from '../../output/print'
import { type Styling, styles } from '../../output/style'
import { wrap } from '../../output/wrap'
import { spanText } from '../../rules/durations'
import { escapeText } from '../../rules/escape'
import { counted } from '../../rules/texts'
import { checkCompletion } from './completion'
import { type CheckStatus, type Diagnosis, orProblem, statuses } from './diagnosis'
import { lookAtMachine } from './machine'
import { lookAtService } from './service'

/** Version of the --json document; increased with every incompatible change. */
const formatVersion = 1

interface Row {
  name: string
  status: CheckStatus
  message: string
  fix: string | null
}

const tones: ReadonlyMap<unknown, Styling> = new Map<CheckStatus, Styling>([
  ['ok', 'green'],
  ['warning', 'yellow'],
  ['failure', 'red'],
  ['skipped', 'dim'],
])

const columns = columnsFor<Row>(['name', { path: 'status', tone: tones }, 'message', 'fix'])

const command: Command = {
  name: 'doctor',
  summary: 'Diagnose problems with skyctl on this machine',
  details:
    'Checks Node, folders, the address and its proxy, the service, the clock, the token and completion, and ' +
    `prints how to fix each problem. Exits with ${exitCodes.mismatch} if a check fails. The output has no secrets and no ` +
    'user names, so you can share it. --quiet prints only the names of checks that failed or warned.',
  operations: [profile.view],
  flags: outputFlags,
  examples: [
    { what: 'Find problems and their fixes', line: 'skyctl doctor' },
    { what: 'Attach the result to a bug report', line: 'skyctl doctor --json > doctor.json' },
  ],
  async run({ flags }, session) {
    const view = await viewOf({ columns, key: 'name' }, flags, session)
    const home = homeOf(session)
    const diagnoses = await diagnose(session, home)
    const withoutUsers = await userNameRemover(session)
    const rows = diagnoses.map((one) => rowOf(one, (text) => withoutUsers(shortened(text, home))))
    await print(rows, view, session)
    const failed = rows.filter(({ status }) => status === 'failure').map(({ name }) => name)
    if (failed.length > 0) throw new Problem('mismatch', failureText([...new Set(failed)]))
  },
}

export default command

async function diagnose(session: Session, home: string | undefined): Promise<Diagnosis[]> {
  const progress = await session.ui.progress(waitingLine(session.clock))
  try {
    return [
      // Before the contexts are read, as that repairs some problems.
      ...lookAtMachine(session.account.local.paths),
      ...(await lookAtService(session)),
      checkCompletion(session, home),
    ]
  } finally {
    progress.done()
  }
}

/** A wait that takes longer is explained. */
const noticedMs = 5000

/** Returns the text of the progress, which says after a while what it waits for. */
function waitingLine({ monotonic }: Session['clock']): () => string {
  const begun = monotonic()
  return () => {
    const passedMs = monotonic() - begun
    return passedMs < noticedMs
      ? 'Checking'
      : `Waiting for the service (${spanText(passedMs)}). Ctrl-C ends it; --timeout 10s waits less`
  }
}

/**
 * Returns a function that replaces the context names which contain the name of a user who has signed in here: the output
 * of a diagnosis is shared.
 */
async function userNameRemover({ config, signal }: Session): Promise<(text: string) => string> {
  const stored = await orProblem(() => config.read(), signal)
  if (stored instanceof Problem) return (text) => text
  const users = [...stored.contexts.values()].flatMap(({ user }) => (user ? [user.toLowerCase()] : []))
  const names = [...stored.contexts.keys()].filter((name) => users.some((user) => name.toLowerCase().includes(user)))
  return (text) => names.reduce((left, name) => left.replaceAll(name, 'USER'), text)
}

/** Returns the home folder; undefined if unknown. */
function homeOf({ env }: Session): string | undefined {
  const home = env.HOME || env.USERPROFILE
  return home !== undefined && home.length > 1 ? home.replace(/[/\\]+$/, '') : undefined
}

const rowOf = ({ name, status, message, fix }: Diagnosis, shareable: (text: string) => string): Row => ({
  ...{ name, status, message: shareable(message) },
  fix: fix === undefined ? null : shareable(fix),
})

/** Names the home folder `~`, but not inside quotes, where a shell would not expand it. */
const shortened = (text: string, home: string | undefined) =>
  home === undefined ? text : text.replaceAll(`'${home}/`, "~/'").replaceAll(`${home}/`, '~/')

async function print(rows: readonly Row[], view: View, session: Session): Promise<void> {
  if (wantsScreen(view)) return session.ui.stdout.write(await screenOf(rows, view))
  if (wantsDocument(view)) {
    const counts = Object.fromEntries(statuses.map((status) => [status, countOf(rows, status)]))
    return printOne({ format_version: formatVersion, counts, checks: rows }, view, session.ui.stdout)
  }
  const isIll = ({ status }: Row) => status === 'failure' || status === 'warning'
  await printMany(view.quiet === undefined ? rows : rows.filter(isIll), view, session.ui.stdout)
}

const failureText = (names: readonly string[]) => `${counted(names.length, 'check')} failed: ${names.join(', ')}`

const countOf = (rows: readonly Row[], status: CheckStatus) => rows.filter((row) => row.status === status).length

/** Returns a function that formats a fix so that a command can be copied; sentences begin with a capital letter. */
async function fixFormatter(width: number): Promise<(fix: string) => string> {
  const { wrapMessage } = await import('../../output/wrap-message')
  const { continuedCommand } = await import('../../output/continued-command')
  const head = `${' '.repeat(9)}-> `
  const form = { column: head.length, indent: ' '.repeat(head.length) }
  return (fix) => (/^[A-Z]/.test(fix) ? wrapMessage(head + fix, width) : head + continuedCommand(fix, width, form))
}

async function screenOf(rows: readonly Row[], { width, color }: Pick<View, 'width' | 'color'>): Promise<string> {
  const style = await styles(color)
  const fixLine = await fixFormatter(width)
  const nameWidth = Math.max(...rows.map(({ name }) => name.length))
  const lines = rows.flatMap(({ name, status, message, fix }) => {
    const tone = style[tones.get(status) ?? 'bold']
    const text = wrap(`${status.padEnd(7)}  ${name.padEnd(nameWidth)}  ${escapeText(message)}`, width, ' '.repeat(9))
    return [text.replace(status, tone(status)), ...(fix === null ? [] : [fixLine(escapeText(fix))])]
  })
  const counts = (['failure', 'warning'] as const).flatMap((status) => {
    const count = countOf(rows, status)
    return count === 0 ? [] : [counted(count, status)]
  })
  return `${[...lines, counts.length === 0 ? 'No problems' : counts.join(', ')].join('\n')}\n`
}
