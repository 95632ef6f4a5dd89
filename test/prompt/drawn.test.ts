/** Questions that are drawn: what each key does, and what is left on the terminal. */
import { stripVTControlCharacters } from 'node:util'
import { Terminal as Emulator } from '@xterm/headless'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { createPrompts } from '../../src/prompt/ask'
import type { Prompts, Terminal } from '../../src/prompt/questions'
import { stage } from './stage'

const down = '\u001b[B'
const up = '\u001b[A'
const right = '\u001b[C'
const left = '\u001b[D'
const enter = '\r'

/** Asks, types each of these once the one before is drawn, and tells the answer and what the terminal shows then. */
async function answered<T>(
  question: (ask: Prompts) => Promise<T>,
  keys: readonly string[],
  changes: Partial<Terminal> = {},
) {
  const { terminal, input, shown } = stage({ commands: true, ...changes })
  const asked = question(createPrompts(terminal)).then(
    (answer) => ({ answer }),
    (error: unknown) => ({ error }),
  )
  for (const key of keys) {
    await drawn()
    input.write(key)
  }
  const result = await asked
  return { ...result, screen: await linesOf(shown()), written: shown() }
}

/** Inquirer hears and draws in turns of the loop. */
async function drawn(): Promise<void> {
  for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve))
}

/** What an emulator of a terminal shows of it. */
async function linesOf(text: string): Promise<string> {
  const emulator = new Emulator({ cols: 80, rows: 40, convertEol: true, allowProposedApi: true })
  await new Promise<void>((resolve) => emulator.write(text, resolve))
  const buffer = emulator.buffer.active
  const lines = Array.from({ length: buffer.length }, (_, at) => buffer.getLine(at)?.translateToString(true) ?? '')
  return lines.join('\n').trimEnd()
}

const choices = [
  { name: 'one', value: 1 },
  { name: 'tw\u001bo', value: 2, description: 'the sec\u001bond' },
  { name: 'three', value: 3 },
]

describe('a text', () => {
  test('is what is typed', async () => {
    expect(await answered(({ text }) => text('Na\u001bme'), ['ada', enter])).toMatchObject({
      answer: 'ada',
      screen: '+ Na\\x1bme ada',
    })
  })

  test('is what was offered where nothing is typed, unless that would do something to the terminal', async () => {
    expect(await answered(({ text }) => text('Name', { initial: 'eva' }), [enter])).toMatchObject({ answer: 'eva' })
    expect(await answered(({ text }) => text('Name', { initial: 'e\u001bva' }), [enter])).toMatchObject({ answer: '' })
  })

  test('is mended where it is wrong', async () => {
    const check = (text: string) => text.length > 2 || 'Too short\u001b'
    const { answer, written } = (await answered(({ text }) => text('Name', { check }), ['a', enter, 'da', enter])) as {
      answer: string
      written: string
    }
    expect(answer).toBe('ada')
    expect(stripVTControlCharacters(written)).toContain('> Too short\\x1b')
  })
})

describe('a secret', () => {
  test('is not shown, and asked for again where it is wrong', async () => {
    const check = (text: string) => text === 'geheim' || 'No\u001b'
    const { answer, screen, written } = (await answered(
      ({ secret }) => secret('Token', { check }),
      ['falsch', enter, 'geheim', enter],
    )) as Record<string, string>
    expect(answer).toBe('geheim')
    expect(screen).toBe('+ Token\n> No\\x1b\n+ Token')
    expect(written).not.toMatch(/geheim|falsch/)
  })

  test('need not be checked', async () => {
    expect(await answered(({ secret }) => secret('Token'), [enter])).toMatchObject({ answer: '' })
  })
})

