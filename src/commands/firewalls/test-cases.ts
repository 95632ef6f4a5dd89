/** Packets to judge, from flags or from a file. */
import { nameOfSource, parseData, readText } from '../../engine/body-file'
import type { Flags } from '../../engine/command'
import { textFlag } from '../../engine/flag-values'
import { Problem } from '../../errors'
import { type Case, caseKeys, parseCase } from '../../firewall/cases'
import { isRecord } from '../../rules/records'
import type { Session } from '../../session'

export function caseOfFlags(flags: Flags): Case {
  const given = caseKeys.flatMap((key) => {
    const text = textFlag(flags, key)
    return text === undefined ? [] : [[key, text]]
  })
  return parseCase(Object.fromEntries(given), '')
}

/** A list of cases, or an object that has it under `cases`. */
export async function readCases(source: string, session: Session): Promise<Case[]> {
  const name = nameOfSource(source)
  const value = await parseData(await readText(source, session), name)
  const list = isRecord(value) ? value.cases : value
  if (!Array.isArray(list) || list.length === 0) throw new Problem('usage', `${name} must hold a list of cases`)
  return list.map((item: unknown, index) => parseCase(item, `cases[${index}]: `))
}
