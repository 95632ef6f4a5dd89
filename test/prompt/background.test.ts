/** Background colour of the terminal, and drawing in a window that changes. */
import { finished } from 'node:stream/promises'
import { describe, expect, test, vi } from 'vitest'
import { createPrompts } from '../../src/prompt/ask'
import { askBackground, backgroundOf } from '../../src/prompt/background'
import { narrowingOf, Screen } from '../../src/prompt/screen'
import { stage } from './stage'

const query = '\u001b]11;?\u001b\\\u001b[c'

describe('The background', () => {
  const backgroundFor = async (...answers: readonly string[]) => {
    const { terminal, input, shown, raw } = stage()
    const answer = askBackground(terminal.input, terminal.output)
    expect(shown()).toBe(query)
    for (const each of answers) input.write(each)
    const background = await answer
    expect(raw).toEqual([true, false])
    expect(input.listenerCount('data')).toBe(0)
    return background
  }

  test.for([
    ['rgb:ffff/ffff/ffff', 'light'],
    ['rgb:0000/0000/0000', 'dark'],
    ['rgb:ff/ff/ff', 'light'],
    ['rgb:f/f/f', 'light'],
    ['rgb:1e1e/1e1e/1e1e', 'dark'],
    ['rgba:ffff/ffff/ffff/0000', 'light'],
    ['RGB:FFFF/FFFF/FFFF', 'light'],
    // Green looks brighter than red, and red brighter than blue.
    ['rgb:0000/ffff/0000', 'light'],
    ['rgb:ffff/0000/ffff', 'dark'],
    ['rgb:8000/8000/8000', 'light'],
    ['rgb:7fff/7fff/7fff', 'dark'],
    ['rgb:ffff/8000/0000', 'light'],
    ['rgb:0000/d000/8000', 'light'],
  ] as const)('%s is %s', async ([color, background]) => {
    expect(await backgroundFor(`\u001b]11;${color}\u001b\\`, '\u001b[?62;c')).toBe(background)
  })

  test('is unknown at once if the terminal reports only its type', async () => {
    // The time is stopped.
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    try {
      expect(await backgroundFor('\u001b[?62;1;4c')).toBeUndefined()
      expect(await backgroundFor('\u001b]11;?\u001b\\', '\u001b[?', '6c')).toBeUndefined()
    } finally {
      vi.useRealTimers()
    }
  })

  test('is unknown after a second without an answer', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    try {
      const { terminal } = stage()
      const answer = askBackground(terminal.input, terminal.output)
      let result: unknown = 'pending'
      void answer.then((background) => {
        result = background
      })
      await vi.advanceTimersByTimeAsync(999)
      expect(result).toBe('pending')
      await vi.advanceTimersByTimeAsync(1)
      expect(result).toBeUndefined()
    } finally {
      vi.useRealTimers()
    }
  })

  test.for([
    ['15;0', 'dark'],
    ['0;15', 'light'],
    ['0;7', 'light'],
    ['0;8', 'dark'],
    ['0;9', 'light'],
    ['0;default;15', 'light'],
    ['15', undefined],
    ['0;x', undefined],
    ['', undefined],
    [undefined, undefined],
  ] as const)('with COLORFGBG=%s is %s', ([variable, background]) => {
    expect(backgroundOf(variable)).toBe(background)
  })

  test('comes from the variable if the terminal has no control sequences; the default is dark', async () => {
    const { terminal, shown } = stage({ colorFgBg: '0;15' })
    expect(await createPrompts(terminal).background()).toBe('light')
    expect(await createPrompts({ ...terminal, colorFgBg: undefined }).background()).toBe('dark')
    expect(shown()).toBe('')
  })

  test('comes from the terminal rather than the variable', async () => {
    const { terminal, input, shown } = stage({ colorFgBg: '0;15', commands: true })
    const answer = createPrompts(terminal).background()
    expect(shown()).toContain('\u001b]11;?')
    input.write('\u001b]11;rgb:00/00/00\u001b\\\u001b[?6c')
    expect(await answer).toBe('dark')
  })
})

test.for([
  [{ TERM_PROGRAM: 'vscode', XTERM_VERSION: 'x' }, 'break above'],
  [{ XTERM_VERSION: 'x' }, 'keep'],
  [{ STY: 'x' }, 'keep'],
  [{ TERM: 'linux' }, 'keep'],
  [{ TERM: 'xterm-256color', TERM_PROGRAM: 'iTerm.app' }, 'break'],
  [{}, 'break'],
] as const)('Long lines in a narrower window of a terminal with %j: %s', ([env, narrowing]) => {
  expect(narrowingOf(env)).toBe(narrowing)
})

