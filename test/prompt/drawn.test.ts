/** Drawn questions: effects of keys, and the final screen. */
import { stripVTControlCharacters } from 'node:util'
import { Terminal as Emulator } from '@xterm/headless'
import { describe, expect, test } from 'vitest'
import { createPrompts } from '../../src/cli/prompts/ask'
import type { Prompts, Terminal } from '../../src/engine/questions'
import { stage } from './stage'

const down = '\u001b[B'
const up = '\u001b[A'
const right = '\u001b[C'
const left = '\u001b[D'
const enter = '\r'

/** Asks, types each key after the previous one was drawn, and returns the answer and the final screen. */
async function ask<T>(
  question: (prompts: Prompts) => Promise<T>,
  keys: readonly string[],
  changes: Partial<Terminal> = {},
) {
  const { terminal, input, shown } = stage({ commands: true, ...changes })
  const outcome = question(createPrompts(terminal)).then(
    (answer) => ({ answer }),
    (error: unknown) => ({ error }),
  )
  for (const key of keys) {
    await settle()
    input.write(key)
  }
  const result = await outcome
  return { ...result, screen: await linesOf(shown()), written: shown() }
}

/** Waits until Inquirer has handled a key and drawn, which takes some turns of the event loop. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve))
}

/** Returns the lines that a terminal emulator shows. */
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

describe('A text', () => {
  test('is the typed text', async () => {
    expect(await ask(({ text }) => text('Na\u001bme'), ['ada', enter])).toMatchObject({
      answer: 'ada',
      screen: '+ Na\\x1bme ada',
    })
  })

  test('is the default after Enter, unless the default has control characters', async () => {
    expect(await ask(({ text }) => text('Name', { initial: 'eva' }), [enter])).toMatchObject({ answer: 'eva' })
    expect(await ask(({ text }) => text('Name', { initial: 'e\u001bva' }), [enter])).toMatchObject({ answer: '' })
  })

  test('can be corrected after an error', async () => {
    const check = (text: string) => text.length > 2 || 'Too short\u001b'
    const { answer, written } = (await ask(({ text }) => text('Name', { check }), ['a', enter, 'da', enter])) as {
      answer: string
      written: string
    }
    expect(answer).toBe('ada')
    expect(stripVTControlCharacters(written)).toContain('> Too short\\x1b')
  })
})

describe('A secret', () => {
  test('is hidden, and prompted for again after an error', async () => {
    const check = (text: string) => text === 'geheim' || 'No\u001b'
    const { answer, screen, written } = (await ask(
      ({ secret }) => secret('Token', { check }),
      ['falsch', enter, 'geheim', enter],
    )) as Record<string, string>
    expect(answer).toBe('geheim')
    expect(screen).toBe('+ Token\n> No\\x1b\n+ Token')
    expect(written).not.toMatch(/geheim|falsch/)
  })

  test('can have no check', async () => {
    expect(await ask(({ secret }) => secret('Token'), [enter])).toMatchObject({ answer: '' })
  })
})

describe('A confirmation', () => {
  test.for([
    [['y', enter], true, '+ prod: Go Yes'],
    [['yes', enter], true, '+ prod: Go Yes'],
    [[enter], false, '- prod: Go No'],
    [['n', enter], false, '- prod: Go No'],
    [['yo', enter], false, '- prod: Go No'],
    [['y', '\u007f', enter], false, '- prod: Go No'],
  ] as const)('is read from its keys: %j', async ([keys, answer, screen]) => {
    expect(await ask(({ confirm }) => confirm('Go'), keys, { account: 'prod: ' })).toMatchObject({
      answer,
      screen,
    })
  })

  test('shows its default and the typed text', async () => {
    const { written } = await ask(({ confirm }) => confirm('Go'), ['ye', enter])
    expect(stripVTControlCharacters(written)).toContain('? Go (y/N) ye')
  })

  test('shows the time left when it is asked', async () => {
    const left = () => '90 s'
    const { screen, written } = await ask(({ confirm }) => confirm('Go', { left }), ['y', enter])
    expect(stripVTControlCharacters(written)).toContain('? Go (90 s) (y/N) y')
    expect(screen).toBe('+ Go (90 s) Yes')
  })

  test('has Unicode marks if the terminal shows them', async () => {
    expect(await ask(({ confirm }) => confirm('Go'), ['y', enter], { unicode: true })).toMatchObject({
      screen: '✔ Go Yes',
    })
    expect(await ask(({ confirm }) => confirm('Go'), [enter], { unicode: true })).toMatchObject({
      screen: '✘ Go No',
    })
  })

  test('is skipped with --yes', async () => {
    expect(await ask(({ confirm }) => confirm('Go'), [], { yes: true })).toMatchObject({
      answer: true,
      written: '',
    })
  })
})

