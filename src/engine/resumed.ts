/** What becomes of a target that an earlier run left in its journal between sending and answer. */
import { Problem } from '../errors'
import type { Change } from './change'
import type { Entry, Known } from './journal-lines'
import { lookAt } from './look'
import { findCreated, isLost, type Made } from './lost'
import type { Item } from './resource'
import type { Situation } from './situation'

/** What was to be made, and how it is made where it may be sent after all. */
interface Resuming {
  made: Omit<Made, 'before'>
  entry: Entry
  past: Known
  anew(): Promise<Change>
}

/**
 * Takes what is proved to be ours, as after a lost answer. Otherwise it stays unknown and is not sent, but where
 * `--if-absent` takes what is there, or where `--resend-unknown` was given and there is nothing new of that label.
 */
export function resumed(change: Change, resuming: Resuming, situation: Situation): Change {
  const { made, past, entry } = resuming
  // What another line of the same label has made is not this one's.
  const others = entry.others().map((id): Item => ({ id: Number(id) }))
  const before = past.before && { ...past.before, items: [...past.before.items, ...others] }
  let sent = change
  return {
    ...change,
    async send() {
      try {
        return await findCreated(endedBefore(change), { ...made, before })
      } catch (error) {
        if (!isLost(error) || !(await maySend({ ...made, before }, situation))) throw error
        sent = await resuming.anew()
        return sent.send ? sent.send() : (await import('./change')).send(sent, situation.session)
      }
    },
    done: (answer) => sent.done(answer),
  }
}

function endedBefore({ operation: { method, path } }: Change): Problem {
  return new Problem('outcome_unknown', `an earlier run ended before the answer to ${method} ${path} came`, {
    request: { method, path },
  })
}

async function maySend({ body, resource, session, before }: Made, { flags }: Situation): Promise<boolean> {
  const { label } = body
  if (typeof label !== 'string' || !(flags['if-absent'] || flags['resend-unknown'])) return false
  const { items } = await lookAt(label, resource, session)
  if (flags['if-absent'] && items.length > 0) return true
  const fresh = items.filter(({ id }) => !before?.items.some((item) => item.id === id))
  return flags['resend-unknown'] === true && before !== undefined && fresh.length === 0
}
