/** Whether an answer is about what was asked for: one about something else would be taken for it. */
import { type Operation, parametersOf } from '../catalogue/operation'
import { isRecord } from '../rules/records'
import type { Fail } from './problems'
import type { Call } from './requests'

type Names = NonNullable<Call['path']>

/** Throws where the answer to a request, whose path these values filled, names something else than they do. */
export function expectAbout(
  operation: Operation,
  names: Names,
  { answer, fail }: { answer: unknown; fail: Fail },
): void {
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