describe('A choice', () => {
  test('is made with the arrow keys', async () => {
    const { answer, screen, written } = (await ask(({ select }) => select('Which', choices), [down, enter])) as {
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

  test('among many is found by typing', async () => {
    const searches: string[] = []
    const find = (text: string) => {
      searches.push(text)
      return choices.filter(({ name }) => name.startsWith(text))
    }
    expect(await ask(({ search }) => search('Which', find), ['th', enter])).toMatchObject({ answer: 3 })
    expect([searches[0], searches.at(-1)]).toEqual(['', 'th'])
  })
})

describe('A code', () => {
  const check = (text: string) => text === '123' || 'Wrong'

  test('can be corrected after an error, and shows the time left', async () => {
    const { answer, screen, written } = (await ask(
      ({ code }) => code('Code', { left: () => '9:41', check }),
      ['12', enter, '3', enter],
    )) as Record<string, string>
    expect([answer, screen]).toEqual(['123', '+ Code (9:41) 123'])
    expect(stripVTControlCharacters(written ?? '')).toContain('? Code (9:41) 12\n> Wrong')
    // No error before Enter.
    const [before] = stripVTControlCharacters(written ?? '').split('> Wrong')
    expect(before).not.toContain('> ')
  })
})

test.for<[name: string, question: (prompts: Prompts) => Promise<unknown>, keys: string, screen: string]>([
  ['a yes', ({ confirm }) => confirm('Go'), 'y\rn', '+ Go Yes'],
  ['a code', ({ code }) => code('Code', { left: () => '9:41', check: () => true }), '12\r3', '+ Code (9:41) 12'],
  [
    'levels',
    ({ levels }) => levels('Scopes', { things: ['ips'], levels: ['none', 'read'], check: () => true }),
    ' \r ',
    '+ Scopes 1 chosen',
  ],
])('Keys typed right after an answer do not change it: %s', async ([, question, keys, screen]) => {
  expect(await ask(question, [keys])).toMatchObject({ screen })
})

describe('Levels', () => {
  const things = ['volumes', 'ips', 'a']
  const levels = ['none', 'read', 'write']
  const any = () => true as const
  const scopes =
    (check: (levels: ReadonlyMap<string, string>) => true | string = any) =>
    async (prompts: Prompts) =>
      [...(await prompts.levels('Scopes', { things, levels, check })).values()].join()

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
  ] as const)('are set by keys: %j set %s', async ([keys, answer, summary]) => {
    expect(await ask(scopes(), keys)).toMatchObject({ answer, screen: `+ Scopes ${summary}` })
  })

  test('are shown in rows with the effects of keys', async () => {
    const { written } = await ask(scopes(), [down, ' ', enter])
    const plain = stripVTControlCharacters(written)
    expect(plain).toContain('? Scopes\n> volumes  none\n  ips      none\n  a        none\n')
    expect(plain).toContain('  volumes  none\n> ips      read\n  a        none\n')
    expect(plain).toContain('up/down moves, space changes, a changes all, enter selects')
    expect(written).toContain('\u001b[?25l')
  })

  test('are prompted for again after an error, which a key clears', async () => {
    const check = (chosen: ReadonlyMap<string, string>) => chosen.get('ips') === 'read' || 'Give one'
    const { answer, written } = (await ask(scopes(check), [enter, down, ' ', enter])) as Record<string, string>
    expect(answer).toBe('none,read,none')
    expect(stripVTControlCharacters(written ?? '')).toContain('> Give one')
  })
})

describe('A question without an answer', () => {
  test.for([
    ['\u0003', 'interrupted', 'interrupted at a prompt'],
    ['\u0004', 'refused', 'no answer was given'],
  ] as const)('fails on %j', async ([key, code, message]) => {
    expect(await ask(({ text }) => text('Name'), ['a', key])).toMatchObject({ error: { code, message } })
  })

  test('fails at the end of input', async () => {
    for (const end of ['end', 'destroy'] as const) {
      const { terminal, input } = stage({ commands: true })
      const answer = createPrompts(terminal).text('Name')
      setImmediate(() => input[end]())
      await expect(answer).rejects.toMatchObject({ code: 'refused', message: 'no answer was given' })
    }
  })

  test('fails with the reason of an interrupt', async () => {
    const { terminal, interrupt } = stage({ commands: true })
    const answer = createPrompts(terminal).text('Name')
    const reason = new Error('enough')
    setImmediate(() => interrupt(reason))
    await expect(answer).rejects.toBe(reason)
  })

  test('leaves no listener after an answer', async () => {
    const { terminal, input } = stage({ commands: true })
    const count = () => ['end', 'close', 'keypress'].map((event) => input.listenerCount(event))
    const before = count()
    const answer = createPrompts(terminal).text('Name')
    for (const key of ['a', enter]) {
      await settle()
      input.write(key)
    }
    await answer
    expect(count()).toEqual(before)
  })
})
