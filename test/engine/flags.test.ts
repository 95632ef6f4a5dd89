/** Spellings and values of flags, requested JSON formats, variables, and notes in edited texts. */
import { Option } from 'commander'
import { describe, expect, test } from 'vitest'
import { requestedJson } from '../../src/engine/appearance'
import type { Flag } from '../../src/engine/command'
import { withNotes, withoutNotes } from '../../src/engine/edit'
import { optionsOf } from '../../src/engine/spelled-option'
import { refuseFlag } from '../../src/engine/typing-mistakes'
import { withVariables } from '../../src/engine/variable-flags'

describe('A flag', () => {
  const one = (flag: Partial<Flag>) => {
    const [option] = optionsOf([{ name: 'compute-id', description: 'x', ...flag }])
    if (!option) throw new Error('no option')
    return option
  }

  test('has its name, its placeholder, and its description in the help', () => {
    expect(optionsOf([{ name: 'a', description: 'x' }]).map(({ flags }) => flags)).toEqual(['--a'])
    const option = one({ short: 'c', value: 'id', required: true, defaultText: '7', group: 'Global flags' })
    expect([option.flags, option.description]).toEqual(['-c, --compute-id <id>', 'x (required) (default 7)'])
    expect([option.helpGroupHeading, one({}).helpGroupHeading]).toEqual(['Global flags:', 'Flags:'])
    expect(option.attributeName()).toBe('compute-id')
  })

  test('can have a --no- form in addition, or only that', () => {
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
  ] as const)('can be written as %s: %s', ([word, isAccepted]) => {
    expect(one({ short: 'c', value: 'id', aliases: ['machine', 'machine-id'] }).is(word)).toBe(isAccepted)
  })

  test('in its --no- form has no aliases, except underscores', () => {
    const [, negative] = optionsOf([{ name: 'a-b', description: 'x', negative: 'also', aliases: ['c'] }])
    expect(['--no-a-b', '--no-a_b', '--no_a_b', '--c', '--a-b'].map((word) => negative?.is(word))).toEqual([
      true,
      true,
      true,
      false,
      false,
    ])
  })

  test('that is a list can be repeated', () => {
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
  ] as const)('that is a list by %s rejects %j', ([list, text]) => {
    expect(() => one({ name: 'tag', value: 'text', list }).parseArg?.(text, undefined)).toThrow(
      expect.objectContaining({
        code: 'usage',
        message: `--tag: "${text}" is empty`,
        details: {
          hint: 'Leave the flag out. To empty a list, use its --no- flag, such as --no-tags',
        },
      }),
    )
  })

  test('does not take another flag as its value, except after "="', () => {
    const [label, ...others] = ['--label <text>', '-n, --dry-run'].map((flags) => new Option(flags))
    const take =
      (value: string, ...words: string[]) =>
      () =>
        refuseFlag(value, label as Option, others, words)
    expect(take('--dry-run', '--label', '--dry-run')).toThrow(
      expect.objectContaining({
        message: 'flag "--label" needs a value',
        details: { hint: 'The next word, "--dry-run", is a flag. To pass it as a value, write --label=--dry-run' },
      }),
    )
    expect(take('-n', '--label', '-n')).toThrow('needs a value')
    expect(take('-n', 'label=-n')).toThrow('needs a value')
    for (const accept of [
      take('--other', '--label', '--other'),
      take('--dry-run', '--label=--dry-run'),
      take('--dry-run', 'volumes', 'create', '--label=--dry-run'),
    ])
      expect(accept).not.toThrow()
  })
})

describe('JSON is requested', () => {
  const requested = (line: string, SKYCTL_OUTPUT?: string) => requestedJson(line.split(' '), { SKYCTL_OUTPUT })

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
    expect(requested(line)).toEqual({ format, by: 'line' })
    expect(requested(line, 'ndjson')).toEqual({ format, by: 'line' })
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
  ])('but not by %s', (line) => {
    expect(requested(line)).toBeUndefined()
  })

  test('by the environment if the line has no format', () => {
    expect(requested('list', 'json')).toEqual({ format: 'json', by: 'environment' })
    expect(requested('list -o nonsense', 'json')).toEqual({ format: 'json', by: 'environment' })
    expect(requested('list -o table', 'json')).toBeUndefined()
    for (const variable of ['yaml', 'nonsense', '']) expect(requested('list', variable)).toBeUndefined()
  })
})

