/** Runs the checks on an account: findings, accepted findings, and the parts that could not be checked. */
import type { Problem } from '../errors'
import { type AuditCheck, type CheckResult, type Severity, severities } from './check'
import { type Exception, excepts } from './exceptions'
import type { Readings } from './read-snapshot'
import type { AccountSnapshot, SnapshotPart } from './snapshot'

export interface Finding extends CheckResult, Pick<AuditCheck, 'code' | 'severity' | 'title'> {}

export interface Unseen {
  part: SnapshotPart
  problem: Problem
  /** Codes of the checks that needed the part; they ran for the readable objects of it. */
  codes: readonly string[]
}

export interface Unused {
  exception: Exception
  why: 'it has expired' | 'it matches no finding'
}

export interface AuditReport {
  checked: number
  /** In the order of the checks: worst first. */
  findings: readonly Finding[]
  ignored: readonly (Finding & { exception: Exception })[]
  /** Exceptions that have expired or match no finding. */
  unused: readonly Unused[]
  unseen: readonly Unseen[]
}

export const partsOf = (checks: readonly AuditCheck[]): SnapshotPart[] => [
  ...new Set(checks.flatMap(({ needs }) => needs)),
]

export function auditAccount(
  checks: readonly AuditCheck[],
  { world, failed, unreadable }: Readings,
  exceptions: readonly Exception[],
): AuditReport {
  const possibleChecks = checks.filter(({ needs }) => !needs.some((part) => failed.has(part)))
  const all = findingsOf(possibleChecks, world)
  const inForce = exceptions.filter(({ end }) => world.now < end)
  const judged = all.map((finding) => ({ finding, exception: inForce.find((one) => excepts(one, finding)) }))
  const isPossible = ({ code }: Exception) => possibleChecks.some((check) => check.code === code)
  const isUsed = (one: Exception) => all.some((finding) => excepts(one, finding))
  return {
    checked: possibleChecks.length,
    findings: judged.flatMap(({ finding, exception }) => (exception ? [] : [finding])),
    ignored: judged.flatMap(({ finding, exception }) => (exception ? [{ ...finding, exception }] : [])),
    unused: exceptions.flatMap((exception): Unused[] => {
      if (!inForce.includes(exception)) return [{ exception, why: 'it has expired' }]
      // If its check did not run, skyctl cannot tell whether an exception is used.
      return isPossible(exception) && !isUsed(exception) ? [{ exception, why: 'it matches no finding' }] : []
    }),
    unseen: [...[...failed].map(([part, problem]) => ({ part, problem })), ...unreadable].map((one) => ({
      ...one,
      codes: checks.filter(({ needs }) => needs.includes(one.part)).map(({ code }) => code),
    })),
  }
}

/** Runs the checks, and returns their findings in the order of the checks. */
function findingsOf(checks: readonly AuditCheck[], world: Readings['world']): Finding[] {
  // A check reads only the parts that it needs, and those were read.
  const snapshot = world as AccountSnapshot
  return checks.flatMap(({ code, severity, title, find }) =>
    find(snapshot).map((result) => ({ code, severity, title, ...result })),
  )
}

/** Key of a finding in files of exceptions: `database-port-open:4006/tcp/5432`. */
export function keyOf({ code, subject: { kind, id, part } }: Finding): string {
  return `${code}:${id ?? kind}${part === undefined ? '' : `/${part}`}`
}

export type SeverityCounts = Record<Severity, number>

export function countBySeverity(findings: readonly Finding[]): SeverityCounts {
  const counts: SeverityCounts = { critical: 0, high: 0, medium: 0, low: 0 }
  for (const { severity } of findings) counts[severity] += 1
  return counts
}

/** Returns `5 critical, 16 high`; empty without findings. */
export const countsText = (counts: SeverityCounts) =>
  severities.flatMap((severity) => (counts[severity] > 0 ? [`${counts[severity]} ${severity}`] : [])).join(', ')
