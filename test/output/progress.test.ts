import { describe, expect, test } from 'vitest'
import { type Progress, type ProgressOptions, progress } from '../../src/output/progress'

/** A terminal and a clock that a test moves: each tick ends the sleep that is under way. */
function terminal(options: Partial<ProgressOptions> = {}, columns = 80) {
  let written = ''
  const sleeps: number[] = []
  let wake = () => {}
  const shown: Progress = progress({
    stream: { write: (text) => (written += text), columns },
    isTTY: true,
    color: false,
    clock: {
      sleep: (milliseconds, signal) =>
        new Promise((resolve, reject) => {
          sleeps.push(milliseconds)
          wake = resolve
          signal?.addEventListener('abort', () => reject(signal.reason))
        }),
    },
    ...options,
  })
  const settle = () => new Promise(setImmediate)
  const tick = async () => {
    await settle()
    wake()
    await settle()
  }
  return { shown, sleeps, tick, settle, written: () => written }
}

describe('progress', () => {
  test('shows nothing for what takes less than half a second', async () => {
    const { shown, sleeps, settle, written } = terminal()
    shown.update('Reading volumes')
    await settle()
    expect(sleeps).toEqual([500])
    shown.done()
    await settle()
    expect(written()).toBe('')
  })

  test('then is one line that turns, and is erased when done', async () => {
    const { shown, tick, written } = terminal()
    shown.update('page 1')
    await tick()
    shown.update('page 2')
    await tick()
    shown.done()
    shown.done()
    await tick()
    expect(written()).toBe('\r\x1b[K- page 1\r\x1b[K\\ page 2\r\x1b[K')
  })

  test('is cut to the width of the terminal', async () => {
    const { shown, tick, written } = terminal({}, 10)
    shown.update('Reading volumes')
    await tick()
    expect(written()).toBe('\r\x1b[K- Readin…')
  })

  test('shows names that came from the service without their controls', async () => {
    const { shown, tick, written } = terminal()
    shown.update('a\x1b[2J\nb')
    await tick()
    expect(written()).toBe('\r\x1b[K- a\\x1b[2J\\nb')
  })

  test('is nothing where there is no terminal', async () => {
    const { shown, tick, sleeps, written } = terminal({ isTTY: false })
    shown.update('x')
    await tick()
    shown.done()
    expect({ sleeps, written: written() }).toEqual({ sleeps: [], written: '' })
  })
})