describe('A variable', () => {
  test.for([
    ['timeout', 'SKYCTL_TIMEOUT', '90s'],
    ['retries', 'SKYCTL_RETRIES', '3'],
    ['max-wait', 'SKYCTL_MAX_WAIT', '5m'],
    ['wait-timeout', 'SKYCTL_WAIT_TIMEOUT', '1h'],
    ['color', 'SKYCTL_COLOR', 'always'],
    ['debug-file', 'SKYCTL_DEBUG_FILE', '/tmp/x'],
  ] as const)('sets --%s unless the line does: %s=%s', ([flag, variable, text]) => {
    expect(withVariables({ label: 'a' }, { [variable]: text })).toEqual({ label: 'a', [flag]: text })
    expect(withVariables({ [flag]: text }, { [variable]: 'ignored' })).toEqual({ [flag]: text })
    expect(withVariables({}, { [variable]: '' })).toEqual({})
  })

  test.for([
    ['timeout', 'SKYCTL_TIMEOUT', 'soon', 'is not a time'],
    ['retries', 'SKYCTL_RETRIES', '21', 'is not a whole number of 0 to 20'],
    ['retries', 'SKYCTL_RETRIES', '-1', 'is not a whole number of 0 to 20'],
    ['max-wait', 'SKYCTL_MAX_WAIT', 'soon', 'is not a time'],
    ['wait-timeout', 'SKYCTL_WAIT_TIMEOUT', 'soon', 'is not a time'],
    ['color', 'SKYCTL_COLOR', 'pink', 'is not one of'],
  ] as const)('is rejected like --%s, with its own name: %s=%s', ([flag, variable, text, fault]) => {
    expect(() => withVariables({}, { [variable]: text })).toThrow(`${variable}: "${text}" ${fault}`)
    expect(() => withVariables({ [flag]: text }, {})).toThrow(`--${flag}: "${text}" ${fault}`)
  })

  test('answers questions in all common forms, unless the line does', () => {
    for (const text of ['1', 'true', 'yes', 'y', 'on', 'YES']) {
      expect(withVariables({}, { SKYCTL_YES: text }), text).toEqual({ yes: true })
    }
    for (const text of ['', '0', 'false', 'No', 'n', 'off', undefined]) {
      expect(withVariables({}, { SKYCTL_YES: text }), text).toEqual({})
    }
    expect(() => withVariables({}, { SKYCTL_YES: 'maybe' })).toThrow('SKYCTL_YES: "maybe" is neither true nor false')
    for (const yes of [true, false]) expect(withVariables({ yes }, { SKYCTL_YES: 'maybe' })).toEqual({ yes })
  })
})

describe('Notes in a text', () => {
  const text = 'a: 1\n  b: 2\nc: 3'

  test('are above their lines with the same indent, or at the beginning or the end', () => {
    const notes = [
      { text: 'whole' },
      { line: 2, text: 'one' },
      { line: 2, text: 'two' },
      { line: 3, text: 'x\u001b' },
      { line: 9, text: 'end' },
    ]
    const annotated = withNotes(text, notes)
    expect(annotated).toBe('#! whole\na: 1\n  #! one\n  #! two\n  b: 2\n#! x\\x1b\nc: 3\n#! end')
    expect(withoutNotes(annotated, notes)).toBe(text)
  })

  test('are removed; other comments stay unchanged', () => {
    expect(withoutNotes('#! mine\n\t#! theirs \n# theirs', [{ text: 'theirs' }])).toBe('#! mine\n# theirs')
    expect(withNotes(text, [])).toBe(text)
  })
})
