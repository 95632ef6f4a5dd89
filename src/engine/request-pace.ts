/** Spreads the requests for many targets over the rate limit. */
import type { Account } from '../account/account'
import type { PlannedRequests, WhilePaused } from '../http/planned-requests'

/** Waits until the rate limit allows the next request, then works. */
export type Pace = <T>(work: () => Promise<T>, whilePaused?: WhilePaused) => Promise<T>

/** Announces the requests. Pauses for them take nothing of the time for waits. */
export async function paceOf(requests: PlannedRequests, { client, clock }: Account): Promise<Pace> {
  const onPause = (milliseconds: number) => clock.waitLimit.extend(milliseconds)
  const plan = await (await client()).plan([requests], { onPause })
  return (work, whilePaused) => plan.run(requests.operation, work, { whilePaused })
}
