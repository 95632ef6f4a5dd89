/** Replaces names of networks on the command line by their addresses: `--from office`. */

import type { Flags } from '../../engine/command'
import { textFlag } from '../../engine/flag-values'
import { Problem } from '../../errors'
import { everywhere, isAnywhere, isName } from '../../firewall/networks'
import type { Session } from '../../session'
import type { NetworksFile } from '../networks-file'

interface Names {
  flags: Flags
  session: Session
  /** Path of the file; undefined for that of the context in use. */
  path?: string | undefined
}

/** Files that were read, by session: all flags of a command mean the same addresses. */
const reads = new WeakMap<Session, Promise<NetworksFile>>()

function networksFile(names: Names): Promise<NetworksFile> {
  const reading = reads.get(names.session) ?? readFile(names)
  reads.set(names.session, reading)
  return reading
}

async function readFile({ flags, session, path }: Names): Promise<NetworksFile> {
  return (await import('../networks-file')).readNetworksFile(path, flags, session)
}

/**
 * Returns the addresses of a name, and any other text itself. Throws `usage` for an unknown name; `by` begins the
 * message. With --no-validate, an unknown name stays: the service decides.
 */
export async function addressesOf(text: string, by: string, names: Names): Promise<readonly string[]> {
  if (isAnywhere(text)) return everywhere
  if (!isName(text)) return [text]
  const file = await networksFile(names)
  const addresses = file.networks.get(text)
  if (addresses) return addresses
  if (names.flags.validate === false) return [text]
  const { unknownName } = await import('../networks-file')
  throw unknownName(text, by, file)
}

/** Replaces the names in traffic such as `tcp/22@office,198.51.100.7`; keeps all other texts. */
export async function withAddresses(traffic: string, by: string, names: Names): Promise<string> {
  const at = traffic.indexOf('@')
  if (at < 0) return traffic
  const texts = traffic.slice(at + 1).split(',')
  const lists: string[][] = []
  for (const text of texts) lists.push([...(await addressesOf(text, `${by}: "${traffic}"`, names))])
  return `${traffic.slice(0, at)}@${lists.flat().join(',')}`
}

/** Replaces the name in `--from` or `--to` of a packet, which has one address. */
export async function withAddress(flags: Flags, session: Session): Promise<Flags> {
  const result: Record<string, Flags[string]> = { ...flags }
  for (const key of ['from', 'to']) {
    const text = textFlag(flags, key)
    if (text === undefined || !isName(text)) continue
    const addresses = await addressesOf(text, `--${key}`, { flags, session })
    const [only = ''] = addresses
    if (addresses.length > 1 || /\/(?!32$|128$)/.test(only))
      throw new Problem('usage', `--${key}: a packet has one address, and "${text}" is ${addresses.join(', ')}`)
    result[key] = only.replace(/\/.*/, '')
  }
  return result
}
