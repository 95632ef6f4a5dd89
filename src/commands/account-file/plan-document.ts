/** Formats plans as data, for scripts, policies and saved plans. */
import type { AccountIdentity } from '../../account/account'
import { firewallKind } from '../../account-file/kinds/firewalls'
import type { SourceLine } from '../../account-file/places'
import { formatVersion, namesIn, type Plan, type PlannedObject, type ResultingObject } from '../../account-file/plan'
import { type Consequence, consequenceKinds, type PlanStep } from '../../account-file/plan-step'
import { openToInternet } from '../../firewall/exposure'
import { knownPortsOf } from '../../firewall/known-ports'
import { areRules } from '../../firewall/rules'
import { isRecord } from '../../rules/records'

const recordOfStep = ({ action, does, target: words, body, changes, rules, consequences }: PlanStep) => ({
  action,
  changes,
  ...(rules && { rules }),
  consequences: consequences ?? [],
  command: ['skyctl', ...does.split(' '), ...words],
  ...(body && { body }),
})

/** Formats the account of a plan for scripts; unknown values are null. */
export const accountRecord = ({ service, user }: AccountIdentity): Record<string, unknown> => ({
  service,
  uid: user?.uid ?? null,
  username: user?.username ?? null,
})

export function documentOf(plan: Plan, identity: AccountIdentity): Record<string, unknown> {
  const { objects, unchanged, same, unselected = 0, notes, left, unprotected = null } = plan
  const consequences = objects.flatMap(consequencesOf)
  return {
    format_version: formatVersion,
    account: accountRecord(identity),
    counts: countsOf(plan, consequences),
    objects: objects.map(recordOfObject),
    unchanged: unchanged.map((object) => {
      const after = object.after() ?? null
      return { ...namesIn(object), ...placeIn(object), after, ...exposureIn(object, after) }
    }),
    consequences,
    networks: networksIn(plan),
    unprotected,
    same,
    unselected,
    notes,
    left,
    expectations: expectationsIn(plan),
  }
}

function recordOfObject(object: PlannedObject): object {
  const states = { before: object.before() ?? null, after: object.after() ?? null }
  return {
    ...namesIn(object),
    action: object.action,
    ...(object.was !== undefined && { was: object.was }),
    ...placeIn(object),
    ...states,
    changed: changedIn(object, states),
    ...exposureIn(object, states.after),
    steps: object.steps.map(recordOfStep),
  }
}

export const expectationsIn = ({ unmet = [] }: Pick<Plan, 'unmet'>): Record<string, unknown>[] =>
  unmet.map(({ kind, name, id, isChecked, differences, fix }) => {
    return { kind, name, id: id ?? null, checked: isChecked, differences, fix: fix ?? null }
  })

/** Returns the changes of networks that explain changes of several rules, without those rules. */
const networksIn = ({ networks = [] }: Plan): Record<string, unknown>[] =>
  networks.map(({ name, added, removed, firewalls, changes }) => {
    return { name, added, removed, firewalls, rules: changes.size }
  })

/** No file has an object to prune. */
const placeIn = ({ at }: ResultingObject): SourceLine | { [K in keyof SourceLine]: null } =>
  at?.source ?? { file: null, line: null, column: null }

/** Returns the consequences of an object by themselves, for policies. */
const consequencesOf = (object: PlannedObject): (Consequence & { object: ReturnType<typeof namesIn> })[] =>
  object.steps.flatMap(({ consequences = [] }) =>
    consequences.map(({ kind, ...rest }) => ({ kind, object: namesIn(object), ...rest, ...placeIn(object) })),
  )

function countsOf({ objects, same }: Plan, consequences: readonly Consequence[]) {
  const countOf = (action: PlannedObject['action']) => objects.filter((object) => object.action === action).length
  const kinds = consequenceKinds.map((kind) => [kind, consequences.filter((one) => one.kind === kind).length])
  return {
    create: countOf('create'),
    update: countOf('update'),
    delete: countOf('delete'),
    unchanged: same,
    consequences: Object.fromEntries(kinds),
  }
}

/** Returns the fields that differ, each with the line that sets it. An entry that is a single value has none. */
function changedIn(
  { at }: PlannedObject,
  { before, after }: { before: unknown; after: unknown },
): ({ field: string } & SourceLine)[] {
  if (!isRecord(after) || !at) return []
  const now: Record<string, unknown> = isRecord(before) ? before : {}
  const fields = [...new Set([...Object.keys(after), ...Object.keys(now)])]
  const isChanged = (field: string) => JSON.stringify(now[field]) !== JSON.stringify(after[field])
  return fields.filter(isChanged).map((field) => ({ field, ...at.at(field).source }))
}

/** Returns what the rules of a firewall let everybody on the internet reach; nothing for other kinds. */
function exposureIn({ kind }: ResultingObject, after: unknown): object {
  if (kind !== firewallKind.key || !isRecord(after)) return {}
  const rules = { ...unknownPolicies, ...(isRecord(after.rules) && after.rules) }
  if (!areRules(rules)) return { open_to_internet: null }
  return { open_to_internet: openToInternet(rules).map((one) => ({ ...one, databases: databasesIn(one) })) }
}

/** A policy that no file can have is not trusted to drop anything. */
const unknownPolicies = { inbound_policy: 'unknown', outbound_policy: 'unknown' }

function databasesIn({ protocol, from_port, to_port }: ReturnType<typeof openToInternet>[number]): string[] {
  const isOpen = (first: number, last: number) => Number(from_port) <= last && first <= Number(to_port)
  const open = knownPortsOf('database').filter((one) => one.protocol === protocol && isOpen(one.first, one.last))
  return [...new Set(open.map(({ name }) => name))]
}
