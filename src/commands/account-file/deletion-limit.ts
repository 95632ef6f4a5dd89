/** Limits how many resources a plan may delete, so that a file that was emptied by mistake deletes little. */

import type { DesiredState } from '../../account-file/desired-state'
import { kinds } from '../../account-file/kinds'
import type { Plan } from '../../account-file/plan'
import type { Flag, Flags } from '../../engine/command'
import { countFlag } from '../../engine/flag-values'
import { Problem } from '../../errors'
import { escapeText } from '../../rules/escape'
import { counted, nameList } from '../../rules/texts'
import { titleOf } from './plan-screen'

/** Maximum if nobody is asked. */
const usualMost = 3

export const maxDeletesFlag: Flag = {
  name: 'max-deletes',
  value: 'n',
  description: 'Fail if --prune would delete more',
  defaultText: String(usualMost),
}

/** Returns the limit that a flag sets; undefined without one. */
export const maxDeletes = (flags: Flags) => countFlag(flags, maxDeletesFlag.name, 0, Number.MAX_SAFE_INTEGER)

/** The plan, its files, and whether a person decides about it. */
interface Pruning {
  plan: Plan
  desired: DesiredState
  flags: Flags
  isAsked: boolean
}

export function deletionRefusal({ plan, desired, flags, isAsked }: Pruning): Problem | undefined {
  const deleted = plan.objects.filter(({ action }) => action === 'delete')
  const most = maxDeletes(flags)
  if (deleted.length === 0) return undefined
  const names = nameList(deleted.map(nameIn))
  const hint = `If you want to delete them, add --max-deletes ${deleted.length}`
  const emptied = most === undefined ? emptiedIn(desired) : []
  if (emptied.length === prunable.length) {
    const reason = `${emptyText(emptied)}, so --prune would delete everything with the tag of the owner: ${names}`
    return new Problem('refused', reason, { hint })
  }
  // On a terminal, the question names what is deleted.
  const lost = isAsked ? [] : emptied.filter(({ key }) => deleted.some(({ kind }) => kind === key))
  if (lost.length > 0) {
    const all = nameList(deleted.filter(({ kind }) => lost.some(({ key }) => key === kind)).map(nameIn))
    const reason = `${emptyText(lost)}, so --prune would delete all with the tag of the owner: ${all}`
    return new Problem('refused', reason, { hint })
  }
  const limit = most ?? (isAsked ? undefined : usualMost)
  if (limit === undefined || deleted.length <= limit) return undefined
  return new Problem(
    'refused',
    `the plan deletes ${counted(deleted.length, 'resource')}, and --max-deletes allows ${limit}: ${names}`,
    { hint },
  )
}

const prunable = kinds.filter(({ remove }) => remove !== undefined)

const nameIn = (object: Plan['objects'][number]) => escapeText(titleOf(object))

const emptyText = (some: typeof prunable) => `the files have no ${some.map(({ noun }) => noun).join(' and no ')}`

/** Returns the kinds of which the files name nothing, selected or not. */
const emptiedIn = ({ entries }: DesiredState) => prunable.filter(({ key }) => (entries.get(key)?.size ?? 0) === 0)
