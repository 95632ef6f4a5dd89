import { type DesiredState, readDesiredState } from '../../account-file/desired-state'
import { kinds } from '../../account-file/kinds'
import type { Fault } from '../../account-file/places'
import { contradictionIn } from '../../account-file/protection'
import { wrongFiles } from '../../account-file/wrong-files'
import type { Command } from '../../engine/command'
import { outputFlags } from '../../engine/flags'
import { viewOf } from '../../engine/printing'
import { columnsFor } from '../../output/column'
import { printOne, wantsScreen } from '../../output/print'
import { counted } from '../../rules/texts'
import { accountFileExample } from './account-file-example'
import { fileArguments, readSources } from './read-files'

const columns = columnsFor<{ files: number; resources: number }>(['files', 'resources'])

const command: Command = {
  name: 'validate',
  summary: 'Check the files without the account',
  details:
    'Finds all that can be known without a token and without a network: forms, names, limits, contradictions of files, and ' +
    'tests of firewalls whose rules and services are all in the files. Reports all problems at once, as FILE:LINE:COLUMN, and ' +
    'exits with 2. plan finds the same, and what only the account tells.',
  form: accountFileExample,
  arguments: fileArguments,
  flags: outputFlags,
  examples: [
    { what: 'Before a commit', line: 'skyctl validate account/' },
    { what: 'The problems for an editor', line: 'skyctl validate account.yaml --json' },
  ],
  async run({ arguments: paths, flags }, session) {
    const view = await viewOf({ columns }, flags, session)
    const sources = await readSources(paths, flags, session)
    const desired = await readDesiredState(sources, {})
    const faults = faultsIn(desired)
    if (faults.length > 0) throw wrongFiles(faults, 'usage')
    const { entries } = desired
    const resources = [...entries.values()].reduce((sum, named) => sum + named.size, 0)
    const { ui } = session
    if (wantsScreen(view)) {
      await ui.stdout.write(`Valid: ${counted(resources, 'resource')} in ${counted(sources.length, 'file')}\n`)
    } else await printOne({ files: sources.length, resources }, view, ui.stdout)
  },
}

/** Returns the faults that no account can make right: `plan` finds them in every account. */
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

export default command
