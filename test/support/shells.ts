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
  const [found = []] = await offersOfEach(shell, script, [line], env)
  return found
}

/** The same for several lines, one after the other in one shell: to start it and to load the script takes longer. */
export async function offersOfEach(
  shell: Shell,
  script: string,
  typed: readonly string[],
  env: Environment,
): Promise<string[][]> {
  if (shell === 'bash') return askBash(script, typed.map(breakWords), env)
  const words = shell === 'zsh' ? ['-f', capture] : ['--no-config', '-c', fishProgram]
  const found = offersIn((await run(shell, [...words, script, ...typed], { env })).stdout, typed.length)
  return found.map((offered, index) => {
    const texts = offered.map((text) => text.split('\t', 1)[0] ?? '')
    // fish also finds flags by words of their descriptions.
    const last = typed[index]?.split(' ').at(-1) ?? ''
    return shell === 'fish' && last.startsWith('-') ? texts.filter((text) => text.startsWith(last)) : texts
  })
}

const fishProgram = 'source $argv[1]; for line in $argv[2..]; complete -C $line; echo; end'

/** Each line as the number of its words, and these. */
const bashProgram = `
  set -u
  source "$1"
  shift
  while (($#)); do
    COMP_WORDS=("\${@:2:$1}") COMP_CWORD=$(($1 - 1))
    shift $(($1 + 1))
    _skyctl
    ((\${#COMPREPLY[@]} == 0)) || printf '%s\n' "\${COMPREPLY[@]}"
    echo
  done
`

/** The same for words as bash breaks a line into them: `--region=us` is three. */
export async function offersOfBash(script: string, words: readonly string[], env: Environment): Promise<string[]> {
  const [found = []] = await askBash(script, [words], env)
  return found
}

async function askBash(script: string, typed: readonly (readonly string[])[], env: Environment): Promise<string[][]> {
  const argv = typed.flatMap((words) => [String(words.length), ...words])
  const words = ['--norc', '-c', bashProgram, 'bash', script, ...argv]
  return offersIn((await run('bash', words, { env })).stdout, typed.length)
}

/** Of each of so many lines that were typed; an empty one is behind them. */
function offersIn(text: string, count: number): string[][] {
  const found = text.split(/\r?\n/).slice(0, -1)
  const ends = found.flatMap((line, index) => (line === '' ? [index] : []))
  if (ends.length !== count) throw new Error(`${ends.length} of ${count} lines were answered: ${text}`)
  return ends.map((end, index) => found.slice((ends[index - 1] ?? -1) + 1, end))
}

function breakWords(line: string): string[] {
  return line.split(' ').flatMap((word) => (word === '' ? [''] : word.split(/([:=@]+)/).filter((part) => part !== '')))
}
