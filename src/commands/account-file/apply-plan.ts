/** Carries out a plan: runs its jobs in their order, independent jobs in parallel (state.md). */
import { type Account, sharingPlace } from '../../account/account'
import { runStep, type StepOptions } from '../../account/actions'
import { knownUser } from '../../account/identity'
import { type Job, type JobPart, jobsOf, requestsOf, servicesIn } from '../../account-file/order-steps'
import { namesIn, type Plan, type PlannedObject } from '../../account-file/plan'
import type { PlanStep } from '../../account-file/plan-step'
import { guardStep } from '../../account-file/reuse-plan-records'
import type { Bulk } from '../../engine/bulk'
import type { CommandInput } from '../../engine/command'
import type { Session } from '../../engine/session'
import { isFailed, type TargetOutcome } from '../../engine/target-outcomes'
import { Problem, type TargetFailure, wasNotDone } from '../../errors'
import { problemRecord } from '../../errors/failures'
import type { WhilePaused } from '../../http/planned-requests'
import { serializeByKey } from '../../rules/serialize-by-key'
import { nameList } from '../../rules/texts'
import { telling } from '../change-messages'
import type { CommitConfirmedPlan } from './apply-commit-confirmed'
import { type ApplyReport, createdIn, type Done, type StepAnswer } from './apply-outputs'
import { type BoardRow, openProgressBoard } from './apply-progress'
import { RestoreLog, StepLog } from './apply-restore'
import { planSteps, type StepPace } from './plan-requests'
import { titleOf } from './plan-screen'
import { type ApplyTexts, begun, type RunningJob, runAll, untilOver, usualTexts } from './running-jobs'

interface ApplyOptions extends CommandInput {
  /** Account that knows what the plan has read; by default that of the session. */
  account?: Account
  /** True if the plan was saved. */
  isSaved?: boolean
  /** Called with the outcome at the end. */
  report(report: ApplyReport): void
  /** Wraps the work on firewalls, which comes first: if it fails, nothing else is started. */
  keep?: CommitConfirmedPlan | undefined
  /** Announces the requests, if the caller has not done so before a question. */
  pace?: StepPace | undefined
  texts?: ApplyTexts
  stepOptions?: StepOptions
}

/** Carries out the plan. At the end it throws the failure of a single job, or `some_failed`. */
export async function applyPlan(
  plan: Plan,
  { flags, session, account = session.account, texts = usualTexts, stepOptions = {}, ...applying }: ApplyOptions,
): Promise<void> {
  const { report, keep, pace, isSaved = false } = applying
  // The plan has read the previous state, and may have many steps.
  const options = { looks: false, force: flags.force === true }
  const paced = pace ?? (await planSteps(plan, flags, account))
  const run = new PlanRun(plan, session, { ...options, account, texts, stepOptions, isSaved, pace: paced })
  const jobs = jobsOf(plan)
  try {
    if (keep) {
      const early = run.start(jobs.filter(({ isEarly }) => isEarly))
      const inTurn = serializeByKey()
      await keep((begin) => {
        run.beforeRules = () => inTurn('rules', begin)
        return runAll(early, run, { flags, session })
      })
      run.beforeRules = undefined
    }
    await runAll(run.start(jobs.filter(({ isEarly }) => !(keep && isEarly))), run, { flags, session })
  } catch (error) {
    const { withUnfinished } = await import('./apply-unfinished')
    throw withUnfinished(error, { log: run.log, objects: plan.objects, hint: texts.hint })
  } finally {
    report(run.report())
  }
}

class PlanRun {
  readonly log: StepLog
  beforeRules: (() => Promise<void>) | undefined
  readonly #done = new Map<PlannedObject, Done>()
  readonly #answers = new Map<PlannedObject, StepAnswer>()
  readonly #running = new Map<Job, RunningJob>()
  readonly #board: ReturnType<typeof openProgressBoard>
  #changed = false
  readonly #failures: TargetFailure[] = []

  constructor(
    private readonly plan: Plan,
    private readonly session: Session,
    private readonly options: Parameters<typeof runStep>[2] &
      Required<Pick<ApplyOptions, 'account' | 'texts' | 'stepOptions' | 'isSaved'>> & { pace: StepPace },
  ) {
    this.log = new StepLog(options.isSaved)
    this.#board = openProgressBoard(() => session.clock.monotonic())
  }

