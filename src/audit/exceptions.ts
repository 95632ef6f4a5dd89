/**
 * Findings that somebody accepts, each with its reason: `CODE:OBJECT  reason`, a line each. OBJECT is an id or
 * a label, with `/PART` for a part of it, or `*`; what has blanks stands in double quotes. `exp:DATE` before the reason
 * is its last day.
 */
import { type Failure, Problem } from '../errors'
import { didYouMean } from '../rules/nearest'
import { parseMoment } from '../rules/times'
import type { Subject } from './check'

export interface Exception {
  /** From 1. */
  line: number
  code: string
  object: string
  reason: string
  /** The first millisecond in which it holds no more; infinite where it always does. */
  end: number
}

const form = /^([^\s:"]+):(?:"([^"]*)"|(\S+))(?:\s+exp:(\S+))?(?:\s+(\S.*))?$/

/** Reads such a file, which is called `name` where it is wrong; throws all that is, at once. */
export function parseExceptions(text: string, name: string, codes: readonly string[]): Exception[] {
  const failures: Failure[] = []
  const exceptions = text.split(/\r?\n/).flatMap((written, index): Exception[] => {
    const one = parseLine(written.trim(), index + 1, codes)
    if (typeof one !== 'string') return one ? [one] : []
    failures.push({ target: `${name}:${index + 1}`, problem: new Problem('usage', one), tried: true })
    return []
  })
  if (failures.length === 0) return exceptions
  const count = failures.length === 1 ? '1 problem' : `${failures.length} problems`
  throw new Problem('usage', `${count}; nothing was checked`, { failures })
}

/** A text says what is wrong. */
function parseLine(text: string, line: number, codes: readonly string[]): Exception | string | undefined {
  if (text === '' || text.startsWith('#')) return undefined
  const match = form.exec(text)
  if (!match) return 'must be CODE:OBJECT and a reason, as "firewall-unused:spare  kept for the next move"'
  const [, code = '', quoted, plain = '', day, reason] = match
  if (!codes.includes(code)) return `unknown code "${code}". ${didYouMean(code, codes) ?? 'See docs/audit.md'}`
  const end = day === undefined ? Number.POSITIVE_INFINITY : parseMoment(day)?.end
  if (end === undefined) return `exp: "${day}" is no date such as 2027-01-31`
  if (reason === undefined) return 'the reason is missing. Write it behind the object'
  return { line, code, object: quoted ?? plain, reason, end }
}

/** Whether an exception is of this. A label that could be an id needs `label:`, as everywhere. */
export function excepts({ code, object }: Exception, found: { code: string; subject: Subject }): boolean {
  if (code !== found.code) return false
  if (object === '*') return true
  const { kind, id, label, part } = found.subject
  const names = [...(id === null ? [kind] : [String(id), `id:${id}`]), ...labelNames(label)]
  return names.some((name) => object === name || (part !== undefined && object === `${name}/${part}`))
}

function labelNames(label: string | null): string[] {
  if (label === null) return []
  return /^\d+$/.test(label) ? [`label:${label}`] : [label, `label:${label}`]
}
