/** Spreads the requests for many targets over the rate limit. */
import type { Account } from '../account/account'
import type { PlannedRequests } from '../http/rate-budget'

/** Waits until the rate limit allows the next request, then works. */
export type Pace = <T>(work: () => Promise<T>) => Promise<T>

/** Announces the requests. Pauses for them take nothing of the time for waits. */
export async function paceOf(requests: PlannedRequests, { client, clock }: Account): Promise<Pace> {
  const onPause = (milliseconds: number) => clock.waitLimit.extend(milliseconds)
  const plan = await (await client()).plan([requests], { onPause })
  return (work) => plan.run(requests.operation, work)
}
