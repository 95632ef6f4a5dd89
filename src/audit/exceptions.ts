/**
 * Reads files of accepted findings, one per line: `CODE:OBJECT  reason`. OBJECT is an id or a label, with `/PART` for a
 * part of it, or `*`. It is quoted if it has blanks. `exp:DATE` before the reason is the last day of the exception.
 */
import { Problem, type TargetFailure } from '../errors'
import { didYouMean } from '../rules/nearest'
import { counted } from '../rules/texts'
import { parseTimeSpan } from '../rules/times'
import type { AuditSubject } from './check'

export interface Exception {
  /** Counted from 1. */
  line: number
  code: string
  object: string
  reason: string
  /** First millisecond (since the epoch) in which the exception no longer applies; infinite without a date. */
  end: number
}

const form = /^([^\s:"]+):(?:"([^"]*)"|(\S+))(?:\s+exp:(\S+))?(?:\s+(\S.*))?$/

/** Parses a file of exceptions. Throws all its mistakes at once; messages call the file `name`. */
export function parseExceptions(text: string, name: string, codes: readonly string[]): Exception[] {
  const failures: TargetFailure[] = []
  const exceptions = text.split(/\r?\n/).flatMap((written, index): Exception[] => {
    const one = parseLine(written.trim(), index + 1, codes)
    if (typeof one !== 'string') return one ? [one] : []
    failures.push({ target: `${name}:${index + 1}`, problem: new Problem('usage', one), tried: true })
    return []
  })
  if (failures.length === 0) return exceptions
  const count = counted(failures.length, 'problem')
  throw new Problem('usage', `${count}; nothing was checked`, { failures })
}

/** Returns an exception, an error message (a string), or undefined for a line without one. */
function parseLine(text: string, line: number, codes: readonly string[]): Exception | string | undefined {
  if (text === '' || text.startsWith('#')) return undefined
  const match = form.exec(text)
  if (!match) return 'must be CODE:OBJECT and a reason, as "firewall-unused:spare  kept for the next move"'
  const [, code = '', quoted, plain = '', day, reason] = match
  if (!codes.includes(code)) return `unknown code "${code}". ${didYouMean(code, codes) ?? 'See docs/audit.md'}`
  const end = day === undefined ? Number.POSITIVE_INFINITY : parseTimeSpan(day)?.end
  if (end === undefined) return `exp: "${day}" is not a date such as 2027-01-31`
  if (reason === undefined) return 'the reason is missing. Write it after the object'
  return { line, code, object: quoted ?? plain, reason, end }
}

/** Reports whether an exception matches a finding. A label that could be an id needs `label:`, as in commands. */
export function excepts({ code, object }: Exception, finding: { code: string; subject: AuditSubject }): boolean {
  if (code !== finding.code) return false
  if (object === '*') return true
  const { kind, id, label, part } = finding.subject
  const names = [...(id === null ? [kind] : [String(id), `id:${id}`]), ...labelNames(label)]
  return names.some((name) => object === name || (part !== undefined && object === `${name}/${part}`))
}

function labelNames(label: string | null): string[] {
  if (label === null) return []
  return /^\d+$/.test(label) ? [`label:${label}`] : [label, `label:${label}`]
}
