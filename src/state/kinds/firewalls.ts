import { check } from '../../catalogue/check'
import { type FirewallRules, firewallRules, newFirewallRules } from '../../catalogue/firewall-rules'
import { type Firewall, firewalls } from '../../catalogue/firewalls'
import { diffRules, type RulesChange } from '../../firewall/diff'
import { hashOf } from '../../firewall/hash'
import { areRules, directions, sendable, shapedRules } from '../../firewall/rules'
import { tidyRules } from '../../firewall/tidy'
import type { Client } from '../../http/client'
import { isRecord } from '../../rules/records'
import {
  expectOwned,
  inOrder,
  type Kind,
  listed,
  type Outcome,
  type Refusal,
  type Removal,
  retag,
  type Step,
  tagsOf,
} from '../kind'
import { claimedTwice, handovers, protectionOf } from './firewall-claims'
import {
  type Added,
  addedTo,
  assigning,
  type Entry,
  entry,
  type Guarded,
  idsAfter,
  idsOf,
  kindOf,
  type One,
  readGuarded,
  type Services,
  services,
  unprotecting,
} from './firewall-devices'
import { withEffects } from './firewall-effects'
import { changing, claiming, outgoingOf, releasing, sorted, switching } from './firewall-handovers'
import { failedTests } from './firewall-tests'

export const firewallKind: Kind<Entry, Guarded> = {
  key: 'firewalls',
  noun: 'firewall',
  entry,
  files: [{ field: 'rules', fills: 'rules', holds: 'an object' }],
  tidy,
  nameFault: (label) => check(firewalls.create.body.entries.label, label)[0]?.reason,
  read: readGuarded,
  list: firewalls.list,
  listed: ({ firewall }) => firewall,
  noteOf: ({ firewall, devices }) =>
    listed([
      `id ${firewall.id}`,
      ...inOrder(devices.flatMap(({ entity: { type, id, label } }) => (label ? [`${type} ${id} is ${label}`] : []))),
    ]),
  nameOf: ({ firewall }) => firewall.label,
  idOf: ({ firewall }) => firewall.id,
  entryOf({ firewall, devices }) {
    const { status, tags } = firewall
    return {
      status: status === 'enabled' ? 'enabled' : 'disabled',
      tags: inOrder(tags),
      rules: sendable(rulesOf(firewall)) as Entry['rules'],
      devices: { computes: idsOf(devices, 'computes'), balancers: idsOf(devices, 'balancers') },
    }
  },
  plan: (one) => {
    const { steps, refusals } = one.record ? planChange(one, one.record) : planMaking(one)
    const faults = [...refusals, ...mergedFaults(one), ...testFaults(one), ...claimedTwice(one)]
    const rules = wantedRules(one)
    const told = rules ? withEffects(steps, one, rules) : steps
    return { steps: faults.length > 0 ? [] : told, refusals: faults }
  },
  remove: (record, removal) => (record.firewall.tags.includes(removal.owner) ? removing(record, removal) : undefined),
}

function tidy(
  given: Record<string, unknown>,
  writtenAs: (field: string) => string | undefined,
): Record<string, unknown> {
  const { rules, devices } = given
  return {
    ...given,
    ...(isRecord(rules) && {
      rules: { ...tidyRules(rules, (field) => writtenAs(`rules.${field}`)).value, ...leftEmpty(rules) },
    }),
    ...(isRecord(devices) && { devices: Object.fromEntries(Object.entries(devices).map(onceEach)) }),
  }
}

/** A key without a value is a mistake, as everywhere in the file: as no rules it would take away all that stand. */
const leftEmpty = (rules: Record<string, unknown>) =>
  Object.fromEntries(directions.flatMap((direction) => (rules[direction] === null ? [[direction, null]] : [])))

const onceEach = ([list, ids]: [string, unknown]) => [list, Array.isArray(ids) ? [...new Set(ids)] : ids]

const noRules: FirewallRules = { inbound: [], inbound_policy: 'ACCEPT', outbound: [], outbound_policy: 'ACCEPT' }

const rulesOf = ({ rules }: Firewall): FirewallRules => shapedRules(rules) ?? noRules

/** The rules that will be in force: what the file says, over those that stand. */
function wantedRules({ wanted, record }: One): FirewallRules | undefined {
  const standing = record ? sendable(rulesOf(record.firewall)) : { inbound: [], outbound: [] }
  const rules = { ...standing, ...wanted.rules }
  return areRules(rules) ? rules : undefined
}

