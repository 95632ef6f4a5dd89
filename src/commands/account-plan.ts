/** Creates and prints plans for `plan` and `apply`. */

import type { AccountIdentity } from '../account/account'
import type { Flag, Flags } from '../engine/command'
import { countFlag } from '../engine/flag-values'
import { viewOf } from '../engine/printing'
import type { Problem } from '../errors'
import type { RulesChange } from '../firewall/diff'
import { changeLine } from '../firewall/rule-text'
import { columnsFor, type FieldPath } from '../output/column'
import { wantsDocument, wantsScreen } from '../output/output-kind'
import { printMany, printOne, type View } from '../output/print'
import { styles } from '../output/style'
import { wrap } from '../output/wrap'
import { escapeText } from '../rules/escape'
import type { Session } from '../session'
import { mostReads } from '../state/concurrency'
import { type DesiredState, readDesiredState } from '../state/desired-state'
import type { SourceFile } from '../state/included-files'
import type { AccountState } from '../state/kind'
import type { NetworkChange } from '../state/network-changes'
import { areComputesUnseen, kindsOf, labelsIn, type Plan, type PlannedObject, planFor, unseenOf } from '../state/plan'
import type { PlanStep } from '../state/plan-step'
import { readAccountState } from '../state/read-account'
import { readSources } from './account-files'

/** Version of the --json document; increased with every incompatible change. */
export const formatVersion = 1

export const pruneFlag: Flag = {
  name: 'prune',
  description: "Delete what has the owner's tag and is in no file",
}

/** Reads the files and the account, and creates the plan; throws the errors of both. */
export async function readPlan(
  paths: readonly string[],
  flags: Flags,
  session: Session,
): Promise<{ wanted: DesiredState; plan: Plan }> {
  const named = await wantedBy(await readSources(paths, flags, session), session)
  return planOf(named, { prune: flags.prune === true, flags }, session)
}

/** Reads files, with the context's defaults for missing values. A config that cannot be read has no defaults. */
export async function wantedBy(sources: readonly SourceFile[], session: Session): Promise<DesiredState> {
  const { region } = await session.config.defaults().catch((): { region?: string } => ({}))
  return readDesiredState(sources, { region })
}

/** Returns a problem if the plan would block traffic that must stay open. */
export async function lockoutIn({ objects }: Plan, flags: Flags, session: Session): Promise<Problem | undefined> {
  const shifts = objects.flatMap(({ steps }) => steps.flatMap((step) => step.shifts ?? []))
  const { refusalOf } = await import('./firewalls/lockout')
  return refusalOf(shifts, { flags, session })
}

/** Creates the plan; in the desired state that it returns, services have their ids instead of labels. */
export async function planOf(
  named: DesiredState,
  { prune, force = false, flags }: { prune: boolean; force?: boolean; flags: Flags },
  session: Session,
): Promise<{ wanted: DesiredState; plan: Plan }> {
  const concurrency = countFlag(flags, 'concurrency', 1, 64) ?? mostReads
  const progress = await session.ui.progress('Reading the account')
  try {
    const world = await readAccountState(kindsOf(named, { prune }), await session.account.client({ concurrency }))
    const { wanted, faults } = await identified(named, world)
    for (const { key } of unseenOf(wanted, world)) {
      await session.ui.warn(
        `the token may not read ${key}, so the plan lacks those with the tag "${wanted.settings.owner}" that are in no file`,
      )
    }
    if (areComputesUnseen(wanted, world))
      await session.ui.warn(
        'the token may not read addresses, so the plan does not check that the compute instances exist',
      )
    const { regionsFor, unknownDefault } = await import('./account-regions')
    const regions = await regionsFor(wanted, session)
    const plan = planFor(wanted, new Map([...world, ['regions', regions]]), {
      prune,
      force,
      faults: [...faults, ...unknownDefault(wanted, regions)],
    })
    return { wanted, plan }
  } finally {
    progress.done()
  }
}

/** Looks up the services that files name by label. */
async function identified(named: DesiredState, world: AccountState) {
  if (labelsIn(named.entries).length === 0) return { wanted: named, faults: [] }
  return (await import('../state/service-ids')).withServiceIds(named, world)
}

/** Returns `volume "pgdata" (3001)`, or the noun for a kind that an account has once. */
export function titleOf({ noun, name, id }: Pick<PlannedObject, 'noun' | 'name' | 'id'>): string {
  if (name === '') return noun
  const quoted = noun === 'address' ? name : `"${escapeText(name)}"`
  return `${noun} ${quoted}${id === undefined || id === name ? '' : ` (${id})`}`
}

