/** Methods of an account for programs: each does with one operation what a command does. */
import type { Operation } from '../catalogue/operation'
import { regions } from '../catalogue/regions'
import { Problem } from '../errors'
import type { Call } from '../http/client'
import { isRecord, valueAt } from '../rules/records'
import type { Account } from './account'
import type { Action } from './action'
import { fixedBody, namedBy } from './action-functions'
import { type CustomAction, runnerOf } from './action-runner'
import type { ChangeOptions, RequestBody } from './change-context'
import { filteredPages } from './filter-refusal'
import { byId, findNamed, pathBelow } from './find-target'
import { type ChangeOptionName, expectBody, expectChangeOptions, expectListOptions } from './method-options'
import { namedByOptions } from './option-names'
import type { Resource } from './resource'
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
  /** Options that a change has; those of a list are the same for all. */
  options: readonly ChangeOptionName[]
  call(account: Account, names: readonly ObjectName[], body: RequestBody | undefined, options: MethodOptions): unknown
}

type Filter = Readonly<Record<string, unknown>>

/** Options of a list (`filter`) or a change (all others). */
interface MethodOptions extends Pick<ChangeOptions, Exclude<ChangeOptionName, 'wait'>> {
  filter?: Filter
  /** Waits for the result, up to so many milliseconds, or 5 minutes. */
  wait?: boolean | number
}

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

/** Lists the records of an operation; those of an object of the kind `parent`, if its path has one. */
export const listing = (operation: Operation, parent?: Resource): AccountMethod => ({
  kind: 'list',
  operation,
  named: parent ? namesOf(parent) : [],
  hasBody: false,
  options: [],
  async *call(account, names, _body, { filter = {} }) {
    try {
      const path = parent && (await pathBelow(parent, typedNames(parent, names), account))
      yield* matching(operation, filter, account, path)
    } catch (error) {
      throw namedByOptions(error)
    }
  },
})

async function* matching(operation: Operation, filter: Filter, account: Account, path: Call['path']) {
  const client = await account.client({ isPublic: operation.isPublic === true })
  const isSent = ([key, value]: [string, unknown]) => value !== undefined && operation.filterable?.includes(key)
  const serverFilters = Object.entries(filter).filter(isSent)
  const call = {
    ...(path && { path }),
    ...(serverFilters.length > 0 && { filter: Object.fromEntries(serverFilters) }),
  }
  // The service may ignore a filter.
  for await (const page of filteredPages(client, operation, call))
    for (const record of page) if (hasAll(record, filter)) yield record
}

function hasAll(record: unknown, filter: Filter): boolean {
  return Object.entries(filter).every(([key, expected]) => {
    const actual = valueAt(record, key)
    return expected === undefined || (Array.isArray(actual) ? actual.includes(expected) : actual === expected)
  })
}

/** Reads an object, or something that an account has once. */
export const viewing = (operation: Operation, resource?: Resource): AccountMethod => ({
  kind: 'view',
  operation,
  named: resource ? namesOf(resource) : [],
  hasBody: false,
  options: [],
  async call(account, names) {
    const client = await account.client({ isPublic: operation.isPublic === true })
    if (!resource) return client.call(operation)
    const texts = typedNames(resource, names)
    if (operation !== resource.view) return client.call(operation, { path: await pathBelow(resource, texts, account) })
    return (await findNamed(texts, resource, account, { record: true })).object.record
  },
})

export const region: AccountMethod = {
  ...viewing(regions.view),
  named: [{ name: 'region', by: 'text' }],
  call: async (account, [regionId = '']) =>
    (await account.client({ isPublic: true })).call(regions.view, { path: { regionId } }),
}

/** Makes a change; `own` are the options that not all changes of its sort have. `answered`: its body is a part of the answer to a view. */
export function changing(
  action: Action | CustomAction,
  own: readonly ChangeOptionName[] = [],
  hasBody: AccountMethod['hasBody'] = true,
): AccountMethod {
  const { operation } = action
  const resource = namedBy(action)
  const isGiven = operation.body !== undefined && !('body' in action && fixedBody(action))
  const perform = runnerOf(action)
  return {
    kind: 'change',
    operation,
    named: resource ? namesOf(resource) : [],
    hasBody: isGiven && hasBody,
    options: optionsOf(action, own),
    async call(account, names, body, { wait = false, filter: _, ...given }): Promise<MethodResult> {
      const waitLimit = new WaitLimit(typeof wait === 'number' ? wait : usualWaitMs, account.clock)
      const options = { ...given, allowDuplicate: given.allowDuplicate === true, wait: wait !== false }
      const request = { target: typedNames(resource, names), body, options }
      const { outcome, answer, sent } = await perform(request, { ...account, clock: { ...account.clock, waitLimit } })
      return { outcome: outcome.kind, record: answer, ...(sent.before && { before: sent.before }) }
    },
  }
}

/** Returns the options that a change has: those of all changes of its sort, and its own. */
function optionsOf(action: Action | CustomAction, own: readonly ChangeOptionName[]): readonly ChangeOptionName[] {
  const { operation } = action
  const { wait, safety } = 'perform' in action ? {} : action
  const isLabelled = operation.creates !== undefined && 'label' in (operation.body?.entries ?? {})
  const usual: readonly [ChangeOptionName, boolean][] = [
    ['wait', wait !== undefined],
    ['ifAbsent', isLabelled],
    ['allowDuplicate', safety?.uniqueLabel === true],
    ['ifPresent', operation.method === 'DELETE' || safety?.mayBeAbsent === true],
    ['force', safety?.protection !== undefined],
  ]
  return [...usual.flatMap(([name, has]) => (has ? [name] : [])), ...own]
}

/** Arguments of a call, which programs without types may give in any form. */
interface Arguments {
  names: ObjectName[]
  body: RequestBody | undefined
  options: Record<string, unknown>
}

/** Calls a method; `by` is its name in messages. A list throws at once for wrong arguments, and all others reject. */
export function called(method: AccountMethod, by: string, account: Account, args: readonly unknown[]): unknown {
  const run = () => {
    const { names, body, options } = argumentsOf(method, by, args)
    return method.call(account, names, body, options)
  }
  return method.kind === 'list' ? run() : rejecting(async () => run())
}

/** Does work, whose problems name options. */
export async function rejecting<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw namedByOptions(error)
  }
}

/** Checks the arguments of a call; throws `usage`, so that nothing is sent. */
function argumentsOf(
  { kind, named, hasBody, operation, options: names }: AccountMethod,
  by: string,
  args: readonly unknown[],
): Arguments {
  const objects = named.map(({ name }, at) => {
    const one = args[at]
    if (typeof one !== 'number' && typeof one !== 'string')
      throw wrongArgument(`the argument "${name}"`, 'a number or a text')
    return one
  })
  const [first = {}, second = {}] = args.slice(named.length)
  const [body, options] = hasBody ? [first, second] : [undefined, first]
  if (body !== undefined && !isRecord(body)) throw wrongArgument('the body', 'an object')
  if (!isRecord(options)) throw wrongArgument('the options', 'an object')
  if (args.length > named.length + (hasBody ? 2 : 1)) throw new Problem('usage', `${by} has too many arguments`)
  if (kind === 'list') expectListOptions(options, { by, operation })
  else expectChangeOptions(options, { by, operation, names })
  if (body) expectBody(body, by, operation)
  return { names: objects, body, options }
}

const wrongArgument = (what: string, kind: string) => new Problem('usage', `${what} must be ${kind}`)
