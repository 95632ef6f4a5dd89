/** Runs the jobs of a plan; a job may wait for others. */

import { type Job, servicesIn } from '../../account-file/order-steps'
import { type Bulk, forEachTarget } from '../../engine/bulk'
import { Problem } from '../../errors'
import { failureText, someFailed } from '../../errors/failures'
import { nameList } from '../../rules/texts'
import type { BoardRow } from './apply-progress'
import { titleOf } from './plan-screen'

/** Texts of a command that runs the jobs of a plan. */
export interface ApplyTexts {
  /** Verb for the counter. */
  verb: string
  /** Next step if a service is without protection. */
  hint: string
  hasSummary: boolean
}

export const usualTexts: ApplyTexts = {
  verb: 'apply',
  hint: 'Restore the protection: run skyctl apply again with the same files',
  hasSummary: false,
}

/** A job that is running or waiting. */
export interface RunningJob {
  input: string
  job: Job
  isOver: boolean
  over: Promise<void>
  /** Its line of the progress, from when it may begin. */
  row?: BoardRow
  finish(): void
}

export function begun(job: Job): RunningJob {
  let end = () => {}
  const over = new Promise<void>((resolve) => {
    end = resolve
  })
  const titles = [...new Set(job.parts.map(({ object }) => titleOf(object)))]
  const running: RunningJob = {
    input: job.isHandover ? nameList(servicesIn(job)) : titles.join(', '),
    job,
    isOver: false,
    over,
    finish() {
      running.isOver = true
      running.row?.end()
      end()
    },
  }
  return running
}

export async function untilOver(others: readonly RunningJob[], row: BoardRow): Promise<void> {
  row.waits(() => `waits for ${nameList(others.filter(({ isOver }) => !isOver).map(({ input }) => input))}`)
  await Promise.all(others.map(({ over }) => over))
  row.waits(() => 'waits for its turn')
}

interface JobRun {
  bulk(): Bulk<RunningJob, void>
  /** Returns the number of steps that are done, and of all. */
  steps(): { done: number; total: number }
}

/**
 * Runs the jobs. The failure of a single one names its objects, as those of several do. It keeps its code if nothing was
 * changed, or if the run has ended or only a wait has failed.
 */
export async function runAll(
  targets: readonly RunningJob[],
  run: JobRun,
  around: Parameters<typeof forEachTarget>[2],
): Promise<void> {
  try {
    await forEachTarget(targets, run.bulk(), around)
  } catch (error) {
    const [only, other] = targets
    if (!only || other || !(error instanceof Problem) || around.session.signal.aborted) throw error
    const failure = { target: only.input, problem: error, tried: true }
    const { done, total } = run.steps()
    if (done > 0 && !keepsCode.has(error.code)) throw someFailed([failure], `${done} of ${total} steps applied`)
    throw error.with({ message: failureText(failure) })
  }
}

const keepsCode = new Set<Problem['code']>(['defect', 'wait_timed_out'])
