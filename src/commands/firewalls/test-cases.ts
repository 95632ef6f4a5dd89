/** Reads packets to test, from flags or from a file. */
import { nameOfSource, parseData, readText } from '../../engine/body-file'
import type { Flags } from '../../engine/command'
import { textFlag } from '../../engine/flag-values'
import { Problem } from '../../errors'
import { caseKeys, parseTestCase, type TestCase } from '../../firewall/test-cases'
import { isRecord } from '../../rules/records'
import type { Session } from '../../session'

export function caseOfFlags(flags: Flags): TestCase {
  const given = caseKeys.flatMap((key) => {
    const text = textFlag(flags, key)
    return text === undefined ? [] : [[key, text]]
  })
  return parseTestCase(Object.fromEntries(given), '')
}

/** Reads a list of cases, or an object with the list under `cases`. */
export async function readCases(source: string, session: Session): Promise<TestCase[]> {
  const name = nameOfSource(source)
  const value = await parseData(await readText(source, session), name)
  const list = isRecord(value) ? value.cases : value
  if (!Array.isArray(list) || list.length === 0) throw new Problem('usage', `${name} must hold a list of cases`)
  return list.map((item: unknown, index) => parseTestCase(item, `cases[${index}]: `))
}
