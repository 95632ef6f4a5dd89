/** `tokens create` without flags in a terminal, against a real sandbox. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished } from 'vitest'
import { lossyProxy } from '../support/lossy-proxy'
import type { World } from '../support/sandbox'
import { down, enter, interruptAfter, type Step, step, presentTest as test, walk } from './steps'

const day = 86_400_000
const bodySent = (world: World) => world.requests('POST')[0]?.body as Record<string, string>
const label = step('? Label', `ci${enter}`)
const selectResources = step('? What may it do?', enter)
/** Selects account:read_only and child_account:read_write. */
const scopes = step('? Scopes', ` ${down}  ${enter}`)
const expiry = (downs: number) => step('? When does it expire?', down.repeat(downs) + enter)
const create = step('? Create this token? (y/N)', `y${enter}`)

describe('tokens create without flags', () => {
  test.for([40, 80])(
    'asks for label, scopes and expiry, and prints the token once: %i columns',
    async (columns, { terminal, world, clock }) => {
      const one = terminal('tokens create', { columns, rows: 40 })
      await walk(one, [label, selectResources, scopes, expiry(1), create])
      const { exit, screen } = await one.end
      expect(exit).toBe(0)
      const body = bodySent(world)
      expect(body).toEqual({
        label: 'ci',
        scopes: 'account:read_only child_account:read_write',
        expiry: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/),
      })
      expect(Math.abs(Date.parse(`${body.expiry}Z`) - clock.now() - 90 * day)).toBeLessThan(60_000)
      const { token } = world.tokens.all().at(-1) ?? { token: '' }
      expect(screen.join('').split(token)).toHaveLength(2)
      const line =
        'Next time: skyctl tokens create --label ci --scope account:read_only,child_account:read_write --expiry 90d'
      expect(screen.join('').replaceAll(/[ \\]/g, '')).toContain(line.replaceAll(' ', ''))
    },
  )

  test('prints a summary, and creates nothing after a no', async ({ terminal, world }) => {
    const one = terminal('tokens create', { columns: 100 })
    await walk(one, [label, selectResources, scopes, expiry(4), step('? Create this token? (y/N)', enter)])
    const { exit, screen } = await one.end
    expect(exit).toBe(6)
    expect(screen.slice(-6)).toEqual([
      '  Label:   ci',
      '  Scopes:  account:read_only child_account:read_write',
      '  Expires: never',
      'Warning: it stays valid until it is revoked; nobody may notice that it leaked.',
      '✘ Create this token? No',
      'skyctl: not confirmed; no token was created',
    ])
    expect(world.requests('POST')).toEqual([])
  })

  test('changes all scopes on "a"', async ({ terminal, world }) => {
    const one = terminal('tokens create', { columns: 100, rows: 40 })
    await walk(one, [label, selectResources, step('? Scopes', `a${enter}`), expiry(0), create])
    expect((await one.end).exit).toBe(0)
    const body = bodySent(world)
    const all = body.scopes?.split(' ') ?? []
    expect(all.length).toBeGreaterThan(10)
    expect(all.every((scope) => scope.endsWith(':read_only'))).toBe(true)
  })

  test('does not ask for values of flags', async ({ terminal, home, world }) => {
    const file = join(home, 'ci.token')
    const one = terminal(`tokens create --scope volumes:read_only --expiry 30d --output-file ${file}`)
    await walk(one, [label, create])
    expect((await one.end).exit).toBe(0)
    const { token } = world.tokens.all().at(-1) ?? { token: '' }
    expect(readFileSync(file, 'utf8')).toBe(`${token}\n`)
    expect(one.raw()).not.toContain(token)
  })

  const steps: Step[] = [label, selectResources, scopes, expiry(3), step('? Date', `2099-12-31${enter}`), create]
  test.for([0, 1, 2, steps.length - 1])(
    'creates nothing after Ctrl-C at prompt %i',
    async (index, { shellTerminal, world }) => {
      const { exit, screen } = await interruptAfter(shellTerminal, 'skyctl tokens create', steps.slice(0, index + 1))
      expect({ exit, last: screen.at(-1) }).toEqual({ exit: 130, last: 'skyctl: interrupted at a prompt' })
      expect(world.requests('POST')).toEqual([])
    },
  )
})

test.for([
  [`y${enter}`, 'it is revoked. Try again', 0],
  [enter, 'Revoke it, then try again: skyctl tokens revoke', 1],
] as const)(
  'A token whose text was lost is revoked only after a question: %j',
  async ([input, message, left], { terminal, sandbox, world, clock }) => {
    // The clock is stopped; tokens from before the request are not candidates for its result.
    clock.advance(60_000)
    const proxy = await lossyProxy(sandbox.baseUrl)
    onTestFinished(() => proxy.close())
    const before = world.tokens.all().length
    proxy.lose('POST', '/profile/tokens', 'answer lost')
    const one = terminal('tokens create --label ci', { columns: 300, env: { SKYCTL_BASE_URL: proxy.baseUrl } })
    await one.until('The answer was lost, with the text of the new token')
    one.type(input)
    const { exit, screen } = await one.end
    expect({ exit, left: world.tokens.all().length - before }).toEqual({ exit: 11, left })
    expect(screen.join(' ')).toContain(message)
  },
)
