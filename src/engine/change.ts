/** A command that changes something: makes an object, or acts on those that are named. */
import type { Operation } from '../catalogue/operation'
import type { Context } from '../context'
import { Problem } from '../errors'
import { type Column, printMany, printOne } from '../output/print'
import { checkBody, flagsOf, readBody } from './body'
import type { Command, Flags, Input } from './command'
import { confirm } from './confirm'
import { bodyFlags, dryRunFlag, outputFlags, waitFlags } from './flags'
import { type PlannedRequest, planRequest, printRequests } from './request'
import { type Found, findTarget, type Item, nameOf, pathOf, type Resource, type Target } from './resource'
import { send } from './send'
import { forEachTarget, ofParent, readTargets, targetArguments } from './targets'
import { fieldPaths, viewOf } from './view'
import { type Condition, waitTimeout, waitUntil } from './wait'

export type RequestBody = Record<string, unknown>

/** What a step of a change may look at. */
export interface Situation {
  flags: Flags
  /** Nothing may be sent, so only what is at hand can be checked. */
  dry: boolean
  context: Context
}

/** The objects that a question is about. */
export interface About {
  found: readonly Found[]
  context: Context
}

export interface Change extends Pick<Command, 'name' | 'aliases' | 'details' | 'examples'> {
  /** That of the operation where nothing else is said. */
  summary?: string
  operation: Operation
  resource: Resource
  columns: readonly Column[]
  /** Whether it takes several targets. */
  many?: boolean
  flags?: readonly Command['flags'][number][]
  /** Flags that are made from the body but not wanted, since they are too simple for what they mean. */
  without?: readonly string[]
  /** The body, where it is always the same: then no flags make one. */
  body?: RequestBody
  /** The present record must be read even where the target is an id. */
  reads?: boolean | ((flags: Flags) => boolean)
  /** Completes the body that flags and file gave: defaults, or a list that is added to. */
  complete?(body: RequestBody, situation: Situation, found?: Found): RequestBody | Promise<RequestBody>
  /** Refuses what can be known before sending; `--no-validate` skips it. */
  precheck?(body: RequestBody, situation: Situation, found?: Found): void | Promise<void>
  /** What is destroyed, as a question without its mark: then the command asks. `about` comes where it could be read. */
  consequence?(name: string, flags: Flags, about?: About): string | undefined | Promise<string | undefined>
  /** The sentence on success. `name` is that of the object which the answer shows, or which was named. */
  done(answer: Item, name: string, body: RequestBody): string
  /** What `--wait` waits for. */
  wait?(body: RequestBody): Condition
  /** Whether an object is as this change would make it: decides after a lost answer. */
  settled?(record: Item, body: RequestBody): boolean
}

export function changeCommand(change: Change): Command {
  const { operation, resource, many = false, wait, without = [] } = change
  const schema = change.body ? undefined : operation.body
  const onTarget = operation.path.includes(`{${resource.parameter}}`)
  return {
    name: change.name,
    ...(change.aliases && { aliases: change.aliases }),
    ...(change.details && { details: change.details }),
    ...(change.examples && { examples: change.examples }),
    summary: change.summary ?? operation.summary,
    operations: [operation],
    ...(onTarget && { arguments: targetArguments(resource, many) }),
    flags: [
      // What is only being made has no list to empty.
      ...(schema ? flagsOf(schema) : []).filter(
        ({ name, negative }) => !without.includes(name) && (onTarget || negative !== 'only'),
      ),
      ...(change.flags ?? []),
      ...(schema ? bodyFlags : []),
      ...(wait ? waitFlags(wait({}).name) : []),
      dryRunFlag,
      ...outputFlags,
    ],
    run: (input, context) => (onTarget ? runOnTargets(change, input, context) : runOnce(change, input, context)),
  }
}

async function runOnce(change: Change, { flags }: Input, context: Context): Promise<void> {
  const situation = await arrange(change, flags, context)
  const body = await bodyFor(change, situation)
  if (situation.dry) return printRequests([requestOf(change, body)], situation)
  const answer = await perform(change, body, situation)
  await report(change, [answer], situation)
}

async function runOnTargets(general: Change, input: Input, context: Context): Promise<void> {
  const { flags } = input
  const targets = await readTargets(input, general.resource, context)
  const situation = await arrange(general, flags, context)
  const given = await givenBody(general, situation)
  if (general.operation.body) checkBody(general.operation.body, given, flags)
  const { dry } = situation
  const change = { ...general, resource: await ofParent(general.resource, input, context) }
  const asks = (await change.consequence?.('', flags)) !== undefined && !context.yes && !dry
  const prepare = preparer(change, { situation, given, asks })
  if (asks) await confirmTargets(change, targets, prepare, situation)
  const requests: PlannedRequest[] = []
  await forEachTarget(
    targets,
    async (target) => {
      const { found, body } = await prepare(target)
      if (!dry) return perform(change, body, situation, found)
      requests.push(requestOf(change, body, found))
      return {} as Item
    },
    (answers) => (dry ? printRequests(requests, situation) : report(change, answers, situation, targets.length !== 1)),
  )
}

/** All that is done for a target before something is sent that changes it. */
type Prepare = (target: Target) => Promise<{ found: Found; body: RequestBody }>

