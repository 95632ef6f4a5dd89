/** Reads the files with an account's desired state from the command line: files, folders and stdin (state.md). */
import { type Dirent, readdirSync, realpathSync, statSync } from 'node:fs'
import { basename, dirname, isAbsolute, join, relative, sep } from 'node:path'
import type { SourceFile } from '../../account-file/included-files'
import { nameOfSource, readText, unreadable } from '../../engine/body-file'
import type { Argument, Flags } from '../../engine/command'
import { isVerbose } from '../../engine/flag-values'
import type { Session } from '../../engine/session'
import { Problem } from '../../errors'

export const fileArguments: readonly Argument[] = [
  {
    name: 'file',
    description: 'YAML or JSON file, a folder of such files, or - for stdin; later files refine earlier ones',
    many: true,
    values: 'files',
  },
]

// All firewalls that an account can have, with all their rules and addresses, are 80 MiB of YAML (api.md, Limits).
const most = 128 * 1024 * 1024

/**
 * Reads files and folders in the given order. Throws `local` for an unreadable file, and `usage` for a folder without
 * files or if stdin is named twice.
 */
export async function readSources(paths: readonly string[], flags: Flags, session: Session): Promise<SourceFile[]> {
  if (paths.indexOf('-') !== paths.lastIndexOf('-'))
    throw new Problem('usage', '"-" is named twice: stdin is read once')
  const reader = new FolderReader()
  const files = paths.flatMap((path, argument) =>
    isFolder(path)
      ? reader.filesIn(path).map((file) => ({ file, level: { argument, folders: foldersBetween(path, file) } }))
      : [{ file: path, level: { argument, folders: [] } }],
  )
  if (isVerbose(flags)) for (const text of reader.skipped) await session.ui.log('note', `skipped: ${text}`)
  const sources: SourceFile[] = []
  const read = sourceReader(session)
  for (const { file, level } of files) sources.push({ ...(await read(file)), level })
  return sources
}

/** Returns the names of the folders from a folder to a file below it. */
const foldersBetween = (folder: string, file: string) => relative(folder, dirname(file)).split(sep).filter(Boolean)

function isFolder(path: string): boolean {
  try {
    return path !== '-' && statSync(path).isDirectory()
  } catch (error) {
    throw unreadable(path, error)
  }
}

/** Creates a function that reads files, and those that they name. */
function sourceReader(session: Session): (path: string) => Promise<SourceFile> {
  const read = async (path: string): Promise<SourceFile> => {
    const folder = path === '-' ? '' : dirname(path)
    const text = await readText(path, session, most)
    const name = path === '-' ? nameOfSource(path) : path
    return { name, text, read: (named) => read(resolved(named, folder, session)) }
  }
  return read
}

/** Resolves a file name in a file: there, `-` is a file and not stdin. */
function resolved(path: string, folder: string, { env }: Session): string {
  if (path.startsWith('~/') && env.HOME) return join(env.HOME, path.slice(2))
  const file = isAbsolute(path) ? path : join(folder, path)
  return file === '-' ? './-' : file
}

/** Schema that editors look for beside an exported file; `export --schema` prints it. */
export const schemaFile = 'account.schema.json'

const isAccountFile = (name: string) => /\.(ya?ml|json)$/i.test(name)

/** Lists the files of several folders. Reads each folder once, so links that lead back to one end there. */
class FolderReader {
  /** Skipped files and folders, each with the reason. */
  readonly skipped: string[] = []
  /** Folders by their paths without links, and where they were read. */
  readonly #read = new Map<string, string>()

  /** Lists the files of a folder. Throws `local` if it is unreadable, and `usage` if it has no account files. */
  filesIn(folder: string): string[] {
    const before = this.#read.size
    const files = this.#filesBelow(folder)
    if (files.length > 0 || this.#read.size === before) return files
    throw new Problem('usage', `"${folder}" holds no .yaml, .yml or .json file`)
  }

  #filesBelow(folder: string): string[] {
    const path = attempt(folder, () => realpathSync(folder))
    const first = this.#read.get(path)
    if (first !== undefined) {
      this.skipped.push(`"${folder}" is the folder "${first}", which is already read`)
      return []
    }
    this.#read.set(path, folder)
    const { files, folders } = this.#entriesOf(folder)
    return [...files, ...folders.flatMap((one) => this.#filesBelow(one))]
  }

  /** Returns the entries by name; skips everything that is neither an account file nor a folder. */
  #entriesOf(folder: string): { files: string[]; folders: string[] } {
    const files: string[] = []
    const folders: string[] = []
    const entries = attempt(folder, () => readdirSync(folder, { withFileTypes: true }))
    for (const entry of entries.sort((one, other) => (one.name < other.name ? -1 : 1))) {
      const path = join(folder, entry.name)
      if (entry.name.startsWith('.')) this.skipped.push(`"${path}" is hidden: its name begins with a dot`)
      else if (isFolderEntry(entry, path)) folders.push(path)
      else if (entry.name === schemaFile) this.skipped.push(`"${path}" is the JSON Schema of account files`)
      else if (isAccountFile(entry.name)) files.push(path)
      else this.skipped.push(`"${path}" is not a .yaml, .yml or .json file`)
    }
    return { files, folders }
  }
}

/** Throws `usage` if a file to write would be read as an account file, as it is in a folder that is read. */
export function expectOutside(folders: readonly string[], file: string | undefined, flag: string): void {
  if (file === undefined || !isAccountFile(basename(file)) || basename(file).startsWith('.')) return
  const place = attempt(file, () => realpathSync(dirname(file)))
  const isWithin = (folder: string) =>
    isFolder(folder) &&
    foldersBetween(
      attempt(folder, () => realpathSync(folder)),
      join(place, 'file'),
    )[0] !== '..'
  const folder = folders.find(isWithin)
  if (folder === undefined) return
  throw new Problem('usage', `--${flag}: "${file}" is in "${folder}", and would be read as an account file`, {
    hint: 'Name a file outside of this folder',
  })
}

/** Follows links. A broken link throws: it may have led to a folder, so it must not be skipped. */
const isFolderEntry = (entry: Dirent, path: string) =>
  entry.isSymbolicLink() ? attempt(path, () => statSync(path)).isDirectory() : entry.isDirectory()

function attempt<T>(path: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw unreadable(path, error)
  }
}
