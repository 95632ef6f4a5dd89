/** Looks for the object of an earlier creation whose outcome is unknown: lists may lack it although it exists. */
import { Problem } from '../errors'
import { limitText } from '../rules/durations'
import { escapeText } from '../rules/escape'
import { shellWord } from '../rules/texts'
import type { Account } from './account'
import type { RecordedChange } from './history/lines'
import { unseenMs } from './recent-changes'
import { type Item, listCommandOf, type Resource } from './resource'
import { showWait } from './retry-while-busy'
import { waitPauses } from './wait-limit'

interface UnknownCreation {
  earlier: RecordedChange
  label: string
  resource: Resource
  /** Returns the object, if lists show it. */
  look(): Promise<readonly Item[]>
}

/**
 * Resolves to what lists show, or to nothing once they are no longer late. Throws `outcome_unknown` if that takes longer
 * than the limit of all waits.
 */
export async function lookUntilCertain(creation: UnknownCreation, account: Account): Promise<readonly Item[]> {
  const { clock, signal } = account
  const certainAt = Date.parse(creation.earlier.time) + unseenMs
  clock.waitLimit.start()
  const longest = Math.min(certainAt - clock.now(), clock.waitLimit.left())
  const progress = await showWait(doubtOf(creation), account, longest)
  try {
    for (let pause: number = waitPauses.first; ; pause = Math.min(2 * pause, waitPauses.longestLate)) {
      const late = certainAt - clock.now()
      const items = await creation.look()
      if (items.length > 0 || late <= 0) return items
      const left = clock.waitLimit.left()
      if (left <= 0) throw stillUnknown(creation, certainAt - clock.now())
      await clock.whileWaiting(() => clock.sleep(Math.min(pause, left, late), signal))
    }
  } finally {
    progress.done()
  }
}

const doubtOf = ({ label, resource: { noun } }: UnknownCreation) =>
  `an earlier run may have created ${noun} "${escapeText(label)}", although no list shows it yet`

function stillUnknown(creation: UnknownCreation, late: number): Problem {
  const { earlier, label, resource } = creation
  const list = `skyctl ${listCommandOf(resource)} --filter ${shellWord(`label=${label}`)}`
  return new Problem('outcome_unknown', doubtOf(creation), {
    request: { method: earlier.method, path: earlier.path },
    hint: `Run it again when this shows the ${resource.noun}, or in ${limitText(Math.max(late, 1000))}: ${list}`,
  })
}