  report(): ApplyReport {
    const done = this.plan.objects.map((object) => this.#done.get(object) ?? { ...namedIn(object), ok: false })
    const { completed: steps, unprotected } = this.log
    const [failures, changed, answers] = [this.#failures, this.#changed, this.#answers]
    return { done, steps, failures, changed, unprotected, answers }
  }

  /** Returns the number of steps that are done, and of all. */
  steps(): { done: number; total: number } {
    return { done: this.log.completed.size, total: this.plan.objects.flatMap(({ steps }) => steps).length }
  }

  /** Notes jobs that will run: others may wait for them. */
  start(jobs: readonly Job[]): RunningJob[] {
    const targets = jobs.map(begun)
    for (const running of targets) this.#running.set(running.job, running)
    return targets
  }

  bulk(): Bulk<RunningJob, void> {
    return {
      verb: this.options.texts.verb,
      changes: true,
      hasSummary: this.options.texts.hasSummary,
      ready: (running) => this.#ready(running),
      act: (running, whileWaiting, whilePaused) =>
        this.#act(running, { account: sharingPlace(this.options.account, whileWaiting), whilePaused }),
      partsOf: ({ job }) => job.parts.map(({ object }) => object),
      underWay: this.#board.lines,
      one: async () => {},
      several: (outcomes) => this.#settle(outcomes),
    }
  }

  async #settle(outcomes: AsyncIterable<TargetOutcome<RunningJob, void>>): Promise<void> {
    for await (const outcome of outcomes) {
      if (!isFailed(outcome)) continue
      const { job, finish } = outcome.target
      finish()
      // A job that freed a place, but was not continued, has failed.
      if (!outcome.tried) this.#failed(job)
    }
  }

  #failed({ parts }: Job, error?: Record<string, unknown>): void {
    for (const { object } of parts) {
      const done = this.#done.get(object) ?? namedIn(object)
      const id = done.id ?? createdIn(error, object)
      this.#done.set(object, { ...done, id, ok: false, ...(error && { error }) })
    }
  }

  /** Waits for the jobs that must end before. */
  #ready(running: RunningJob): Promise<void> {
    running.row = this.#board.begin(running.input)
    const others = running.job.after.flatMap((one) => this.#running.get(one) ?? [])
    return untilOver(others, running.row)
  }

  async #act({ input, job, finish, row }: RunningJob, around: Pick<Taking, 'account' | 'whilePaused'>): Promise<void> {
    const restoring = new RestoreLog(this.log)
    try {
      if (this.#isStopped(job)) return
      await this.#takeAll(job, { row, restoring, ...around })
    } catch (cause) {
      await restoring.restore(this.session)
      const error = (await import('./apply-unfinished')).failureOfJob(cause, job, this.log)
      this.#failed(job, error instanceof Problem ? problemRecord(error) : undefined)
      this.#changed ||= !wasNotDone(cause)
      if (error instanceof Problem) this.#failures.push({ target: input, problem: error, tried: true })
      throw error
    } finally {
      finish()
    }
  }

  /** Reports whether the objects of a job failed before. Throws for a handover whose claiming firewall failed. */
  #isStopped(job: Job): boolean {
    const failed = job.parts.map(({ object }) => object).filter((object) => this.#done.get(object)?.ok === false)
    const [first] = failed
    if (!first) return false
    if (job.parts.every(({ object }) => failed.includes(object))) return true
    throw new Problem('refused', `${nameList(servicesIn(job))} is unchanged, because ${titleOf(first)} failed`)
  }

  async #takeAll(job: Job, taking: Taking): Promise<void> {
    const { row, restoring, account, whilePaused } = taking
    const { parts, isHandover } = job
    const { pace } = this.options
    if (isHandover) {
      // No other request may come between a release and its claim, so the history's request for the user comes before.
      if (await account.history()) await knownUser(account)
      await pace.awaitHandover(job, () => row?.does('waits for the rate limit'))
      for (const part of parts) await guardStep(part, account)
    }
    for (const request of requestsOf(job)) {
      const change = () => this.#take(request.part, taking, isHandover)
      try {
        const result = await (isHandover ? change() : pace.run(request.part, change, whilePaused))
        if (result) restoring.done(request, result.answer)
        else restoring.skipped(request)
        for (const one of request.parts) this.#noteDone(one, result?.answer ?? {})
        this.#changed ||= result?.outcome.kind === 'done'
      } catch (error) {
        restoring.failed(request, error)
        throw error
      }
    }
  }

  /** Resolves to undefined if somebody has made the change already. */
  async #take(part: JobPart, { row, account }: Taking, isSteady: boolean) {
    const { step } = part
    // Those of a handover are all checked before its first request.
    const present = isSteady ? undefined : await guardStep(part, account)
    if (present && step.isDone?.(present)) return undefined
    const doing = step.changes[0] ?? 'its rules'
    row?.does(doing)
    if (step.action === 'rules') await this.beforeRules?.()
    const waits = (state?: () => string) => (state ? row?.waits(state) : row?.does(doing))
    const around = { ...this.options, waits, isSteady, onResult: telling(step.does, this.session) }
    return runStep(this.#stepOf(part), account, around)
  }

  /** Returns the step; after its creation, an object need not be looked up by label. */
  #stepOf({ object, step }: JobPart): PlanStep {
    const id = this.#idOf(object)
    const named = (word: string) => (id && word === `label:${object.name}` ? String(id) : word)
    const options = { ...this.options.stepOptions, ...step.options, hasPlan: true as const }
    return { ...step, target: step.target.map(named), options }
  }

  #noteDone({ object, step }: JobPart, answer: StepAnswer): void {
    const createdId = object.action === 'create' && step.action === 'create' ? answer.id : undefined
    const id = this.#idOf(object) ?? (typeof createdId === 'number' ? createdId : null)
    this.#done.set(object, { ...namedIn(object), id, ok: true })
    this.#answers.set(object, { ...this.#answers.get(object), ...answer })
  }

  readonly #idOf = (object: PlannedObject) => this.#done.get(object)?.id ?? object.id
}

interface Taking {
  row: BoardRow | undefined
  account: Account
  restoring: RestoreLog
  whilePaused: WhilePaused
}

const namedIn = (object: PlannedObject) => ({ ...namesIn(object), action: object.action })
