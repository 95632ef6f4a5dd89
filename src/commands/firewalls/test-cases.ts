/** Reads packets to test, from flags or from a file. */
import { emptyFile, nameOfSource, parseData, readText } from '../../engine/body-file'
import type { CommandInput, Flags } from '../../engine/command'
import { textFlag } from '../../engine/flag-values'
import type { Session } from '../../engine/session'
import { Problem } from '../../errors'
import { isName, meansAnywhere } from '../../firewall/networks'
import { caseKeys, parseTestCase, type TestCase } from '../../firewall/test-cases'
import { isRecord } from '../../rules/records'
import { shellWord } from '../../rules/texts'
import { addressesOf } from './network-names'

/** Returns the packet of a line; the hint of a wrong one names the view of its firewall. */
export function caseOfFlags(flags: Flags, firewall: string): TestCase {
  const fields = caseKeys.flatMap((key) => {
    const text = textFlag(flags, key)
    return text === undefined ? [] : [[key, text]]
  })
  // As in `firewalls open`: a port alone is a TCP port.
  const usual = flags.port === undefined ? {} : { protocol: 'tcp' }
  try {
    return parseTestCase({ ...usual, ...Object.fromEntries(fields) }, '')
  } catch (error) {
    const hasPeer = flags.from !== undefined || flags.to !== undefined
    throw error instanceof Problem && !hasPeer ? error.with({ hint: whoHasAccess(firewall) }) : error
  }
}

const whoHasAccess = (firewall: string) => `Who has access to each port: skyctl firewalls view ${shellWord(firewall)}`

/** Reads a list of cases, or an object with the list under `cases`. Throws `usage` with all wrong cases and their lines. */
export async function readCases(source: string, session: Session): Promise<TestCase[]> {
  const name = nameOfSource(source)
  const text = await readText(source, session)
  const value = await parseData(text, name)
  if (value === null) throw emptyFile(name)
  const list = isRecord(value) ? value.cases : value
  if (!Array.isArray(list) || list.length === 0) throw new Problem('usage', `${name} must hold a list of cases`)
  const wrong: { place: string; field: string; reason: string }[] = []
  const cases = list.flatMap((item: unknown, index) => {
    const field = `cases[${index}]`
    try {
      return [parseTestCase(item, `${field}: `)]
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      wrong.push({ place: `${isRecord(value) ? 'cases' : ''}[${index}]`, field, reason: error.message })
      return []
    }
  })
  if (wrong.length === 0) return cases
  const { placeOf } = await (await import('../../data/yaml')).sourcePositions(text)
  const errors = wrong.map(({ place, field, reason }) => ({ field, reason: reason + placeOf(place) }))
  throw new Problem('usage', errors.map(({ reason }) => reason).join('; '), { errors })
}

const severalAddresses = (key: string, reason: string, firewall: string) =>
  new Problem('usage', `--${key}: a packet has one address, and ${reason}`, {
    hint: `Write one, such as --${key} 198.51.100.7. ${whoHasAccess(firewall)}`,
  })

/** Replaces the name in `--from` or `--to` of a packet, which has one address. */
export async function withAddress({ flags, session, firewall }: CommandInput & { firewall: string }): Promise<Flags> {
  const result: Record<string, Flags[string]> = { ...flags }
  for (const key of ['from', 'to']) {
    const text = textFlag(flags, key)
    if (text === undefined || !isName(text)) continue
    const addresses = await addressesOf(text, `--${key}`, { flags, session }).catch((error: unknown) => {
      throw meansAnywhere(text) ? severalAddresses(key, `"${text}" is none`, firewall) : error
    })
    const [only = ''] = addresses
    if (addresses.length > 1 || /\/(?!32$|128$)/.test(only))
      throw severalAddresses(key, `"${text}" is ${addresses.join(', ')}`, firewall)
    result[key] = only.replace(/\/.*/, '')
  }
  return result
}
