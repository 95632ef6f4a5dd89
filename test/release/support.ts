/** Builds a release with the real command, in seconds, because a small program replaces the executable. */
import { spawnSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export const root = join(import.meta.dirname, '../..')

/** Program that prints its arguments and needs the same libraries as the executable of bun. */
const program = '/bin/echo'

export interface ProcessResult {
  exit: number | null
  stdout: string
  stderr: string
}

export interface Release {
  /** Folder of the artefacts; `close` removes it. */
  folder: string
  files: string[]
  read(name: string): Buffer
  /** Returns the path of the only file whose name has this ending; undefined if it was left out. */
  find(ending: string): string | undefined
  close(): void
}

export function runProgram(
  argv: readonly string[],
  more: { env?: NodeJS.ProcessEnv; cwd?: string } = {},
): ProcessResult {
  const [file = '', ...words] = argv
  const { status, stdout, stderr } = spawnSync(file, words, { encoding: 'utf8', ...more })
  return { exit: status, stdout, stderr }
}

export const runRelease = (words: readonly string[], env: NodeJS.ProcessEnv = process.env) =>
  runProgram([process.execPath, join(root, 'build/release.mjs'), ...words], { env })

/** Builds a release. Uses the existing dist/, because tests run it at the same time. */
export function makeRelease(words: readonly string[] = [], env = process.env): Release {
  const folder = mkdtempSync(join(tmpdir(), 'skyctl-release-test-'))
  const prebuilt = join(folder, 'prebuilt')
  mkdirSync(prebuilt)
  copyFileSync(program, join(prebuilt, 'skyctl'))
  copyFileSync(join(root, 'LICENSE'), join(prebuilt, 'LICENSES'))
  const out = join(folder, 'release')
  const result = runRelease(['--dry-run', '--prebuilt', prebuilt, '--out', out, ...words], env)
  if (result.exit !== 0) throw new Error(result.stderr)
  const files = readdirSync(out).sort()
  return {
    folder: out,
    files,
    read: (name) => readFileSync(join(out, name)),
    find: (ending) => files.filter((name) => name.endsWith(ending)).map((name) => join(out, name))[0],
    close: () => rmSync(folder, { recursive: true, force: true }),
  }
}

/** Whether the system has a program. */
export const isInstalled = (name: string) =>
  (process.env.PATH ?? '').split(':').some((folder) => existsSync(join(folder, name)))

export const isRoot = process.getuid?.() === 0
