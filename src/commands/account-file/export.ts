import { mostReads } from '../../account/concurrency'
import { type ExportedEntry, exportedOf, type Records, withoutDefaults } from '../../account-file/export-entries'
import type { Kind } from '../../account-file/kind'
import { kinds } from '../../account-file/kinds'
import { firewallKind } from '../../account-file/kinds/firewalls'
import { readForReport } from '../../account-file/read-account'
import { networksNamedIn } from '../../account-file/shorten-rules'
import { expectAllRead } from '../../account-file/unreadable-records'
import { fieldPaths } from '../../catalogue/operation'
import type { Command, Flag, Flags } from '../../engine/command'
import { listFlag, textFlag } from '../../engine/flag-values'
import type { Session } from '../../engine/session'
import { lookFor } from '../../engine/unknown-fields'
import { Problem } from '../../errors'
import type { NetworkNames } from '../../firewall/networks'
import { jsonText } from '../../output/documents'
import { didYouMean } from '../../rules/nearest'
import { isRecord } from '../../rules/records'
import { counted, shellWord } from '../../rules/texts'
import { addToFile, formOfFile, intoFile, intoFlag, isExisting } from './export-into'
import { documentOf, formOf, inBlocks } from './export-text'
import { planOperations } from './operations'

const filterFlag: Flag = {
  name: 'filter',
  value: 'test',
  list: 'repeats',
  description: 'Export only matching resources of one kind: tags=web-team (skyctl help filter)',
}

const ownerFlag: Flag = {
  name: 'owner',
  value: 'tag',
  description: 'Set this owner in the file, for apply --prune',
}

const schemaFlag: Flag = {
  name: 'schema',
  description: 'Print the JSON Schema of account files instead',
}

const command: Command = {
  name: 'export',
  summary: 'Export the account as a file for apply',
  paged: true,
  details:
    'Exports what a file can set; ips, tokens and default names of addresses only if named. The same account gives ' +
    'the same bytes.',
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
  flags: [ownerFlag, filterFlag, intoFlag, schemaFlag],
  examples: [
    { what: 'The whole account', line: 'skyctl export > account.yaml' },
    { what: 'The firewalls, to keep them in git', line: 'skyctl export firewalls > firewalls.yaml' },
    {
      what: 'Resources of a team, for apply --prune',
      line: 'skyctl export volumes --owner web-team --filter tags=web-team',
    },
    { what: 'Add the firewalls that a file lacks', line: 'skyctl export firewalls --into account.yaml' },
    { what: 'The schema, for completion in editors', line: 'skyctl export --schema > account.schema.json' },
    { what: 'Resources with a tag', line: 'skyctl export volumes --filter tags=production' },
  ],
  async run({ arguments: named, flags }, session) {
    if (flags.schema) return printSchema(session)
    const into = intoFile(flags)
    const form = into === undefined ? formOf(session) : formOfFile(into, session)
    const keys = named.map(keyNamed)
    const chosen = kinds.filter(({ key, isOnRequest }) => (keys.length === 0 ? !isOnRequest : keys.includes(key)))
    const owner = textFlag(flags, ownerFlag.name)
    const keep = await filterOf(chosen, flags, session)
    const client = await session.account.client({ concurrency: mostReads })
    const { world, unreadable } = await readForReport({ required: chosen, optional: [] }, client, session.account)
    const all = new Map<Kind, readonly unknown[]>()
    for (const kind of chosen) all.set(kind, await keep(world.get(kind.key) ?? []))
    const part = keys.length === 0 ? withoutDefaults(all) : { records: all, defaults: new Map<Kind, number>() }
    const { records, defaults } = part
    const networks = isExisting(into) ? noNetworks : await networksIn(records, flags, session)
    const left: string[] = []
    const ownership = new Ownership(owner)
    const contents = exportedOf(part, (sentence) => left.push(sentence), session.clock.now())
    const entries = ownership.of(withNetworks(networks, contents))
    const header = await form.header([...records.values()].flat(), [...defaults].map(defaultsNote), session)
    const file = { entries, form, header, networks }
    if (into !== undefined) await addToFile(into, file, session)
    else for await (const text of inBlocks(documentOf(file))) await session.ui.stdout.write(text)
    for (const text of left) await session.ui.warn(`left out: ${text}`)
    if (ownership.warning !== undefined) await session.ui.warn(ownership.warning)
    expectAllRead(unreadable)
  },
}

