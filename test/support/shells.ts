/** Lists what real shells offer for Tab, with the completion script loaded. */
import { execFile, spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { TestContext } from 'vitest'

const run = promisify(execFile)
const capture = join(import.meta.dirname, 'capture.zsh')

export type Shell = 'bash' | 'zsh' | 'fish'
export type Environment = Readonly<Record<string, string | undefined>>

const installed = new Map<string, boolean>()

export function isInstalled(program: string): boolean {
  // mandoc has no --version, so a program is installed if it can be started.
  const isThere = installed.get(program) ?? spawnSync(program, ['--version']).error === undefined
  installed.set(program, isThere)
  return isThere
}

/** Skips a test whose program is not installed. The end of the run reports it (vitest.config.mts). */
export function needs(program: string, { skip }: Pick<TestContext, 'skip'>): void {
  skip(!isInstalled(program), `${program} is not installed`)
}

/** Returns what a shell offers at the end of a line, as it would insert it; fish without quotes. */
export async function offers(shell: Shell, script: string, line: string, env: Environment): Promise<string[]> {
  const [candidates = []] = await offersOfEach(shell, script, [line], env)
  return candidates
}

/** Completes several lines, one after the other in one shell: starting it and loading the script takes longer. */
export async function offersOfEach(
  shell: Shell,
  script: string,
  lines: readonly string[],
  env: Environment,
): Promise<string[][]> {
  if (shell === 'bash') return askBash(script, lines.map(breakWords), env)
  const words = shell === 'zsh' ? ['-f', capture] : ['--no-config', '-c', fishProgram]
  const candidates = offersIn((await run(shell, [...words, script, ...lines], { env })).stdout, lines.length)
  return candidates.map((offered, index) => {
    const texts = offered.map((text) => text.split('\t', 1)[0] ?? '')
    // fish also finds flags by words of their descriptions.
    const last = lines[index]?.split(' ').at(-1) ?? ''
    return shell === 'fish' && last.startsWith('-') ? texts.filter((text) => text.startsWith(last)) : texts
  })
}

const fishProgram = 'source $argv[1]; for line in $argv[2..]; complete -C $line; echo; end'

/** Arguments: for each line, the number of its words, and the words. */
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

/** Completes words as bash breaks a line into them: `--region=us` is three. */
export async function offersOfBash(script: string, words: readonly string[], env: Environment): Promise<string[]> {
  const [candidates = []] = await askBash(script, [words], env)
  return candidates
}

async function askBash(script: string, lines: readonly (readonly string[])[], env: Environment): Promise<string[][]> {
  const argv = lines.flatMap((words) => [String(words.length), ...words])
  const words = ['--norc', '-c', bashProgram, 'bash', script, ...argv]
  return offersIn((await run('bash', words, { env })).stdout, lines.length)
}

/** Returns the candidates of each line. An empty line ends them. */
function offersIn(text: string, count: number): string[][] {
  const outputLines = text.split(/\r?\n/).slice(0, -1)
  const ends = outputLines.flatMap((line, index) => (line === '' ? [index] : []))
  if (ends.length !== count) throw new Error(`${ends.length} of ${count} lines were answered: ${text}`)
  return ends.map((end, index) => outputLines.slice((ends[index - 1] ?? -1) + 1, end))
}

function breakWords(line: string): string[] {
  return line.split(' ').flatMap((word) => (word === '' ? [''] : word.split(/([:=@]+)/).filter((part) => part !== '')))
}
