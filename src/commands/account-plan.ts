/** A plan: how `plan` and `apply` make it, and how people and scripts read it. */
import type { Flag, Flags } from '../engine/command'
import { countFlag } from '../engine/flag-values'
import { viewOf } from '../engine/printing'
import type { Problem } from '../errors'
import { columnsFor, type FieldPath } from '../output/column'
import { wantsDocument, wantsScreen } from '../output/form'
import { printMany, printOne, type View } from '../output/print'
import { safe } from '../output/safe'
import { styles } from '../output/style'
import { wrap } from '../output/wrap'
import type { Identity, Session } from '../session'
import { mostReads } from '../state/at-once'
import type { Step } from '../state/kind'
import { areComputesUnseen, kindsOf, type Plan, type PlannedObject, planFor, unseenOf } from '../state/plan'
import { readWanted, type Source, type Wanted } from '../state/wanted'
import { readWorld } from '../state/world'
import { readSources } from './account-files'
import { changeLine } from './firewalls/rules/difference'

/** Of the document that `--json` prints; it changes where a reader of the last one would be wrong. */
export const formatVersion = 1

export const pruneFlag: Flag = {
  name: 'prune',
  description: "Remove what carries the owner's tag and is in no file",
}

/** Reads the files, and what the account has; throws what is wrong with either. */
export async function readPlan(
  paths: readonly string[],
  flags: Flags,
  session: Session,
): Promise<{ wanted: Wanted; plan: Plan }> {
  const wanted = await wantedBy(await readSources(paths, flags, session), session)
  return { wanted, plan: await planOf(wanted, { prune: flags.prune === true, flags }, session) }
}

/** What files say, with the defaults of the context below theirs; contexts that cannot be read have none. */
export async function wantedBy(sources: readonly Source[], session: Session): Promise<Wanted> {
  const { region } = await session.defaults().catch((): { region?: string } => ({}))
  return readWanted(sources, { region })
}

/** Why a plan is not to be carried out: it closes what is to be kept open. */
export async function lockoutIn({ objects }: Plan, flags: Flags, session: Session): Promise<Problem | undefined> {
  const shifts = objects.flatMap(({ steps }) => steps.flatMap((step) => step.shifts ?? []))
  const { refusalOf } = await import('./firewalls/lockout')
  return refusalOf(shifts, { flags, session })
}

export async function planOf(
  wanted: Wanted,
  { prune, flags }: { prune: boolean; flags: Flags },
  session: Session,
): Promise<Plan> {
  const concurrency = countFlag(flags, 'concurrency', 1, 64) ?? mostReads
  const progress = await session.progress('Reading the account')
  try {
    const world = await readWorld(kindsOf(wanted, { prune }), await session.client({ concurrency }))
    for (const { key } of unseenOf(wanted, world)) {
      await session.warn(
        `the token may not read ${key}: those with the tag "${wanted.settings.owner}" that are in no file are not named`,
      )
    }
    if (areComputesUnseen(wanted, world))
      await session.warn('the token may not read addresses: whether the compute instances exist is not checked')
    const { unknownRegions } = await import('./account-regions')
    return planFor(wanted, world, { prune, faults: await unknownRegions(wanted, session) })
  } finally {
    progress.done()
  }
}

/** `volume "pgdata" (3001)`; of what an account has one of, its noun. */
export function titleOf({ noun, name, id }: Pick<PlannedObject, 'noun' | 'name' | 'id'>): string {
  if (name === '') return noun
  const quoted = noun === 'address' ? name : `"${safe(name)}"`
  return `${noun} ${quoted}${id === undefined || id === name ? '' : ` (${id})`}`
}

const recordOfStep = ({ action, command, arguments: words, body, changes, rules, consequences }: Step) => ({
  action,
  changes,
  ...(rules && { rules }),
  consequences: consequences ?? [],
  command: ['skyctl', ...command, ...words],
  ...(body && { body }),
})

/** The account of a plan, as scripts read it; what is not known is null. */
export const accountRecord = ({ service, user }: Identity): Record<string, unknown> => ({
  service,
  uid: user?.uid ?? null,
  username: user?.username ?? null,
})

/** As scripts read it. */
export function documentOf({ objects, same, notes, left }: Plan, identity: Identity): Record<string, unknown> {
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

function linesOf({ changes, rules = [] }: Step): string[] {
  return [...changes.map((text) => safe(text)), ...rules.map(changeLine)]
}

export async function printPlan(plan: Plan, view: View, session: Session): Promise<void> {
  if (wantsScreen(view)) await session.stdout.write(await screenOf(plan, view))
  else if (wantsDocument(view)) await printOne(documentOf(plan, await session.identity()), view, session.stdout)
  // With --quiet, what is to be changed, each once.
  else await printMany(view.quiet === undefined ? rowsOf(plan) : plan.objects, view, session.stdout)
}

const marks = { create: '+', update: '~', delete: '-' } as const

/** As a person reads it: a block for each object that is to be changed, and what nobody should miss below it. */
export async function screenOf(plan: Plan, { width, color }: Pick<View, 'width' | 'color'>): Promise<string> {
  const { bold, green, yellow, red, dim } = await styles(color)
  const tones = { create: green, update: yellow, delete: red }
  const line = (text: string, indent: number) => wrap(`${' '.repeat(indent)}${text}`, width, ' '.repeat(indent + 2))
  const blocks = plan.objects.map((object) => {
    const { action } = object
    const head = `${marks[action]} ${titleOf(object)}`
    return [
      tones[action](bold(line(head, 0))),
      ...object.steps.flatMap((step) => [
        ...linesOf(step).map((text) => line(text, 4)),
        ...(step.consequences ?? []).map(({ kind, text }) => yellow(line(`${kind}: ${safe(text)}`, 4))),
      ]),
    ].join('\n')
  })
  const left = plan.left.map((one) => dim(line(`  ${titleOf(one)} is in no file, and is left; --prune removes it`, 0)))
  const notes = plan.notes.map((one) => dim(line(`  ${titleOf(one)}: ${safe(one.text)}`, 0)))
  return [...blocks, ...notes, ...left, summaryOf(plan), ''].join('\n')
}

/** `2 to create, 1 to update, 0 to delete; 12 are as wanted`. */
export function summaryOf({ objects, same }: Pick<Plan, 'objects' | 'same'>): string {
  const asWanted = same === 1 ? '1 is as wanted' : `${same} are as wanted`
  if (objects.length === 0) return `Nothing to do; ${asWanted}`
  const counts = (['create', 'update', 'delete'] as const).flatMap((action) => {
    const count = objects.filter((object) => object.action === action).length
    return count === 0 ? [] : [`${count} to ${action}`]
  })
  return `${counts.join(', ')}; ${asWanted}`
}
