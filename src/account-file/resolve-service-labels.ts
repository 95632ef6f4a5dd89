/**
 * Looks up the services that files name by label. The API lists no services, so their labels are found in the volumes and
 * firewalls of the account, as by the flags that take them.
 */

import type { ServiceKind } from '../account/service-kinds'
import { computeOf, distinctServices, idOfLabel, serviceOf } from '../account/service-lookup'
import { checkValue } from '../catalogue/check'
import { Problem } from '../errors'
import { isRecord } from '../rules/records'
import type { DesiredObject } from './desired-object'
import type { DesiredState } from './desired-state'
import type { AccountState, KindShape } from './kind'
import { kinds } from './kinds'
import { firewallsOf } from './kinds/firewall/entry'
import { type Fault, stepsIn } from './places'
import { type ServiceLabel, serviceSources } from './take-service-labels'

/** Replaces labels by ids; objects with an unknown or ambiguous label are left out, with a fault. */
export function withServiceIds(desired: DesiredState, world: AccountState): { desired: DesiredState; faults: Fault[] } {
  const idOf = lookup(world)
  const faults: Fault[] = []
  const entries = [...desired.entries].map(([key, named]) => {
    const kind = kinds.find((one) => one.key === key)
    const objects = [...named].flatMap(([name, object]): [string, DesiredObject][] => {
      const { labels, ...others } = object
      if (!kind || !labels) return [[name, object]]
      const { value, errors } = withIds(object.value, labels, { kind, idOf })
      faults.push(...errors.map((error) => faultOf(error, object)))
      return errors.length > 0 ? [] : [[name, { ...others, value }]]
    })
    return [key, new Map(objects)] as const
  })
  return { desired: { ...desired, entries: new Map(entries) }, faults }
}

type Lookup = (label: string, kind: ServiceKind) => number

function lookup(world: AccountState): Lookup {
  const all = distinctServices([
    ...(world.get('volumes') ?? []).filter(isRecord).flatMap(computeOf),
    ...firewallsOf({ world }).flatMap(({ devices }) => devices.flatMap(({ entity }) => serviceOf(entity))),
  ])
  return (label, kind) => {
    const unread = serviceSources[kind].filter((source) => !world.has(source))
    return idOfLabel(label, kind, { services: all.filter((one) => one.kind === kind), unread })
  }
}

interface FieldProblem {
  field: string | null
  problem: Problem
}

function withIds(entry: unknown, labels: readonly ServiceLabel[], { kind, idOf }: { kind: KindShape; idOf: Lookup }) {
  let value = isRecord(entry) ? entry : {}
  const errors: FieldProblem[] = []
  for (const { field, kind: service, label } of labels) {
    try {
      value = withId(value, stepsIn(field).map(String), idOf(label, service))
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      errors.push({ field, problem: error })
    }
  }
  if (errors.length === 0)
    for (const { field, reason } of checkValue(kind.entry, value))
      errors.push({ field, problem: new Problem('usage', reason) })
  return { value, errors }
}

type Entry = Record<string, unknown>

/** Sets a field, or adds to a list what it does not have. */
function withId(entry: Entry, [key = '', ...below]: readonly string[], id: number): Entry {
  const inner = entry[key]
  if (Array.isArray(inner)) return { ...entry, [key]: inner.includes(id) ? inner : [...inner, id] }
  if (below.length > 0 && isRecord(inner)) return { ...entry, [key]: withId(inner, below, id) }
  return { ...entry, [key]: id }
}

function faultOf({ field, problem }: FieldProblem, { at }: DesiredObject): Fault {
  const { code, message, details } = problem
  const reason = details.hint === undefined ? message : `${message}. ${details.hint}`
  return { at: at.of(field), reason, code }
}
