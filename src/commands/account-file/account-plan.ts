/** Creates and prints plans for `plan` and `apply`. */

import { bothDone, mostReads } from '../../account/concurrency'
import { readCachedNames } from '../../account/name-cache'
import { type DesiredState, readDesiredState } from '../../account-file/desired-state'
import type { SourceFile } from '../../account-file/included-files'
import type { AccountState } from '../../account-file/kind'
import { kinds } from '../../account-file/kinds'
import { regionFault } from '../../account-file/kinds/volumes'
import { areComputesUnseen, kindsToRead, serviceLabelsIn, unreadableKinds } from '../../account-file/kinds-to-read'
import { makePlan } from '../../account-file/make-plan'
import type { Fault } from '../../account-file/places'
import type { Plan } from '../../account-file/plan'
import { type ReadableState, readForReport, stateForChange } from '../../account-file/read-account'
import type { PlannedState } from '../../account-file/reuse-plan-records'
import { objectsIn, Selection, withSelectedKinds } from '../../account-file/selection'
import { withoutUnreadable, withUnreadable } from '../../account-file/skip-unreadable-records'
import { wrongFiles } from '../../account-file/wrong-files'
import type { Flag, Flags } from '../../engine/command'
import { countFlag, isVerbose } from '../../engine/flag-values'
import type { Session } from '../../engine/session'
import { Problem } from '../../errors'
import { isRecord } from '../../rules/records'
import { lockoutOptions } from '../firewalls/safety-flags'

export const pruneFlag: Flag = {
  name: 'prune',
  description: "Delete what has the owner's tag and is in no file",
}

export const adoptFlag: Flag = {
  name: 'adopt',
  description: "Add the owner's tag to what is in the files and lacks it",
}

export const onlyFlag: Flag = {
  name: 'only',
  value: 'kind/label',
  list: 'repeats',
  description: 'Only these: volumes/pgdata, volumes/log*',
  values: kinds.map(({ key }) => key),
}
export const fullFlag: Flag = {
  name: 'full',
  description: 'Print equal changes one by one, and long lists whole',
  rare: true,
}

/**
 * Reads files, with the context's defaults for missing values. A config that cannot be read has no defaults. With
 * --verbose, prints the values that one file refines of another one.
 */
export async function desiredStateFrom(
  sources: readonly SourceFile[],
  flags: Flags,
  session: Session,
): Promise<DesiredState> {
  const { region } = await session.config.defaults().catch((): { region?: string } => ({}))
  const desired = await readDesiredState(sources, { region })
  if (isVerbose(flags)) for (const text of desired.refinements?.() ?? []) await session.ui.log('note', text)
  return flags.adopt ? { ...desired, settings: { ...desired.settings, adopts: true } } : desired
}

/** Returns a problem if the plan would block traffic that must stay open. */
export async function lockoutProblem({ objects }: Plan, flags: Flags, session: Session): Promise<Problem | undefined> {
  const shifts = objects.flatMap(({ steps }) => steps.flatMap((step) => step.shifts ?? []))
  const { refusalOf } = await import('../../account/lockout/assess')
  return refusalOf(shifts, { account: session.account, options: await lockoutOptions(flags, session) })
}

interface Planning {
  prune: boolean
  force?: boolean
  /** Values of --only. */
  only: readonly string[] | undefined
  /** Keeps what cannot be changed as a part of the plan. */
  reports?: boolean
  /** Set for a saved plan: what --only has matched may be deleted by now, and what the plan needs, too. */
  outdated?(refusal: Problem, world: AccountState): Problem
  flags: Flags
}

