/** Carrying out a plan: the steps of an object one after the other, objects beside each other (state.md). */
import { forEachTarget, isFailed, type Outcome } from '../engine/bulk'
import type { Flags } from '../engine/command'
import { Problem, problemRecord, wasNotDone } from '../errors'
import type { Session } from '../session'
import type { Step } from '../state/kind'
import type { Plan, PlannedObject } from '../state/plan'
import { titleOf } from './account-plan'
import { type BoardRow, openBoard } from './apply-board'
import { weighedFlag } from './firewalls/lockout-flags'
import { runStep } from './run-step'

/** Steps of one object that are carried out together. */
interface Job {
  typed: string
  object: PlannedObject
  steps: readonly Step[]
  /** Begins when these are over, whatever became of them. */
  after: readonly Job[]
  over: Promise<void>
  isOver: boolean
  finish(): void
}

/** What became of an object, for scripts. */
export interface Done {
  kind: string
  name: string
  id: number | string | null
  action: string
  ok: boolean
  error?: Record<string, unknown>
}

export interface Report {
  /** Of each object of the plan, in its order. */
  done: readonly Done[]
  /** Whether anything was changed, or may be: an object that failed may be half done. */
  changed: boolean
}

interface Work {
  flags: Flags
  session: Session
  /** Hears what became of all of it when it is over. */
  report(report: Report): void
}

/** Throws why the one object failed, or `some_failed`, when all is over. */
export async function carryOutPlan(plan: Plan, { flags, session, report }: Work): Promise<void> {
  const done = new Map<PlannedObject, Done>()
  let changed = false
  const board = openBoard(() => session.clock.now())
  const act = async (job: Job) => {
    const row = board.begin(job.typed)
    try {
      row.state(() => `waits for ${namesOf(job.after.filter(({ isOver }) => !isOver))}`)
      await Promise.all(job.after.map(({ over }) => over))
      // What failed before says so itself.
      if (done.get(job.object)?.ok === false) return
      for (const step of job.steps) {
        await take(step, { job, row, done, flags, session })
        changed = true
      }
    } catch (error) {
      const failed = error instanceof Problem && { error: problemRecord(error) }
      done.set(job.object, { ...namedIn(job.object), ok: false, ...failed })
      changed ||= !wasNotDone(error)
      throw error
    } finally {
      job.finish()
      row.end()
    }
  }
  const several = async (outcomes: AsyncIterable<Outcome<Job, void>>) => {
    for await (const outcome of outcomes) {
      if (!isFailed(outcome)) continue
      const { object, finish } = outcome.target
      finish()
      // What made room, and was not gone on with, is not done.
      if (!outcome.tried) done.set(object, { ...namedIn(object), ok: false })
    }
  }
  try {
    const one = async () => {}
    await forEachTarget(
      jobsOf(plan),
      { verb: 'apply', changes: true, act, underWay: board.lines, one, several },
      { flags, session },
    )
  } finally {
    report({ done: plan.objects.map((object) => done.get(object) ?? untouched(object)), changed })
  }
}

const untouched = (object: PlannedObject): Done => ({ ...namedIn(object), ok: false })

const namedIn = (object: PlannedObject) => ({
  kind: object.kind,
  name: object.name,
  id: object.id ?? null,
  action: object.action,
})

/** What makes room first, then what is made and changed, and what is removed last: firewalls, then volumes. */
function jobsOf({ objects }: Plan): Job[] {
  const part = (isMeant: (step: Step) => boolean, after: readonly Job[]) => (object: PlannedObject) =>
    jobOf(object, object.steps.filter(isMeant), after)
  const later = ({ first }: Step) => !first
  const first = objects.map(part((step) => !later(step), [])).filter(hasSteps)
  const stay = objects.filter(({ action }) => action !== 'delete')
  const rest = stay.map(part(later, first)).filter(hasSteps)
  const jobs = [...first, ...rest]
  const removed = objects.filter(({ action }) => action === 'delete').reverse()
  for (const kind of new Set(removed.map(({ kind }) => kind))) {
    jobs.push(...removed.filter((object) => object.kind === kind).map(part(later, [...jobs])))
  }
  return jobs
}

const namesOf = (jobs: readonly Job[]) => jobs.map(({ typed }) => typed).join(', ')

const hasSteps = ({ steps }: Job) => steps.length > 0

function jobOf(object: PlannedObject, steps: readonly Step[], after: readonly Job[]): Job {
  let end = () => {}
  const over = new Promise<void>((resolve) => {
    end = resolve
  })
  const job: Job = {
    typed: titleOf(object),
    object,
    steps,
    after,
    over,
    isOver: false,
    finish() {
      job.isOver = true
      end()
    },
  }
  return job
}

interface Taking {
  job: Job
  row: BoardRow
  done: Map<PlannedObject, Done>
  flags: Flags
  session: Session
}

async function take(step: Step, { job: { object }, row, done, flags, session }: Taking): Promise<void> {
  const doing = step.changes[0] ?? 'its rules'
  row.state(doing)
  const timeout = flags['wait-timeout']
  await step.guard?.(await session.client())
  const { id } = await runStep(step, session, {
    // The plan may have many, and has read what stood before.
    looks: false,
    waits: (state) => row.state(state ?? doing),
    flags: { [weighedFlag]: true, ...(timeout !== undefined && { 'wait-timeout': timeout }) },
  })
  const named = namedIn(object)
  const made = typeof id === 'number' ? id : null
  done.set(object, { ...named, id: done.get(object)?.id ?? named.id ?? made, ok: true })
}
