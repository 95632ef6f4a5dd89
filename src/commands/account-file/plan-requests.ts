/** Announces the requests of a plan, so that they can be spread over the rate limit. */
import type { Account } from '../../account/account'
import { operationOf } from '../../account/actions'
import { type Job, type JobPart, jobsOf, requestsOf, servicesIn } from '../../account-file/order-steps'
import type { Plan } from '../../account-file/plan'
import type { Operation } from '../../catalogue/operation'
import type { Flags } from '../../engine/command'
import type { PlannedRequests, WhilePaused } from '../../http/planned-requests'
import { nameList } from '../../rules/texts'

/** Starts the steps of a plan when the rate limit allows their requests. */
export interface StepPace {
  run<T>(part: JobPart, work: () => Promise<T>, whilePaused: WhilePaused): Promise<T>
  /** Waits until the rate limit allows all requests of a handover, as they must follow at once. */
  awaitHandover(job: Job, onStart: () => void): Promise<void>
}

/** With so few steps, no rate limit is worth a look. */
const fewSteps = 10

/** Announces the steps, and prints their number with -v. */
export async function planSteps(plan: Plan, flags: Flags, account: Account): Promise<StepPace> {
  const parts = jobsOf(plan).flatMap((job) => requestsOf(job).map(({ part }) => part))
  const isFew = parts.length < fewSteps && !flags.verbose
  const operations = isFew ? new Map<string, Operation>() : await operationsOf(parts)
  const requests = isFew ? undefined : await (await account.client()).plan(countedRequests(parts, operations))
  return {
    run(part, work, whilePaused) {
      const operation = operations.get(part.step.does)
      return requests && operation ? requests.run(operation, work, { whilePaused }) : work()
    },
    async awaitHandover(job, onStart) {
      for (const { operation, count } of countedRequests(job.parts, operations)) requests?.drop(operation, count)
      const services = servicesIn(job)
      if (services.length === 0) return
      onStart()
      const client = await account.client()
      // Each step may need an extra read, and an undo.
      await client.awaitRateLimit({ requests: 4 * job.parts.length, purpose: `move ${nameList(services)}` })
    },
  }
}

/** Returns the operation of each action; one that only waits has none. */
async function operationsOf(parts: readonly JobPart[]): Promise<Map<string, Operation>> {
  const operations = new Map<string, Operation>()
  for (const does of new Set(parts.map(({ step }) => step.does))) {
    const operation = await operationOf(does)
    if (operation) operations.set(does, operation)
  }
  return operations
}

function countedRequests(parts: readonly JobPart[], operations: ReadonlyMap<string, Operation>): PlannedRequests[] {
  const planned = new Map<Operation, PlannedRequests>()
  for (const { object, step } of parts) {
    const operation = operations.get(step.does)
    if (!operation) continue
    const count = (planned.get(operation)?.count ?? 0) + 1
    planned.set(operation, { operation, count, noun: object.noun })
  }
  return [...planned.values()]
}
