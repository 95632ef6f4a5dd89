/** Words of a line: flags in other spellings, lists, lost values, which JSON is asked for; and the lines of a journal. */
import { Option } from 'commander'
import { describe, expect, test } from 'vitest'
import { jsonAskedBy } from '../../src/engine/asked-json'
import type { Flag } from '../../src/engine/command'
import { parseJournal, pastOf, shortened } from '../../src/engine/journal-lines'
import { refuseFlag } from '../../src/engine/missing-value'
import { withNotes, withoutNotes } from '../../src/engine/notes'
import { optionsOf } from '../../src/engine/spelled-option'
import { targetNames } from '../../src/engine/target-names'
import { withVariables } from '../../src/engine/variable-flags'

describe('a flag', () => {
  const one = (flag: Partial<Flag>) => {
    const [option] = optionsOf([{ name: 'compute-id', description: 'x', ...flag }])
    if (!option) throw new Error('no option')
    return option
  }

  test('is what it says, with what stands for its value', () => {
    expect(optionsOf([{ name: 'a', description: 'x' }]).map(({ flags }) => flags)).toEqual(['--a'])
    const option = one({ short: 'c', value: 'id', required: true, usual: '7', group: 'Global flags' })
    expect([option.flags, option.description]).toEqual(['-c, --compute-id <id>', 'x (required) (default 7)'])
    expect([option.helpGroupHeading, one({}).helpGroupHeading]).toEqual(['Global flags:', 'Flags:'])
    expect(option.attributeName()).toBe('compute-id')
  })

  test('may be denied, besides or only', () => {
    const flags = (negative: 'also' | 'only') =>
      optionsOf([{ name: 'tags', short: 't', description: 'x', negative }]).map((option) => [
        option.flags,
        option.negate,
      ])
    expect(flags('also')).toEqual([
      ['-t, --tags', false],
      ['--no-tags', true],
    ])
    expect(flags('only')).toEqual([['--no-tags', true]])
  })

  test.for([
    ['--compute-id', true],
    ['--compute_id', true],
    ['--machine', true],
    ['--machine-id', true],
    ['--machine_id', true],
    ['-c', true],
    ['--compute', false],
    ['--compute-id-x', false],
    ['--no-compute-id', false],
    ['compute_id', false],
    ['-compute_id', false],
  ] as const)('is typed as %s: %s', ([typed, is]) => {
    expect(one({ short: 'c', value: 'id', aliases: ['machine', 'machine-id'] }).is(typed)).toBe(is)
  })

  test('that denies has no other names but the spelling', () => {
    const [, denied] = optionsOf([{ name: 'a-b', description: 'x', negative: 'also', aliases: ['c'] }])
    expect(['--no-a-b', '--no-a_b', '--no_a_b', '--c', '--a-b'].map((typed) => denied?.is(typed))).toEqual([
      true,
      true,
      true,
      false,
      false,
    ])
  })

  test('that is a list takes what is given to it, again and again', () => {
    const add = (list: 'commas' | 'repeats', text: string, before?: string[]) =>
      one({ name: 'tag', value: 'text', list }).parseArg?.(text, before)
    expect(add('commas', ' a, b,,c ')).toEqual(['a', 'b', 'c'])
    expect(add('commas', 'c', ['a', 'b'])).toEqual(['a', 'b', 'c'])
    expect(add('repeats', 'a, b')).toEqual(['a, b'])
    expect(one({ value: 'text' }).parseArg).toBeUndefined()
  })

  test.for([
    ['commas', ''],
    ['commas', ' , '],
    ['repeats', ''],
  ] as const)('that is a list by %s takes no %j', ([list, text]) => {
    expect(() => one({ name: 'tag', value: 'text', list }).parseArg?.(text, undefined)).toThrow(
      expect.objectContaining({
        code: 'usage',
        message: `--tag: "${text}" names nothing`,
        details: {
          hint: 'Leave the flag out; a list that can be empty has a flag of its own for that, such as --no-tags',
        },
      }),
    )
  })

  test('that lost its value takes no other flag for it, unless that is meant', () => {
    const [label, ...others] = ['--label <text>', '-n, --dry-run'].map((flags) => new Option(flags))
    const take =
      (value: string, ...typed: string[]) =>
      () =>
        refuseFlag(value, label as Option, others, typed)
    expect(take('--dry-run', '--label', '--dry-run')).toThrow(
      expect.objectContaining({
        message: 'flag "--label" needs a value',
        details: { hint: 'What follows it, "--dry-run", is a flag; to mean it as text, write --label=--dry-run' },
      }),
    )
    expect(take('-n', '--label', '-n')).toThrow('needs a value')
    expect(take('-n', 'label=-n')).toThrow('needs a value')
    for (const typed of [take('--other', '--label', '--other'), take('--dry-run', '--label=--dry-run')])
      expect(typed).not.toThrow()
  })
})

