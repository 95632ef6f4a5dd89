/** Follows messages: runs the whole lines that they propose, as a person at a terminal types them. */
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { program } from '../../src/commands/index'
import { parseArguments } from '../../src/engine/parser'
import { linkCode } from './compiled-code'
import { environmentOf, openTestSandbox, type World } from './sandbox'
import { test as base, type Result, runSkyctl, words } from './skyctl'
import { endWatchers } from './watchers'

/** Lines that are parsed and not run: they ask several questions, run until somebody stops them, or name a group. */
export const parsedOnly = [
  'skyctl auth login',
  'skyctl auth login --base-url http://127.0.0.1:8080/v4',
  'skyctl profile tfa setup',
  'skyctl tokens create',
  'skyctl sandbox start',
  'skyctl sandbox start --latency 3000',
  'skyctl ips',
  'skyctl profile sshkeys',
  'skyctl volumes',
]

/** Needs of some lines besides the world: a line before them, or their exit code if it is not 0. */
export const needs: readonly (readonly [RegExp, { before?: string; exit?: number }])[] = [
  [/ undo\b/, { before: 'firewalls rules move web inbound label:accept-ping --at 1' }],
  [/ context view\b/, { before: 'context use sandbox' }],
  [/ MARK\b/, { before: 'firewalls open web --port 5432 --from 198.51.100.7 --for 1h' }],
  // They find something.
  [/ (--fail-on high|--exit-code)\b/, { exit: 13 }],
  // Some volumes are attached.
  [/^(?!.*--filter).*\| skyctl volumes delete /, { exit: 9 }],
]

export const publicKey = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIBYkTw1mRkPLs3AWdWp0tE0vPc0tVUiyy5zRVrkwGyLc me@laptop\n'

/** Values from the world for what a reader fills in. */
const values: Readonly<Record<string, string>> = {
  'YOUR-ADDRESS': '198.51.100.7',
  FIREWALL: 'web',
  INSTANCE: '1002',
  LABEL: 'copy',
  NUMBER: '1',
  TOKEN: 'deploy',
  VOLUME: 'data-2',
}

/** Returns the whole lines that a message proposes. Each is an alternative, and may have several steps. */
function suggestionsIn(message: string): string[][] {
  const text = message.startsWith('{') ? String(JSON.parse(message).error.hint) : message
  const open = text.match(/(?<=: |Write |See )skyctl (?!\S+( list)? changes nothing).+?(?=\. [A-Z]|$)/gm) ?? []
  // The name of a command may precede a whole line with it.
  const quoted = text.match(/(?<=")skyctl (?:[^"]|"[^"]*")+?(?="(?:\?(?! For example)|,| or))/g) ?? []
  const inner = text.match(/(?<=[<$]\()skyctl .+?(?=\))/g) ?? []
  return [...open, ...quoted, ...inner].map((line) => line.split(/ && |, then /))
}

/** Runs one command of a line: at a terminal, where each question is answered with yes, unless it has another stdin. */
type Run = (line: string, stdin?: string) => Promise<Result>

/** Runs the commands of a pipe, each with the output of the one before it. */
async function runPipe(line: string, run: Run): Promise<Result> {
  const commands = line.replace(/ > \S+$/, '').match(/(?:"[^"]*"|'[^']*'|[^|"'])+/g) ?? []
  let result: Result | undefined
  for (const command of commands) {
    const [name, ...argv] = words(command)
    const [stdin, text] = [result?.stdout, command.trim().replace('skyctl ', '')]
    if (name === 'jq') execFileSync('jq', argv, { input: stdin })
    else result = await run(text, stdin)
    // Stdin is the pipe, so that nobody is asked.
    if (result && /Add --yes/.test(result.stderr)) result = await run(`${text} --yes`, stdin)
  }
  if (!result) throw new Error(`no command: ${line}`)
  return result
}

async function expectParsed(line: string): Promise<void> {
  const [, ...argv] = words(line)
  const parsed = parseArguments(argv, program, { columns: 80 })
  const error = await parsed.then(
    ({ call }) => (call ? undefined : 'no call'),
    ({ message }: Error) => message,
  )
  expect(error ?? '', line).toMatch(/^$|^"\w+" needs a command: /)
}

/** Runs a line of a message, with the values of its placeholders. */
async function expectWorks(line: string, run: Run, more: Readonly<Record<string, string>>): Promise<void> {
  const fitting = needs.flatMap(([form, need]) => (form.test(line) ? [need] : []))
  const { before, exit = 0 } = Object.assign({}, ...fitting)
  if (before) await run(before)
  const MARK = line.includes('MARK') ? (await run('firewalls openings --query [0].mark -o tsv')).stdout.trim() : ''
  const fillings = { ...values, MARK, ...more }
  const filled = Object.entries(fillings).reduce((text, [name, value]) => text.replaceAll(name, value), line)
  const result = await runPipe(filled, run)
  expect({ line: filled, exit: result.exit, stderr: result.stderr }).toMatchObject({ line: filled, exit })
}

interface Fixtures {
  /** Adds what a test has in its world to those of the lines. */
  arrange(world: World): void
  /**
   * Requires that all lines that a message proposes work, each with its steps in a world of its own, and returns them.
   * `values` are those of placeholders that are no names of the world.
   */
  follow(message: string, values?: Readonly<Record<string, string>>): Promise<string[]>
}

export const test = base.extend<Fixtures>({
  // biome-ignore lint/correctness/noEmptyPattern: vitest reads which fixtures are wanted from the pattern
  arrange: async ({}, use) => use(() => {}),
  follow: async ({ clock, home, arrange }, use) => {
    let worlds = 0
    const inWorld = async (act: (run: Run) => Promise<void>) => {
      worlds += 1
      const sandbox = await openTestSandbox({ clock })
      arrange(sandbox.world)
      const folder = join(home, `world-${worlds}`)
      // Such a terminal gets plain questions, and the editor changes nothing.
      const env = { ...environmentOf(sandbox, folder), TERM: 'dumb', EDITOR: 'true' }
      const person = { interactive: true, stdin: 'y\n' }
      await act((line, stdin) => {
        if (line.startsWith('firewalls open ')) linkCode(join(folder, 'cache'))
        return runSkyctl(line, { clock, env, ...(stdin === undefined ? person : { stdin }) })
      })
      if (existsSync(join(folder, 'state', 'watches'))) endWatchers(folder)
      await sandbox.close()
    }
    await use(async (message, more = {}) => {
      const suggestions = suggestionsIn(message)
      for (const lines of suggestions) {
        await inWorld(async (run) => {
          for (const line of lines)
            await (parsedOnly.includes(line) ? expectParsed(line) : expectWorks(line, run, more))
        })
      }
      return suggestions.flat()
    })
  },
})
