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

/** Returns the refusal of a plan that deletes too much; `isAsked` says that a person decides about it. */
export function deletionRefusal({
  plan,
  desired,
  flags,
  isAsked,
}: {
  plan: Plan
  desired: DesiredState
  flags: Flags
  isAsked: boolean
}): Problem | undefined {
  const deleted = plan.objects.filter(({ action }) => action === 'delete')
  const most = maxDeletes(flags)
  if (deleted.length === 0) return undefined
  const refused = (reason: string, objects: typeof deleted) =>
    new Problem('refused', `${reason}: ${nameList(objects.map(nameIn))}`, {
      hint: `If you want to delete them, add --max-deletes ${deleted.length}`,
    })
  const emptied = most === undefined ? emptiedIn(desired) : []
  // On a terminal, the question names what is deleted.
  const isAllowed = isAsked && emptied.length < prunable.length
  const ofEmptied = deleted.filter(({ kind }) => emptied.some(({ key }) => key === kind))
  if (ofEmptied.length > 0 && !isAllowed) {
    const lost = emptied.filter(
      ({ key }) => emptied.length === prunable.length || ofEmptied.some(({ kind }) => kind === key),
    )
    return refused(`${emptyText(lost)}, so --prune would delete all with the tag of the owner`, ofEmptied)
  }
  const limit = most ?? (isAsked ? undefined : usualMost)
  if (limit === undefined || deleted.length <= limit) return undefined
  const count = counted(deleted.length, 'resource')
  return refused(`the plan deletes ${count}, and --max-deletes allows ${limit}`, deleted)
}

const prunable = kinds.filter(({ remove }) => remove !== undefined)

const nameIn = (object: Plan['objects'][number]) => escapeText(titleOf(object))

const emptyText = (some: typeof prunable) => `the files have no ${some.map(({ noun }) => noun).join(' and no ')}`

/** Returns the kinds of which the files name nothing, selected or not. */
const emptiedIn = ({ entries }: DesiredState) => prunable.filter(({ key }) => (entries.get(key)?.size ?? 0) === 0)
