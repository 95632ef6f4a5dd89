import { execFileSync } from 'node:child_process'
import { closeSync, constants, mkdtempSync, openSync, readSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { lazyStream, pipeBytesOn } from '../../src/output/lazy-stream'
import { streamSink } from '../../src/output/sink'

const pipeBytes = pipeBytesOn(process.platform)

/** Opens a pipe, with a stream in place of the one that Node would open on it. */
function pipe() {
  const folder = mkdtempSync(join(tmpdir(), 'skyctl-pipe-'))
  const path = join(folder, 'pipe')
  execFileSync('mkfifo', [path])
  const fd = openSync(path, constants.O_RDWR | constants.O_NONBLOCK)
  onTestFinished(() => {
    closeSync(fd)
    rmSync(folder, { recursive: true })
  })
  const streamed: Buffer[] = []
  const stream = new Writable({
    write(chunk, _encoding, done) {
      streamed.push(chunk)
      done()
    },
  })
  let opened = 0
  const open = () => {
    opened += 1
    return stream
  }
  return {
    fd,
    stream,
    sink: streamSink(lazyStream(fd, open, pipeBytes)),
    opened: () => opened,
    streamed: () => Buffer.concat(streamed),
    read: (length: number) => {
      const bytes = Buffer.alloc(length)
      return bytes.subarray(0, readSync(fd, bytes))
    },
  }
}

/** Writes until the pipe is full. */
function fill(fd: number): void {
  const bytes = Buffer.alloc(4096)
  try {
    while (writeSync(fd, bytes) > 0);
  } catch {
    // The pipe is full.
  }
}

test.skipIf(process.platform === 'win32')('a terminal has a size, and a pipe has none', () => {
  // Another character device replaces the terminal, which a test may not have.
  const terminal = openSync('/dev/zero', constants.O_WRONLY)
  onTestFinished(() => closeSync(terminal))
  const open = () => Object.assign(new Writable(), { isTTY: true, columns: 100, rows: 30 })
  expect(lazyStream(terminal, open, pipeBytes)).toMatchObject({ isTTY: true, columns: 100, rows: 30 })
  expect(lazyStream(pipe().fd, open, pipeBytes)).toMatchObject({ isTTY: false, columns: undefined, rows: undefined })
})

test.skipIf(process.platform === 'win32')('/dev/null accepts every text without a stream', async () => {
  const fd = openSync('/dev/null', constants.O_WRONLY)
  onTestFinished(() => closeSync(fd))
  const opened = vi.fn<() => Writable>()
  const sink = streamSink(lazyStream(fd, opened, pipeBytes))
  expect(sink).toMatchObject({ isTTY: false, columns: 0 })
  await sink.write('one')
  await sink.write('x'.repeat(pipeBytes + 1))
  expect(opened).not.toHaveBeenCalled()
})

describe.skipIf(process.platform === 'win32')('a pipe', () => {
  test('accepts the first text without a stream', async () => {
    const { sink, read, opened } = pipe()
    expect(sink).toMatchObject({ isTTY: false, columns: 0 })
    await sink.write('é\n')
    expect({ text: read(100).toString(), opened: opened() }).toEqual({ text: 'é\n', opened: 0 })
  })

  test('passes later texts, which may have to wait for a reader, to the stream', async () => {
    const { sink, streamed, opened } = pipe()
    await sink.write('one')
    await sink.write('two')
    await sink.write('three')
    expect({ streamed: streamed().toString(), opened: opened() }).toEqual({ streamed: 'twothree', opened: 1 })
  })

  test('passes a text that is longer than any pipe to the stream', async () => {
    const { sink, streamed } = pipe()
    const text = 'x'.repeat(pipeBytes + 1)
    await sink.write(text)
    expect(streamed().toString()).toBe(text)
  })

  test('passes everything to the stream while it is full', async () => {
    const { sink, fd, streamed } = pipe()
    fill(fd)
    await sink.write('é')
    expect(streamed().toString()).toBe('é')
  })

  test('passes exactly the bytes that do not fit to the stream', async () => {
    const { sink, fd, read, streamed } = pipe()
    fill(fd)
    read(8192)
    const text = `a${'é'.repeat(8000)}`
    await sink.write(text)
    const received = read(1024 * 1024)
    expect(streamed().length).toBeGreaterThan(0)
    expect(Buffer.concat([received.subarray(received.indexOf('a')), streamed()]).toString()).toBe(text)
  })

  test('fails to write if its stream fails', async () => {
    const { sink, fd, stream } = pipe()
    fill(fd)
    stream.destroy(Object.assign(new Error('full'), { code: 'ENOSPC' }))
    await expect(sink.write('x')).rejects.toMatchObject({ name: 'ClosedPipe' })
  })
})
