/** `profile tfa setup` in a terminal, against a real sandbox. */
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { Secret, TOTP } from 'otpauth'
import { describe, expect } from 'vitest'
import type { OpenTerminal } from '../support/terminal'
import { down, enter, interruptAfter, presentTest, type Step, step, walk } from './steps'

const test = presentTest.extend<{ answered: undefined; enabled: () => boolean }>({
  answered: async ({ skyctl }, use) => {
    const answers = [1, 2, 3].map((question_id) => ({ question_id, response: 'kept' }))
    const stdin = JSON.stringify({ security_questions: answers })
    await skyctl('profile security-questions answer --body -', { stdin })
    await use(undefined)
  },
  enabled: async ({ world }, use) =>
    use(() => world.users.all().find(({ username }) => username === 'owner')?.two_factor_auth === true),
})

const rows = 60
const utf8 = { LANG: 'C.UTF-8' }
const secretIn = (screen: readonly string[]) =>
  [...screen.join(' ').matchAll(/Secret for an authenticator app: +([A-Z2-7]+) /g)].at(-1)?.[1] ?? ''

/** Returns the code for the secret on the screen. */
function codeOf({ screen }: OpenTerminal, timestamp: number): string {
  return new TOTP({ secret: Secret.fromBase32(secretIn(screen())), algorithm: 'SHA1', digits: 6 }).generate({
    timestamp,
  })
}

const asksCode = '? Code from the authenticator app'
const saved = step(/\? It is not shown again\. Is the scratch\s+code saved\?\s(.|\n)*\(y\/N\)/, `y${enter}`)
const answers: Step[] = [1, 2, 3].flatMap((count) => [
  step(`? Question ${count} of 3`, (count === 2 ? down : '') + enter),
  step(new RegExp(`${count} of 3(.|\\n)*\\? Answer`), `kept${enter}`),
])

describe('profile tfa setup', () => {
  test.for([40, 80])(
    'enables two-factor authentication after a code: %i columns',
    async (columns, { terminal, clock, enabled, answered: _ }) => {
      const one = terminal('profile tfa setup', { columns, rows, env: utf8 })
      await one.until(asksCode)
      expect(enabled()).toBe(false)
      const screen = one.screen()
      expect(Math.max(...screen.map((line) => line.length))).toBeLessThanOrEqual(columns)
      expect(secretIn(screen)).toMatch(/^[A-Z2-7]{16,}$/)
      expect(screen.join('').replaceAll(/\s/g, '')).toContain(
        `otpauth://totp/127.0.0.1:owner?secret=${secretIn(screen)}&issuer=127.0.0.1`,
      )
      await walk(one, [step(asksCode, () => codeOf(one, clock.now()) + enter), saved])
      const end = await one.end
      expect({ exit: end.exit, enabled: enabled() }).toEqual({ exit: 0, enabled: true })
      expect(end.screen.join('\n')).toMatch(/^scratch {2}\S+$/m)
      expect(end.screen.at(-1)).toBe('Two-factor authentication is on')
    },
  )

  test.for([
    ['utf8', /[▀▄█]/],
    ['ascii', /^$/],
    ['none', /^$/],
  ] as const)('draws the code as %s', async ([kind, drawn], { terminal, answered: _ }) => {
    const one = terminal(`profile tfa setup --qr ${kind}`, { rows, columns: 120 })
    const screen = await one.until(asksCode)
    const code = screen.slice(2, -1).join('').replaceAll(' ', '')
    expect(code).toMatch(drawn)
    expect(one.raw().includes('\x1b[38;5;16;48;5;231m')).toBe(kind !== 'none')
  })

  test('writes the scratch code only to --scratch-file', async ({ terminal, clock, home, answered: _ }) => {
    const file = join(home, 'scratch.txt')
    const one = terminal(`profile tfa setup --scratch-file ${file}`, { rows })
    await walk(one, [step(asksCode, () => codeOf(one, clock.now()) + enter), saved])
    expect((await one.end).exit).toBe(0)
    const scratch = readFileSync(file, 'utf8').trim()
    expect(scratch).not.toBe('')
    expect(one.raw()).not.toContain(scratch)
    expect(statSync(file).mode & 0o777).toBe(0o600)
  })
})

describe('Ctrl-C in profile tfa setup', () => {
  const line = 'LANG=C.UTF-8 skyctl profile tfa setup --qr none'

  const questions = [...answers, step('? Send these answers? (y/N)', `y${enter}`)]
  test.for([0, questions.length - 1])('at question %i sends nothing', async (index, { shellTerminal, world }) => {
    const { exit, screen } = await interruptAfter(shellTerminal, line, questions.slice(0, index + 1))
    expect({ exit, last: screen.at(-1), sent: world.requests('POST') }).toEqual({
      exit: 130,
      last: 'skyctl: interrupted at a prompt; two-factor authentication is not on. Go on with: skyctl profile tfa setup',
      sent: [],
    })
  })

  test('at the code reports that the secret changes nothing', async ({ shellTerminal, enabled, answered: _ }) => {
    const { exit, screen } = await interruptAfter(shellTerminal, line, [step(asksCode)])
    expect({ exit, enabled: enabled() }).toEqual({ exit: 130, enabled: false })
    expect(screen.at(-1)).toContain('not on: a secret changes nothing until a code confirms it. Go on with:')
  })
})

describe('profile tfa disable', () => {
  test('asks nothing if two-factor authentication is off', async ({ terminal, enabled }) => {
    const { exit, screen } = await terminal('profile tfa disable').end
    expect({ exit, screen: screen.join('\n').trim(), enabled: enabled() }).toEqual({
      exit: 0,
      screen: 'Two-factor authentication is already off',
      enabled: false,
    })
  })
})
