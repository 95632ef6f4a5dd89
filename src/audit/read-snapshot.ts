/** Reads the parts of an account that checks and the overview need, and records which could not be read. */

import { readAll } from '../account-file/kind-functions'
import { type Guarded, type NeedsList, readGuarded } from '../account-file/kinds/firewall/read-guarded'
import { type OnUnreadable, unreadableRecord, unreadableText } from '../account-file/unreadable-records'
import { firewallDevices, firewalls } from '../catalogue/firewalls'
import { ips } from '../catalogue/ips'
import type { Operation } from '../catalogue/operation'
import { apps } from '../catalogue/profile/apps'
import { devices } from '../catalogue/profile/devices'
import { logins } from '../catalogue/profile/logins'
import { profile } from '../catalogue/profile/profile'
import { securityQuestions } from '../catalogue/profile/security-questions'
import { sshkeys } from '../catalogue/profile/sshkeys'
import { tokens } from '../catalogue/tokens'
import { vlans } from '../catalogue/vlans'
import { volumes } from '../catalogue/volumes'
import { Problem } from '../errors'
import { shapedRules } from '../firewall/rules'
import type { Client } from '../http/client'
import type { Clock } from '../rules/times'
import type { AccountSnapshot, Always, Guard, SnapshotPart } from './snapshot'

interface Part<P extends SnapshotPart> {
  /** Noun of the objects. */
  noun: string
  operations: readonly Operation[]
  read(client: Client, onUnreadable: OnUnreadable): Promise<AccountSnapshot[P]>
}

/** Returns a part that is a list. `essential`: the fields that checks need of each record. */
const listed = <O extends Operation>(noun: string, list: O, essential: readonly string[] = []) => ({
  noun,
  operations: [list],
  read: (client: Client, onUnreadable: OnUnreadable) => readAll(client, list, { essential, onUnreadable }),
})

const parts: { readonly [P in SnapshotPart]: Part<P> } = {
  profile: {
    noun: 'profile',
    operations: [profile.view],
    read: (client) => client.call(profile.view, { essential: ['two_factor_auth'] }),
  },
  questions: {
    noun: 'security question',
    operations: [securityQuestions.list],
    read: async (client) =>
      (await client.call(securityQuestions.list, { essential: ['security_questions.response'] })).security_questions,
  },
  apps: listed('app', apps.list, ['label', 'scopes']),
  logins: listed('login', logins.list, ['ip', 'status', 'datetime']),
  sshkeys: listed('SSH key', sshkeys.list, ['label', 'ssh_key']),
  devices: listed('device', devices.list, ['created', 'expiry', 'last_remote_addr']),
  grants: { noun: 'grant', operations: [profile.grants], read: (client) => client.call(profile.grants) },
  tokens: listed('token', tokens.list, ['label', 'scopes', 'created', 'expiry', 'token']),
  volumes: listed('volume', volumes.list),
  firewalls: { noun: 'firewall', operations: [firewalls.list, firewallDevices.list], read: readGuards },
  addresses: listed('address', ips.list, ['type', 'public']),
  vlans: listed('VLAN', vlans.list),
}

/** Returns the operations that read these parts; help lists their scopes. */
export const operationsOf = (names: readonly SnapshotPart[]): Operation[] =>
  names.flatMap((name) => parts[name].operations)

async function readGuards(client: Client, onUnreadable: OnUnreadable): Promise<Guard[]> {
  // A finding about a disabled firewall names the ids of its devices.
  const needsList: NeedsList = ({ status }, services) => status === 'disabled' && services.length > 0
  return (await readGuarded(client, onUnreadable, { needsList })).map(guardOf)
}

function guardOf({ firewall: { id, label, status, rules: sent }, devices }: Guarded): Guard {
  const rules = shapedRules(sent)
  // Invalid rules make this part unreadable, not the whole audit.
  if (!rules) throw new Problem('defect', `the rules of firewall ${id} are invalid`)
  return { id, label, status, devices, rules }
}

export interface Readings {
  /** Without the parts that could not be read. */
  world: Partial<AccountSnapshot> & Pick<AccountSnapshot, Always>
  failed: ReadonlyMap<SnapshotPart, Problem>
  /** Objects that could not be read, by part; the others of the part were. */
  unreadable: readonly { part: SnapshotPart; problem: Problem }[]
}

/** Codes of problems that end the audit: every other request would fail the same way. */
const final: readonly string[] = ['not_signed_in', 'interrupted', 'terminated']

interface ReadingContext extends Pick<AccountSnapshot, 'isInUse' | 'isTokenUnstored'> {
  client: Client
  clock: Clock
  /** Reads the names of networks while the service answers. */
  readNetworkNamer(): Promise<AccountSnapshot['networkName']>
}

/** Reads these parts in parallel. Throws if no part can be read, or if a problem affects all of them. */
export async function readParts(
  names: readonly SnapshotPart[],
  { client, clock, readNetworkNamer, ...token }: ReadingContext,
): Promise<Readings> {
  const failed = new Map<SnapshotPart, Problem>()
  const unreadable: { part: SnapshotPart; problem: Problem }[] = []
  const noteIn =
    (part: SnapshotPart): OnUnreadable =>
    (record, reason) => {
      const text = unreadableText(unreadableRecord({ kind: part, noun: parts[part].noun }, record, reason))
      unreadable.push({ part, problem: new Problem('some_failed', text) })
    }
  const read = async (part: SnapshotPart): Promise<Partial<AccountSnapshot>> => {
    try {
      return { [part]: await parts[part].read(client, noteIn(part)) }
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      failed.set(part, error)
      return {}
    }
  }
  const [snapshots, networkName] = await Promise.all([Promise.all(names.map(read)), readNetworkNamer()])
  const snapshot: Partial<AccountSnapshot> = Object.assign({}, ...snapshots)
  const problems = names.flatMap((part) => failed.get(part) ?? [])
  const [first] = problems
  const whole = problems.find(({ code }) => final.includes(code)) ?? (problems.length === names.length && first)
  if (whole) throw whole
  // The service's time: with a wrong local clock, tokens would seem expired or valid.
  const now = client.serviceTime ?? clock.now()
  return { world: { ...snapshot, now, computeLabels: labelsOf(snapshot), ...token, networkName }, failed, unreadable }
}

function labelsOf({ volumes = [], firewalls = [] }: Partial<AccountSnapshot>): AccountSnapshot['computeLabels'] {
  const ofVolumes = volumes.map(({ compute_id, compute_label }) => [compute_id, compute_label] as const)
  const ofDevices = firewalls.flatMap(({ devices }) =>
    devices.flatMap(({ entity }) => (entity.type === 'compute' ? [[entity.id, entity.label] as const] : [])),
  )
  const pairs = [...ofVolumes, ...ofDevices]
  return new Map(pairs.flatMap(([id, label]) => (id && label ? [[id, label] as const] : [])))
}
