/** Parser of command lines, its errors and help, with a small program. */
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import type { Command, CommandGroup, Input, Root } from '../../src/engine/command'
import { eagerCommands } from '../../src/engine/command-tree'
import { parseArguments } from '../../src/engine/parser'
import { ReportingParser } from '../../src/engine/usage-error'
import { Problem } from '../../src/errors'

const run = async () => {}
const list: Command = {
  name: 'list',
  aliases: ['ls'],
  summary: 'List things',
  flags: [{ name: 'tag', description: 'Tags', value: 'text', list: 'commas' }],
  run,
}
const create: Command = {
  name: 'create',
  summary: 'Make a thing',
  details: 'It is made at once.',
  arguments: [
    { name: 'thing', description: 'What to make' },
    { name: 'region', description: 'Where', optional: true },
  ],
  flags: [
    { name: 'label', description: 'Its label', value: 'text', required: true },
    { name: 'owner', description: 'Whose it is', value: 'text', required: true, defaultText: 'me' },
    { name: 'wait', short: 'w', description: 'Wait for it', negative: 'also' },
  ],
  examples: [{ line: 'things create a --label b', what: 'One' }],
  run,
}
const clone: Command = { name: 'clone', summary: 'Copy things', arguments: [], flags: [], run }
const copy: Command = {
  name: 'copy',
  summary: 'Copy',
  arguments: [{ name: 'from', description: 'From', many: true }],
  flags: [],
  run,
}
const inner: CommandGroup = { name: 'inner', summary: 'Inner', commands: eagerCommands(list) }
const group: CommandGroup = {
  name: 'things',
  summary: 'Things',
  commands: eagerCommands(list, create, clone, copy, inner),
}
const notes: CommandGroup = { name: 'notes', summary: 'Notes', defaultCommand: 'list', commands: eagerCommands(list) }

const outlineOf = ({ name, summary, ...more }: Command | CommandGroup) => ({
  name,
  summary,
  ...('aliases' in more && { aliases: more.aliases }),
})
const program: Root = {
  name: 'skyctl',
  description: 'A tool',
  version: '1.2.3',
  epilogue: 'The end',
  entries: [
    {
      ...{ name: 'things', aliases: ['thing'], summary: 'Things', load: async () => group },
      commands: [list, create, clone, copy]
        .map(outlineOf)
        .concat({ ...outlineOf(inner), commands: [outlineOf(list)] } as never),
    },
    { name: 'notes', summary: 'Notes', defaultCommand: 'list', commands: [outlineOf(list)], load: async () => notes },
    { name: 'hello', summary: 'Say so', load: async () => ({ name: 'hello', summary: 'Say so', flags: [], run }) },
    { name: 'secret', summary: 'Hidden', hidden: true, load: async () => ({ ...list, name: 'secret' }) },
  ],
}

interface Result {
  text?: string
  input?: Input
  words?: string
  problem?: Problem
}

async function parse(line: string | readonly string[], document?: (words: readonly string[]) => Promise<string>) {
  const result: Result = {}
  const reader = {
    columns: 80,
    ...(document && { document }),
  }
  try {
    const words = typeof line === 'string' ? line.split(' ') : line
    const { text, call } = await parseArguments(words, program, reader)
    Object.assign(result, { text, ...(call && { input: call.input, words: call.words }) })
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    result.problem = error
  }
  return result
}

