/** Adds exported resources to an account file, in which everything else stays as it is. */
import { realpathSync, statSync } from 'node:fs'
import { isDeepStrictEqual } from 'node:util'
import { formerLabel } from '../../account-file/check-former-labels'
import { Definitions } from '../../account-file/definitions'
import type { ExportedEntry } from '../../account-file/export-entries'
import type { Kind } from '../../account-file/kind'
import { kinds } from '../../account-file/kinds'
import { levelOf } from '../../account-file/overlays'
import { type ParsedFile, parseFile } from '../../account-file/parse-file'
import type { Fault, PlacedValue } from '../../account-file/places'
import { inShortForm } from '../../account-file/shorten-rules'
import { wrongFiles } from '../../account-file/wrong-files'
import { notAnObject } from '../../catalogue/check-file-value'
import { readTextFile } from '../../engine/body-file'
import type { Flag, Flags } from '../../engine/command'
import { newFileFlag } from '../../engine/flag-values'
import type { Session } from '../../engine/session'
import { Problem } from '../../errors'
import { byteOrderMarkOf } from '../../files/byte-order-mark'
import { attempt } from '../../files/file-problem'
import { replaceFile } from '../../files/write'
import type { NetworkNames } from '../../firewall/networks'
import { jsonText, yamlText } from '../../output/documents'
import { isRecord } from '../../rules/records'
import { nameList } from '../../rules/texts'
import { documentOf, type ExportedFile, type Form, formOf, forms, merged, yamlPart } from './export-text'

export const intoFlag: Flag = {
  name: 'into',
  value: 'file',
  description: 'Add what is missing to this file, and keep its comments',
  values: 'files',
}

/** Returns the file, whose name decides its format; throws `usage` for a folder. */
export function intoFile(flags: Flags): string | undefined {
  const path = newFileFlag(flags, intoFlag.name)
  if (path === undefined) return undefined
  if (statusOf(path)?.isDirectory())
    throw new Problem('usage', `--into: "${path}" is a folder`, { hint: 'Name a file in it' })
  return path
}

const statusOf = (path: string) => attempt('read', path, () => statSync(path, { throwIfNoEntry: false }))

const isJsonFile = (path: string) => /\.json$/i.test(path)

/** Returns the form of a file; throws `usage` if the report cannot be in the format of the output. */
export function formOfFile(path: string, session: Session): Form {
  formOf(session)
  return isJsonFile(path) ? forms.json : forms.yaml
}

export const isExisting = (path: string | undefined) => path !== undefined && statusOf(path) !== undefined

/**
 * Adds the entries that a file lacks, with the names of its networks, or creates the file. Throws `usage` with the lines
 * of a wrong file, `refused` if it cannot be added to, and `local` if it cannot be read or written; then it is unchanged.
 */
export async function addToFile(path: string, file: ExportedFile, session: Session): Promise<void> {
  const stats = statusOf(path)
  if (!stats) {
    const all = [...file.entries]
    let text = ''
    for await (const part of documentOf({ ...file, entries: all })) text += part
    replaceFile(path, text, 0o644)
    return tell(path, { added: all, present: [] }, session)
  }
  const text = await readTextFile(path, mostOfAFile)
  const current = await parseFile({ name: path, text })
  const value = contentsOf(current)
  const { added, present } = sorted(inShortForm(file.entries, networksOf(current)), value)
  expectOwner(present, current)
  if (added.length > 0) {
    const expected = merged(value, added)
    const changed = isJsonFile(path) ? await jsonText(expected) : await yamlWith(added, text)
    if (!isDeepStrictEqual((await parseFile({ name: path, text: changed })).value, expected)) throw unfit(path)
    replaceFile(realpathSync(path), byteOrderMarkOf(path) + changed, stats.mode & 0o777)
  }
  await tell(path, { added, present }, session)
}

