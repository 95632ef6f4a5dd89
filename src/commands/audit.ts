import { mostReads } from '../account/concurrency'
import { sameStart } from '../account/token-in-use'
import { type AuditReport, auditAccount, countBySeverity, type Finding, keyOf, partsOf } from '../audit/audit'
import { type AuditCheck, type Severity, severities } from '../audit/check'
import { checks } from '../audit/checks'
import { type Exception, parseExceptions } from '../audit/exceptions'
import { operationsOf, readParts } from '../audit/read-snapshot'
import { nameOfSource, readText } from '../engine/body-file'
import type { Command, CommandInput, Flags } from '../engine/command'
import { choiceFlag, listFlag, textFlag } from '../engine/flag-values'
import { outputFlags } from '../engine/flags'
import { viewOf } from '../engine/printing'
import type { Session } from '../engine/session'
import { exitCodes, Problem } from '../errors'
import { columnsFor } from '../output/column'
import { printMany, printOne, type View, wantsDocument, wantsScreen } from '../output/print'
import { didYouMean } from '../rules/nearest'
import { counted } from '../rules/texts'
import { auditScreen, toneOf } from './audit-screen'
import { type CommandLine, commandLines } from './audit-texts'

/** Version of the --json document; increased with every incompatible change. */
const formatVersion = 1

const codes: readonly string[] = checks.map(({ code }) => code)

const command: Command = {
  name: 'audit',
  summary: 'Check the account for security and cost problems',
  paged: true,
  details:
    'Finds ports that are exposed to the internet, instances without a firewall, old tokens, unattached volumes and ' +
    'more. Changes nothing, and prints findings worst first, each with the command that fixes it. ' +
    'Lists parts that it cannot read as not checked. docs/audit.md explains each code.',
  moreDetails:
    'An exceptions file has one exception on a line: CODE:OBJECT  reason. OBJECT is an id or a label, * is ' +
    'any; exp:2027-01-31 before the reason is its last day. --quiet prints findings in this format.',
  operations: operationsOf(partsOf(checks)),
  flags: [
    {
      name: 'fail-on',
      value: 'severity',
      description: `Exit with ${exitCodes.mismatch} for a finding of this severity or worse`,
      values: severities,
    },
    {
      name: 'ignore',
      value: 'file',
      description: 'Leave out the exceptions in this file; - is stdin',
      values: 'files',
    },
    { name: 'code', value: 'code', list: 'commas', description: 'Run only these checks', values: codes },
    ...outputFlags,
  ],
  examples: [
    { what: 'A nightly check', line: 'skyctl audit --fail-on high' },
    { what: 'Costs: volumes that are attached to nothing', line: 'skyctl audit --code volume-unattached' },
    { what: 'All findings, worst first', line: 'skyctl audit' },
    { what: 'Instances without a firewall', line: 'skyctl audit --code instance-unprotected' },
    { what: 'Tokens that never expire', line: 'skyctl audit --code token-never-expires --json' },
  ],
  async run({ flags }, session) {
    const view = await viewOf({ fields, columns, key: 'key' }, flags, session)
    const worst = choiceFlag(flags, 'fail-on', severities)
    const chosen = chosenChecks(flags)
    const exceptions = await readExceptions(flags, session)
    const report = await reportOn(chosen, exceptions, { flags, session })
    const line = await commandLines(session)
    if (wantsScreen(view)) {
      await session.ui.stdout.write(await auditScreen(report, { ...view, line, whole: flags.code !== undefined }))
    } else if (wantsDocument(view)) {
      await printOne(documentOf(report, line), view, session.ui.stdout)
    } else {
      await printMany(
        report.findings.map((finding) => rowOf(finding, line)),
        view,
        session.ui.stdout,
      )
    }
    await tellRest(report, view, { name: textFlag(flags, 'ignore') ?? '', session })
    conclude(report, worst)
  },
}

export default command

function chosenChecks(flags: Flags): readonly AuditCheck[] {
  const selected = listFlag(flags, 'code')
    ?.flatMap((text) => text.split(','))
    .map((text) => text.trim())
  const unknown = selected?.find((code) => !codes.includes(code))
  if (unknown === undefined) return selected ? checks.filter(({ code }) => selected.includes(code)) : checks
  const hint = didYouMean(unknown, codes) ?? `The codes are: ${codes.join(', ')}`
  throw new Problem('usage', `--code: unknown code "${unknown}"`, { hint })
}

