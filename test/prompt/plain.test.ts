/** Questions on a terminal without control sequences: plain lines of output and input. */
import { describe, expect, test } from 'vitest'
import { createPrompts } from '../../src/cli/prompts/ask'
import { plainQuestions } from '../../src/cli/prompts/plain'
import { stage } from './stage'

const many = (count: number) => Array.from({ length: count }, (_, at) => ({ name: `n${at + 1}`, value: at + 1 }))
const isLong = (text: string) => text.length > 2 || 'Too short\u001b'

describe('A text', () => {
  test('is a line without its line break', async () => {
    const { terminal, input, shown } = stage()
    input.write('ada\r\n')
    expect(await plainQuestions(terminal).text('Na\u001bme')).toBe('ada')
    expect(shown()).toBe('? Na\\x1bme ')
  })

  test('is the default after Enter, otherwise the typed text', async () => {
    const { terminal, input, shown } = stage()
    const { text } = plainQuestions(terminal)
    input.write('\nada\n')
    expect(await text('Name', { initial: 'eva' })).toBe('eva')
    expect(await text('Name', { initial: 'eva' })).toBe('ada')
    expect(shown()).toBe('? Name (eva) ? Name (eva) ')
  })

  test('can be typed ahead, in pieces, and empty', async () => {
    const { terminal, input } = stage()
    const { text } = plainQuestions(terminal)
    const first = text('A')
    for (const piece of ['a', 'b\nsecond\n', '\n', 'fo']) input.write(piece)
    expect([await first, await text('B'), await text('C')]).toEqual(['ab', 'second', ''])
    input.write('ur\n')
    expect(await text('D')).toBe('four')
  })

  test('is prompted for again with an error until it is valid', async () => {
    const { terminal, input, shown } = stage()
    input.write('a\nab\nabc\n')
    expect(await plainQuestions(terminal).text('Name', { check: isLong })).toBe('abc')
    expect(shown()).toBe('? Name > Too short\\x1b\n? Name > Too short\\x1b\n? Name ')
  })
})

describe('A question without an answer', () => {
  test('fails at the end of input, and ends its line', async () => {
    for (const end of ['end', 'destroy'] as const) {
      const { terminal, input, shown } = stage()
      const answer = plainQuestions(terminal).text('Name')
      input.write('half')
      input[end]()
      await expect(answer).rejects.toMatchObject({ code: 'refused', message: 'no answer was given' })
      expect(shown()).toBe('? Name \n')
    }
  })

  test('fails on an interrupt, before or during the question', async () => {
    for (const before of [true, false]) {
      const { terminal, input, shown, interrupt } = stage()
      const reason = new Error('interrupted')
      if (before) interrupt(reason)
      const answer = plainQuestions(terminal).text('Name')
      if (!before) interrupt(reason)
      await expect(answer).rejects.toBe(reason)
      expect(shown()).toBe('? Name \n')
      expect(input.listenerCount('data') + input.listenerCount('close')).toBe(stage().input.listenerCount('close'))
    }
  })

  test('leaves no listener after an answer', async () => {
    const { terminal, input } = stage()
    const events = ['data', 'end', 'close'] as const
    const before = events.map((event) => input.listenerCount(event))
    const answer = plainQuestions(terminal).text('Name')
    input.write('a\n')
    await answer
    expect(events.map((event) => input.listenerCount(event))).toEqual(before)
    expect(input.isPaused()).toBe(true)
  })
})

describe('A secret', () => {
  test('is read key by key and hidden', async () => {
    const { terminal, input, shown, raw } = stage()
    const answer = plainQuestions(terminal).secret('Token\u001b')
    expect(raw).toEqual([true])
    for (const key of ['g', 'ex', '\x7f', 'heim', '\r']) input.write(key)
    expect(await answer).toBe('geheim')
    expect([shown(), raw]).toEqual(['? Token\\x1b \n', [true, false]])
  })

  test.for([
    ['ab\x7f\x7f\x7fc\n', 'c'],
    ['ab\bc\n', 'ac'],
    ['ab\x15cd\n', 'cd'],
    ['\n', ''],
    ['ü😀\x7f\n', 'ü'],
  ] as const)('can be edited: %j is %j', async ([keys, secret]) => {
    const { terminal, input } = stage()
    const answer = plainQuestions(terminal).secret('Token')
    input.write(keys)
    expect(await answer).toBe(secret)
  })

  test.for([
    ['a\x03', 'interrupted', 'interrupted at a prompt'],
    ['a\x04', 'refused', 'no answer was given'],
  ] as const)('fails on %j', async ([keys, code, message]) => {
    const { terminal, input, raw, shown } = stage()
    const answer = plainQuestions(terminal).secret('Token')
    input.write(keys)
    await expect(answer).rejects.toMatchObject({ code, message })
    expect([raw.at(-1), shown()]).toEqual([false, '? Token \n'])
  })

  test('is prompted for again after an error', async () => {
    const { terminal, input, shown, type } = stage()
    const answer = plainQuestions(terminal).secret('Token', { check: isLong })
    input.write('a\n')
    await type('abc\n', '> Too short\\x1b\n? Token ')
    expect(await answer).toBe('abc')
    expect(shown()).toBe('? Token \n> Too short\\x1b\n? Token \n')
  })
})