describe('JSON is asked for', () => {
  const asked = (line: string, SKYCTL_OUTPUT?: string) => jsonAskedBy(line.split(' '), { SKYCTL_OUTPUT })

  test.for([
    ['list --json', 'json'],
    ['list -o json', 'json'],
    ['list -ojson', 'json'],
    ['list -o=json', 'json'],
    ['list -qo json', 'json'],
    ['list -qyvondjson', 'ndjson'],
    ['list --output json', 'json'],
    ['list --output=ndjson', 'ndjson'],
    ['list -o table --json', 'json'],
    ['list --json -o table', 'json'],
    ['list -o json -o ndjson', 'ndjson'],
    ['list -o nonsense --json', 'json'],
  ] as const)('by %s: %s', ([line, format]) => {
    expect(asked(line)).toEqual({ format, by: 'line' })
    expect(asked(line, 'ndjson')).toEqual({ format, by: 'line' })
  })

  test.for([
    'list',
    'list -o table',
    'list -o',
    'list --outputs json',
    'list xo json',
    'list -x json',
    'list -- --json',
    'list -- -o json',
    'list -o yaml',
  ])('not by %s', (line) => {
    expect(asked(line)).toBeUndefined()
  })

  test('by the environment, where the line names no format', () => {
    expect(asked('list', 'json')).toEqual({ format: 'json', by: 'environment' })
    expect(asked('list -o nonsense', 'json')).toEqual({ format: 'json', by: 'environment' })
    expect(asked('list -o table', 'json')).toBeUndefined()
    for (const variable of ['yaml', 'nonsense', '']) expect(asked('list', variable)).toBeUndefined()
  })
})

describe('a variable', () => {
  test('gives a flag what the line does not', () => {
    const env = { SKYCTL_TIMEOUT: '5s', SKYCTL_RETRIES: '3', SKYCTL_DEBUG_FILE: 'x', SKYCTL_YES: 'on' }
    expect(withVariables({ retries: '1', label: 'a' }, env)).toEqual({
      retries: '1',
      label: 'a',
      timeout: '5s',
      'debug-file': 'x',
      yes: true,
    })
    expect(withVariables({ yes: false }, { SKYCTL_YES: 'nonsense', SKYCTL_TIMEOUT: '' })).toEqual({ yes: false })
  })

  test.for(['1', 'true', 'YES', 'y', 'on'])('SKYCTL_YES=%s is yes', (SKYCTL_YES) => {
    expect(withVariables({}, { SKYCTL_YES })).toEqual({ yes: true })
  })

  test.for(['0', 'false', 'No', 'n', 'off', '', undefined])('SKYCTL_YES=%s is none', (SKYCTL_YES) => {
    expect(withVariables({}, { SKYCTL_YES })).toEqual({})
  })

  test.for([
    [{ timeout: 'x' }, {}, '--timeout: "x" is not a time'],
    [{}, { SKYCTL_TIMEOUT: 'x' }, 'SKYCTL_TIMEOUT: "x" is not a time'],
    [{ retries: '21' }, {}, '--retries: "21" is not a whole number of 0 to 20'],
    [{}, { SKYCTL_RETRIES: '-1' }, 'SKYCTL_RETRIES: "-1" is not a whole number of 0 to 20'],
    [{}, { SKYCTL_MAX_WAIT: 'x' }, 'SKYCTL_MAX_WAIT: "x" is not a time'],
    [{}, { SKYCTL_WAIT_TIMEOUT: 'x' }, 'SKYCTL_WAIT_TIMEOUT: "x" is not a time'],
    [{}, { SKYCTL_COLOR: 'x' }, 'SKYCTL_COLOR: "x" is not one of'],
    [{}, { SKYCTL_YES: 'x' }, 'SKYCTL_YES: "x" is neither true nor false'],
  ] as const)('%j and %j are refused: %s', ([flags, env, message]) => {
    expect(() => withVariables(flags, env)).toThrow(message)
  })
})

describe('notes in a text', () => {
  const text = 'a: 1\n  b: 2\nc: 3'

  test('stand above the lines that they are about, as far in; at the head and at the end without one', () => {
    const notes = [
      { text: 'whole' },
      { line: 2, text: 'one' },
      { line: 2, text: 'two' },
      { line: 3, text: 'x\u001b' },
      { line: 9, text: 'end' },
    ]
    const noted = withNotes(text, notes)
    expect(noted).toBe('#! whole\na: 1\n  #! one\n  #! two\n  b: 2\n#! x\\x1b\nc: 3\n#! end')
    expect(withoutNotes(noted, notes)).toBe(text)
  })

  test('are taken out, and what others have written stays', () => {
    expect(withoutNotes('#! mine\n\t#! theirs \n# theirs', [{ text: 'theirs' }])).toBe('#! mine\n# theirs')
    expect(withNotes(text, [])).toBe(text)
  })
})