describe('a confirmation', () => {
  test.for([
    [['y', enter], true, '+ prod: Go Yes'],
    [['yes', enter], true, '+ prod: Go Yes'],
    [[enter], false, '- prod: Go No'],
    [['n', enter], false, '- prod: Go No'],
    [['yo', enter], false, '- prod: Go No'],
    [['y', '\u007f', enter], false, '- prod: Go No'],
  ] as const)('%j', async ([keys, answer, screen]) => {
    expect(await answered(({ confirm }) => confirm('Go'), keys, { account: 'prod: ' })).toMatchObject({
      answer,
      screen,
    })
  })

  test('says that nothing is no, and shows what is typed', async () => {
    const { written } = await answered(({ confirm }) => confirm('Go'), ['ye', enter])
    expect(stripVTControlCharacters(written)).toContain('? Go (y/N) ye')
  })

  test('says what time is left, until it is answered', async () => {
    const left = () => '90 s'
    const { screen, written } = await answered(({ confirm }) => confirm('Go', { left }), ['y', enter])
    expect(stripVTControlCharacters(written)).toContain('? Go (90 s) (y/N) y')
    expect(screen).toBe('+ Go Yes')
  })

  test('counts the time down each second', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    onTestFinished(() => void vi.useRealTimers())
    const { terminal, input, shown } = stage({ commands: true })
    let seconds = 90
    const answer = createPrompts(terminal).confirm('Go', { left: () => `${seconds} s` })
    await drawn()
    seconds = 89
    vi.advanceTimersByTime(1000)
    await drawn()
    expect(stripVTControlCharacters(shown())).toContain('? Go (89 s) (y/N)')
    input.write('y\r')
    expect(await answer).toBe(true)
  })

  test('waits as long as it takes where no time is given', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    onTestFinished(() => void vi.useRealTimers())
    const { terminal, input } = stage({ commands: true })
    const answer = createPrompts(terminal).confirm('Go')
    await drawn()
    vi.advanceTimersByTime(5000)
    input.write('y\r')
    expect(await answer).toBe(true)
  })

  test('has marks of its own where the terminal shows them', async () => {
    expect(await answered(({ confirm }) => confirm('Go'), ['y', enter], { unicode: true })).toMatchObject({
      screen: '✔ Go Yes',
    })
    expect(await answered(({ confirm }) => confirm('Go'), [enter], { unicode: true })).toMatchObject({
      screen: '✘ Go No',
    })
  })

  test('is given without a question where that was said before', async () => {
    expect(await answered(({ confirm }) => confirm('Go'), [], { yes: true })).toMatchObject({
      answer: true,
      written: '',
    })
  })
})

describe('a choice', () => {
  test('moves with the arrows', async () => {
    const { answer, screen, written } = (await answered(({ select }) => select('Which', choices), [down, enter])) as {
      answer: number
      screen: string
      written: string
    }
    expect([answer, screen]).toEqual([2, '+ Which tw\\x1bo'])
    const plain = stripVTControlCharacters(written)
    expect(plain).toContain('> one\n  tw\\x1bo\n  three')
    expect(plain).toContain('the sec\\x1bond')
    expect(plain).toContain('up/down moves, enter selects')
  })

  test('among many is searched for by what is typed', async () => {
    const asked: string[] = []
    const find = (typed: string) => {
      asked.push(typed)
      return choices.filter(({ name }) => name.startsWith(typed))
    }
    expect(await answered(({ search }) => search('Which', find), ['th', enter])).toMatchObject({ answer: 3 })
    expect([asked[0], asked.at(-1)]).toEqual(['', 'th'])
  })
})

describe('a code', () => {
  const check = (text: string) => text === '123' || 'Wrong'

  test('is mended where it is wrong, and says what time is left', async () => {
    const { answer, screen, written } = (await answered(
      ({ code }) => code('Code', { left: () => '9:41', check }),
      ['12', enter, '3', enter],
    )) as Record<string, string>
    expect([answer, screen]).toEqual(['123', '+ Code 123'])
    expect(stripVTControlCharacters(written ?? '')).toContain('? Code (9:41) 12\n> Wrong')
    // Nothing is wrong before it was entered.
    const [before] = stripVTControlCharacters(written ?? '').split('> Wrong')
    expect(before).not.toContain('> ')
  })
})

test.for<[what: string, question: (ask: Prompts) => Promise<unknown>, keys: string, screen: string]>([
  ['a yes', ({ confirm }) => confirm('Go'), 'y\rn', '+ Go Yes'],
  ['a code', ({ code }) => code('Code', { left: () => '9:41', check: () => true }), '12\r3', '+ Code 12'],
  [
    'levels',
    ({ levels }) => levels('Scopes', { things: ['ips'], levels: ['none', 'read'], check: () => true }),
    ' \r ',
    '+ Scopes 1 chosen',
  ],
])('%s: the answer stands, whatever is typed behind it at once', async ([, question, keys, screen]) => {
  expect(await answered(question, [keys])).toMatchObject({ screen })
})