describe('A command line', () => {
  test.for<[string, string, Input]>([
    ['hello', 'hello', { arguments: [], flags: {} }],
    ['things list', 'things list', { arguments: [], flags: {} }],
    ['things ls', 'things list', { arguments: [], flags: {} }],
    ['thing list', 'things list', { arguments: [], flags: {} }],
    ['things inner list', 'things inner list', { arguments: [], flags: {} }],
    ['notes', 'notes list', { arguments: [], flags: {} }],
    ['notes --tag a', 'notes list', { arguments: [], flags: { tag: ['a'] } }],
    ['things list --tag a,b --tag c', 'things list', { arguments: [], flags: { tag: ['a', 'b', 'c'] } }],
    ['things create x', 'things create', { arguments: ['x'], flags: {} }],
    ['things create x r', 'things create', { arguments: ['x', 'r'], flags: {} }],
    ['things create x -w', 'things create', { arguments: ['x'], flags: { wait: true } }],
    ['things create x --no-wait', 'things create', { arguments: ['x'], flags: { wait: false } }],
    ['things create -- --label', 'things create', { arguments: ['--label'], flags: {} }],
    ['things copy a b c', 'things copy', { arguments: ['a', 'b', 'c'], flags: {} }],
    ['--quiet things list', 'things list', { arguments: [], flags: { quiet: true } }],
    ['things --quiet list', 'things list', { arguments: [], flags: { quiet: true } }],
    ['-o csv things list', 'things list', { arguments: [], flags: { output: 'csv' } }],
    // Values of flags and arguments can be names of commands.
    ['--context list things create x', 'things create', { arguments: ['x'], flags: { context: 'list' } }],
    ['--context things hello', 'hello', { arguments: [], flags: { context: 'things' } }],
    ['things --context list create x', 'things create', { arguments: ['x'], flags: { context: 'list' } }],
    ['things create things list', 'things create', { arguments: ['things', 'list'], flags: {} }],
    ['secret', 'secret', { arguments: [], flags: {} }],
  ])('%s runs %s', async ([line, words, input]) => {
    expect(await parse(line)).toEqual({ input, words, text: '' })
  })

  test('creates only the parsers of the commands in its first words', async () => {
    const createCommand = vi.spyOn(ReportingParser.prototype, 'createCommand')
    onTestFinished(() => createCommand.mockRestore())
    await parse('things inner list --help')
    // Each group has a hidden command for help.
    expect(createCommand.mock.calls.flat()).toEqual(['things', 'inner', 'help', 'list', 'help'])
  })

  test.for<[string, string, string]>([
    ['things', '"things" needs a command: list, create, clone, copy, inner', 'See skyctl things --help'],
    ['things inner', '"inner" needs a command: list', 'See skyctl things inner --help'],
    ['things list --nope', 'unknown flag "--nope"', 'Its flags are --tag. See skyctl things list --help'],
    [
      'things create x --labl y',
      'unknown flag "--labl"',
      'Did you mean --label? Try: skyctl things create x --label y',
    ],
    [
      "things create x --it's",
      'unknown flag "--it\'s"',
      'Its flags are --label, --owner, --wait, --no-wait. See skyctl things create --help',
    ],
    ["things create x --labe'", 'unknown flag "--labe\'"', 'Did you mean --label?'],
    ['things create x --label', 'flag "--label" needs a value', 'Write --label <text>: Its label'],
    [
      'things create x -o',
      'flag "--output" needs a value',
      'Write --output <format>: Print as table, json, ndjson, yaml, csv, tsv',
    ],
    [
      'things create',
      'missing required argument "thing"; --label is required',
      'Write skyctl things create <thing> [region] [flags]',
    ],
    ['hello a', 'unexpected argument "a"', 'See skyctl hello --help'],
    ['hello a b', 'unexpected argument "a b"', 'See skyctl hello --help'],
    [
      'things create x r s',
      'unexpected argument "s"',
      'Did you mean --label s? Try: skyctl things create x r --label s',
    ],
    ['things create x r s t', 'unexpected argument "s t"', 'See skyctl things create --help'],
    [
      'things create x r s --label l',
      'unexpected argument "s"',
      'Did you mean --owner s? Try: skyctl things create x r --owner s --label l',
    ],
    ['things create x r s --label l --owner o', 'unexpected argument "s"', 'See skyctl things create --help'],
  ])('%s is rejected: %s', async ([line, message, hint]) => {
    const { problem } = await parse(line)
    expect(problem).toMatchObject({ code: 'usage', message, details: { hint } })
  })

  test('with an unexpected argument has a hint that quotes it for a shell', async () => {
    const { problem } = await parse(['things', 'create', 'x', 'r', 'a b'])
    expect(problem?.details.hint).toBe("Did you mean --label 'a b'? Try: skyctl things create x r --label 'a b'")
  })
})

