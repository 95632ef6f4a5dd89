/** Reads the parts of an account that checks and the overview need, and records which could not be read. */

import { readAll } from '../account-file/kind'
import { type Guarded, type NeedsList, readGuarded } from '../account-file/kinds/firewall-reading'
import { type OnUnreadable, unreadableRecord, unreadableText } from '../account-file/unreadable'
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

type Reader<P extends SnapshotPart> = (client: Client, onUnreadable: OnUnreadable) => Promise<AccountSnapshot[P]>

/** Functions that read each part. */
const readers: { readonly [P in SnapshotPart]: Reader<P> } = {
  profile: (client) => client.call(profile.view, { essential: ['two_factor_auth'] }),
  questions: async (client) =>
    (await client.call(securityQuestions.list, { essential: ['security_questions.response'] })).security_questions,
  apps: (client, onUnreadable) => readAll(client, apps.list, { essential: ['label', 'scopes'], onUnreadable }),
  logins: (client, onUnreadable) =>
    readAll(client, logins.list, { essential: ['ip', 'status', 'datetime'], onUnreadable }),
  sshkeys: (client, onUnreadable) => readAll(client, sshkeys.list, { essential: ['label', 'ssh_key'], onUnreadable }),
  devices: (client, onUnreadable) =>
    readAll(client, devices.list, { essential: ['created', 'expiry', 'last_remote_addr'], onUnreadable }),
  grants: (client) => client.call(profile.grants),
  tokens: (client, onUnreadable) =>
    readAll(client, tokens.list, { essential: ['label', 'scopes', 'created', 'expiry', 'token'], onUnreadable }),
  volumes: (client, onUnreadable) => readAll(client, volumes.list, { onUnreadable }),
  firewalls: readGuards,
  addresses: (client, onUnreadable) => readAll(client, ips.list, { essential: ['type', 'public'], onUnreadable }),
  vlans: (client, onUnreadable) => readAll(client, vlans.list, { onUnreadable }),
}

/** Nouns of the objects of a part. */
const nouns: Partial<Record<SnapshotPart, string>> = {
  apps: 'app',
  logins: 'login',
  sshkeys: 'SSH key',
  devices: 'device',
  tokens: 'token',
  volumes: 'volume',
  firewalls: 'firewall',
  addresses: 'address',
  vlans: 'VLAN',
}

/** All operations of an audit; help lists their scopes. */
export const auditOperations: readonly Operation[] = [
  profile.view,
  securityQuestions.list,
  apps.list,
  logins.list,
  sshkeys.list,
  devices.list,
  profile.grants,
  tokens.list,
  volumes.list,
  firewalls.list,
  firewallDevices.list,
  ips.list,
]

async function readGuards(client: Client, onUnreadable: OnUnreadable): Promise<Guard[]> {
  // A finding about a disabled firewall names the ids of its devices.
  const needsList: NeedsList = ({ status }, services) => status === 'disabled' && services.length > 0
  return (await readGuarded(client, onUnreadable, needsList)).map(guardOf)
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

interface ReadingContext extends Pick<AccountSnapshot, 'isInUse'>, Partial<Pick<AccountSnapshot, 'networkName'>> {
  client: Client
  clock: Clock
}

/** Reads these parts in parallel. Throws if no part can be read, or if a problem affects all of them. */
export async function readParts(
  parts: readonly SnapshotPart[],
  { client, clock, isInUse, networkName = () => undefined }: ReadingContext,
): Promise<Readings> {
  const failed = new Map<SnapshotPart, Problem>()
  const unreadable: { part: SnapshotPart; problem: Problem }[] = []
  const noteIn =
    (part: SnapshotPart): OnUnreadable =>
    (record, reason) => {
      const text = unreadableText(unreadableRecord({ kind: part, noun: nouns[part] ?? part }, record, reason))
      unreadable.push({ part, problem: new Problem('some_failed', text) })
    }
  const read = async (part: SnapshotPart): Promise<Partial<AccountSnapshot>> => {
    try {
      return { [part]: await readers[part](client, noteIn(part)) }
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      failed.set(part, error)
      return {}
    }
  }
  const snapshot: Partial<AccountSnapshot> = Object.assign({}, ...(await Promise.all(parts.map(read))))
  const problems = parts.flatMap((part) => failed.get(part) ?? [])
  const [first] = problems
  const whole = problems.find(({ code }) => final.includes(code)) ?? (problems.length === parts.length && first)
  if (whole) throw whole
  // The service's time: with a wrong local clock, tokens would seem expired or valid.
  const now = client.serviceTime ?? clock.now()
  return { world: { ...snapshot, now, computeLabels: labelsOf(snapshot), isInUse, networkName }, failed, unreadable }
}

function labelsOf({ volumes = [], firewalls = [] }: Partial<AccountSnapshot>): AccountSnapshot['computeLabels'] {
  const ofVolumes = volumes.map(({ compute_id, compute_label }) => [compute_id, compute_label] as const)
  const ofDevices = firewalls.flatMap(({ devices }) =>
    devices.flatMap(({ entity }) => (entity.type === 'compute' ? [[entity.id, entity.label] as const] : [])),
  )
  const pairs = [...ofVolumes, ...ofDevices]
  return new Map(pairs.flatMap(([id, label]) => (id && label ? [[id, label] as const] : [])))
}
