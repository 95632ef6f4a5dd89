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
  const requestFields = { ...expected, ...body }
  for (const field of repeats) {
    const [requestValue, answerValue] = [requestFields[field], record[field]]
    const areBothSet =
      requestValue !== undefined && requestValue !== null && answerValue !== undefined && answerValue !== null
    if (areBothSet && !isRepeated(field, String(requestValue), String(answerValue)))
      throw fail(`its ${field} is not the requested one`)
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

function isRepeated(field: string, requestValue: string, answerValue: string): boolean {
  const form = forms[field]
  return requestValue === answerValue || (form !== undefined && form(requestValue) === form(answerValue))
}

function expectNamed(operation: Operation, names: Names, { answer, fail }: { answer: unknown; fail: Fail }): void {
  const parameter = parametersOf(operation.path).at(-1)
  if (parameter === undefined) return
  const requestName = String(names[parameter])
  const { identityField } = operation
  for (const record of Array.isArray(answer) ? answer : [answer]) {
    if (!isRecord(record)) continue
    const answerName = identityField && record[identityField]
    if (answerName !== undefined && !isSame(requestName, String(answerName)))
      throw fail(`its ${identityField} is not ${requestName}`)
    // A created resource must not have the id of its source.
    if (operation.creates && String(record.id) === requestName) throw fail(`the copy has the id of ${requestName}`)
  }
}

/** Compares names. Addresses may be written in several ways, also with a prefix length. */
function isSame(requestName: string, answerName: string): boolean {
  return answerName === requestName || plain(answerName) === plain(requestName)
}

function plain(name: string): string {
  const [start = ''] = name.toLowerCase().split('/')
  // The URL parser normalizes IPv6 addresses (WHATWG URL, 3.5).
  const url = `http://[${start}]`
  return start.includes(':') && URL.canParse(url) ? new URL(url).hostname : start
}
