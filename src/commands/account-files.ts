/** The files of an account's wanted state, as the command line names them: files, folders and stdin (state.md). */
import { readdirSync, statSync } from 'node:fs'
import { dirname, isAbsolute, join } from 'node:path'
import { nameOfSource, readText, unreadable } from '../engine/body-file'
import type { Argument } from '../engine/command'
import { Problem } from '../errors'
import type { Session } from '../session'
import type { Source } from '../state/wanted'

export const fileArguments: readonly Argument[] = [
  {
    name: 'file',
    description: 'YAML or JSON file, a folder of such files, or - for stdin',
    many: true,
    values: 'files',
  },
]

// 700 objects with 25 rules each are 8 MiB.
const most = 32 * 1024 * 1024

/** Throws `local` for what cannot be read, `usage` for a folder without files and for stdin twice. */
export async function readSources(paths: readonly string[], session: Session): Promise<Source[]> {
  if (paths.indexOf('-') !== paths.lastIndexOf('-'))
    throw new Problem('usage', '"-" is named twice: stdin is read once')
  const sources: Source[] = []
  for (const path of paths.flatMap(filesOf)) sources.push(await readSource(path, session))
  return sources
}

const isAccountFile = (name: string) => /\.(ya?ml|json)$/i.test(name) && !name.startsWith('.')

/** The files of a folder in the order of their names; else the path itself. */
function filesOf(path: string): string[] {
  const names = path === '-' ? undefined : namesIn(path)
  if (names === undefined) return [path]
  const files = names.filter(isAccountFile).sort()
  if (files.length === 0) throw new Problem('usage', `"${path}" holds no .yaml, .yml or .json file`)
  return files.map((name) => join(path, name))
}

/** Undefined for what is no folder. */
function namesIn(path: string): string[] | undefined {
  try {
    return statSync(path).isDirectory() ? readdirSync(path) : undefined
  } catch (error) {
    throw unreadable(path, error)
  }
}

async function readSource(path: string, session: Session): Promise<Source> {
  const folder = path === '-' ? '' : dirname(path)
  return {
    name: path === '-' ? nameOfSource(path) : path,
    text: await readText(path, session, most),
    read: (named) => readSource(resolved(named, folder, session), session),
  }
}

/** Of a file that a file names: `-` is one, too, and not stdin. */
function resolved(path: string, folder: string, { env }: Session): string {
  if (path.startsWith('~/') && env.HOME) return join(env.HOME, path.slice(2))
  const file = isAbsolute(path) ? path : join(folder, path)
  return file === '-' ? './-' : file
}