function planMaking(one: One): Outcome {
  const { name, wanted, settings } = one
  const rules = wantedRules(one)
  if (rules === undefined) return { steps: [], refusals: lacking(wanted.rules) }
  // A new firewall is enabled at once (api.md, Firewall status): one that shall not be is given its services later.
  const isEnabled = wanted.status !== 'disabled'
  const { claimed, plain } = sorted(addedTo([], wanted.devices), name, handovers(one))
  const [computes, balancers] = services.map((list) => (isEnabled ? idsIn(plain, list) : []))
  const protectedOnes = isEnabled ? plain.map(protectionOf) : []
  const tags = tagsOf(wanted.tags ?? [], undefined, settings)
  const body = {
    label: name,
    rules,
    ...(protectedOnes.length > 0 && { devices: { computes, balancers } }),
    ...(tags.length > 0 && { tags }),
  }
  const making: Step = {
    action: 'create',
    command: ['firewalls', 'create'],
    arguments: [],
    body,
    flags: { 'if-absent': true },
    changes: [`in force for ${listed(protectedOnes)}${tags.length > 0 ? `, tags ${listed(tags)}` : ''}`],
    rules: diffRules({ ...noRules, inbound_policy: 'none', outbound_policy: 'none' }, rules),
  }
  const target = `label:${name}`
  const later = isEnabled
    ? claiming(target, name, claimed)
    : [switching('disabled', target), ...assigning(target, plain)]
  return { steps: [making, ...later], refusals: [] }
}

const idsIn = (added: readonly Added[], list: Services) =>
  added.flatMap(({ type, id }) => (type === kindOf(list) ? [id] : []))

/** What a new firewall needs, and nothing stands to take it from. */
function lacking(rules: Entry['rules']): Refusal[] {
  if (rules === undefined) return [{ field: 'rules', reason: 'A new firewall needs rules' }]
  return check(newFirewallRules, rules).map(({ field, reason }) => ({
    field: 'rules',
    reason: `A new firewall needs all of it: ${reason.startsWith(`${field}`) ? reason : `${field}: ${reason}`}`,
  }))
}

/** Of rules that are wanted in part, and stand in part, the whole may be too much. */
function mergedFaults(one: One): Refusal[] {
  const rules = one.record && one.wanted.rules && wantedRules(one)
  if (!rules) return []
  return check(firewallRules.update.body, rules).flatMap(({ field, reason }) =>
    field === null ? [{ field: 'rules', reason: `With those that stand: ${reason}` }] : [],
  )
}

function planChange(one: One, record: Guarded): Outcome {
  const { wanted, settings } = one
  const { firewall } = record
  const { id } = firewall
  const present = rulesOf(firewall)
  const rules = wantedRules(one) ?? present
  const changes = wanted.rules === undefined ? [] : diffRules(present, rules)
  const replace = changes.length > 0 ? [replacing(id, { from: present, to: sendable(rules), changes })] : []
  return {
    refusals: [],
    steps: [
      ...changing(one, record, replace),
      ...retag(['firewalls', 'update'], id, { wanted: wanted.tags, present: firewall.tags, settings }),
    ],
  }
}

interface Replacement {
  from: FirewallRules
  to: FirewallRules
  changes: readonly RulesChange[]
}

/** Only of the rules that the plan shows: what others have changed since is not theirs to lose. */
const replacing = (id: number, { from, to, changes }: Replacement): Step => ({
  action: 'rules',
  command: ['firewalls', 'rules', 'update'],
  arguments: [String(id)],
  body: { ...to },
  flags: { 'if-match': hashOf(from) },
  changes: [],
  rules: changes,
})

function testFaults(one: One): Refusal[] {
  const { tests = [], devices } = one.wanted
  const rules = wantedRules(one)
  if (!rules) return []
  const count = (list: Services) => idsAfter(devices, one.record, list).length
  const isBalancer = count('balancers') > 0 && count('computes') === 0
  return failedTests(tests, { rules, service: isBalancer ? 'balancer' : 'compute' })
}

/** With its rules; services that another firewall claims are released before. */
function removing(record: Guarded, around: Removal<Entry>): Step[] {
  const { firewall, devices } = record
  const handoverOf = handovers(around)
  const outgoing = outgoingOf(record, handoverOf)
  const path = { firewallId: firewall.id }
  const guard = (client: Client) => expectOwned(client.call(firewalls.view, { path }), around.owner)
  return [
    ...releasing(record, outgoing, handoverOf).map((step) => ({ ...step, guard })),
    {
      action: 'delete',
      command: ['firewalls', 'delete'],
      arguments: [String(firewall.id)],
      flags: { 'if-present': true },
      guard,
      changes: ['deleted, with its rules'],
      consequences: unprotecting(
        { firewall, devices: devices.filter((device) => !outgoing.includes(device)) },
        () => undefined,
      ),
    },
  ]
}