describe('the lines of a journal', () => {
  const header = {
    skyctl_journal: 1,
    command: 'delete',
    account: 'x',
    inputs: { targets: ['1'], bodies: [{ body: {} }] },
  }
  const journal = (...lines: unknown[]) => `${[header, ...lines].map((line) => JSON.stringify(line)).join('\n')}\n`

  test.for<[string, unknown]>([
    ['sends', { target: 1, state: 'sending' }],
    ['sends, and has looked', { target: 2, state: 'sending', id: 7, before: { label: 'a', items: [{ id: 1 }] } }],
    ['is done', { target: 3, state: 'done', answer: {} }],
    ['is undone', { target: 4, state: 'undone' }],
  ])('tell what %s', async ([, line]) => {
    expect(await parseJournal(journal(line), 'x')).toEqual({ text: journal(line), header, lines: [line] })
  })

  test.for<[string, unknown]>([
    ['no target', { state: 'done', answer: {} }],
    ['half a target', { target: 1.5, state: 'done', answer: {} }],
    ['no state', { target: 1 }],
    ['another state', { target: 1, state: 'x' }],
    ['no answer', { target: 1, state: 'done' }],
    ['an answer that is none', { target: 1, state: 'done', answer: [] }],
    ['a look that is none', { target: 1, state: 'sending', before: 1 }],
    ['a look at nothing', { target: 1, state: 'sending', before: {} }],
    ['a look at other things', { target: 1, state: 'sending', before: { items: [1] } }],
    ['no object', []],
    ['null', null],
  ])('are damaged with %s', async ([, line]) => {
    await expect(parseJournal(journal({ target: 1, state: 'undone' }, line), 'x.ndjson')).rejects.toMatchObject({
      code: 'local',
      message: 'line 3 of x.ndjson is damaged',
      details: { hint: 'Look what was done, and begin anew with what is left' },
    })
  })

  test('that are cut at the end are taken without what was cut', async () => {
    const whole = journal({ target: 1, state: 'undone' })
    expect(await parseJournal(`${whole}{"target":2,"sta`, 'x')).toEqual({
      text: whole,
      header,
      lines: [{ target: 1, state: 'undone' }],
    })
  })

  test.for<[string, unknown]>([
    ['another version', { ...header, skyctl_journal: 2 }],
    ['no command', { ...header, command: undefined }],
    ['no inputs', { ...header, inputs: null }],
    ['targets that are no texts', { ...header, inputs: { targets: [1] } }],
    ['targets that are no list', { ...header, inputs: { targets: 'x' } }],
    ['bodies that are none', { ...header, inputs: { bodies: [1] } }],
    ['bodies without a body', { ...header, inputs: { bodies: [{ body: 1 }] } }],
    ['bodies that are no list', { ...header, inputs: { bodies: {} } }],
    ['no object', 7],
  ])('are none of a journal with %s', async ([, first]) => {
    const text = `${JSON.stringify(first)}\n{"target":1,"state":"undone"}\n{"cut`
    expect(await parseJournal(text, 'x')).toEqual({ text, lines: [] })
  })

  test('need no targets and no bodies', async () => {
    const text = `${JSON.stringify({ ...header, inputs: { more: 1 } })}\n`
    expect((await parseJournal(text, 'x')).header?.inputs).toEqual({ more: 1 })
  })

  test('tell of each target what the last of its lines tells, and nothing of what was not done', () => {
    const lines = [
      { target: 1, state: 'sending', id: 1 },
      { target: 2, state: 'sending' },
      { target: 1, state: 'done', answer: { id: 1 } },
      { target: 2, state: 'undone' },
      { target: 3, state: 'undone' },
      { target: 3, state: 'sending' },
    ] as const
    expect([...pastOf(lines)]).toEqual([
      [1, { state: 'done', answer: { id: 1 } }],
      [3, { state: 'sending' }],
    ])
  })

  test('keep of a look only what tells what is new', () => {
    const look = { label: 'a', items: [{ id: 1, label: 'a', token: 'geheim' }], serviceTime: 7 }
    expect(shortened(look as never)).toEqual({ label: 'a', items: [{ id: 1 }], serviceTime: 7 })
  })
})

test('an object is named by its label where that alone is it, and by its id else', () => {
  const items = [
    { id: 1, label: 'web' },
    { id: 2, label: 'twice' },
    { id: 3, label: 'twice' },
    { id: 4, label: '42' },
    { id: 5, label: '-x' },
    { id: 6, label: 'a\u001b' },
    { id: 7 },
  ]
  expect(targetNames(items, 'volume')).toEqual([
    { name: 'web', note: '1' },
    { name: '2', note: 'twice' },
    { name: '3', note: 'twice' },
    { name: 'label:42', note: '4' },
    { name: 'label:-x', note: '5' },
    { name: '6', note: 'a\\x1b' },
    { name: '7', note: '' },
  ])
})