describe('levels', () => {
  const things = ['volumes', 'ips', 'a']
  const levels = ['none', 'read', 'write']
  const any = () => true as const
  const ask =
    (check: (levels: ReadonlyMap<string, string>) => true | string = any) =>
    async (ask: Prompts) =>
      [...(await ask.levels('Scopes', { things, levels, check })).values()].join()

  test.for([
    [[enter], 'none,none,none', '0 chosen'],
    [[' ', enter], 'read,none,none', '1 chosen'],
    [[' ', ' ', down, ' ', enter], 'write,read,none', '2 chosen'],
    [[' ', ' ', ' ', enter], 'none,none,none', '0 chosen'],
    [[right, right, enter], 'write,none,none', '1 chosen'],
    [[left, enter], 'write,none,none', '1 chosen'],
    [[right, left, enter], 'none,none,none', '0 chosen'],
    [['a', enter], 'read,read,read', '3 chosen'],
    [[down, ' ', 'a', enter], 'write,write,write', '3 chosen'],
    [['a', 'a', 'a', enter], 'none,none,none', '0 chosen'],
    [[up, ' ', enter], 'none,none,read', '1 chosen'],
    [[down, down, down, ' ', enter], 'read,none,none', '1 chosen'],
    [['x', enter], 'none,none,none', '0 chosen'],
  ] as const)('%j give %s', async ([keys, answer, said]) => {
    expect(await answered(ask(), keys)).toMatchObject({ answer, screen: `+ Scopes ${said}` })
  })

  test('are shown beside their things, below each other, with what the keys do', async () => {
    const { written } = await answered(ask(), [down, ' ', enter])
    const plain = stripVTControlCharacters(written)
    expect(plain).toContain('? Scopes\n> volumes  none\n  ips      none\n  a        none\n')
    expect(plain).toContain('  volumes  none\n> ips      read\n  a        none\n')
    expect(plain).toContain('up/down moves, space changes, a changes all, enter selects')
    expect(written).toContain('\u001b[?25l')
  })

  test('are asked for again where they cannot be, until a key changes them', async () => {
    const check = (given: ReadonlyMap<string, string>) => given.get('ips') === 'read' || 'Give one'
    const { answer, written } = (await answered(ask(check), [enter, down, ' ', enter])) as Record<string, string>
    expect(answer).toBe('none,read,none')
    expect(stripVTControlCharacters(written ?? '')).toContain('> Give one')
  })
})

describe('no answer', () => {
  test.for([
    ['\u0003', 'interrupted', 'interrupted at a prompt'],
    ['\u0004', 'refused', 'no answer was given'],
  ] as const)('is given with %j', async ([key, code, message]) => {
    expect(await answered(({ text }) => text('Name'), ['a', key])).toMatchObject({ error: { code, message } })
  })

  test('is given where the input ends', async () => {
    for (const end of ['end', 'destroy'] as const) {
      const { terminal, input } = stage({ commands: true })
      const asked = createPrompts(terminal).text('Name')
      setImmediate(() => input[end]())
      await expect(asked).rejects.toMatchObject({ code: 'refused', message: 'no answer was given' })
    }
  })

  test('is given where the run is interrupted, for its reason', async () => {
    const { terminal, interrupt } = stage({ commands: true })
    const asked = createPrompts(terminal).text('Name')
    const reason = new Error('enough')
    setImmediate(() => interrupt(reason))
    await expect(asked).rejects.toBe(reason)
  })

  test('leaves nothing that listens, and neither does an answer', async () => {
    const { terminal, input } = stage({ commands: true })
    const count = () => ['end', 'close', 'keypress'].map((event) => input.listenerCount(event))
    const before = [...count(), terminal.output.listenerCount('resize')]
    const asked = createPrompts(terminal).text('Name')
    for (const key of ['a', enter]) {
      await drawn()
      input.write(key)
    }
    await asked
    expect([...count(), terminal.output.listenerCount('resize')]).toEqual(before)
  })
})
