/** Records a change in the history before and after its request. */
import { Problem } from '../errors'
import { isUnreadable, unknownOutcome } from './problems'
import { type Ended, idHeaders, type Outgoing, type Recorded } from './recording'
import { isSuccess } from './retry'
import type { RequestResult } from './retrying-request'
import type { ClientSettings } from './settings'

/** Functions that send one request, read its answer, and check its effect. */
interface Doing<T> {
  exchange(): Promise<RequestResult>
  read(answered: RequestResult): Promise<T>
  /** Reads the object after a lost answer; resolves to a substitute for the answer, or to undefined. */
  look?(lost: Problem): Promise<T | undefined>
}

/**
 * Sends a request and reads its answer. Records a change before it is sent, unless the caller has, and its outcome
 * after.
 */
export async function recordChange<T extends { body: unknown }>(
  outgoing: Outgoing | Recorded,
  { recording }: Pick<ClientSettings, 'recording'>,
  { exchange, read, look }: Doing<T>,
): Promise<T> {
  const record = 'ended' in outgoing ? outgoing : await begun(outgoing, recording)
  let answered: RequestResult | undefined
  try {
    answered = await exchange()
    const result = await decided(answered, read)
    await record?.ended({ outcome: 'ok', ...knownOf(answered), answer: result.body })
    return result
  } catch (error) {
    try {
      return await substituteAfter(error, record, look)
    } catch (last) {
      await record?.ended({ ...failure(last), ...knownOf(answered) })
      throw last
    }
  }
}

/** Resolves to a substitute for a lost answer; throws the error without one. */
async function substituteAfter<T extends { body: unknown }>(
  error: unknown,
  record: Recorded | undefined,
  look: Doing<T>['look'],
): Promise<T> {
  const isLost = error instanceof Problem && error.code === 'outcome_unknown'
  const substitute = isLost ? await look?.(error) : undefined
  if (substitute === undefined) throw error
  await record?.ended({ outcome: 'ok', answer: substitute.body })
  return substitute
}

/** An unreadable success is not a failure: the change may have been made. */
async function decided<T>(answered: RequestResult, read: (answered: RequestResult) => Promise<T>): Promise<T> {
  const { summary, answer } = answered
  try {
    return await read(answered)
  } catch (error) {
    if (summary.idempotency === 'safe' || !isSuccess(answer) || !isUnreadable(error)) throw error
    throw unknownOutcome(summary, error.message, answer.status)
  }
}

async function begun(outgoing: Outgoing, recording: ClientSettings['recording']): Promise<Recorded | undefined> {
  return outgoing.method === 'GET' ? undefined : (await recording?.())?.begin(outgoing)
}

function knownOf(answered: RequestResult | undefined): Pick<Ended, 'status' | 'requestId'> {
  if (!answered) return {}
  const { status, headers } = answered.answer
  const requestId = idHeaders.map((name) => headers[name]).find(Boolean)
  return { status, ...(requestId && { requestId }) }
}

/** A request without a conclusive answer may have succeeded, even if it can be retried. */
function failure(error: unknown): Ended {
  if (!(error instanceof Problem)) return { outcome: 'unknown', code: 'defect' }
  const { code, details } = error
  const isOpen = code === 'outcome_unknown' || code === 'defect' || details.mayBeDone
  return { outcome: isOpen ? 'unknown' : 'failed', code }
}
