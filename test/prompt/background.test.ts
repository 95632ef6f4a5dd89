/** Background colour of the terminal. */
import { describe, expect, test, vi } from 'vitest'
import { createPrompts } from '../../src/prompt/ask'
import { askBackground, backgroundOf } from '../../src/prompt/background'
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
