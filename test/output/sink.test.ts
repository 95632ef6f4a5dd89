import { spawnSync } from 'node:child_process'
import { closeSync, constants, createWriteStream, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { buildSync } from 'esbuild'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { Problem } from '../../src/errors'
import { ClosedPipe, messageSink, streamSink, wrapped } from '../../src/output/sink'
import { memorySink } from './text-printer'

describe('a sink', () => {
  test('writes everything, in order', async () => {
    const { sink, text } = memorySink()
    await sink.write('a')
    await sink.write('')
    await sink.write('é\n')
    expect(text()).toBe('aé\n')
  })

  test('redacts a text, and clears the progress before it writes it', async () => {
    for (const sinkOf of [streamSink, messageSink]) {
      const events: string[] = []
      const stream = new Writable({
        decodeStrings: false,
        write(text, _encoding, done) {
          events.push(text)
          done()
        },
      })
      const redact = (text: string) => text.replaceAll('secret', '[hidden]')
      await sinkOf(stream, { redact, beforeWrite: () => events.push('clear') }).write('a secret é\n')
      expect(events).toEqual(['clear', 'a [hidden] é\n'])
    }
  })

  test('resolves only after the stream has accepted the text', async () => {
    let accept = () => {}
    const stream = new Writable({
      write(_chunk, _encoding, done) {
        accept = done
      },
    })
    let written = false
    const writing = streamSink(stream)
      .write('x')
      .then(() => {
        written = true
      })
    await new Promise(setImmediate)
    expect(written).toBe(false)
    accept()
    await writing
    expect(written).toBe(true)
  })

  test.each(['EPIPE', 'EOF', 'ECONNRESET'])('fails in every write after its reader is gone: %s', async (code) => {
    const stream = new Writable({
      write: (_chunk, _encoding, done) => done(Object.assign(new Error(code), { code })),
    })
    const sink = streamSink(stream)
    await expect(sink.write('x')).rejects.toBeInstanceOf(ClosedPipe)
    await expect(sink.write('y')).rejects.toBeInstanceOf(ClosedPipe)
  })

  test('fails if its stream throws', async () => {
    const stream = {
      on: () => {},
      write: () => {
        throw Object.assign(new Error('x'), { code: 'ENOSPC' })
      },
    }
    await expect(streamSink(stream).write('x')).rejects.toMatchObject({ exitCode: 12 })
  })

  test.for([
    ['ENOSPC', 'no space is left on the device'],
    ['EDQUOT', 'the disk quota is used up'],
    ['EFBIG', 'the file is too large'],
    ['EIO', 'the device failed'],
    ['EACCES', 'write failed'],
  ])('fails with the cause of a failed write: %s', async ([code, reason]) => {
    const cause = Object.assign(new Error('write failed'), { code })
    const stream = new Writable({ write: (_chunk, _encoding, done) => done(cause) })
    await expect(streamSink(stream).write('x')).rejects.toMatchObject({
      code: 'local',
      message: `cannot write the output: ${reason}`,
      cause,
    })
  })

  test.skipIf(process.platform !== 'linux')('fails on a full device', async () => {
    const problem = await streamSink(createWriteStream('/dev/full'))
      .write('x')
      .catch((error) => error)
    expect(problem).toBeInstanceOf(Problem)
    expect(problem).toMatchObject({ code: 'local', message: 'cannot write the output: no space is left on the device' })
  })

  test('has columns only on a terminal', () => {
    const stream = { on: () => {}, write: () => true, columns: 80 }
    for (const sinkOf of [streamSink, messageSink]) {
      expect(sinkOf({ ...stream, isTTY: true })).toMatchObject({ isTTY: true, columns: 80 })
      expect(sinkOf(stream)).toMatchObject({ isTTY: false, columns: 0 })
      expect(sinkOf({ ...stream, isTTY: true, columns: undefined }).columns).toBe(0)
    }
  })

  test('for messages fails silently', async () => {
    const written: string[] = []
    const stream = new Writable({
      decodeStrings: false,
      write(chunk, _encoding, done) {
        written.push(chunk)
        done(Object.assign(new Error('full'), { code: 'ENOSPC' }))
      },
    })
    expect(await messageSink(stream).write('x')).toBeUndefined()
    expect(written).toEqual(['x'])
  })

  test('wraps a text at its words if it is wider than the terminal', async () => {
    const sink = (columns: number) => streamSink({ on: () => {}, write: () => true, isTTY: true, columns })
    expect(await wrapped('one two', sink(6))).toBe('one\ntwo')
    expect(await wrapped('one two', sink(7))).toBe('one two')
    expect(await wrapped('one two', sink(0))).toBe('one two')
    const command = "skyctl volumes list --filter 'size > 20' --json"
    expect(await wrapped(`Run: ${command}`, sink(31))).toBe(
      "Run:\nskyctl volumes list \\\n  --filter 'size > 20' --json",
    )
    expect(await wrapped(`See "${command}".`, sink(34))).toBe(
      'See\n"skyctl volumes list \\\n  --filter \'size > 20\' --json".',
    )
    // A wide character takes two columns (UAX 11).
    expect(await wrapped('東京 大阪', sink(9))).toBe('東京 大阪')
    expect(await wrapped('東京 大阪', sink(8))).toBe('東京\n大阪')
    expect(await wrapped('東京 大阪', sink(5))).toBe('東京\n大阪')
  })
})

describe.skipIf(process.platform === 'win32')('the standard output of a process', () => {
  const folder = mkdtempSync(join(tmpdir(), 'skyctl-sink-'))
  const script = join(folder, 'script.cjs')
  afterAll(() => rmSync(folder, { recursive: true }))
  beforeAll(() => {
    const contents = `
      import { streamSink } from './src/output/sink'
      const sink = streamSink(process.stdout)
      const write = async () => {
        const [size = 16, lines = 2000] = process.argv.slice(2).map(Number)
        const text = '0123456789abcde\\n'.repeat(lines)
        for (let at = 0; at < text.length; at += size) await sink.write(text.slice(at, at + size))
      }
      write().then(() => console.error('done'), (error) => console.error(error.name, error.message))`
    buildSync({
      stdin: { contents, resolveDir: process.cwd(), loader: 'ts' },
      bundle: true,
      platform: 'node',
      outfile: script,
      logLevel: 'error',
    })
  })
  const run = (line: string) =>
    spawnSync('sh', ['-c', line, process.execPath, script], { encoding: 'utf8', cwd: folder })

  test('stops without a warning when its reader is gone', () => {
    // 320 KB: more than a pipe holds, so that the writer cannot finish before a slow reader is gone.
    const { stdout, stderr } = run('"$0" "$1" 16 20000 | head -1')
    expect({ stdout, stderr }).toEqual({ stdout: '0123456789abcde\n', stderr: 'ClosedPipe the output is closed\n' })
  })

  test('reaches a slow reader completely', () => {
    expect(run('"$0" "$1" | { read line; wc -c; }')).toMatchObject({
      stdout: expect.stringMatching(/^\s*31984\n$/),
      stderr: 'done\n',
    })
  })

  test('fails if the disk accepts only a part of it', () => {
    // The limit on a file's size cuts a write like a full disk: the part that fits is written without an error.
    for (const size of [16, 32_000]) {
      const { stderr } = run(`ulimit -f 1; "$0" "$1" ${size} > cut`)
      expect(stderr).toBe('Problem cannot write the output: the file is too large\n')
      expect(readFileSync(join(folder, 'cut'), 'utf8').length).toBeLessThan(32_000)
    }
  })

  test('appends to a file that others write too', () => {
    run('"$0" "$1" >> both; "$0" "$1" >> both')
    expect(readFileSync(join(folder, 'both'), 'utf8')).toBe('0123456789abcde\n'.repeat(4000))
  })

  test('is added to a file that another program has begun', () => {
    run('{ echo first; "$0" "$1"; echo last; } > shared')
    expect(readFileSync(join(folder, 'shared'), 'utf8')).toBe(`first\n${'0123456789abcde\n'.repeat(2000)}last\n`)
  })

  test('is written to the file of a descriptor, even a single byte', async () => {
    const path = join(folder, 'direct')
    const fd = openSync(path, 'w')
    const sink = streamSink({ on: () => {}, write: () => true, fd })
    await sink.write('é')
    await sink.write('\n')
    closeSync(fd)
    expect(readFileSync(path, 'utf8')).toBe('é\n')
  })
})

describe.skipIf(process.platform !== 'linux')('a sink that was closed from the beginning', () => {
  const sinkOf = (path: string, flags: number) => {
    const fd = openSync(path, flags)
    onTestFinished(() => closeSync(fd))
    return streamSink(Object.assign(new Writable(), { fd }))
  }

  test.for([
    ['/dev/null', constants.O_RDWR, true],
    ['/dev/null', constants.O_WRONLY, false],
    ['/dev/null', constants.O_RDONLY, false],
    ['/dev/zero', constants.O_RDWR, false],
  ] as const)(
    'is recognized by /dev/null, opened for reading and writing: %s, opened with %i: %s',
    ([path, flags, closed]) => {
      expect(sinkOf(path, flags).wasClosed).toBe(closed)
    },
  )

  test('is not assumed for a closed descriptor, or without any', () => {
    const fd = openSync('/dev/null', constants.O_RDWR)
    closeSync(fd)
    expect(streamSink(Object.assign(new Writable(), { fd })).wasClosed).toBe(false)
    expect(streamSink(new Writable()).wasClosed).toBe(false)
  })
})
