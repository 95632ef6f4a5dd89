/**
 * Saves plans (`plan --out`): the account, the desired state, and the current state. `apply` plans again from the
 * desired state, and compares the result with the saved plan: each object must be as it was, or as it was planned, so
 * that an interrupted apply continues. A digest detects edited or incomplete plans; it is no signature.
 */

import { version } from '../../../package.json'
import type { AccountIdentity } from '../../account/account'
import { hashState } from '../../account/history/compare-states'
import { isUser } from '../../account/identity'
import type { DesiredObject } from '../../account-file/desired-object'
import type { DesiredState } from '../../account-file/desired-state'
import type { Kind } from '../../account-file/kind'
import { kinds } from '../../account-file/kinds'
import { Place } from '../../account-file/places'
import type { Plan } from '../../account-file/plan'
import { checkValue } from '../../catalogue/check'
import { Problem } from '../../errors'
import { isNewer } from '../../files/newer-format'
import { isRecord } from '../../rules/records'
import { accountRecord, documentOf } from './plan-document'

export interface SavedPlan {
  /** Version that saved it; undefined in files of the first one. */
  skyctl: unknown
  prune: boolean
  only: readonly string[] | undefined
  account: Pick<AccountIdentity, 'service' | 'user'>
  desired: DesiredState
  /** Objects as they were found. */
  objects: readonly unknown[]
  /** Objects as the document of the plan has them. */
  planned: readonly unknown[]
  /** Objects of the files that needed no change. */
  unchanged: readonly unknown[]
}

/** Version of the file, not of the `plan --json` document. */
const fileVersion = 2

export function savedPlanText(
  plan: Plan,
  { prune, only, desired, identity }: Pick<SavedPlan, 'prune' | 'only' | 'desired'> & { identity: AccountIdentity },
): string {
  const entries = [...desired.entries].map(([kind, named]) => [
    kind,
    Object.fromEntries([...named].map(([name, { value }]) => [name, value])),
  ])
  const content = {
    ...documentOf(plan, identity),
    format_version: fileVersion,
    skyctl: version,
    account: accountRecord(identity),
    prune,
    ...(only && { only }),
    settings: desired.settings,
    wanted: Object.fromEntries(entries),
    found: foundIn(plan),
  }
  return JSON.stringify({ ...content, digest: digestOf(content) }, null, 2)
}

/** Computes the digest of the content; indentation and the order of keys do not matter. */
export const digestOf = ({ digest: _own, ...content }: Record<string, unknown>) =>
  hashState(JSON.parse(JSON.stringify(content)), true)

/**
 * Parses a saved plan; undefined if the text may be an account file instead. Throws `usage` for an unsupported plan.
 */
export function readSavedPlan(text: string, name: string): SavedPlan | undefined {
  const value = parsed(text)
  if (!isRecord(value) || value.format_version === undefined) return undefined
  refuseForeign(value, name)
  const { prune, only, account, settings, wanted, found } = value
  const isWhole = isRecord(account) && isRecord(settings) && isRecord(wanted) && Array.isArray(found)
  if (!isWhole || !isRecord(settings.defaults)) {
    throw new Problem('usage', `${name} is not a plan that "skyctl plan --out" has saved`, { hint: again })
  }
  const unknown = Object.keys(wanted).find((key) => kinds.every((kind) => kind.key !== key))
  if (unknown !== undefined) {
    throw new Problem('usage', `${name} has ${unknown}, which this version of skyctl does not know`, {
      hint: `${again}, or update skyctl`,
    })
  }
  const places = placesIn(value)
  const entries = kinds.flatMap((kind) => {
    const named = wanted[kind.key]
    return named === undefined ? [] : [[kind.key, entriesOf(named, kind, { file: name, places })] as const]
  })
  return {
    skyctl: value.skyctl,
    prune: prune === true,
    only: Array.isArray(only) ? only.map(String) : undefined,
    account: { service: String(account.service), user: isUser(account) ? account : undefined },
    desired: { settings: { ...settings, defaults: settings.defaults }, entries: new Map(entries) },
    objects: found,
    planned: [value.objects ?? []].flat(),
    unchanged: [value.unchanged ?? []].flat(),
  }
}

