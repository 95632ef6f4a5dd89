/** Judges an account: its findings, accepted ones, and what was not checked. */
import type { Problem } from '../errors'
import type { Check, Found } from './check'
import { type Exception, excepts } from './exceptions'
import type { Readings } from './read'
import type { Part, World } from './world'

export interface Finding extends Found, Pick<Check, 'code' | 'severity' | 'title'> {}

export interface Unseen {
  part: Part
  problem: Problem
  /** The checks that needed it. */
  codes: readonly string[]
}

export interface Unused {
  exception: Exception
  why: 'it has expired' | 'it matches no finding'
}

export interface Report {
  /** How many checks could be made. */
  checked: number
  /** In the order of the checks: worst first. */
  findings: readonly Finding[]
  ignored: readonly (Finding & { exception: Exception })[]
  /** Exceptions that match no finding, or have expired. */
  unused: readonly Unused[]
  unseen: readonly Unseen[]
}

/** What these checks need. */
export const partsOf = (checks: readonly Check[]): Part[] => [...new Set(checks.flatMap(({ needs }) => needs))]

export function judgeAccount(
  checks: readonly Check[],
  { world, failed }: Readings,
  exceptions: readonly Exception[],
): Report {
  const made = checks.filter(({ needs }) => !needs.some((part) => failed.has(part)))
  const all = made.flatMap((check) => findingsOf(check, world))
  const inForce = exceptions.filter(({ end }) => world.now < end)
  const judged = all.map((finding) => ({ finding, exception: inForce.find((one) => excepts(one, finding)) }))
  const isMade = ({ code }: Exception) => made.some((check) => check.code === code)
  const isUsed = (one: Exception) => all.some((finding) => excepts(one, finding))
  return {
    checked: made.length,
    findings: judged.flatMap(({ finding, exception }) => (exception ? [] : [finding])),
    ignored: judged.flatMap(({ finding, exception }) => (exception ? [{ ...finding, exception }] : [])),
    unused: exceptions.flatMap((exception): Unused[] => {
      if (!inForce.includes(exception)) return [{ exception, why: 'it has expired' }]
      // Of what nobody looked at, it is not known.
      return isMade(exception) && !isUsed(exception) ? [{ exception, why: 'it matches no finding' }] : []
    }),
    unseen: [...failed].map(([part, problem]) => ({
      part,
      problem,
      codes: checks.filter(({ needs }) => needs.includes(part)).map(({ code }) => code),
    })),
  }
}

function findingsOf({ code, severity, title, find }: Check, world: Readings['world']): Finding[] {
  // Of the world a check sees what it needs, and that was read.
  return find(world as World).map((found) => ({ code, severity, title, ...found }))
}

/** A finding by a name of its own, for files of exceptions: `database-port-open:4006/tcp/5432`. */
export function keyOf({ code, subject: { kind, id, part } }: Finding): string {
  return `${code}:${id ?? kind}${part === undefined ? '' : `/${part}`}`
}