const noNetworks: NetworkNames = new Map()

const defaultsNote = ([{ key, noun }, count]: [Kind, number]) =>
  `Left out: ${counted(count, noun)} with the default of ${key} (skyctl export ${key} has all)`

/** Returns those networks of the command line that rules name: their file is another one, and this one must be complete. */
async function networksIn(records: Records, flags: Flags, session: Session): Promise<NetworkNames> {
  if (!records.has(firewallKind)) return noNetworks
  const { networksForOutput } = await import('../firewalls/network-names')
  return networksNamedIn(records, (await networksForOutput({ flags, session })).networks)
}

function* withNetworks(networks: NetworkNames, entries: Iterable<ExportedEntry>): Generator<ExportedEntry> {
  if (networks.size > 0) yield { path: ['networks'], entry: Object.fromEntries(networks), comment: networksComment }
  yield* entries
}

const networksComment = 'names in rules, as on command lines: skyctl help networks'

export default command

async function printSchema({ ui }: Session): Promise<void> {
  const { accountSchema } = await import('../../account-file/json-schema')
  await ui.stdout.write(await jsonText(accountSchema()))
}

/** Adds the owner to a file, and counts objects without its tag. */
class Ownership {
  #others = 0

  constructor(readonly owner: string | undefined) {}

  *of(entries: Iterable<ExportedEntry>): Generator<ExportedEntry> {
    const { owner } = this
    if (owner === undefined) return yield* entries
    yield {
      path: ['owner'],
      entry: owner,
      comment: 'apply --prune deletes resources that have this tag but are in no file',
    }
    for (const one of entries) {
      const tags = isRecord(one.entry) ? one.entry.tags : undefined
      if (Array.isArray(tags) && !tags.includes(owner)) this.#others += 1
      yield one
    }
  }

  get warning(): string | undefined {
    if (this.#others === 0) return undefined
    const objects = this.#others === 1 ? '1 object does' : `${this.#others} objects do`
    return `${objects} not have the tag "${this.owner}", so apply --prune never deletes them: apply --adopt adds it`
  }
}

function keyNamed(name: string): string {
  if (kinds.some(({ key }) => key === name)) return name
  throw new Problem('usage', `"${name}" is not a kind of resource`, {
    hint: /\.(ya?ml|json)$/.test(name)
      ? `The result goes to stdout: skyctl export > ${shellWord(name)}`
      : kindHint(name),
  })
}

function kindHint(name: string): string {
  const keys = kinds.map(({ key }) => key)
  return name === 'all'
    ? 'Leave it out: all kinds are exported'
    : (didYouMean(name, keys) ?? `The kinds are: ${keys.join(', ')}`)
}

/** Filters records; --filter needs a single kind, since fields differ between kinds. */
async function filterOf(chosen: readonly Kind[], flags: Flags, session: Session) {
  const texts = listFlag(flags, filterFlag.name) ?? []
  if (texts.length === 0) return async (records: readonly unknown[]) => records
  const [kind] = chosen
  if (chosen.length !== 1 || !kind?.list) {
    const able = kinds.flatMap(({ key, list }) => (list ? [key] : []))
    throw new Problem('usage', '--filter needs exactly one kind', { hint: `Name one of ${able.join(', ')}` })
  }
  const { listed = (record: unknown) => record } = kind
  const { filterFor } = await import('../../engine/filter')
  const filter = await filterFor(texts, kind.list, session)
  const look = lookFor(filter.doubts ?? [], fieldPaths(kind.list), session)
  return async (records: readonly unknown[]) => {
    await look(records.map(listed))
    filter.meet(records.map(listed))
    return records.filter((record) => filter.passes(listed(record)))
  }
}
