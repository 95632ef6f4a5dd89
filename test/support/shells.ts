/** Asks real shells what they offer for Tab, with the completion script loaded. */
import { execFile, spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { TestContext } from 'vitest'

const run = promisify(execFile)
const capture = join(import.meta.dirname, 'capture.zsh')

export type Shell = 'bash' | 'zsh' | 'fish'
export type Environment = Readonly<Record<string, string | undefined>>

const found = new Map<string, boolean>()

export function isInstalled(program: string): boolean {
  // mandoc has no --version: what could be started is there.
  const known = found.get(program) ?? spawnSync(program, ['--version']).error === undefined
  found.set(program, known)
  return known
}

/** Leaves a test out where what it needs is not installed; the end of the run says so (vitest.config.ts). */
export function needs(program: string, { skip }: Pick<TestContext, 'skip'>): void {
  skip(!isInstalled(program), `${program} is not installed`)
}

/** What a shell offers at the end of a line, as it would stand in the line; fish gives it without quotes. */
export async function offers(shell: Shell, script: string, line: string, env: Environment): Promise<string[]> {
  if (shell === 'bash') return offersOfBash(script, breakWords(line), env)
  const words = shell === 'zsh' ? ['-f', capture, script, line] : ['--no-config', '-c', fishProgram, script, line]
  const found = lines((await run(shell, words, { env })).stdout).map((text) => text.split('\t', 1)[0] ?? '')
  // fish also finds flags by words of their descriptions.
  const last = line.slice(line.lastIndexOf(' ') + 1)
  return shell === 'fish' && last.startsWith('-') ? found.filter((text) => text.startsWith(last)) : found
}

const fishProgram = 'source $argv[1]; complete -C $argv[2]'

const bashProgram = `
  set -u
  source "$1"
  COMP_WORDS=("\${@:2}") COMP_CWORD=$(($# - 2))
  _skyctl
  ((\${#COMPREPLY[@]} == 0)) || printf '%s\\n' "\${COMPREPLY[@]}"
`

/** The same for words as bash breaks a line into them: `--region=us` is three. */
export async function offersOfBash(script: string, words: readonly string[], env: Environment): Promise<string[]> {
  return lines((await run('bash', ['--norc', '-c', bashProgram, 'bash', script, ...words], { env })).stdout)
}

function breakWords(line: string): string[] {
  return line.split(' ').flatMap((word) => (word === '' ? [''] : word.split(/([:=@]+)/).filter((part) => part !== '')))
}

function lines(text: string): string[] {
  return text.split(/\r?\n/).filter((line) => line !== '')
}