test('Each question for a code shows how long it is valid', async () => {
  const { terminal, input, shown } = stage()
  let left = 30
  input.write('1\n123\n')
  const answer = plainQuestions(terminal).code('Code', { left: () => `${left--} s`, check: isLong })
  expect(await answer).toBe('123')
  expect(shown()).toBe('? Code (30 s) > Too short\\x1b\n? Code (29 s) ')
})

describe('A confirmation', () => {
  test.for([
    ['y', true],
    ['YES', true],
    [' yes ', true],
    ['', false],
    ['n', false],
    ['ye', false],
    ['yes!', false],
    ['oh yes', false],
  ] as const)('is read from its line: %j is %s', async ([text, yes]) => {
    const { terminal, input, shown } = stage({ account: 'prod: ' })
    input.write(`${text}\n`)
    expect(await createPrompts(terminal).confirm('Go')).toBe(yes)
    expect(shown()).toBe('? prod: Go (y/N) ')
  })

  test('is skipped with --yes', async () => {
    const { terminal, shown } = stage({ yes: true })
    expect(await createPrompts(terminal).confirm('Go')).toBe(true)
    expect(shown()).toBe('')
  })
})

describe('A choice', () => {
  test('is a number from the list', async () => {
    const { terminal, input, shown } = stage()
    input.write('0\n4\nx\n-1\n1e0\n\n 2 \n')
    const choices = [...many(2), { name: 'n\u001b3', value: 3 }]
    expect(await plainQuestions(terminal).select('Which\u001b', choices)).toBe(2)
    const again = '> Type a number from 1 to 3\n? Number '.repeat(6)
    expect(shown()).toBe(`? Which\\x1b\n  1  n1\n  2  n2\n  3  n\\x1b3\n? Number ${again}`)
  })

  test('among many is narrowed down until one matches or a list fits', async () => {
    const { terminal, input, shown } = stage()
    const matches: Record<string, number> = { a: 0, b: 21, c: 20, d: 1 }
    const find = (text: string) => many(matches[text] ?? 0)
    const { search } = plainQuestions(terminal)
    input.write('a\nb\nc\n20\n')
    expect(await search('Which', find)).toBe(20)
    expect(shown()).toMatch(/^\? Which > No matches\n\? Which > 21 matches; type more\n\? Which {3}1 {2}n1\n/)
    input.write('d\n')
    expect(await search('Which', find)).toBe(1)
  })
})

test('Levels are prompted for one by one, and all again after an error', async () => {
  const { terminal, input, shown } = stage()
  const check = (levels: ReadonlyMap<string, string>) =>
    [...levels.values()].some((level) => level !== 'none') || 'Give one\u001b'
  const question = { things: ['volumes', 'ips'], levels: ['none', 'read', 'write'], check }
  input.write('\n0\n3\nx\n2\n1\n')
  expect([...(await plainQuestions(terminal).levels('Scopes\u001b', question))]).toEqual([
    ['volumes', 'write'],
    ['ips', 'read'],
  ])
  const head = '? Scopes\\x1b: 0 none, 1 read, 2 write\n'
  const wrong = '> Type a number up to 2\n? volumes (0) '
  expect(shown()).toBe(
    `${head}? volumes (0) ? ips (0) > Give one\\x1b\n${head}? volumes (0) ${wrong}${wrong}? ips (0) `,
  )
})

describe('The window', () => {
  test('has the size that the terminal reports', () => {
    const { terminal } = stage({ commands: true, unicode: true })
    expect(createPrompts(terminal).window).toEqual({ columns: 80, rows: 24, colors: 16, unicode: true })
    Object.assign(terminal.output, { columns: 0, rows: 0 })
    expect(createPrompts(terminal).window).toEqual({ columns: undefined, rows: undefined, colors: 16, unicode: true })
  })
})