/** Prepares each target once: finds it, with its record where the change has to look at it or to show it. */
function preparer(
  change: Change,
  { situation, given, asks }: { situation: Situation; given: RequestBody; asks: boolean },
): Prepare {
  const { resource, reads } = change
  const { flags, dry, context } = situation
  const record = asks || (!dry && (typeof reads === 'function' ? reads(flags) : reads === true))
  const prepare: Prepare = async (target) => {
    const found = await findTarget(target, resource, context, { record })
    return { found, body: await bodyFor(change, situation, found, given) }
  }
  const prepared = new Map<Target, ReturnType<Prepare>>()
  return (target) => {
    const one = prepared.get(target) ?? prepare(target)
    prepared.set(target, one)
    return one
  }
}

/** Asks once for all that can be done; what cannot fails later, each by itself. */
async function confirmTargets(
  change: Change,
  targets: Target[],
  prepare: Prepare,
  situation: Situation,
): Promise<void> {
  const { flags, context } = situation
  const ask = async (names: string[], about?: About) =>
    confirm((await change.consequence?.(several(names), flags, about)) ?? '', context)
  if (!context.interactive) return ask(targets.map(({ typed }) => typed))
  const found: Found[] = []
  for (const target of targets) {
    const one = await prepare(target).catch((error: unknown) => {
      if (targets.length === 1 || !(error instanceof Problem)) throw error
    })
    if (one) found.push(one.found)
  }
  const names = found.map((one) => nameOf(change.resource, one))
  if (names.length > 0) await ask(names, { found, context })
}

function several(names: string[]): string {
  return names.length > 3 ? `${names.slice(0, 3).join(', ')} and ${names.length - 3} more` : names.join(', ')
}

async function arrange(change: Change, flags: Flags, context: Context): Promise<Situation> {
  // Checked first: a mistyped column must not be found out after the change was made.
  await viewFor(change, flags, context)
  waitTimeout(flags)
  return { flags, dry: flags['dry-run'] === true, context }
}

async function givenBody({ operation, body }: Bodied, { flags, context }: Situation): Promise<RequestBody> {
  if (body) return body
  return operation.body ? readBody(operation.body, flags, context) : {}
}

type Bodied = Pick<Change, 'operation' | 'body' | 'complete' | 'precheck'>

/** The body to send, with what is known to be wrong with it or with its target refused. */
export async function bodyFor(
  change: Bodied,
  situation: Situation,
  found?: Found,
  given?: RequestBody,
): Promise<RequestBody> {
  const { operation } = change
  const start = given ?? (await givenBody(change, situation))
  const body = (await change.complete?.({ ...start }, situation, found)) ?? start
  if (operation.body) checkBody(operation.body, body, situation.flags)
  if (situation.flags.validate !== false) await change.precheck?.(body, situation, found)
  return body
}

/** Sends the change, sees to a lost answer, says what was done, and waits where that was asked for. */
async function perform(change: Change, body: RequestBody, situation: Situation, found?: Found): Promise<Item> {
  const { context, flags } = situation
  const { resource } = change
  const answer = await send(change, body, context, found)
  await forgetLabels(change, body, context)
  // A clone answers with another object than the one that was named; a detach with none.
  const id = answer.id ?? found?.id
  const record = answer.label === undefined ? found?.record : answer
  await context.say(change.done(answer, nameOf(resource, { id, ...(record && { record }) }), body))
  const condition = flags.wait ? change.wait?.(body) : undefined
  if (!condition) return answer
  const timeoutMs = waitTimeout(flags)
  return (await waitUntil(condition, { id, resource, context, timeoutMs })) ?? ({} as Item)
}

/** Labels that a shell completes are read anew once one was made, changed or deleted. */
async function forgetLabels({ operation, resource }: Change, { label }: RequestBody, context: Context): Promise<void> {
  if (typeof resource.values !== 'string' || resource.values === 'files') return
  if (operation.method !== 'DELETE' && label === undefined) return
  await (await import('./names')).forgetKind(resource.values, context)
}

function requestOf({ operation, resource }: Change, body: RequestBody, found?: Found): PlannedRequest {
  const path = found && pathOf(resource, found.id)
  return planRequest(operation, { ...(path && { path }), ...(operation.body && { body }) })
}

function viewFor({ operation, resource, columns }: Change, flags: Flags, context: Context) {
  const empty = Object.keys((operation.returns as { entries?: object }).entries ?? {}).length === 0
  const { key } = resource
  return viewOf({ fields: fieldPaths(empty ? resource.view : operation), columns, ...(key && { key }) }, flags, context)
}

/** Prints the answers: an operation that answers `{}` has nothing for a table. */
async function report(change: Change, answers: Item[], situation: Situation, several = false): Promise<void> {
  const { context, flags } = situation
  const view = await viewFor(change, flags, context)
  const empty = answers.every((answer) => Object.keys(answer).length === 0)
  const wordless = view.quiet !== undefined || !['json', 'ndjson', 'yaml'].includes(view.format)
  if (empty && wordless) return
  if (several || view.format === 'table') await printMany(answers, view, context.stdout)
  else await printOne(answers[0], view, context.stdout)
}