/** Returns the networks that a file defines itself: others may be in files that it is not planned with. */
function networksOf(file: PlacedValue): NetworkNames {
  const { networks } = new Definitions([{ ...file, level: levelOf({}) }])
  return new Map([...networks].flatMap(([name, { value, isWrong }]) => (isWrong ? [] : [[name, value] as const])))
}

// As much as plan reads.
const mostOfAFile = 32 * 1024 * 1024

function contentsOf({ value, at, faults }: ParsedFile): Record<string, unknown> {
  const contents = value ?? {}
  const named = kinds.map(({ key }) => ({ value: isRecord(contents) ? contents[key] : undefined, at: at.at(key) }))
  const wrong = [...faults, ...[{ value: contents, at }, ...named].flatMap(shapeFaults)]
  if (wrong.length === 0 && isRecord(contents)) return contents
  throw wrongFiles(wrong)
}

const shapeFaults = ({ value, at }: PlacedValue): Fault[] =>
  isRecord(value) || (value ?? null) === null ? [] : [{ at, reason: notAnObject(value) }]

interface Sorted {
  added: readonly ExportedEntry[]
  present: readonly ExportedEntry[]
}

function sorted(entries: Iterable<ExportedEntry>, value: Record<string, unknown>): Sorted {
  const all = [...entries]
  const names = new Map(kinds.map((kind) => [kind.key, namesIn(value[kind.key], kind)]))
  const isPresent = ({ path: [key = '', name] }: ExportedEntry) =>
    name === undefined ? value[key] !== undefined : names.get(key)?.has(name) === true
  return { added: all.filter((one) => !isPresent(one)), present: all.filter(isPresent) }
}

/** Returns the names in a file, and the former labels: the plan renames the objects that have those. */
function namesIn(named: unknown, { tidyName = (name) => name }: Kind): ReadonlySet<string> {
  const entries = Object.entries(isRecord(named) ? named : {})
  return new Set(entries.flatMap(([name, value]) => [tidyName(name), formerLabel({ value }) ?? []].flat()))
}

/** Throws `usage` if the file has another owner. */
function expectOwner(present: readonly ExportedEntry[], { value, at }: PlacedValue): void {
  const owner = present.find(({ path: [key] }) => key === 'owner')
  if (!owner || !isRecord(value) || value.owner === owner.entry) return
  throw new Problem('usage', `--owner: ${at.at('owner')} has the owner "${value.owner}"`, {
    hint: 'Leave out --owner, or name another file',
  })
}

async function yamlWith(added: readonly ExportedEntry[], text: string): Promise<string> {
  const { withEntries } = await import('../../data/yaml-additions')
  const parts: Parameters<typeof withEntries>[1][number][] = []
  for (const one of added) {
    const json = (await jsonText(one.entry)).trimEnd()
    parts.push({ path: one.path, text: await yamlPart(one, false), json })
  }
  return withEntries(text, parts)
}

const unfit = (path: string) =>
  new Problem('refused', `cannot add to "${path}" without rewriting what it has`, {
    hint: 'Name another file in the same folder: plan reads both',
  })

const namesOf = ({ path: [kind, name] }: ExportedEntry) => ({ kind, name: name ?? null })

/** Prints what was added and what is there already, for people and for scripts. */
async function tell(path: string, { added, present }: Sorted, { ui }: Session): Promise<void> {
  const names = (some: readonly ExportedEntry[]) => nameList(some.map(({ path }) => path.join('.')))
  const already = present.filter(({ path: [key] }) => key !== 'owner')
  const report = { file: path, added: added.map(namesOf), present: already.map(namesOf) }
  if (ui.format === 'json') return ui.stdout.write(await jsonText(report))
  if (ui.format === 'yaml') return ui.stdout.write(await yamlText(report))
  await ui.status(added.length === 0 ? `Nothing to add to "${path}"` : `Added to "${path}": ${names(added)}`)
  if (already.length > 0) await ui.status(`Already in it, and unchanged: ${names(already)}`)
}
