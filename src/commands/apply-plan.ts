/** Carrying out a plan: its jobs in their order, beside each other where none waits for another (state.md). */
import { forEachTarget, isFailed, type Outcome } from '../engine/bulk'
import type { Flags } from '../engine/command'
import { knownUser } from '../engine/identity'
import { Problem, problemRecord, wasNotDone } from '../errors'
import { someNames } from '../rules/names'
import type { Session } from '../session'
import type { Plan, PlannedObject } from '../state/plan'
import { type Job, jobsOf, type Part, servicesIn } from '../state/schedule'
import { titleOf } from './account-plan'
import { type BoardRow, openBoard } from './apply-board'
import type { Keep } from './apply-kept'
import { type Open, Restoring, withOpen } from './apply-restore'
import { weighedFlag } from './firewalls/lockout-flags'
import { runStep } from './run-step'

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
  /** Services that a failure has left without a firewall. */
  unprotected: readonly Open[]
}

interface Work {
  flags: Flags
  session: Session
  /** Hears what became of all of it when it is over. */
  report(report: Report): void
  /** Wraps the work on firewalls, which comes first: where it fails, nothing else is begun. */
  keep?: Keep | undefined
}

/** Throws why the one job failed, or `some_failed`, when all is over. */
export async function carryOutPlan(plan: Plan, { flags, session, report, keep }: Work): Promise<void> {
  const run = new PlanRun(plan, { flags, session })
  const jobs = jobsOf(plan)
  try {
    if (keep) {
      const early = jobs.filter(({ isEarly }) => isEarly)
      await keep((begin) => run.carryOut(early, inTurn(begin)))
    }
    await run.carryOut(keep ? jobs.filter(({ isEarly }) => !isEarly) : jobs)
  } catch (error) {
    throw withOpen(error, run.unprotected)
  } finally {
    report(run.report())
  }
}

/** One call after the other, whoever calls at the same time. */
function inTurn(call: () => Promise<void>): () => Promise<void> {
  let turn = Promise.resolve()
  return () => {
    const own = turn.then(call)
    turn = own.catch(() => {})
    return own
  }
}

/** A job that is under way, or waits. */
interface Running {
  typed: string
  job: Job
  isOver: boolean
  over: Promise<void>
  finish(): void
}

class PlanRun {
  readonly unprotected: Open[] = []
  readonly #plan: Plan
  readonly #flags: Flags
  readonly #session: Session
  readonly #done = new Map<PlannedObject, Done>()
  readonly #running = new Map<Job, Running>()
  readonly #board: ReturnType<typeof openBoard>
  #changed = false
  #beforeRules: (() => Promise<void>) | undefined

  constructor(plan: Plan, { flags, session }: { flags: Flags; session: Session }) {
    this.#plan = plan
    this.#flags = flags
    this.#session = session
    this.#board = openBoard(() => session.clock.now())
  }

  report(): Report {
    const done = this.#plan.objects.map((object) => this.#done.get(object) ?? { ...namedIn(object), ok: false })
    return { done, changed: this.#changed, unprotected: this.unprotected }
  }

  /** `beforeRules` is called before each step that replaces rules. */
  async carryOut(jobs: readonly Job[], beforeRules?: () => Promise<void>): Promise<void> {
    this.#beforeRules = beforeRules
    const targets = jobs.map(begun)
    for (const running of targets) this.#running.set(running.job, running)
    await forEachTarget(
      targets,
      {
        verb: 'apply',
        changes: true,
        act: (running) => this.#act(running),
        underWay: this.#board.lines,
        one: async () => {},
        several: (outcomes) => this.#settle(outcomes),
      },
      { flags: this.#flags, session: this.#session },
    )
  }

  async #settle(outcomes: AsyncIterable<Outcome<Running, void>>): Promise<void> {
    for await (const outcome of outcomes) {
      if (!isFailed(outcome)) continue
      const { job, finish } = outcome.target
      finish()
      // What made room, and was not gone on with, is not done.
      if (!outcome.tried) this.#failed(job)
    }
  }

  #failed({ parts }: Job, error?: Record<string, unknown>): void {
    for (const { object } of parts)
      this.#done.set(object, { ...(this.#done.get(object) ?? namedIn(object)), ok: false, ...(error && { error }) })
  }

