/** Finds the faults of files that no account can make right. */

import { type DesiredState, readDesiredState } from './desired-state'
import type { SourceFile } from './included-files'
import { kinds } from './kinds'
import type { Fault } from './places'
import { contradictionIn } from './protection'
import { wrongFiles } from './wrong-files'

/** Reads files, and throws `usage` with all their faults that `plan` finds in every account. */
export async function checkedState(sources: readonly SourceFile[]): Promise<DesiredState> {
  const desired = await readDesiredState(sources, {})
  const faults = faultsIn(desired)
  if (faults.length > 0) throw wrongFiles(faults, 'usage')
  return desired
}

function faultsIn({ entries }: DesiredState): Fault[] {
  return kinds.flatMap((kind) => {
    const objects = [...(entries.get(kind.key)?.values() ?? [])]
    const values = new Map(objects.map(({ name, value }) => [name, value]))
    return objects.flatMap(({ name, value, at }) => {
      const refusals = [...contradictionIn(value), ...(kind.check?.({ name, desired: value, entries: values }) ?? [])]
      return refusals.map(({ field, reason }) => ({ at: at.of(field), reason }))
    })
  })
}
