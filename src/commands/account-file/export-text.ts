/** Writes the text of an account file: comments about the file, then an object at a time. */

import { accountOf } from '../../account/account'
import { knownUser } from '../../account/identity'
import type { ExportedEntry } from '../../account-file/export-entries'
import { inShortForm } from '../../account-file/shorten-rules'
import type { Session } from '../../engine/session'
import { Problem } from '../../errors'
import type { NetworkNames } from '../../firewall/networks'
import { jsonText, yamlText } from '../../output/documents'
import { escapeText } from '../../rules/escape'
import { groupBy, isRecord } from '../../rules/records'
import { schemaFile } from './read-files'

/** Format of a document. */
export interface Form {
  /** Returns the comments at the top of the file; `notes` are about all of it. */
  header(records: Iterable<unknown>, notes: readonly string[], session: Pick<Session, 'account'>): Promise<string>
  /** Yields the text of all objects. */
  texts(entries: Iterable<ExportedEntry>): AsyncGenerator<string, void>
}

const json: Form = {
  header: async () => '',
  async *texts(entries) {
    yield await jsonText(merged({}, [...entries]))
  },
}

const yaml: Form = {
  header: headerOf,
  async *texts(entries) {
    let last: string | undefined
    for (const entry of entries) {
      const [kind = ''] = entry.path
      yield await yamlPart(entry, kind !== last)
      last = kind
    }
    if (last === undefined) yield '{}\n'
  },
}

/** Returns the text of an object, after the line that begins its kind if it is the first. */
export async function yamlPart({ path, entry, comment }: ExportedEntry, isFirst: boolean): Promise<string> {
  const commentOf = (at: readonly string[]) => (at.length === path.length ? comment : undefined)
  const value = path.reduceRight<unknown>((inner, key) => ({ [key]: inner }), entry)
  const text = await yamlText(value, { commentOf, isCompact: true })
  return isFirst || path.length === 1 ? text : text.slice(text.indexOf('\n') + 1)
}

/** Returns the contents of a file with more entries. */
export function merged(value: Record<string, unknown>, added: readonly ExportedEntry[]): Record<string, unknown> {
  const all = { ...value }
  for (const [key, entries] of groupBy(added, ({ path: [key = ''] }) => key)) {
    const named = entries.map(({ path, entry }) => [path[1], entry] as const)
    const [first] = entries
    const own = all[key]
    all[key] = first?.path.length === 1 ? first.entry : { ...(isRecord(own) && own), ...Object.fromEntries(named) }
  }
  return all
}

export const forms = { json, yaml }

/** Returns the format of the file; throws `usage` for an unsupported one. */
export function formOf({ ui: { format } }: Session): Form {
  if (format === 'json') return json
  if (format === 'yaml' || format === 'table') return yaml
  throw new Problem('usage', `a file cannot be ${format}`, { hint: 'Leave out --output, or pass yaml or json' })
}

export interface ExportedFile {
  entries: Iterable<ExportedEntry>
  form: Form
  /** Comments at its top. */
  header: string
  /** Networks that its rules may name. */
  networks: NetworkNames
}

/** Yields the text of a file with its objects below its header. */
export async function* documentOf({ entries, form, header, networks }: ExportedFile): AsyncGenerator<string, void> {
  yield header
  yield* form.texts(inShortForm(entries, networks))
}

const largeEnough = 256 * 1024

/** Joins texts to blocks that are large enough for one write. */
export async function* inBlocks(texts: AsyncIterable<string>): AsyncGenerator<string, void> {
  let block = ''
  for await (const text of texts) {
    block += text
    if (block.length < largeEnough) continue
    yield block
    block = ''
  }
  if (block !== '') yield block
}

/**
 * Writes what the file is, of which account, and how to use it. It has the time of the newest change and not that of the
 * export, so that exports of an unchanged account are equal, and a repository of nightly exports has commits for changes
 * only.
 */
async function headerOf(
  records: Iterable<unknown>,
  notes: readonly string[],
  { account }: Pick<Session, 'account'>,
): Promise<string> {
  const { context, service } = await accountOf(account)
  const user = await knownUser(account)
  const facts = [
    ...(context === null ? [] : [`context "${context}"`]),
    ...(user ? [`user ${user.username}`] : []),
    // The embedded sandbox has no address, and its context has its name.
    ...(service === context ? [] : [service]),
  ]
  const newest = newestChange(records)
  const lines = [
    `yaml-language-server: $schema=./${schemaFile}`,
    '',
    `Account file of skyctl, exported from ${facts.join(', ')}`,
    ...(newest === undefined ? [] : [`Newest change: ${newest}Z`]),
    ...notes,
    '',
    'Preview the changes that would match it:  skyctl plan FILE',
    'Apply it to the account:                  skyctl apply FILE',
    `Schema for completion in editors:         skyctl export --schema > ${schemaFile}`,
  ]
  return `${lines.map((line) => `# ${escapeText(line)}`.trimEnd()).join('\n')}\n\n`
}

const timestamp = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}$/

/** Returns the last time at which a record, or a part of it, was created or updated. */
function newestChange(records: Iterable<unknown>): string | undefined {
  let newest: string | undefined
  for (const record of records)
    for (const time of timesIn(record)) if (newest === undefined || time > newest) newest = time
  return newest
}

/** A firewall comes with its devices: all are records with times of their own. */
function timesIn(record: unknown): string[] {
  if (Array.isArray(record)) return record.flatMap(timesIn)
  if (!isRecord(record)) return []
  const { created, updated, firewall, devices } = record
  const own = [created, updated].filter((time) => typeof time === 'string' && timestamp.test(time))
  return [...own.map(String), ...timesIn(firewall), ...timesIn(devices)]
}