  async #act({ typed, job, finish }: Running): Promise<void> {
    const row = this.#board.begin(typed)
    const restoring = new Restoring()
    try {
      const after = job.after.flatMap((one) => this.#running.get(one) ?? [])
      row.state(() => `waits for ${someNames(after.filter(({ isOver }) => !isOver).map(({ typed }) => typed))}`)
      await Promise.all(after.map(({ over }) => over))
      if (this.#isStopped(job)) return
      await this.#takeAll(job, { row, restoring })
    } catch (error) {
      this.unprotected.push(...(await restoring.restore(this.#session)))
      this.#failed(job, error instanceof Problem ? problemRecord(error) : undefined)
      this.#changed ||= !wasNotDone(error)
      throw error
    } finally {
      finish()
      row.end()
    }
  }

  /** What failed before says so itself; a service is not released where what claims it is not ready. */
  #isStopped(job: Job): boolean {
    const failed = job.parts.map(({ object }) => object).filter((object) => this.#done.get(object)?.ok === false)
    const [first] = failed
    if (!first) return false
    if (job.parts.every(({ object }) => failed.includes(object))) return true
    throw new Problem('refused', `${someNames(servicesIn(job))} stays as it is, since ${titleOf(first)} failed`)
  }

  async #takeAll({ parts, isHandover }: Job, { row, restoring }: Taking): Promise<void> {
    const session = this.#session
    const guard = async ({ step }: Part) => step.guard?.(await session.client())
    if (isHandover) {
      // Nothing may come between a release and its claim, not even what the history asks for once.
      if (await session.recording()) await knownUser(session)
      for (const part of parts) await guard(part)
    }
    for (const part of parts) {
      try {
        if (!isHandover) await guard(part)
        restoring.done(part, await this.#take(part, row, isHandover))
      } catch (error) {
        restoring.failed(part, error)
        throw error
      }
      this.#changed = true
    }
  }

  async #take({ object, step }: Part, row: BoardRow, isSteady: boolean): Promise<Record<string, unknown>> {
    const doing = step.changes[0] ?? 'its rules'
    row.state(doing)
    if (step.action === 'rules') await this.#beforeRules?.()
    const timeout = this.#flags['wait-timeout']
    const known = this.#done.get(object)?.id ?? object.id
    // Once it is made, it need not be looked for by its label.
    const named = (word: string) => (known && word === `label:${object.name}` ? String(known) : word)
    const answer = await runStep({ ...step, arguments: step.arguments.map(named) }, this.#session, {
      // The plan may have many, and has read what stood before.
      looks: false,
      waits: (state) => row.state(state ?? doing),
      flags: { [weighedFlag]: true, ...(timeout !== undefined && { 'wait-timeout': timeout }) },
      isSteady,
    })
    const made = object.action === 'create' && step.action === 'create' && typeof answer.id === 'number'
    this.#done.set(object, { ...namedIn(object), id: known ?? (made ? (answer.id as number) : null), ok: true })
    return answer
  }
}

interface Taking {
  row: BoardRow
  restoring: Restoring
}

function begun(job: Job): Running {
  let end = () => {}
  const over = new Promise<void>((resolve) => {
    end = resolve
  })
  const titles = [...new Set(job.parts.map(({ object }) => titleOf(object)))]
  const running: Running = {
    typed: job.isHandover ? someNames(servicesIn(job)) : titles.join(', '),
    job,
    isOver: false,
    over,
    finish() {
      running.isOver = true
      end()
    },
  }
  return running
}

const namedIn = (object: PlannedObject) => ({
  kind: object.kind,
  name: object.name,
  id: object.id ?? null,
  action: object.action,
})
