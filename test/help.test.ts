/** Every help page: as it is shown on 80 columns, and that it tells the truth. */
import { describe, expect, test } from 'vitest'
import type { Command, Flag, Input } from '../src/engine/command'
import { continued } from '../src/engine/example'
import { globalFlags } from '../src/engine/flags'
import { createParser } from '../src/engine/parser'
import { loadTree, type Node, withDescendants } from '../src/generate/tree'
import { program } from '../src/program'
import { runSkyctl } from './support/skyctl'

const tree = await loadTree(program)
const nodes = withDescendants(tree)
const commands = nodes.flatMap((node) => (node.command ? [{ node, command: node.command }] : []))
const name = ({ words }: Node) => ['skyctl', ...words].join(' ')

/** What a shell prints for `skyctl … --help`. */
async function helpOf({ words }: Node): Promise<string> {
  const { exit, stdout, stderr } = await runSkyctl([...words, '--help'])
  expect({ exit, stderr }).toEqual({ exit: 0, stderr: '' })
  return stdout
}

/** The flags that a page documents: what its lines begin with. */
function documented(page: string): string[] {
  const lines = page.matchAll(/^ {2}(?:-\w, )?--(\[no-\])?([\w-]+)(?: <[^>]+>)?(?= {2}|$)/gm)
  return [...lines].flatMap(([, both, flag]) => [`--${flag}`, ...(both ? [`--no-${flag}`] : [])])
}

function spellings({ name, negative }: Flag): string[] {
  return [...(negative === 'only' ? [] : [`--${name}`]), ...(negative ? [`--no-${name}`] : [])]
}

function flagNamed(typed: string, { flags }: Command): Flag | undefined {
  const name = typed.replace(/^--(no-)?/, '')
  return [...flags, ...globalFlags].find((flag) => flag.name === name || `--${flag.name}` === typed)
}

/** What the parser makes of a line, without running the command. */
async function parse(line: readonly string[]): Promise<Input | undefined> {
  let parsed: Input | undefined
  const run = async (_command: Command, input: Input) => {
    parsed = input
  }
  await createParser(program, { run, columns: 80 })(line)
  return parsed
}

describe('help', () => {
  test.for([tree, ...tree.children].map((node) => [name(node), node] as const))(
    'of %s and all below it reads as it was reviewed',
    async ([name, node]) => {
      const below = node === tree ? [tree] : withDescendants(node)
      const pages = await Promise.all(
        below.map(async (one) => `$ ${['skyctl', ...one.words].join(' ')} --help\n${await helpOf(one)}`),
      )
      await expect(pages.join('\n')).toMatchFileSnapshot(`help/${name.replace(/^skyctl /, '')}.txt`)
    },
  )

  test.for(nodes.map((node) => [name(node), node] as const))('of %s fits 80 columns', async ([, node]) => {
    const long = (await helpOf(node)).split('\n').filter((line) => line.length > 80)
    expect(long).toEqual([])
  })

  test.for(['exit-codes', 'environment', 'output', 'references'])('on %s fits 80 columns', async (topic) => {
    const { exit, stdout } = await runSkyctl(['help', topic])
    expect({ exit, long: stdout.split('\n').filter((line) => line.length > 80) }).toEqual({ exit: 0, long: [] })
  })

  test('of the root documents the global flags', async () => {
    const flags = globalFlags.flatMap(spellings)
    expect(documented(await helpOf(tree)).sort()).toEqual([...flags, '--help', '--version'].sort())
  })

  test('without a word is that of --help', async () => {
    expect((await runSkyctl([])).stdout).toBe((await runSkyctl(['--help'])).stdout)
  })

  test.for(commands.filter(({ node }) => node.words[0] !== 'help').map(({ node }) => [name(node), node] as const))(
    'on the words of %s is its page',
    async ([, node]) => {
      expect((await runSkyctl(['help', ...node.words])).stdout).toBe(await helpOf(node))
    },
  )
})

describe('what help documents', () => {
  test.for(commands.map((one) => [name(one.node), one] as const))('%s takes', async ([, { node, command }]) => {
    const flags = documented(await helpOf(node)).sort()
    expect(flags).toEqual(command.flags.flatMap(spellings).sort())
    const values = (command.arguments ?? []).map(() => '1')
    for (const typed of [...flags, ...globalFlags.flatMap(spellings)]) {
      const flag = flagNamed(typed, command)
      const value = flag?.value === undefined || typed.startsWith('--no-') ? [] : ['1']
      const input = await parse([...node.words, typed, ...value, ...values])
      expect(input?.flags, typed).toHaveProperty([flag?.name ?? typed])
      expect(input?.arguments).toEqual(values)
    }
  })

  test.for(commands.map((one) => [name(one.node), one] as const))('%s has an example', ([, { command }]) => {
    expect(command.examples ?? []).not.toEqual([])
  })

  test.for(commands.flatMap(({ command }) => (command.examples ?? []).map(({ line }) => line)))(
    'the example is the same line on a narrow terminal: %s',
    (line) => {
      expect(continued(line, 30).replaceAll(/ \\\n */g, ' ')).toBe(line)
    },
  )
})
