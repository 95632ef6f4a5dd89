/** Names what a failed or interrupted plan leaves undone, with the command that continues it. */
import type { Job } from '../../account-file/order-steps'
import type { PlannedObject } from '../../account-file/plan'
import { Problem } from '../../errors'
import { nameList } from '../../rules/texts'
import { openText, type StepLog } from './apply-restore'
import { titleOf } from './plan-screen'

/** Adds what a failed plan leaves half done, and an interrupted one undone: to the message, and to the last line. */
export function withUnfinished(
  error: unknown,
  { log, objects, hint }: { log: StepLog; objects: readonly PlannedObject[]; hint: string },
): unknown {
  if (!(error instanceof Problem)) return error
  const { unprotected } = log
  const isInterrupted = error.code === 'interrupted' || error.code === 'terminated'
  const unfinished = isInterrupted ? objects.filter(({ steps }) => !steps.every((step) => log.completed.has(step))) : []
  const isInProgress = ({ steps }: PlannedObject) =>
    steps.every((step) => log.completed.has(step) || log.inProgress.has(step))
  const missing = unfinished.filter((object) => !isInProgress(object))
  const inProgress = unfinished.filter(isInProgress)
  const texts = [
    ...(unprotected.length > 0 ? [openText(unprotected)] : []),
    ...log.unattached(objects),
    ...(missing.length > 0 ? [`not done yet: ${nameList(missing.map(titleOf))}`] : []),
    ...(inProgress.length > 0 ? [`still in progress: ${nameList(inProgress.map(titleOf))}`] : []),
  ]
  if (texts.length === 0) return error
  const { summary = error.message } = error.details
  const nextStep = unprotected.length > 0 ? hint : missing.length > 0 ? continuing(missing, log) : undefined
  return error.with({
    message: [error.message, ...texts].join('; '),
    summary: [summary, ...texts].join('; '),
    ...(nextStep !== undefined && { hint: nextStep }),
  })
}

/**
 * Returns the failure of a job. A wait that fails ends the later steps of its objects. Then it is no wait alone, which
 * would count as done, and waiting is not enough: the failure names these steps, and how to continue them.
 */
export function failureOfJob(error: unknown, { parts }: Job, log: StepLog): unknown {
  if (!(error instanceof Problem)) return error
  const { answer, ...details } = error.details
  if (answer === undefined && error.code !== 'wait_timed_out') return error
  const objects = [...new Set(parts.map(({ object }) => object))]
  const missing = objects.filter(({ steps }) => !steps.every(log.hasBegun))
  if (missing.length === 0) return error
  // The last line names a missing attachment, and what an interrupted plan leaves undone.
  const isNamed = error.code === 'interrupted' || error.code === 'terminated'
  const changes = (isNamed ? [] : missing).flatMap((object) =>
    object.steps
      .filter((step) => !log.hasBegun(step) && step !== log.missingAttachment(object))
      .flatMap((step) => step.changes),
  )
  const undone = changes.length > 0 ? `; not done yet: ${changes.join('; ')}` : ''
  const hint = continuing(missing, log)
  return new Problem(error.code, `${error.message}${undone}`, { ...details, hint, cause: error })
}

/** Returns how to continue the plan with objects that have steps left. */
function continuing(objects: readonly PlannedObject[], log: StepLog): string {
  if (log.isSaved && objects.some(log.isHalfDone))
    return 'The saved plan is half done, and cannot be applied again. Plan the rest: skyctl plan FILE --out plan.json --force'
  return 'To continue, run the same command again'
}
