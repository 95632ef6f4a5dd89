import { version } from '../../../package.json'
import { profile } from '../../catalogue/profile/profile'
import { tokens } from '../../catalogue/tokens'
import type { Command, Invocation } from '../../engine/command'
import { durationFlag } from '../../engine/flag-values'
import { outputFlags } from '../../engine/flags'
import { viewOf } from '../../engine/printing'
import type { Session } from '../../engine/session'
import { exitCodes, Problem } from '../../errors'
import { columnsFor, type FieldPath } from '../../output/column'
import { wantsDocument, wantsScreen } from '../../output/output-kind'
import { printMany, printOne, type View } from '../../output/print'
import { type Styling, styles } from '../../output/style'
import { wrap } from '../../output/wrap'
import { escapeText } from '../../rules/escape'
import { counted } from '../../rules/texts'
import { isOlder } from '../../rules/versions'
import { describeRelease, latestRelease, releasesAddress } from '../releases'
import { checkCompletion } from './completion'
import { addressOf, lookAtContexts, userNameRemover } from './contexts'
import {
  type CheckStatus,
  type Diagnosis,
  ofProblem,
  ok,
  orProblem,
  type Patience,
  skipped,
  statuses,
  warning,
} from './diagnosis'
import { lookAtMachine } from './machine'
import { lookAtNetwork } from './network'
import { lookAtService } from './service'

/** Version of the --json document; increased with every incompatible change. */
const formatVersion = 1

/** Default limit; --timeout can lower it. */
const mostMs = 10_000

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

const fields: readonly FieldPath<Row>[] = ['name', 'status', 'message', 'fix']
const columns = columnsFor<Row>(['name', { path: 'status', tone: tones }, 'message', 'fix'])

const command: Command = {
  name: 'doctor',
  summary: 'Diagnose problems with skyctl on this machine',
  details:
    'Checks Node, folders, contexts, the connection, its certificate, the clock, the token and completion, and ' +
    `prints how to fix each problem. Exits with ${exitCodes.mismatch} if a check fails. The output has no secrets and no ` +
    'user names, so you can share it. --quiet prints only the names of checks that failed or warned.',
  operations: [profile.view, tokens.list],
  flags: outputFlags,
  examples: [
    { what: 'Find problems and their fixes', line: 'skyctl doctor' },
    { what: 'Attach the result to a bug report', line: 'skyctl doctor --json > doctor.json' },
  ],
  async run(invocation, session) {
    const { flags } = invocation
    const view = await viewOf({ fields, columns, key: 'name' }, flags, session)
    const home = homeOf(session)
    const diagnoses = await diagnose(session, home, invocation)
    const withoutUsers = await userNameRemover(session)
    const rows = diagnoses.map((one) => rowOf(one, (text) => withoutUsers(shortened(text, home))))
    await print(rows, view, session)
    const failed = rows.filter(({ status }) => status === 'failure').map(({ name }) => name)
    if (failed.length > 0) throw new Problem('mismatch', failureText([...new Set(failed)]))
  },
}

export default command

async function diagnose(
  session: Session,
  home: string | undefined,
  { flags, program }: Invocation,
): Promise<Diagnosis[]> {
  const { signal } = session
  const patience = { stepMs: Math.min(mostMs, durationFlag(flags, 'timeout') ?? mostMs), signal }
  const progress = await session.ui.progress('Checking')
  try {
    return [
      // Before the contexts are read, as that repairs some problems.
      ...lookAtMachine(session),
      ...(await lookAtContexts(session)),
      ...(await lookAtAccount(session, patience)),
      await checkCompletion(session, { home, program }),
      ...(await lookAtReleases(session, patience)),
    ]
  } finally {
    progress.done()
  }
}

async function lookAtAccount(session: Session, patience: Patience): Promise<Diagnosis[]> {
  const credential = await orProblem(() => session.account.access.credential(), session.signal)
  if (credential instanceof Problem) {
    // The check of the contexts has reported it.
    const isReported = credential.code === 'context_not_found'
    return [isReported ? skipped('address', 'the context is unknown') : ofProblem('address', credential)]
  }
  const network = credential.sandbox ? [] : await lookAtNetwork(credential.baseUrl, session, patience)
  const isReached = network.every(({ status }) => status === 'ok' || status === 'warning')
  const service = isReached
    ? await lookAtService(credential, session, patience)
    : [skipped('token', 'the service cannot be reached')]
  return [addressOf(credential), ...network, ...service]
}

/** Checks for a newer version, if the environment names an address of releases. */
async function lookAtReleases(session: Session, { stepMs, signal }: Patience): Promise<Diagnosis[]> {
  const look = async () => {
    const address = releasesAddress(session.env)
    return address && latestRelease(address, { session, timeoutMs: stepMs })
  }
  const latest = await orProblem(look, signal)
  if (latest === undefined) return []
  // skyctl works without it.
  if (latest instanceof Problem) return [warning('release', latest.message, latest.details.hint)]
  const isNewer = isOlder(version, latest.version)
  return [isNewer ? warning('release', describeRelease(latest)) : ok('release', `no version is newer than ${version}`)]
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

const shortened = (text: string, home: string | undefined) =>
  home === undefined ? text : text.replaceAll(`${home}/`, '~/')

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

async function screenOf(rows: readonly Row[], { width, color }: Pick<View, 'width' | 'color'>): Promise<string> {
  const style = await styles(color)
  const nameWidth = Math.max(...rows.map(({ name }) => name.length))
  const lines = rows.flatMap(({ name, status, message, fix }) => {
    const tone = style[tones.get(status) ?? 'bold']
    const text = wrap(`${status.padEnd(7)}  ${name.padEnd(nameWidth)}  ${escapeText(message)}`, width, ' '.repeat(9))
    return [
      text.replace(status, tone(status)),
      // Not wrapped, so that a command can be copied.
      ...(fix === null ? [] : [`         -> ${escapeText(fix)}`]),
    ]
  })
  const counts = (['failure', 'warning'] as const).flatMap((status) => {
    const count = countOf(rows, status)
    return count === 0 ? [] : [counted(count, status)]
  })
  return `${[...lines, counts.length === 0 ? 'No problems' : counts.join(', ')].join('\n')}\n`
}
