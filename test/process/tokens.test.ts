/** Ctrl-C during `tokens rotate`, and new tokens whose text cannot be printed. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { lossyProxy } from '../support/lossy-proxy'
import { test as base } from '../support/process'
import { preloading } from '../support/program'

interface Rotation {
  /** Rotates the token of a context, and sends SIGINT while a proxy holds such a request, `after` that many others. */
  interrupted(request: { method: string; path: string | RegExp; after?: number }, lost?: 'lost'): Promise<Outcome>
}

interface Outcome {
  exit: number | null
  stderr: string
  /** Token on stdout, by id. */
  printed: number | undefined
  /** Ids of valid tokens. */
  valid: number[]
  /** Token in the context, by id. */
  stored: number | undefined
}

/** Shortens the wait for an answer that never comes. */
const faster = { ...preloading(join(import.meta.dirname, '../support/fast-clock.cjs')), FASTER: '5' }

const old = 9000
const text = `facade00${'5'.repeat(56)}`

const test = base.extend<Rotation>({
  interrupted: async ({ sandbox, world, skyctl, start, home }, use) => {
    const [pattern] = world.tokens.all()
    if (!pattern) throw new Error('the sandbox has no token')
    world.tokens.put({ ...pattern, id: old, token: text, label: 'job', expiry: null })
    const proxy = await lossyProxy(sandbox.baseUrl)
    const env = { SKYCTL_TOKEN: undefined, SKYCTL_BASE_URL: undefined }
    await skyctl(`auth login --context prod --with-token --base-url ${proxy.baseUrl}`, { env, stdin: text })
    const idOf = (token: unknown) => world.tokens.all().find((one) => one.token === token)?.id
    await use(async ({ method, path, after = 0 }, lost) => {
      for (let passed = 0; passed < after; passed += 1) proxy.pass(method, path)
      const { arrived, release } = proxy.hold(method, path)
      const { kill, until, end } = start('tokens rotate job --yes --json', { env: { ...env, ...(lost && faster) } })
      await arrived
      kill('SIGINT')
      if (method !== 'GET') {
        await until('a second signal stops at once')
        if (!lost) release()
      }
      const { exit, stdout, stderr } = await end
      const { contexts } = JSON.parse(readFileSync(join(home, 'config', 'contexts.json'), 'utf8'))
      const ids = world.tokens.all().flatMap(({ id }) => (id >= old ? [id] : []))
      return {
        exit,
        stderr,
        printed: stdout === '' ? undefined : idOf(JSON.parse(stdout).token),
        valid: ids,
        stored: idOf(contexts.prod.token),
      }
    })
    await proxy.close()
  },
})

const next = old + 1
const error = ({ stderr }: Outcome) => JSON.parse(stderr.split('\n').at(-2) ?? '').error

describe.concurrent('An interrupted rotation', () => {
  test('changes nothing before it creates a token', async ({ interrupted }) => {
    const outcome = await interrupted({ method: 'GET', path: /^\/profile\/tokens/ })
    expect(outcome).toMatchObject({ exit: 130, printed: undefined, valid: [old], stored: old })
  })

  test('prints the token that it has just created, and reports both as valid', async ({ interrupted }) => {
    const outcome = await interrupted({ method: 'POST', path: '/profile/tokens' })
    expect(outcome).toMatchObject({ exit: 130, printed: next, valid: [old, next], stored: old })
    expect(error(outcome).message).toBe(
      `interrupted; token ${next} was created to replace it, and token ${old} is still valid`,
    )
  })

  test('reports the old token as valid if the answer to the creation is lost', async ({ interrupted }) => {
    const outcome = await interrupted({ method: 'POST', path: '/profile/tokens' }, 'lost')
    expect(outcome).toMatchObject({ exit: 11, printed: undefined, valid: [old], stored: old })
    expect(error(outcome).message).toContain(`; token ${old} is still valid`)
  })

  test('reports both tokens as valid while it checks the new one', async ({ interrupted }) => {
    const outcome = await interrupted({ method: 'GET', path: '/profile', after: 1 })
    expect(outcome).toMatchObject({ exit: 130, printed: next, valid: [old, next], stored: old })
    expect(error(outcome).message).toContain(`token ${old} is still valid`)
  })

  test('succeeds if the old token is revoked in time', async ({ interrupted }) => {
    const outcome = await interrupted({ method: 'DELETE', path: `/profile/tokens/${old}` })
    expect(outcome).toMatchObject({ exit: 0, printed: next, valid: [next], stored: next })
  })

  test('reports that the old token may be valid if the answer to its revocation is lost', async ({ interrupted }) => {
    const outcome = await interrupted({ method: 'DELETE', path: `/profile/tokens/${old}` }, 'lost')
    expect(outcome).toMatchObject({ exit: 130, printed: next, stored: next })
    expect(outcome.valid).toContain(next)
    expect(error(outcome).message).toContain(`token ${next} replaces it, and token ${old} may still be valid`)
  })
})

describe.concurrent('A new token that stdout cannot take', () => {
  test.for([
    ['a full disk', '> /dev/full', 'cannot write the output: no space is left on the device'],
    ['a reader that has gone', '| true', 'the output is closed'],
    ['a closed stdout', '>&-', 'the output is closed'],
  ])('is saved in a private file, named in the error: %s', async ([, rest, reason], { shell, world, home }) => {
    const { stderr } = await shell(
      `{ skyctl tokens create --label ci --scope volumes:read_only --expiry 30d --json; echo exit $? >&2; } ${rest}`,
    )
    const { id, token } = world.tokens.all().at(-1) ?? { id: 0 }
    const [failure = '', exit] = stderr.split('\n')
    expect(exit).toBe('exit 12')
    const folder = join(home, 'state', 'unread')
    const [name = ''] = readdirSync(folder)
    expect(JSON.parse(failure).error.message).toBe(
      `${reason}; the text of token "ci" (${id}) is in the private file "${join(folder, name)}"`,
    )
    expect(readFileSync(join(folder, name), 'utf8')).toBe(`${token}\n`)
  })

  test('is not saved if stdout is /dev/null', async ({ shell, home }) => {
    expect(await shell('skyctl tokens create --label ci > /dev/null')).toMatchObject({
      exit: 0,
    })
    expect(existsSync(join(home, 'state', 'unread'))).toBe(false)
  })
})
