import { formatYaml } from '../data/yaml'
import type { Command } from '../engine/command'
import { Problem } from '../errors'
import type { Session } from '../session'
import { mostReads } from '../state/at-once'
import type { Kind } from '../state/kind'
import { kinds } from '../state/kinds'
import { readWorld } from '../state/world'
import { planOperations } from './account-operations'

const command: Command = {
  name: 'export',
  summary: 'Write what an account has as a file for plan and apply',
  details:
    'All that a file can set, in the order of names, so that the same account gives the same bytes. YAML, or JSON with --json.',
  operations: planOperations,
  arguments: [
    {
      name: 'kind',
      description: `Only these: ${kinds.map(({ key }) => key).join(', ')}`,
      many: true,
      optional: true,
      values: kinds.map(({ key }) => key),
    },
  ],
  flags: [],
  examples: [
    { what: 'The whole account', line: 'skyctl export > account.yaml' },
    { what: 'Only the firewalls, to keep them in git', line: 'skyctl export firewalls > firewalls.yaml' },
  ],
  async run({ arguments: named }, session) {
    const chosen = named.length === 0 ? kinds : named.map(kindNamed)
    const world = await readWorld({ wanted: chosen, needed: [] }, await session.client({ concurrency: mostReads }))
    const document: Record<string, unknown> = {}
    const left: string[] = []
    for (const kind of kinds.filter((one) => chosen.includes(one))) {
      const { entries, twice } = entriesOf(kind, world.get(kind.key) ?? [])
      if (entries !== undefined) document[kind.key] = entries
      left.push(...twice)
    }
    for (const text of left) await session.warn(text)
    await session.stdout.write(await written(document, session))
  },
}

export default command

function kindNamed(name: string): Kind {
  const kind = kinds.find(({ key }) => key === name)
  if (kind) return kind
  throw new Problem('usage', `"${name}" is no kind of object`, {
    hint: `The kinds are: ${kinds.map(({ key }) => key).join(', ')}`,
  })
}

/** By name, in order; what shares its name with another cannot be told from it, and is left out. */
function entriesOf(kind: Kind, records: readonly unknown[]): { entries: unknown; twice: string[] } {
  const settings = { defaults: {} }
  if (kind.single)
    return { entries: records[0] === undefined ? undefined : kind.entryOf(records[0], settings), twice: [] }
  const named = new Map<string, unknown[]>()
  for (const record of records) {
    const name = kind.nameOf(record)
    named.set(name, [...(named.get(name) ?? []), record])
  }
  const sorted = [...named].sort(([a], [b]) => (a < b ? -1 : 1))
  const single = sorted.filter(([, list]) => list.length === 1)
  const twice = sorted
    .filter(([, list]) => list.length > 1)
    .map(([name, list]) => `left out: ${list.length} ${kind.noun}s have the label "${name}"`)
  const entries = Object.fromEntries(single.map(([name, [record]]) => [name, kind.entryOf(record, settings)]))
  return { entries: single.length === 0 ? undefined : entries, twice }
}

async function written(document: Record<string, unknown>, { format }: Session): Promise<string> {
  if (format === 'json') return `${JSON.stringify(document, null, 2)}\n`
  if (format === 'yaml' || format === 'table') return formatYaml(document, () => false)
  throw new Problem('usage', `a file cannot be ${format}`, { hint: 'Leave out --output, or name yaml or json' })
}