const recordOfStep = ({ action, does, arguments: words, body, changes, rules, consequences }: PlanStep) => ({
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

/** Formats a plan for scripts. */
export function documentOf({ objects, same, notes, left }: Plan, identity: AccountIdentity): Record<string, unknown> {
  return {
    format_version: formatVersion,
    account: accountRecord(identity),
    objects: objects.map((object) => ({
      kind: object.kind,
      name: object.name,
      id: object.id ?? null,
      action: object.action,
      steps: object.steps.map(recordOfStep),
    })),
    same,
    notes,
    left,
  }
}

interface Row {
  kind: string
  name: string
  id: unknown
  action: string
  change: string
}

const fields: readonly FieldPath<Row>[] = ['kind', 'name', 'id', 'action', 'change']

export const viewOfPlan = (flags: Flags, session: Session): Promise<View> =>
  viewOf({ fields, columns: columnsFor<Row>(fields), key: 'name' }, flags, session)

function rowsOf({ objects }: Plan): Row[] {
  return objects.flatMap((object) =>
    object.steps.map((step) => ({
      kind: object.kind,
      name: object.name,
      id: object.id ?? null,
      action: step.action,
      change: linesOf(step).join('; '),
    })),
  )
}

function linesOf({ changes, rules = [] }: PlanStep, networks: readonly NetworkChange[] = []): string[] {
  const isShared = (change: RulesChange) => networks.some(({ changes }) => changes.has(change))
  return [
    ...changes.map((text) => escapeText(text)),
    ...rules.filter((change) => !isShared(change)).map(changeLine),
    ...networks.flatMap((network) => sharedLine(network, rules)),
  ]
}

/** Returns `network "office": +203.0.113.0/24 -198.51.100.0/24 (2 firewalls, 5 rules)`. */
function networkLine({ name, added, removed, firewalls, changes }: NetworkChange): string {
  const addresses = [...added.map((one) => `+${one}`), ...removed.map((one) => `-${one}`)].join(' ')
  const count = firewalls === 1 ? '1 firewall' : `${firewalls} firewalls`
  return escapeText(`network "${name}": ${addresses} (${count}, ${changes.size} rules)`)
}

/** Returns the line that stands for all rules of a step that change with a network. */
function sharedLine({ name, changes }: NetworkChange, rules: readonly RulesChange[]): string[] {
  const places = rules.flatMap((change) =>
    change.kind === 'changed' && changes.has(change) ? [`${change.direction} ${change.to}`] : [],
  )
  return places.length === 0 ? [] : [`${'changed'.padEnd(8)} ${places.join(', ')}: with network "${name}"`]
}

export async function printPlan(plan: Plan, view: View, session: Session): Promise<void> {
  if (wantsScreen(view)) await session.ui.stdout.write(await screenOf(plan, view))
  else if (wantsDocument(view))
    await printOne(documentOf(plan, await session.account.identity()), view, session.ui.stdout)
  // With --quiet, every object to change is printed once.
  else await printMany(view.quiet === undefined ? rowsOf(plan) : plan.objects, view, session.ui.stdout)
}

const marks = { create: '+', update: '~', delete: '-' } as const

/** Formats a plan for people: a block for each object to change, and warnings below. */
export async function screenOf(plan: Plan, { width, color }: Pick<View, 'width' | 'color'>): Promise<string> {
  const { bold, green, yellow, red, dim } = await styles(color)
  const tones = { create: green, update: yellow, delete: red }
  const line = (text: string, indent: number) => wrap(`${' '.repeat(indent)}${text}`, width, ' '.repeat(indent + 2))
  const networks = plan.networks ?? []
  const shared = networks.map((one) => yellow(bold(line(networkLine(one), 0))))
  const blocks = plan.objects.map((object) => {
    const { action } = object
    const head = `${marks[action]} ${titleOf(object)}`
    return [
      tones[action](bold(line(head, 0))),
      ...object.steps.flatMap((step) => [
        ...linesOf(step, networks).map((text) => line(text, 4)),
        ...(step.consequences ?? []).map(({ kind, text }) => yellow(line(`${kind}: ${escapeText(text)}`, 4))),
      ]),
    ].join('\n')
  })
  const left = plan.left.map((one) => dim(line(`  ${titleOf(one)} is in no file and stays; --prune deletes it`, 0)))
  const notes = plan.notes.map((one) => dim(line(`  ${titleOf(one)}: ${escapeText(one.text)}`, 0)))
  return [...shared, ...blocks, ...notes, ...left, summaryOf(plan), ''].join('\n')
}

/** Returns `2 to create, 1 to update; 12 unchanged`. */
export function summaryOf({ objects, same }: Pick<Plan, 'objects' | 'same'>): string {
  if (objects.length === 0) return same === 0 ? 'No changes' : `No changes; ${same} unchanged`
  const counts = (['create', 'update', 'delete'] as const).flatMap((action) => {
    const count = objects.filter((object) => object.action === action).length
    return count === 0 ? [] : [`${count} to ${action}`]
  })
  return `${counts.join(', ')}; ${same} unchanged`
}