describe('A screen', () => {
  const drawing = (columns: number, changes: Parameters<typeof stage>[0] = {}) => {
    const { terminal, shown } = stage(changes)
    Object.assign(terminal.output, { columns })
    const screen = new Screen(terminal)
    let before = 0
    /** Returns what was drawn since the last call. */
    const newOutput = () => {
      const text = shown().slice(before)
      before = shown().length
      return text
    }
    return {
      screen,
      write(text: string) {
        screen.write(text)
        return newOutput()
      },
      resize(width: number) {
        Object.assign(terminal.output, { columns: width })
        terminal.output.emit('resize')
        return newOutput()
      },
    }
  }
  const erase = '\r\u001b[J'
  const at = (column: number) => `\u001b[${column}G`

  test('has more columns than any question', () => {
    expect(drawing(80).screen.columns).toBe(100_000)
  })

  test('draws written text, with the cursor after it', () => {
    const { write } = drawing(80)
    expect(write('ab')).toBe(`${erase}ab${at(3)}`)
    expect(write('c')).toBe(`${erase}abc${at(4)}`)
    expect(write('\r\nd')).toBe(`${erase}abc\nd${at(2)}`)
    expect(write('e')).toBe(`\u001b[1A${erase}abc\nde${at(3)}`)
  })

  test('moves the cursor within its lines, and clears the current line', () => {
    const { write } = drawing(80)
    write('one\ntwo\nthree')
    expect(write('\u001b[1A')).toBe(`\u001b[2A${erase}one\ntwo\nthree\u001b[1A${at(6)}`)
    expect(write('\u001b[9A\u001b[2G')).toBe(`\u001b[1A${erase}one\ntwo\nthree\u001b[2A${at(2)}`)
    expect(write('\u001b[B')).toBe(`${erase}one\ntwo\nthree\u001b[1A${at(2)}`)
    expect(write('\u001b[9B\u001b[G')).toBe(`\u001b[1A${erase}one\ntwo\nthree${at(1)}`)
    expect(write('\u001b[1A\u001b[2K')).toBe(`\u001b[2A${erase}one\n\nthree\u001b[1A${at(1)}`)
  })

  test('drops empty lines below the cursor', () => {
    const { write } = drawing(80)
    write('one\n\n')
    expect(write('\u001b[2A')).toBe(`\u001b[2A${erase}one${at(1)}`)
  })

  test('shows or hides the cursor after drawing', () => {
    expect(drawing(80).write('a\u001b[?25l')).toBe(`${erase}a${at(2)}\u001b[?25l`)
    expect(drawing(80).write('\u001b[?25ha')).toBe(`${erase}a${at(2)}\u001b[?25h`)
  })

  test('keeps colours only if they are enabled; they take no columns', () => {
    const red = '\u001b[31mab\u001b[39m'
    expect(drawing(80).write(red)).toBe(`${erase}ab${at(3)}`)
    expect(drawing(80, { color: true }).write(red)).toBe(`${erase}${red}${at(3)}`)
  })

  test('wraps lines between words, and long words before the last column', () => {
    expect(drawing(8).write('one two three')).toBe(`${erase}one two\nthree${at(6)}`)
    expect(drawing(6).write('one twothree')).toBe(`${erase}one\ntwoth\nree${at(4)}`)
    expect(drawing(7).write('日本語日')).toBe(`${erase}日本語\n日${at(3)}`)
    expect(drawing(6, { color: true }).write('\u001b[31mabcdefg\u001b[39m')).toBe(
      `${erase}\u001b[31mabcde\nfg\u001b[39m${at(3)}`,
    )
    expect(drawing(1).write('ab')).toBe(`${erase}a\nb${at(1)}`)
  })

  test('places the cursor in wrapped lines', () => {
    const { write } = drawing(8)
    write('one two three\nx')
    expect(write('\u001b[1A\u001b[3G')).toBe(`\u001b[2A${erase}one two\nthree\nx\u001b[2A${at(3)}`)
    expect(write('\u001b[9G')).toBe(`${erase}one two\nthree\nx\u001b[1A${at(1)}`)
    expect(write('\u001b[11G')).toBe(`\u001b[1A${erase}one two\nthree\nx\u001b[1A${at(3)}`)
  })

  test.for([
    ['keep', '\u001b[1A'],
    ['break', '\u001b[3A'],
    ['break above', '\u001b[2A'],
  ] as const)('erases its lines in a window that has become narrower: %s', ([narrowing, up]) => {
    const { write, resize } = drawing(80, { narrowing })
    write('0123456789 abcdefghi\nxxxxxxxxxxxx')
    expect(resize(10)).toBe(`${up}${erase}012345678\n9\nabcdefghi\nxxxxxxxxx\nxxx${at(4)}`)
  })

  test('ignores resizes after its end', async () => {
    const { write, resize, screen } = drawing(80)
    write('a')
    await finished(screen.end())
    expect(resize(40)).toBe('')
  })

  test('has 80 columns if the terminal reports none', () => {
    expect(drawing(0).write('a'.repeat(80))).toBe(`${erase}${'a'.repeat(79)}\na${at(2)}`)
  })
})