/** Creates the plan; in the desired state that it returns, services have their ids instead of labels. */
export async function createPlan(
  files: DesiredState,
  { prune, force = false, reports = false, outdated, only, flags }: Planning,
  session: Session,
): Promise<{ desired: DesiredState; plan: Plan } & PlannedState> {
  const selection = new Selection(only)
  const all = objectsIn(files)
  // Objects of the owner, to prune or to report, are in no file.
  if (!prune && !(reports && files.settings.owner !== undefined)) selection.expectMatches(all)
  const named = withSelectedKinds(files, selection)
  const concurrency = countFlag(flags, 'concurrency', 1, 64) ?? mostReads
  const progress = await session.ui.progress('Reading the account')
  const readAt = session.clock.monotonic()
  try {
    const client = await session.account.client({ concurrency })
    const reading = readForReport(kindsToRead(named, { prune, selection }), client, session.account)
    // The regions are public, and read by a client of their own.
    if (concurrency === 1) await reading
    const [state, regions] = await bothDone(reading, regionsFor(named, session))
    const options = { prune, force, reports, now: session.clock.now(), selection }
    const attempt = (now: ReadableState) => attemptPlan(named, { ...now, regions }, options)
    const first = await attempt(state)
    const whole = isUnchanged(first) ? undefined : await stateForChange(state, client)
    const { plan, refusal, desired, world, unreadable } = whole ? await attempt(whole) : first
    await warnOfUnseen(desired, world, { selection, session })
    if (!plan) throw outdated?.(refusal, world) ?? refusal
    if (!outdated) selection.expectMatches([...all, ...plan.objects, ...(reports ? plan.left : [])])
    const unselected = all.filter(({ kind, name }) => !selection.has(kind, name)).length
    // Kinds that are not selected are in the files, too: a plan may not take them for emptied.
    return {
      desired: { ...desired, entries: new Map([...files.entries, ...desired.entries]) },
      plan: withUnreadable({ ...plan, unselected }, unreadable, { files, prune }),
      world,
      readAt,
    }
  } finally {
    progress.done()
  }
}

/** A plan without changes needs no list of each firewall's devices; all others rely on them. */
const isUnchanged = ({ plan }: Attempt) => plan?.objects.length === 0

/** A state of the account, and its plan, or what refuses that. */
type Attempt = ReadableState & { desired: DesiredState } & (
    | { plan: Plan; refusal?: undefined }
    | { plan?: undefined; refusal: Problem }
  )

/** Plans a state of the account, and returns what refuses that. */
async function attemptPlan(
  named: DesiredState,
  { regions, ...state }: ReadableState & { regions: readonly string[] },
  options: Omit<Parameters<typeof makePlan>[2], 'faults'>,
): Promise<Attempt> {
  const { world, unreadable } = state
  const { desired, faults } = await identified(withoutUnreadable(named, world, unreadable), world)
  const current = new Map([...world, ['regions', regions]])
  const allFaults = [...faults, ...unknownDefault(desired, regions)]
  try {
    const { plan, faults: refusals } = makePlan(desired, current, { ...options, faults: allFaults })
    if (refusals.length === 0) return { ...state, desired, plan }
    return { ...state, desired, refusal: wrongFiles(refusals) }
  } catch (error) {
    // A record may name a service that no list has: the lists decide.
    if (error instanceof Problem) return { ...state, desired, refusal: error }
    throw error
  }
}

/** Warns of what the token may not read, and the plan cannot know. */
async function warnOfUnseen(
  desired: DesiredState,
  world: AccountState,
  { selection, session }: { selection: Selection; session: Session },
): Promise<void> {
  const { owner } = desired.settings
  for (const { key } of unreadableKinds(desired, world, selection)) {
    await session.ui.warn(
      `the token may not read ${key}, so the plan lacks those with the tag "${owner}" that are in no file`,
    )
  }
  if (areComputesUnseen(desired, world)) {
    await session.ui.warn(
      'the token may not read addresses, so the plan does not check that the compute instances exist',
    )
  }
}

/** Looks up the services that files name by label. */
async function identified(named: DesiredState, world: AccountState) {
  if (serviceLabelsIn(named.entries).length === 0) return { desired: named, faults: [] }
  return (await import('../../account-file/resolve-service-labels')).withServiceIds(named, world)
}

/** Returns the IDs of all regions. Cached IDs are enough if they include all that the files name. */
async function regionsFor(desired: DesiredState, session: Session): Promise<readonly string[]> {
  const cached = (await readCachedNames('regions', session.account)) ?? []
  if (regionsIn(desired).every((region) => cached.includes(region))) return cached
  return (await import('../../account/regions')).readRegions(session.account)
}

function regionsIn({ entries, settings, regionPlace }: DesiredState): string[] {
  const volumes = [...(entries.get('volumes')?.values() ?? [])].map(({ value }) => isRecord(value) && value.region)
  const byDefault = regionPlace === undefined ? [] : [settings.defaults.region]
  return [...byDefault, ...volumes].filter((region) => typeof region === 'string')
}

function unknownDefault({ settings, regionPlace }: DesiredState, regions: readonly string[]): Fault[] {
  const { region } = settings.defaults
  const fault = region === undefined ? undefined : regionFault(region, regions)
  if (regionPlace === undefined || fault === undefined) return []
  return [{ at: regionPlace, reason: fault, code: 'not_found' }]
}