async function readExceptions(flags: Flags, session: Session): Promise<Exception[]> {
  const file = textFlag(flags, 'ignore')
  if (file === undefined) return []
  return parseExceptions(await readText(file, session), file === '-' ? nameOfSource(file) : file, codes)
}

/** Reports whether the token comes from the environment, a file or a command, so that no context would get another one. */
async function isUnstored({ account }: Session): Promise<boolean> {
  const credential = await account.access.credential()
  if (credential.sandbox || credential.secret instanceof Problem) return false
  return credential.secret.from !== 'context' || !('token' in credential.secret)
}

async function reportOn(
  chosen: readonly AuditCheck[],
  exceptions: readonly Exception[],
  { flags, session }: CommandInput,
): Promise<AuditReport> {
  const progress = await session.ui.progress('Reading the account')
  try {
    const { token } = await session.account.access.signedIn()
    const isInUse = (one: { token: string }) => sameStart(one.token, token)
    const client = await session.account.client({ concurrency: mostReads })
    const readNetworkNamer = async () => (await import('./firewalls/network-names')).networkNamer({ flags, session })
    const isTokenUnstored = await isUnstored(session)
    const context = { client, clock: session.clock, isInUse, isTokenUnstored, readNetworkNamer }
    const readings = await readParts(partsOf(chosen), context)
    return auditAccount(chosen, readings, exceptions)
  } finally {
    progress.done()
  }
}

type Row = ReturnType<typeof rowOf>

const columns = columnsFor<Row>([
  { path: 'severity', tone: toneOf },
  ...(['code', 'kind', 'id', 'label', 'part', 'reason', 'command'] as const),
])
const fields = [...columns.map(({ path }) => path), 'key']

function rowOf(finding: Finding, line: CommandLine) {
  const { severity, code, subject, reason, command } = finding
  const { kind, id, label, part = null } = subject
  return { severity, code, kind, id, label, part, reason, command: line(command), key: keyOf(finding) }
}

function documentOf(
  { checked, findings, ignored, unused, unseen }: AuditReport,
  line: CommandLine,
): Record<string, unknown> {
  const recordOf = (finding: Finding) => {
    const { severity, code, kind, id, label, part, reason, command, key } = rowOf(finding, line)
    const alternatives = (finding.alternatives ?? []).map(line)
    return {
      severity,
      code,
      title: finding.title,
      object: { kind, id, label, part },
      reason,
      command,
      alternatives,
      key,
    }
  }
  return {
    format_version: formatVersion,
    checked,
    counts: countBySeverity(findings),
    findings: findings.map(recordOf),
    ignored: ignored.map((one) => ({ ...recordOf(one), because: one.exception.reason })),
    unused: unused.map(({ exception: { line, code, object, reason }, why }) => ({ line, code, object, reason, why })),
    skipped: unseen.map(({ part, problem, codes }) => ({
      part,
      codes,
      error: { code: problem.code, message: problem.message },
    })),
  }
}

/** Prints the parts of a report that rows lack, on stderr. */
async function tellRest(
  { unseen, unused }: AuditReport,
  view: View,
  { name, session }: { name: string; session: Session },
): Promise<void> {
  if (wantsDocument(view)) return
  const file = name === '-' ? nameOfSource(name) : name
  for (const { exception, why } of unused) {
    await session.ui.warn(`${file}:${exception.line}: ${exception.code}:${exception.object} is unused: ${why}`)
  }
  if (wantsScreen(view)) return
  for (const { part, problem } of unseen) await session.ui.warn(`not checked: ${part}: ${problem.message}`)
}

/** Throws the result of --fail-on. A skipped check cannot confirm anything, so its problem is thrown instead. */
function conclude({ findings, unseen }: AuditReport, worst: Severity | undefined): void {
  const failing = worst === undefined ? [] : severities.slice(0, severities.indexOf(worst) + 1)
  const count = findings.filter(({ severity }) => failing.includes(severity)).length
  if (count > 0) {
    throw new Problem('mismatch', `${counted(count, 'finding')} of severity ${failing.join(' or ')}`)
  }
  const isFailing = (code: string) => checks.some((one) => one.code === code && failing.includes(one.severity))
  const missed =
    unseen.find(({ problem }) => problem.code !== 'not_allowed') ?? unseen.find(({ codes }) => codes.some(isFailing))
  if (!missed) return
  const { part, problem } = missed
  if (problem.code === 'some_failed') throw problem
  throw problem.with({ message: `${part} could not be checked: ${problem.message}` })
}
