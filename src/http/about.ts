/** Whether an answer is about what was asked for: one about something else would be taken for it. */
import { type Operation, parametersOf } from '../catalogue/operation'
import { isRecord } from '../rules/records'
import type { Fail } from './problems'
import type { Call } from './requests'

type Names = NonNullable<Call['path']>

/** Throws where the answer to a request is about something else than the values in its path, or than its body. */
export function expectAbout(
  operation: Operation,
  { path: names = {}, body }: Pick<Call, 'path' | 'body'>,
  { answer, fail }: { answer: unknown; fail: Fail },
): void {
  expectNamed(operation, names, { answer, fail })
  if (!isRecord(answer) || !isRecord(body)) return
  for (const field of operation.repeats ?? []) {
    const [asked, told] = [body[field], answer[field]]
    const isTold = asked !== undefined && asked !== null && told !== undefined && told !== null
    if (isTold && !isRepeated(field, String(asked), String(told)))
      throw fail(`it is about another ${field} than was asked for`)
  }
}

/** Scopes have no order, and what follows an SSH key is a comment. */
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
  const { about } = operation
  for (const record of Array.isArray(answer) ? answer : [answer]) {
    if (!isRecord(record)) continue
    const told = about && record[about]
    if (told !== undefined && !isSame(asked, String(told))) throw fail(`it is about another ${about} than ${asked}`)
    // What is new is not what it was made of.
    if (operation.creates && String(record.id) === asked) throw fail(`what was made of ${asked} has the id of it`)
  }
}

/** Addresses are the same however they are written, also with their prefix length behind them. */
function isSame(asked: string, told: string): boolean {
  return told === asked || plain(told) === plain(asked)
}

function plain(name: string): string {
  const [start = ''] = name.toLowerCase().split('/', 1)
  // A URL has IPv6 addresses in one form (WHATWG URL, 3.5).
  const url = `http://[${start}]`
  return start.includes(':') && URL.canParse(url) ? new URL(url).hostname : start
}
