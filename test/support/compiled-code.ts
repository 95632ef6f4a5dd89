/** Shares the compiled code of the program between the homes of tests. */
import { copyFileSync, existsSync, linkSync, lstatSync, mkdirSync, readdirSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { inject } from 'vitest'

/** Links the compiled code of the program into a cache folder (XDG_CACHE_HOME), to save compiling it again. */
export function linkCode(cache: string): void {
  const from = inject('codeCache')
  try {
    for (const build of readdirSync(from)) linkFiles(join(from, build), join(cache, 'skyctl/code', build))
  } catch {
    // There is none: mutants and the executable are tested without it.
  }
}

/**
 * Keeps the code that the processes of a home compiled, for the homes of later tests. Otherwise the first run of its kind
 * in each home compiles and saves it again. The larger file has more functions.
 */
export function keepCode(cache: string): void {
  const shared = inject('codeCache')
  for (const build of namesIn(shared))
    for (const name of namesIn(join(cache, 'skyctl/code', build)).filter((name) => /\.(js|seen)$/.test(name))) {
      const [compiled, known] = [join(cache, 'skyctl/code', build, name), join(shared, build, name)]
      if (sizeOf(compiled) > sizeOf(known)) renameSync(compiled, known)
    }
}

const namesIn = (folder: string) => (existsSync(folder) ? readdirSync(folder) : [])

const sizeOf = (path: string) => lstatSync(path, { throwIfNoEntry: false })?.size ?? -1

function linkFiles(from: string, to: string): void {
  mkdirSync(to, { recursive: true, mode: 0o700 })
  for (const name of readdirSync(from)) linkFile(join(from, name), join(to, name))
}

function linkFile(from: string, to: string): void {
  try {
    linkSync(from, to)
  } catch {
    // The temporary folder is on another disk.
    copyFileSync(from, to)
  }
}
