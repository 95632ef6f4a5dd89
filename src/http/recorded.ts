/** Writes down what changes something, around its exchange. */
import { Problem } from '../errors'
import type { Answered } from './exchange'
import { isUnreadable, unknownOutcome } from './problems'
import { type Ended, idHeaders, type Outgoing, type Recorded } from './recording'
import { isSuccess } from './retry'
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
    await record?.ended({ ...failure(error), ...knownOf(answered) })
    throw error
  }
}

/** A success that cannot be read tells of no failure: what was to be changed may be so. */
async function decided<T>(answered: Answered, read: (answered: Answered) => Promise<T>): Promise<T> {
  const { asked, answer } = answered
  try {
    return await read(answered)
  } catch (error) {
    if (asked.repeat === 'safe' || !isSuccess(answer) || !isUnreadable(error)) throw error
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
function failure(error: unknown): Ended {
  if (!(error instanceof Problem)) return { outcome: 'unknown', code: 'defect' }
  const { code, details } = error
  const isOpen = code === 'outcome_unknown' || code === 'defect' || details.mayBeDone
  return { outcome: isOpen ? 'unknown' : 'failed', code }
}
