import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { test as base } from '../support/in-process-shell'
import type { Running } from '../support/process'

interface Server extends Running {
  base_url: string
  token: string
  /** Options of a command that uses it. */
  client: { env: { SKYCTL_BASE_URL: string; SKYCTL_TOKEN: string } }
}

const test = base.extend<{ serve(flags?: string): Promise<Server> }>({
  serve: async ({ start }, use) =>
    use(async (flags = '') => {
      const running = start(`sandbox start --json ${flags}`)
      const { base_url, token } = JSON.parse(await running.until('\n'))
      return { ...running, base_url, token, client: { env: { SKYCTL_BASE_URL: base_url, SKYCTL_TOKEN: token } } }
    }),
})

describe('sandbox start', () => {
  test.for(['SIGINT', 'SIGTERM'] as const)('succeeds on %s, and frees its port', async (signal, { serve }) => {
    const { base_url, token, kill, end } = await serve()
    // A client with an open connection does not delay the end.
    await fetch(`${base_url}/profile`, { headers: { authorization: `Bearer ${token}` } })
    kill(signal)
    expect(await end).toMatchObject({ exit: 0, signal: null, stderr: '' })
    const again = await serve(`--port ${new URL(base_url).port}`)
    expect(again.base_url).toBe(base_url)
  })

  test('rejects a port in use', async ({ shell, sandbox }) => {
    const { port } = new URL(sandbox.baseUrl)
    expect(await shell(`skyctl sandbox start --port ${port}`)).toMatchObject({
      exit: 12,
      stdout: '',
      stderr: expect.stringMatching(`^skyctl: cannot listen on 127\\.0\\.0\\.1:${port}: the port is in use`),
    })
  })
})

describe('sandbox start --state', () => {
  test('continues with the saved state after a kill', async ({ serve, shell, home }) => {
    const flags = `--state ${join(home, 'world.json')}`
    const first = await serve(flags)
    const created = await shell('skyctl volumes create --label stored --region us-east --quiet', first.client)
    expect(created).toMatchObject({ exit: 0 })
    first.kill('SIGKILL')
    await first.end
    const second = await serve(flags)
    expect(second.token).toBe(first.token)
    expect(await shell('skyctl volumes view stored --quiet', second.client)).toEqual(created)
  })

  test('allows one sandbox per file at a time', async ({ serve, shell, home }) => {
    const file = join(home, 'world.json')
    const { client } = await serve(`--state ${file}`)
    const { exit, stdout, stderr } = await shell(`skyctl sandbox start --json --state ${file}`)
    expect({ exit, stdout }).toEqual({ exit: 12, stdout: '' })
    expect(JSON.parse(stderr)).toMatchObject({ error: { code: 'local', message: expect.stringContaining(file) } })
    expect(await shell('skyctl volumes list --quiet', client)).toMatchObject({ exit: 0 })
  })
})

describe('The context "sandbox"', () => {
  const options = { env: { SKYCTL_TOKEN: undefined, SKYCTL_BASE_URL: undefined } }

  test('keeps its state between commands until a reset', async ({ shell }) => {
    const run = (line: string) => shell(`skyctl --context sandbox ${line}`, options)
    const { stdout: id } = await run('volumes create --label stored --region us-east --quiet --wait')
    expect(await run('volumes view stored -o csv --columns id,status --no-headers')).toMatchObject({
      stdout: `${id.trim()},active\n`,
    })
    expect(await run('sandbox reset')).toMatchObject({ exit: 2 })
    expect(await run('sandbox reset --yes')).toMatchObject({ exit: 0, stderr: 'Reset the sandbox\n' })
    expect(await run('volumes view stored')).toMatchObject({ exit: 5 })
  })

  test('supports four commands at once', async ({ shell }) => {
    const labels = Array.from({ length: 4 }, (_, index) => `v${index}`)
    const results = await Promise.all(
      labels.map((label) =>
        shell(`skyctl --context sandbox volumes create --label ${label} --region us-east --quiet`, {
          ...options,
          isProcess: true,
        }),
      ),
    )
    expect(results.map(({ exit, stderr }) => ({ exit, stderr }))).toEqual(labels.map(() => ({ exit: 0, stderr: '' })))
    expect(new Set(results.map(({ stdout }) => stdout)).size).toBe(4)
    const { stdout } = await shell(
      `skyctl --context sandbox volumes list --filter "label~v" -o csv --columns label --no-headers --sort label`,
      options,
    )
    expect(stdout.trim().split('\n')).toEqual(expect.arrayContaining(labels))
  })

  test('is used only if it is named', async ({ shell }) => {
    expect(await shell('skyctl volumes list', options)).toMatchObject({
      exit: 3,
      stderr: expect.stringMatching(/^skyctl: not signed in. Sign in with skyctl auth login, or try the sandbox: /),
    })
  })
})