const again = 'Save it again: skyctl plan FILE --out plan.json'

function refuseForeign(value: Record<string, unknown>, name: string): void {
  const { format_version: version, digest } = value
  if (isNewer(version, fileVersion)) {
    throw new Problem('usage', `${name} was saved by a newer version of skyctl`, { hint: `${again}, or update skyctl` })
  }
  if (version !== fileVersion) {
    throw new Problem('usage', `${name} is a plan of another version: ${version}`, { hint: again })
  }
  if (digest !== digestOf(value)) {
    throw new Problem('usage', `${name} was edited since it was saved, so it may differ from the reviewed plan`, {
      hint: again,
    })
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Validates the entries of a plan; throws `usage` for invalid ones, such as after editing by hand. */
function entriesOf(
  named: unknown,
  { key, entry }: Kind,
  { file, places }: { file: string; places: ReadonlyMap<string, Place> },
): Map<string, DesiredObject> {
  const entries = Object.entries(isRecord(named) ? named : {})
  const [wrong] = entries.flatMap(([name, value]) => checkValue(entry, value).map(({ reason }) => `${name}: ${reason}`))
  if (wrong !== undefined) throw new Problem('usage', `${file}: ${key}.${wrong}`)
  const placeOf = (name: string) => places.get(keyOf({ kind: key, name })) ?? new Place({ name: file }, [key, name])
  return new Map(entries.map(([name, value]) => [name, { name, value, at: placeOf(name) }]))
}

/** Returns the places in the account files that a plan has saved, by object, so that it prints as it was reviewed. */
function placesIn({ objects, unchanged, expectations }: Record<string, unknown>): ReadonlyMap<string, Place> {
  const all = [objects, unchanged, expectations].flat().filter(isRecord)
  return new Map(all.map((object) => [keyOf(object), placeIn(object)]))
}

/** An object has the line of each changed field, and an expectation the place of each difference. */
function placeIn(object: Record<string, unknown>): Place {
  const path = [String(object.kind), String(object.name)]
  const fields = [object.changed, object.differences].flat().filter(isRecord)
  const places = fields.map((one) => [String(one.field), savedPlace(one, [...path, String(one.field)])] as const)
  const [first] = fields
  return savedPlace(typeof object.file === 'string' ? object : { ...first }, path).with(places)
}

function savedPlace({ file, line, column, place }: Record<string, unknown>, path: readonly string[]): Place {
  const [, name = String(place), number] = /^(.*):(\d+)$/s.exec(String(place)) ?? []
  if (typeof file === 'string')
    return new Place({ name: file }, path, { line: numberOf(line), column: numberOf(column) })
  return new Place({ name }, path, { line: number === undefined ? undefined : Number(number) })
}

const numberOf = (value: unknown) => (typeof value === 'number' ? value : undefined)

/** Returns the objects of a plan with their steps: a saved plan is valid while these do not change. */
export const foundIn = ({ objects }: Plan) =>
  objects.map(({ kind, noun, name, id = null, before, steps }) => {
    return {
      kind,
      noun,
      name,
      id,
      before: before(),
      steps: steps.map(({ shifts: _shifts, replaced: _replaced, ...step }) => asSaved(step)),
    }
  })

/** Returns a step as saved plans have it: the words of its target are the arguments of a command. */
const asSaved = (step: object) =>
  Object.fromEntries(Object.entries(step).map(([key, value]) => [key === 'target' ? 'arguments' : key, value]))

export const keyOf = ({ kind, name }: { kind?: unknown; name?: unknown }) => JSON.stringify([kind, name])
