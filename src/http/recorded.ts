/** Writes down what changes something, around its exchange. */
import { Problem } from '../errors'
import type { Answered } from './exchange'
import { unknownOutcome } from './problems'
import { type Ended, idHeaders, type Outgoing, type Recorded } from './recording'
import { isRepeatable } from './retry'
import type { Settings } from './settings'

/**
 * Does the exchange, and reads what it has brought. What changes something is written down before, unless it is already,
 * and how it ended after.
 */
export async function recorded<T extends { body: unknown }>(
  outgoing: Outgoing | Recorded,
  { recording }: Pick<Settings, 'recording'>,
  exchange: () => Promise<Answered>,
  read: (answered: Answered) => Promise<T>,
): Promise<T> {
  const record = 'ended' in outgoing ? outgoing : await begun(outgoing, recording)
  let answered: Answered | undefined
  try {
    answered = await exchange()
    const result = await decided(answered, read)
    await record?.ended({ outcome: 'ok', ...knownOf(answered), answer: result.body })
    return result
  } catch (error) {
    await record?.ended({ ...failure(error, answered), ...knownOf(answered) })
    throw error
  }
}

/** An answer without sense to what must not be repeated tells of no failure: the work may be done. */
async function decided<T>(answered: Answered, read: (answered: Answered) => Promise<T>): Promise<T> {
  const { asked, answer } = answered
  try {
    return await read(answered)
  } catch (error) {
    const done = answer.status >= 200 && answer.status < 300 && !isRepeatable(asked.repeat)
    if (!done || !(error instanceof Problem) || error.code !== 'defect') throw error
    throw unknownOutcome(asked, error.message, answer.status)
  }
}

async function begun(outgoing: Outgoing, recording: Settings['recording']): Promise<Recorded | undefined> {
  return outgoing.method === 'GET' ? undefined : (await recording?.())?.begin(outgoing)
}

function knownOf(answered: Answered | undefined): Pick<Ended, 'status' | 'requestId'> {
  if (!answered) return {}
  const { status, headers } = answered.answer
  const requestId = idHeaders.map((name) => headers[name]).find(Boolean)
  return { status, ...(requestId && { requestId }) }
}

/** What was sent and has no answer that tells may have been done, also where it may be repeated. */
function failure(error: unknown, answered: Answered | undefined): Ended {
  if (!(error instanceof Problem)) return { outcome: 'unknown', code: 'defect' }
  const { code, details } = error
  const passing = code === 'rate_limited' || code === 'unavailable'
  const open = code === 'outcome_unknown' || code === 'defect' || (passing && answered?.lostBefore)
  return { outcome: open || details.mayBeDone ? 'unknown' : 'failed', code }
}
