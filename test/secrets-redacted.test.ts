/** Leaks of secrets that no sample of a command tries. */
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { describe, expect } from 'vitest'
import { openDebugFile } from '../src/cli/debug-file'
import { RunSession } from '../src/cli/run-session'
import type { Flags } from '../src/engine/command'
import { KnownSecrets } from '../src/rules/secrets'
import { manualClock } from './support/clock'
import { faultServer, reply } from './support/fault-server'
import { missingPath } from './support/nonexistent'
import { testClock } from './support/run'
import { openEchoService } from './support/secret-echo-service'
import { keys, test } from './support/terminal'

const answer = 'a dog called Rex, whom my aunt Matilda had given to us in the summer of seventy-six'
const errorsWith = (reason: string) => ({ errors: [{ field: reason, reason }] })

describe('a secret that is longer than a terminal line', () => {
  test.for([400, 299])('is not printed in parts: %i', async (status, { skyctl }) => {
    const body = status === 400 ? errorsWith(`no, ${answer}!`) : { warnings: [{ title: `no, ${answer}!` }] }
    const server = await faultServer(reply(status, body))
    const { stderr, stdout } = await skyctl('api POST /profile --body -', {
      env: { SKYCTL_BASE_URL: `http://${server.host}/v4` },
      stdin: JSON.stringify({ response: answer }),
      interactive: true,
    })
    expect(stderr).toContain('no, [redacted]!')
    for (const part of ['a dog', 'aunt', 'seventy']) expect(stderr).not.toContain(part)
    // It was sent as data, and is returned as data.
    expect(stdout.includes(answer)).toBe(status === 299)
  })
})

type Speak = (session: RunSession, drawn: Promise<unknown>) => Promise<unknown>

describe('messages of a run', () => {
  /** Returns the stderr of `speak` on a narrow terminal. */
  async function stderrOf(flags: Flags, speak: Speak) {
    let text = ''
    const drawn = new AbortController()
    const write = (chunk: string | Uint8Array, done: () => void) => {
      text += String(chunk)
      drawn.abort()
      done()
      return true
    }
    const clock = testClock(manualClock())
    const io = {
      ...{ argv: [], env: {}, stdin: new PassThrough(), stdout: new PassThrough(), platform: 'linux' as const },
      stderr: { write, on() {}, isTTY: true, columns: 40, rows: 24 },
      ...{ homedir: () => missingPath, clock, random: () => 0.5, program: [], loadAll() {} },
      ...{ onSignal: () => () => {}, catchSignals: () => () => {} },
    }
    const secrets = new KnownSecrets()
    secrets.learn(answer)
    const session = await RunSession.open(io, flags, { signal: new AbortController().signal, secrets })
    await speak(session, once(drawn.signal, 'abort'))
    await session.close()
    return text
  }

  test.for<[string, Flags, Speak]>([
    ['a sentence', {}, (session) => session.ui.status(`So it is: ${answer}`)],
    ['a warning', {}, (session) => session.ui.warn(`So it is: ${answer}`)],
    ['a warning in JSON', { json: true }, (session) => session.ui.warn(`So it is: ${answer}`)],
    ['a line of --debug in JSON', { json: true }, (session) => session.ui.log('debug', `So it is: ${answer}`)],
    [
      'a progress line',
      {},
      async (session, drawn) => {
        const progress = await session.ui.progress(`So it is: ${answer}`)
        await drawn
        progress.done()
      },
    ],
  ])('redact a secret completely in %s', async ([, flags, speak]) => {
    const text = await stderrOf(flags, speak)
    expect(text.replaceAll('\n', ' ')).toContain('So it is: [redacted]')
    for (const part of ['a dog', 'aunt', 'seventy']) expect(text).not.toContain(part)
  })
})

test('an error message longer than a line redacts a secret completely', async ({ skyctl }) => {
  const proxy = `http://me:${encodeURIComponent(answer)}@proxy.example.net:3128`
  const env = { SKYCTL_CONTEXT: answer, HTTPS_PROXY: proxy }
  for (const line of ['volumes list', 'volumes list --debug', 'volumes list --json']) {
    const { exit, stderr } = await skyctl(line, { env, interactive: true })
    expect({ line, exit, stderr }).toEqual({ line, exit: 5, stderr: expect.stringContaining('[redacted]') })
    for (const part of ['a dog', 'aunt', 'seventy']) expect(stderr).not.toContain(part)
  }
})

