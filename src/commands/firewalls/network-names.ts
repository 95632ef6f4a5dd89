/** Replaces names of networks on the command line by their addresses, as `--from office`, and names addresses in output. */
import { existsSync } from 'node:fs'

import type { CommandInput } from '../../engine/command'
import { isVerbose } from '../../engine/flag-values'
import type { Session } from '../../engine/session'
import { Problem } from '../../errors'
import { areSameAddresses, everywhere, isAnywhere, isName, usualFile } from '../../firewall/networks'
import type { NetworkNamer } from '../../firewall/rule-text'
import { directions } from '../../firewall/rules'
import { isRecord } from '../../rules/records'
import type { NetworksFile } from '../read-networks-file'

interface Names extends CommandInput {
  /** Path of the file; undefined for that of the context in use. */
  path?: string | undefined
}

const noNetworks: NetworksFile = { path: undefined, networks: new Map() }

/** Files that were read, by session: all flags of a command mean the same addresses. */
const reads = new WeakMap<Session, Promise<NetworksFile>>()

function networksFile(names: Names): Promise<NetworksFile> {
  const reading = reads.get(names.session) ?? readFile(names)
  reads.set(names.session, reading)
  return reading
}

async function readFile(names: Names): Promise<NetworksFile> {
  const { flags, session } = names
  const source = await findFile(names)
  if (!source) return noNetworks
  const { readNetworksFile } = await import('../read-networks-file')
  const networks = await readNetworksFile(source.path)
  if (isVerbose(flags)) await session.ui.log('note', `networks: "${source.path}", ${source.by}`)
  return { path: source.path, networks }
}

/** Finds the file of the context, or else the one of the current folder; undefined without both. */
async function findFile({ session, path }: Names): Promise<{ path: string; by: string } | undefined> {
  const own = path ?? (await session.config.defaults().catch((): { networks?: string } => ({}))).networks
  if (own) return { path: own, by: 'set in the context' }
  return existsSync(usualFile) ? { path: usualFile, by: 'in the current folder' } : undefined
}

/** Reads the names for output. A file that is wrong names nothing, and -v prints why: output needs no names. */
export async function networksForOutput(names: Names): Promise<NetworksFile> {
  try {
    return (await findFile(names)) ? await networksFile(names) : noNetworks
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    const { flags, session } = names
    if (isVerbose(flags)) await session.ui.log('note', `no names of networks: ${reasonOf(error)}`)
    return noNetworks
  }
}

/** Returns a function that names the addresses of a rule in output. */
export async function networkNamer(names: Names): Promise<NetworkNamer> {
  const { networks } = await networksForOutput(names)
  return (addresses) => [...networks].find(([, its]) => areSameAddresses(its, addresses))?.[0]
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
  const { explainUnknownNetwork } = await import('./unknown-network')
  throw await explainUnknownNetwork(text, by, file, names.session)
}

const reasonOf = ({ message, details: { failures = [] } }: Problem) =>
  failures.map(({ target, problem }) => `${target}: ${problem.message}`).join('; ') || message

/** Replaces the names in traffic such as `tcp/22@office,198.51.100.7`; keeps all other texts. */
export async function withAddresses(traffic: string, by: string, names: Names): Promise<string> {
  const at = traffic.indexOf('@')
  if (at < 0) return traffic
  const texts = traffic.slice(at + 1).split(',')
  const lists: string[][] = []
  for (const text of texts) lists.push([...(await addressesOf(text, `${by}: "${traffic}"`, names))])
  return `${traffic.slice(0, at)}@${lists.flat().join(',')}`
}

/**
 * Replaces `from` and `to` in the rules of a file by their addresses. Throws `usage` for names that are not defined, with
 * their lines.
 */
export async function withPeerAddresses(
  rules: Record<string, unknown>,
  placeOf: (field: string) => string,
  names: Names,
): Promise<Record<string, unknown>> {
  if (!directions.some((direction) => [rules[direction]].flat().some(isExpandable))) return rules
  const { expandPeers } = await import('./expand-peers')
  return expandPeers(rules, placeOf, await networksFile(names))
}

const isExpandable = (rule: unknown) =>
  isRecord(rule) && ['from', 'to', 'use'].some((key) => (rule[key] ?? null) !== null)
