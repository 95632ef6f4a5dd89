/** Reads the file with the networks that command lines name. */

import { readAll } from '../account/resource'
import { Definitions } from '../account-file/definitions'
import { levelOf } from '../account-file/overlays'
import { parseFile } from '../account-file/parse-file'
import { type Fault, fieldsOf, Place, type PlacedValue } from '../account-file/places'
import { expandRule, type NetworkDefinitions, peerKeysIn } from '../account-file/rule-networks'
import { wrongFiles } from '../account-file/wrong-files'
import { bodyProblem } from '../catalogue/body-problem'
import { logins } from '../catalogue/profile/logins'
import { nameOfSource, readTextFile } from '../engine/body-file'
import type { Session } from '../engine/session'
import { type FieldError, ignoreProblem, Problem } from '../errors'
import { isAnywhere, isName, meansAnywhere, ownAddress, usualFile } from '../firewall/networks'
import { type Direction, directions } from '../firewall/rules'
import { showTime } from '../output/times'
import { didYouMean } from '../rules/nearest'
import { isRecord } from '../rules/records'

export interface NetworksFile {
  /** Path; undefined without a file. */
  path: string | undefined
  networks: ReadonlyMap<string, readonly string[]>
}

/** Reads a file of networks. Throws `local` if it is unreadable, and `usage` with the lines of its faults. */
export async function readNetworks(path: string): Promise<NetworksFile['networks']> {
  const { faults, ...file } = await parseFile({ name: path, text: await readTextFile(path) })
  const definitions = new Definitions([{ ...file, level: levelOf({}) }])
  const wrong = [
    ...(faults.length > 0 ? faults : shapeFaults(file)),
    ...definitions.faults().filter(({ at }) => at.field?.startsWith('networks')),
  ]
  if (wrong.length > 0) throw wrongFiles(wrong)
  return new Map([...definitions.networks].map(([name, { value }]) => [name, value]))
}

/** Returns the faults of a file that does not define networks. */
function shapeFaults({ value, at }: PlacedValue): Fault[] {
  if (!isRecord(value)) return [{ at, reason: 'Must be an object with the key networks' }]
  const strangers = fieldsOf({ value, at }).filter(([key]) => key !== 'networks')
  return strangers.map(([, field]) => ({
    at: field.at,
    reason: 'a file of networks has no other key than networks',
  }))
}

const meansOwn = (name: string) => /^(me|my-?ip|self)$/i.test(name)

/** Returns a hint for a name that has a meaning in other tools. */
function meaningOfName(name: string): string | undefined {
  if (meansOwn(name)) return ownAddress
  return meansAnywhere(name) ? 'Did you mean "anywhere"?' : undefined
}

/** Returns the problem of an unknown name of a command line, with the user's last address for one that asks for it. */
export async function explainName(name: string, by: string, file: NetworksFile, session: Session): Promise<Problem> {
  const problem = unknownName(name, by, file)
  if (!meansOwn(name)) return problem
  // Without the scope to read logins, the hint names the command that does.
  const address = await lastAddress(session).catch(ignoreProblem)
  return address === undefined ? problem : problem.with({ hint: address })
}

/** Says where the last login came from: nothing asks the network for the address of this machine. */
async function lastAddress({ account, clock }: Session): Promise<string | undefined> {
  const all = await readAll(await account.client(), logins.list)
  const [last] = all.sort((one, other) => (one.datetime < other.datetime ? 1 : -1))
  const age = last && showTime(last.datetime, { width: 1, now: clock.now() })
  return last && `Your last login came from ${last.ip}, ${age}. If you are still there, write that`
}

export function unknownName(name: string, by: string, { path, networks }: NetworksFile): Problem {
  if (path === undefined) {
    const file = `write ${usualFile} in this folder, or set the file of a context: skyctl context update NAME --networks FILE`
    return new Problem('usage', `${by}: "${name}" is not an address, and there is no file that names networks`, {
      hint: meaningOfName(name) ?? `For names, ${file}`,
    })
  }
  const names = [...networks.keys()]
  const available = names.length === 0 ? 'It defines none' : `It defines: ${names.join(', ')}`
  return new Problem('usage', `${by}: no network has the name "${name}" in ${nameOfSource(path)}`, {
    hint: meaningOfName(name) ?? didYouMean(name, [...names, 'anywhere']) ?? available,
  })
}

/**
 * Replaces `from` and `to` of rules by addresses, and each may be a single name. Throws `usage` for unknown names and for
 * other faults, with their lines: `placeOf` returns that of a field.
 */
export function expandPeers(
  rules: Record<string, unknown>,
  placeOf: (field: string) => string,
  file: NetworksFile,
): Record<string, unknown> {
  const faults: FieldError[] = []
  const fail = (field: string, reason: string) => faults.push({ field, reason: reason + placeOf(field) })
  const at = new Place({ name: file.path ?? '' })
  const defined = { at, level: levelOf({}), isWrong: false, usedIn: [] }
  const networks: NetworkDefinitions = new Map([...file.networks].map(([name, value]) => [name, { value, ...defined }]))
  const expanded = (rule: unknown, field: string, direction: Direction) => {
    if (!isRecord(rule)) return rule
    if (rule.use !== undefined) fail(`${field}.use`, groupsElsewhere)
    const lists = peerKeysIn(rule).map((key) => [key, [rule[key]].flat()] as const)
    for (const [key, list] of lists)
      for (const [index, name] of list.entries())
        if (typeof name === 'string' && isName(name) && !isAnywhere(name) && !networks.has(name))
          throw unknownName(name, `${field}.${key}[${index}]${placeOf(`${field}.${key}[${index}]`)}`, file)
    const whole = { ...rule, ...Object.fromEntries(lists) }
    const result = expandRule(whole, { networks, direction, at })
    for (const fault of result.faults) fail(`${field}.${fault.field}`, fault.reason)
    return result.rule
  }
  const sides = directions.flatMap((direction) => {
    const list = rules[direction]
    if (!Array.isArray(list)) return []
    return [[direction, list.map((rule, index) => expanded(rule, `${direction}[${index}]`, direction))] as const]
  })
  if (faults.length > 0) throw bodyProblem(faults)
  return { ...rules, ...Object.fromEntries(sides) }
}

const groupsElsewhere = 'groups of rules are for account files only: skyctl help account-file'
