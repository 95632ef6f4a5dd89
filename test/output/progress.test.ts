import { describe, expect, test } from 'vitest'
import { drawnOn, type ProgressOptions, TerminalProgress } from '../../src/output/progress'

/** Creates a terminal and a clock that the test controls: each tick ends the current sleep. */
function terminal(options: Partial<ProgressOptions> = {}, columns = 80, rows = 24) {
  let written = ''
  const sleeps: number[] = []
  let wake = () => {}
  const line = new TerminalProgress({
    clean: (text) => text,
    stream: { write: (text) => (written += text), columns, rows },
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
  const show: (typeof line)['show'] = (text) => line.show(text)
  return { show, clear: () => line.clear(), sleeps, tick, settle, wake: () => wake(), written: () => written }
}

describe('progress', () => {
  test('redacts a text before it cuts it', async () => {
    const clean = (text: string) => text.replaceAll('geheim', '[redacted]')
    const { show, tick, written } = terminal({ clean }, 20)
    const shown = show('Waiting for geheim')
    await tick()
    expect(written()).toContain('Waiting for [red')
    shown.update('geheim')
    await tick()
    expect(written()).not.toContain('geh')
    shown.done()
  })

  test('shows nothing for a task of less than half a second', async () => {
    const { show, sleeps, settle, written } = terminal()
    const shown = show('Reading volumes')
    await settle()
    expect(sleeps).toEqual([500])
    shown.done()
    await settle()
    expect(written()).toBe('')
  })

  test('shows nothing for a task that ends at the moment when it would appear', async () => {
    const { show, settle, wake, written } = terminal()
    const shown = show('Reading volumes')
    await settle()
    wake()
    shown.done()
    await settle()
    expect(written()).toBe('')
  })

  test('is one line with a spinner, erased when the task is done', async () => {
    const { show, tick, written } = terminal()
    const shown = show('page 1')
    await tick()
    shown.update('page 2')
    await tick()
    shown.done()
    shown.done()
    await tick()
    expect(written()).toBe('\r\x1b[J- page 1\r\r\x1b[J\\ page 2\r\r\x1b[J')
  })

  test('is cut to the width of the terminal', async () => {
    const { show, tick, written } = terminal({}, 12)
    show('Reading volumes')
    await tick()
    expect(written()).toBe('\r\x1b[J- Reading …\r')
  })

  test('is cut with dots if the terminal shows only ASCII', async () => {
    const { show, tick, written } = terminal({ ascii: true }, 12)
    show('Reading volumes')
    await tick()
    expect(written()).toBe('\r\x1b[J- Readin...\r')
  })

  test('escapes control characters in names from the API', async () => {
    const { show, tick, written } = terminal()
    show('a\x1b[2J\nb')
    await tick()
    expect(written()).toBe('\r\x1b[J- a\\x1b[2J\\nb\r')
  })

  test('is erased for other output, and returns below it', async () => {
    const { show, clear, tick, written } = terminal()
    show('page 1')
    await tick()
    clear()
    clear()
    expect(written()).toBe('\r\x1b[J- page 1\r\r\x1b[J')
    await tick()
    expect(written()).toBe('\r\x1b[J- page 1\r\r\x1b[J\r\x1b[J\\ page 1\r')
  })

  test('shows the older of two tasks until that is done, and then the other with its latest text', async () => {
    const { show, tick, written } = terminal()
    const counter = show('Deleting volumes: 0 of 2')
    const wait = show('Waiting for volume 3001')
    wait.update('Waiting for volume 3001: detaching')
    await tick()
    expect(written()).toContain('Deleting volumes: 0 of 2')
    expect(written()).not.toContain('Waiting')
    counter.done()
    await tick()
    expect(written()).toMatch(/\r\x1b\[J- Waiting for volume 3001: detaching\r$/)
    wait.done()
    expect(written()).toMatch(/\r\x1b\[J$/)
  })

  test('never shows a task that is done before the older one', async () => {
    const { show, tick, written } = terminal()
    const counter = show('Deleting volumes: 0 of 2')
    show('Waiting for volume 3001').done()
    counter.done()
    await tick()
    expect(written()).not.toContain('Waiting')
  })

  test('calls the function of a changing text each time', async () => {
    const { show, tick, written } = terminal()
    let seconds = 0
    show(() => {
      seconds += 1
      return `${seconds}s`
    })
    await tick()
    await tick()
    expect(written()).toBe('\r\x1b[J- 1s\r\r\x1b[J\\ 2s\r')
  })

  test('may have further lines, each cut and escaped, and moves the cursor back above them', async () => {
    const { show, tick, written } = terminal({}, 14)
    const shown = show(() => ['Applying', 'volume a\x07', 'volume backup'])
    await tick()
    shown.done()
    expect(written()).toBe('\r\x1b[J- Applying\n  volume a\\x…\n  volume bac…\x1b[2A\r\r\x1b[J')
  })

  test('moves the cursor back over one further line, too', async () => {
    const { show, tick, written } = terminal()
    show(() => ['Applying', 'volume a'])
    await tick()
    expect(written()).toBe('\r\x1b[J- Applying\n  volume a\x1b[1A\r')
  })

  test('assumes 80 columns and 24 rows if the terminal has no size', async () => {
    let written = ''
    const { show, tick } = terminal({ stream: { write: (text) => (written += text) } })
    show(() => Array(25).fill('a'.repeat(80)))
    await tick()
    const cut = `${'a'.repeat(76)}…`
    expect(written).toBe(`\r\x1b[J- ${cut}${`\n  ${cut}`.repeat(21)}\n  and 3 more\x1b[22A\r`)
  })

  test('prints the number of lines that do not fit', async () => {
    const { show, tick, written } = terminal({}, 80, 4)
    show(() => ['Applying', 'a', 'b'])
    await tick()
    expect(written()).toBe('\r\x1b[J- Applying\n  a\n  b\x1b[2A\r')
    const full = terminal({}, 80, 4)
    full.show(() => ['Applying', 'a', 'b', 'c', 'd'])
    await full.tick()
    expect(full.written()).toBe('\r\x1b[J- Applying\n  a\n  and 3 more\x1b[2A\r')
  })

  test('fits a window that is resized meanwhile', async () => {
    let written = ''
    const window = { columns: 80, rows: 4 }
    const stream = drawnOn({
      write: (text) => {
        written += text
        return true
      },
      on() {},
      get columns() {
        return window.columns
      },
      get rows() {
        return window.rows
      },
    })
    const { show, tick } = terminal({ stream })
    show(() => ['Applying', 'volume a', 'b', 'c'])
    await tick()
    expect(written).toBe('\r\x1b[J- Applying\n  volume a\n  and 2 more\x1b[2A\r')
    Object.assign(window, { columns: 10, rows: 5 })
    written = ''
    await tick()
    expect(written).toBe('\r\x1b[J\\ Applyi…\n  volume…\n  b\n  c\x1b[3A\r')
  })

  test('is not shown without a terminal', async () => {
    const { show, tick, sleeps, written } = terminal({ isTTY: false })
    const shown = show('x')
    await tick()
    shown.done()
    expect({ sleeps, written: written() }).toEqual({ sleeps: [], written: '' })
  })
})
