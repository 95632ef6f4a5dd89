/** README.md and every page of docs work as a reader types them: their blocks run in order, in one fresh world. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { enter, type Step, step, walk } from './flows/steps'
import { setupOf } from './support/example-setups'
import { type ExampleHome, test } from './support/example-world'
import { type Block, blocks, blocksOf, isCommand, pages } from './support/page-examples'
import type { TestSandbox } from './support/sandbox'
import type { OpenTerminal } from './support/terminal'

/** The script that docs/scripting.md writes, and that other pages run. */
const provision = blocks('sh').find(({ text }) => text.startsWith('#!'))?.text ?? ''

const guides = pages
  .map(({ path, text }) => ({ path, blocks: blocksOf(text) }))
  .filter(({ blocks }) => blocks.some(isCommand))

test.for(guides.map(({ path, blocks }) => [path, blocks] as const))(
  'the blocks of %s run in order, in one fresh world, and print what the page shows',
  { timeout: 120_000 },
  async ([, blocks], { fresh, sandbox, shellTerminal }) => {
    // Only a separate process accepts other certificates.
    const place = fresh(
      blocks.some((block) => isCommand(block) && block.text.includes('https:')) ? 'started' : undefined,
    )
    writeFiles(place, blocks)
    const terminal = shellTerminal('bash guide.sh', { ...place, columns: 300, rows: 100 })
    await walk(terminal, answersTo(blocks, terminal, sandbox))
    const { exit, screen } = await terminal.end
    const end = screen.slice(-12)
    expect({ exit, end }).toEqual({ exit: 0, end })
    expect(screen.join('\n')).not.toMatch(/^skyctl: (?:unknown|not found|no such)|^no changes$/im)
    const outputs = outputsOf(screen)
    expect(shownBy(blocks, outputs)).toEqual(shownIn(blocks))
    for (const [index, text] of printedTexts(blocks))
      expect(withoutTimes(outputs.get(markerOf(index)) ?? '')).toContain(withoutTimes(text))
  },
)

function writeFiles({ cwd }: ExampleHome, blocks: readonly Block[]): void {
  writeFileSync(join(cwd, 'provision.sh'), provision, { mode: 0o755 })
  writeFileSync(join(cwd, 'guide.sh'), scriptOf(blocks))
}

/** Begins the output of a block, or of a command of a session. */
const markerOf = (block: number, command = 0) => `# block ${block}, command ${command}`

/** Returns a script that runs all blocks, and ends at the first that fails. */
function scriptOf(blocks: readonly Block[]): string {
  const steps = blocks.flatMap((block, index) => {
    const marker = `echo '${markerOf(index)}'`
    if (!isCommand(block)) return []
    if (block.language === 'console') return sessionScript(block.text, index)
    const script = block.language === 'sh' ? fencedScript(block.text) : lineScript(block.text.trim())
    // Ends also at a list of commands, such as "plan && apply", that set -e ignores.
    return [marker, script, 'test $? = 0']
  })
  return ['set -e', ...steps].join('\n')
}

/** Returns the commands of a session. Some fail on purpose, as their output shows. */
const sessionScript = (session: string, block: number) =>
  commandsOf(session).map(({ line }, command) => `echo '${markerOf(block, command)}'\n${line} || :`)

const commandsOf = (session: string) =>
  [...session.matchAll(/^\$ (.*)\n((?:(?!\$ ).*\n)*)/gm)].map(([, line = '', output = '']) => ({ line, output }))

function fencedScript(text: string): string {
  if (text.startsWith('#!')) return './provision.sh'
  // Replaces the comment "edit it" with an edit.
  return text.replaceAll(/# edit it/g, '; nano web.yaml #')
}

function lineScript(line: string): string {
  const { exit = 0 } = setupOf(line)
  return exit === 0 ? line : `${line} || test $? = ${exit}`
}

const asks = /# show the changes, ask|^skyctl sandbox reset$/m
const confirm = step('(y/N)', `y${enter}`)

/** Returns the answers to the questions of the blocks. */
function answersTo(blocks: readonly Block[], terminal: OpenTerminal, sandbox: TestSandbox): Step[] {
  return blocks.filter(isCommand).flatMap(({ text }) => {
    const guided = setupOf(text.trim()).answers?.(terminal, sandbox)
    return guided ?? (asks.test(text) ? [confirm] : [])
  })
}

/** Returns the output after each marker. */
function outputsOf(screen: readonly string[]): ReadonlyMap<string, string> {
  const parts = `${screen.join('\n')}\n`.split(/^(# block \d+, command \d+)\n/m)
  return new Map(parts.flatMap((marker, index) => (index % 2 === 1 ? [[marker, parts[index + 1] ?? '']] : [])))
}

/** Returns the sessions of a page. */
const shownIn = (blocks: readonly Block[]) =>
  blocks.flatMap(({ language, text }) => (language === 'console' ? commandsOf(text) : []))

/** Returns the same sessions as they were on the screen. */
const shownBy = (blocks: readonly Block[], outputs: ReadonlyMap<string, string>) =>
  blocks.flatMap(({ language, text }, index) =>
    language === 'console'
      ? commandsOf(text).map(({ line }, command) => ({ line, output: outputs.get(markerOf(index, command)) }))
      : [],
  )

/** Returns the texts that a page shows after a block, as a part of its output, with the number of the block. */
const printedTexts = (blocks: readonly Block[]) =>
  blocks.flatMap(({ language, text }, index) =>
    language === 'text' && blocks[index - 1]?.language === 'sh' ? [[index - 1, text] as const] : [],
  )

/** Replaces what differs from run to run: times, and numbers of changes. */
const withoutTimes = (text: string) =>
  text.replaceAll(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC/g, 'TIME').replaceAll(/\(change \d+,/g, '(change N,')