describe('the password of a proxy', () => {
  test.for(['HTTPS_PROXY', 'https_proxy'])('in %s is redacted, both encoded and decoded', async (name, { skyctl }) => {
    const decoded = 'pass/word of@the:proxy'
    const encoded = encodeURIComponent(decoded)
    const server = await faultServer([
      reply(400, errorsWith(`${decoded} or ${encoded}`)),
      reply(200, { label: `${decoded} or ${encoded}` }),
    ])
    const env = { SKYCTL_BASE_URL: `http://${server.host}/v4`, [name]: `http://me:${encoded}@proxy.example.net:3128` }
    const rejected = await skyctl('api GET /profile', { env })
    expect(rejected.stderr).toBe('skyctl: [redacted] or [redacted]: [redacted] or [redacted]\n')
    expect((await skyctl('api GET /profile', { env })).stdout).toBe('{\n  "label": "[redacted] or [redacted]"\n}\n')
  })
})

test('a code in a flag is not quoted in its error message', async ({ skyctl }) => {
  for (const line of ['profile phone verify --otp-code 12345x6', 'profile tfa confirm --tfa-code 12345x6']) {
    const { exit, stderr } = await skyctl(line)
    expect({ line, exit, quoted: stderr.includes('12345x6') }).toEqual({ line, exit: 2, quoted: false })
  }
})

test('a code in a flag is redacted before anything is sent', async ({ skyctl }) => {
  const { stderr } = await skyctl('profile phone verify --otp-code 462046', { env: { SKYCTL_CONTEXT: '462046' } })
  expect(stderr).toMatch(/^skyctl: context "\[redacted\]" \(from SKYCTL_CONTEXT\) not found/)
})

test('a debug file has redacted lines', ({ home }) => {
  const path = join(home, 'debug.log')
  const clean = (text: string) => text.replaceAll('geheim', '[redacted]')
  const file = openDebugFile(path, { clock: { now: () => 0 }, clean, warn() {}, lost() {} })
  file.note('a geheim')
  file.tell({ request: 1, attempt: 1, text: '< 200', serviceId: 'geheim-1' })
  file.close()
  expect(readFileSync(path, 'utf8').match(/\S*(geheim|redacted)\S*/g)).toEqual(['[redacted]', '[redacted]-1'])
})

test('a journal has no token that a service returned', async ({ skyctl, sandbox, home, env }) => {
  const service = await openEchoService(sandbox.baseUrl, 'labels')
  const file = join(home, 'done.ndjson')
  const line = `ips rdns 192.0.2.11 www.example.net --journal ${file}`
  expect((await skyctl(line, { env: { SKYCTL_BASE_URL: service.baseUrl } })).exit).toBe(0)
  await service.close()
  const journal = readFileSync(file, 'utf8')
  expect(journal).toContain('"rdns":"www.example.net [redacted]')
  expect(journal).not.toContain(env.SKYCTL_TOKEN?.slice(0, 32))
})

test('a question does not show a token that is the label of an object', async ({ terminal, world, env }) => {
  const { SKYCTL_TOKEN: token = '' } = env
  const { id } = world.volume({ label: `x ${token}` })
  const { until, type, raw, end } = terminal(`volumes delete ${id}`)
  await until('"x [redacted]"')
  type(`y${keys.enter}`)
  expect((await end).exit).toBe(0)
  expect(raw()).not.toContain(token.slice(0, 32))
  expect(raw()).toContain('Deleted volume "x [redacted]"')
})

test('the sandbox prints its token, even if it is the current one', async ({ start, skyctl, sandbox }) => {
  const env = { SKYCTL_TOKEN: sandbox.ownerToken }
  const running = start('sandbox start --json', { env })
  expect(await running.until('"token"')).toContain(sandbox.ownerToken)
  running.kill('SIGTERM')
  const world = await skyctl("sandbox world -o tsv --query 'tokens[].token'", {
    env: { ...env, SKYCTL_BASE_URL: undefined },
  })
  expect(world.stdout.split('\n')).toContain(sandbox.ownerToken)
})
