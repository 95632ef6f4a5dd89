/** Methods of an account for programs: each does with one operation what a command does. */
import type { Operation } from '../catalogue/operation'
import { regions } from '../catalogue/regions'
import { Problem } from '../errors'
import { isRecord } from '../rules/records'
import type { Account } from './account'
import { type Action, namedBy } from './action'
import { type CustomAction, runnerOf } from './action-runner'
import type { ChangeOptions, RequestBody } from './change-context'
import { filteredPages } from './filter-refusal'
import { byId, findTarget, ofParent, parseTarget, pathOf, type Resource } from './resource'
import { usualWaitMs, WaitLimit } from './wait-limit'

/** An object that is named: its id, or its label, address or range. */
export type ObjectName = number | string

export interface AccountMethod {
  /** `list` yields records, `view` resolves to one, and `change` to a `MethodResult`. */
  kind: 'list' | 'view' | 'change'
  operation: Operation
  /** Names that the first arguments stand for. */
  named: readonly { name: string; by: 'id' | 'text' | 'either' }[]
  /** Whether a body follows them; `answered`: a part of the answer to a view, with its nulls. */
  hasBody: boolean | 'answered'
  call(account: Account, names: readonly ObjectName[], body: RequestBody | undefined, options: MethodOptions): unknown
}

/** Options of a list (`filter`) or a change (all others). */
export interface MethodOptions extends Pick<ChangeOptions, 'ifAbsent' | 'ifPresent' | 'ifMatch' | 'force'> {
  filter?: Readonly<Record<string, unknown>>
  /** Waits for the result, up to so many milliseconds, or 5 minutes. */
  wait?: boolean | number
}

/** Result of a change. */
export interface MethodResult {
  outcome: 'done' | 'already' | 'exists' | 'absent' | 'unchanged'
  /** The object after the change, or what the service answered. */
  record: Readonly<Record<string, unknown>>
  before?: Readonly<Record<string, unknown>> | undefined
}

const namesOf = (resource: Resource): AccountMethod['named'] => [
  ...(resource.parent ? namesOf(resource.parent) : []),
  { name: nameOfNoun(resource.noun), by: !resource.reference ? 'either' : resource.reference === byId ? 'id' : 'text' },
]

/** Turns `SSH key` into `sshKey`, and `IPv6 range` into `range`. */
function nameOfNoun(noun: string): string {
  const [first = '', ...rest] = noun.replace('IPv6 ', '').split(' ')
  return first.toLowerCase() + rest.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('')
}

function textOf(named: ObjectName, resource: Resource): string {
  if (typeof named === 'number') return `id:${named}`
  return resource.reference ? named : `label:${named}`
}

/** Returns names as the command line spells them: a number is an id, and a text is a label. */
function typedNames(resource: Resource | undefined, names: readonly ObjectName[]): string[] {
  if (!resource) return names.map(String)
  const chain = resource.parent ? [resource.parent, resource] : [resource]
  return names.map((named, at) => textOf(named, chain[at] ?? resource))
}

/** Lists the records of an operation; those of a parent if `resource` has one. */
export const listing = (operation: Operation, resource?: Resource): AccountMethod => ({
  kind: 'list',
  operation,
  named: resource?.parent ? namesOf(resource.parent) : [],
  hasBody: false,
  async *call(account, names, _body, { filter = {} }) {
    const client = await account.client({ isPublic: operation.isPublic === true })
    const { path = {} } = resource ? await ofParent(resource, typedNames(resource, names), account) : {}
    const serverFilters = Object.entries(filter).filter(([key]) => operation.filterable?.includes(key))
    const call = { path, ...(serverFilters.length > 0 && { filter: Object.fromEntries(serverFilters) }) }
    // The service may ignore a filter.
    for await (const page of filteredPages(client, operation, call))
      for (const record of page) if (hasAll(record, filter)) yield record
  },
})

function hasAll(record: unknown, filter: Readonly<Record<string, unknown>>): boolean {
  return Object.entries(filter).every(([key, expected]) => {
    const actual: unknown = typeof record === 'object' && record !== null ? Reflect.get(record, key) : undefined
    return Array.isArray(actual) ? actual.includes(expected) : actual === expected
  })
}

/** Reads an object, or something that an account has once. */
export const viewing = (operation: Operation, resource?: Resource): AccountMethod => ({
  kind: 'view',
  operation,
  named: resource ? namesOf(resource) : [],
  hasBody: false,
  async call(account, names) {
    const client = await account.client({ isPublic: operation.isPublic === true })
    if (!resource) return client.call(operation)
    const texts = typedNames(resource, names)
    const target = parseTarget(texts.at(-1) ?? '', resource.noun, resource.reference)
    const place = await ofParent(resource, texts, account)
    if (operation === resource.view) return (await findTarget(target, place, account, { record: true })).record
    const { id } = await findTarget(target, place, account, { record: false })
    return client.call(operation, { path: pathOf(place, id) })
  },
})

export const region: AccountMethod = {
  ...viewing(regions.view),
  named: [{ name: 'region', by: 'text' }],
  call: async (account, [regionId = '']) =>
    (await account.client({ isPublic: true })).call(regions.view, { path: { regionId } }),
}

/** Makes a change; `answered`: its body is a part of the answer to a view. */
export function changing(action: Action | CustomAction, hasBody: AccountMethod['hasBody'] = true): AccountMethod {
  const { operation } = action
  const resource = namedBy(action)
  const isGiven = operation.body !== undefined && !('body' in action && action.body)
  const perform = runnerOf(action)
  return {
    kind: 'change',
    operation,
    named: resource ? namesOf(resource) : [],
    hasBody: isGiven && hasBody,
    async call(account, names, body, { wait, filter: _, ...options }): Promise<MethodResult> {
      const waitLimit = new WaitLimit(typeof wait === 'number' ? wait : usualWaitMs, account.clock)
      const request = { target: typedNames(resource, names), body, options: { ...options, wait: Boolean(wait) } }
      const { outcome, answer, before } = await perform(request, { ...account, clock: { ...account.clock, waitLimit } })
      return { outcome: outcome.kind, record: answer, ...(before && { before }) }
    },
  }
}

/** Programs without types may give anything. */
export function called({ named, hasBody, call }: AccountMethod, account: Account, args: readonly unknown[]): unknown {
  const names = named.map(({ name }, at) => {
    const one = args[at]
    if (typeof one !== 'number' && typeof one !== 'string')
      throw notGiven(`the argument "${name}"`, 'a number or a text')
    return one
  })
  const [first = {}, second = {}] = args.slice(named.length)
  const [body, options] = hasBody ? [first, second] : [undefined, first]
  if (body !== undefined && !isRecord(body)) throw notGiven('the body', 'an object')
  if (!isRecord(options)) throw notGiven('the options', 'an object')
  return call(account, names, body, options)
}

const notGiven = (what: string, kind: string) => new Problem('usage', `${what} must be ${kind}`)