describe('An unknown command', () => {
  test.for<[string, string, string]>([
    ['make things', '', 'Did you mean "skyctl things create"?'],
    ['lst things', '', 'The commands are things, notes, hello. See skyctl --help'],
    ['things make', ' for skyctl things', 'Did you mean "skyctl things create"?'],
    [
      'things other',
      ' for skyctl things',
      `The commands are list, create, clone, copy, inner. See skyctl things --help`,
    ],
    ['thinks', '', 'Did you mean "skyctl things"?'],
    ['things lst', ' for skyctl things', 'Did you mean "skyctl things list"?'],
    ['things sl', ' for skyctl things', 'Did you mean "skyctl things list"?'],
    ['things clon', ' for skyctl things', 'Did you mean "skyctl things clone"?'],
    ['notes lits', ' for skyctl notes', 'Did you mean "skyctl notes list"?'],
    ['things inner lst', ' for skyctl things inner', 'Did you mean "skyctl things inner list"?'],
    ['zzz', '', 'The commands are things, notes, hello. See skyctl --help'],
    ['things zzz', ' for skyctl things', `The commands are list, create, clone, copy, inner. See skyctl things --help`],
    ['z.z', '', 'The commands are things, notes, hello. See skyctl --help'],
    ['zz!', '', 'The commands are things, notes, hello. See skyctl --help'],
    ['!zz', '', 'The commands are things, notes, hello. See skyctl --help'],
    ['things lst --help', ' for skyctl things', 'Did you mean "skyctl things list"?'],
    ['help things lst', ' for skyctl things', 'Did you mean "skyctl things list"?'],
  ])('has a hint: %s: unknown command%s. %s', async ([line, where, hint]) => {
    const word = where === '' ? line.split(' ')[0] : line.split(' ').findLast((one) => !one.startsWith('--'))
    const { problem, input } = await parse(line)
    expect(input).toBeUndefined()
    expect(problem).toMatchObject({ code: 'usage', message: `unknown command "${word}"${where}` })
    expect(problem?.details.hint).toBe(hint)
  })
})

describe('Help', () => {
  test.for([
    [
      'things create --help',
      'Usage: skyctl things create <thing> [region] [flags]\n\nMake a thing\n\nIt is made at once.\n',
    ],
    ['help things create', 'Usage: skyctl things create <thing> [region] [flags]\n'],
    ['things help create', 'Usage: skyctl things create <thing> [region] [flags]\n'],
    ['things create --help', '  -w, --[no-]wait '],
    ['things create --help', 'at once.\n\nExamples:\n  # One\n  things create a --label b\n\nArguments:\n'],
    ['things create --help', '\nAll flags: skyctl things create --help --all\n'],
    ['things --help', 'Usage: skyctl things <command> [flags]\n'],
    ['things --help', '  list (ls) '],
    ['things copy --help', 'Usage: skyctl things copy <from...> [flags]\n'],
    ['--help', 'Usage: skyctl <group> <verb> [target...] [flags]\n\nA tool\n'],
    ['help', 'Usage: skyctl <group> <verb>'],
    ['things list --help', '\nGlobal: --context -o --json -q -y -v and others (skyctl help flags)\n'],
    ['things list --help --all', '\nGlobal flags:\n  --context <name> '],
  ] as const)('of %s has %j', async ([line, text]) => {
    const { text: page, input } = await parse(line)
    expect(input).toBeUndefined()
    expect(page).toContain(text)
  })

  test('without words is the page of the program, without hidden commands', async () => {
    const { text } = await parse([])
    expect(text).toBe((await parse('--help')).text)
    expect(text).toMatch(/The end\n?$/)
    expect(text).not.toMatch(/^ +secret/m)
  })

  test('and the version can be printed as a document', async () => {
    const document = async (words: readonly string[]) => `help of ${words.join('+')}`
    expect((await parse('things create --help', document)).text).toBe('help of things+create')
    expect((await parse('--version', document)).text).toBe('{"version":"1.2.3"}\n')
    expect((await parse('--version')).text).toBe('1.2.3\n')
    expect((await parse('things lst', document)).problem?.code).toBe('usage')
  })
})
