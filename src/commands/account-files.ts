/** Reads the files with an account's desired state from the command line: files, folders and stdin (state.md). */
import { statSync } from 'node:fs'
import { dirname, isAbsolute, join } from 'node:path'
import { nameOfSource, readText, unreadable } from '../engine/body-file'
import type { Argument, Flags } from '../engine/command'
import { Problem } from '../errors'
import type { Session } from '../session'
import type { SourceFile } from '../state/included-files'
import { FolderReader } from './account-folder'

export const fileArguments: readonly Argument[] = [
  {
    name: 'file',
    description: 'YAML or JSON file, a folder of such files, or - for stdin',
    many: true,
    values: 'files',
  },
]

// 700 objects with 25 rules each take 8 MiB.
const most = 32 * 1024 * 1024

/**
 * Reads files and folders in the given order. Throws `local` for an unreadable file, and `usage` for a folder without
 * files or if stdin is named twice.
 */
export async function readSources(paths: readonly string[], flags: Flags, session: Session): Promise<SourceFile[]> {
  if (paths.indexOf('-') !== paths.lastIndexOf('-'))
    throw new Problem('usage', '"-" is named twice: stdin is read once')
  const reader = new FolderReader()
  const files = paths.flatMap((path) => (isFolder(path) ? reader.filesIn(path) : [path]))
  if (flags.verbose || flags.debug) for (const text of reader.skipped) await session.ui.log('note', `skipped: ${text}`)
  const sources: SourceFile[] = []
  for (const file of files) sources.push(await readSource(file, session))
  return sources
}

function isFolder(path: string): boolean {
  try {
    return path !== '-' && statSync(path).isDirectory()
  } catch (error) {
    throw unreadable(path, error)
  }
}

async function readSource(path: string, session: Session): Promise<SourceFile> {
  const folder = path === '-' ? '' : dirname(path)
  return {
    name: path === '-' ? nameOfSource(path) : path,
    text: await readText(path, session, most),
    read: (named) => readSource(resolved(named, folder, session), session),
  }
}

/** Resolves a file name in a file: there, `-` is a file and not stdin. */
function resolved(path: string, folder: string, { env }: Session): string {
  if (path.startsWith('~/') && env.HOME) return join(env.HOME, path.slice(2))
  const file = isAbsolute(path) ? path : join(folder, path)
  return file === '-' ? './-' : file
}
