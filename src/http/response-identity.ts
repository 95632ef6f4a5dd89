/** Checks that an answer describes the requested resource, so that no other one is taken for it. */
import { type Operation, parametersOf } from '../catalogue/operation'
import { isRecord } from '../rules/records'
import type { Fail } from './problems'
import type { Call } from './requests'

type Names = NonNullable<Call['path']>

/** Throws if an answer contradicts the values in the request's path, its body, or what follows from them. */
export function expectSameObject(
  operation: Operation,
  { path: names = {}, body, expected }: Pick<Call, 'path' | 'body' | 'expected'>,
  { answer, fail }: { answer: unknown; fail: Fail },
): void {
  expectNamed(operation, names, { answer, fail })
  if (!isRecord(answer) || !isRecord(body)) return
  const { repeats = [], repeatedIn } = operation
  const record = repeatedIn === undefined ? answer : answer[repeatedIn]
  if (!isRecord(record)) return
  const wanted = { ...expected, ...body }
  for (const field of repeats) {
    const [asked, told] = [wanted[field], record[field]]
    const isTold = asked !== undefined && asked !== null && told !== undefined && told !== null
    if (isTold && !isRepeated(field, String(asked), String(told))) throw fail(`its ${field} is not the requested one`)
  }
}

/**
 * Normal forms of values that can be written in several ways. Scopes have no order, and an SSH key ends with a comment.
 */
const forms: Readonly<Record<string, (text: string) => string>> = {
  route_target: plain,
  scopes: (text) => [...new Set(text.split(/[\s,]+/))].sort().join(' '),
  ssh_key: (text) => text.trim().split(/\s+/).slice(0, 2).join(' '),
}

function isRepeated(field: string, asked: string, told: string): boolean {
  const form = forms[field]
  return asked === told || (form !== undefined && form(asked) === form(told))
}

function expectNamed(operation: Operation, names: Names, { answer, fail }: { answer: unknown; fail: Fail }): void {
  const hole = parametersOf(operation.path).at(-1)
  if (hole === undefined) return
  const asked = String(names[hole])
  const { identityField } = operation
  for (const record of Array.isArray(answer) ? answer : [answer]) {
    if (!isRecord(record)) continue
    const told = identityField && record[identityField]
    if (told !== undefined && !isSame(asked, String(told))) throw fail(`its ${identityField} is not ${asked}`)
    // A created resource must not have the id of its source.
    if (operation.creates && String(record.id) === asked) throw fail(`the copy has the id of ${asked}`)
  }
}

/** Compares names. Addresses may be written in several ways, also with a prefix length. */
function isSame(asked: string, told: string): boolean {
  return told === asked || plain(told) === plain(asked)
}

function plain(name: string): string {
  const [start = ''] = name.toLowerCase().split('/')
  // The URL parser normalizes IPv6 addresses (WHATWG URL, 3.5).
  const url = `http://[${start}]`
  return start.includes(':') && URL.canParse(url) ? new URL(url).hostname : start
}
