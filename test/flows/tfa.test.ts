/** `profile tfa setup` in a terminal, from the first key to the last, against a real sandbox. */
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { Secret, TOTP } from 'otpauth'
import { describe, expect } from 'vitest'
import type { OpenTerminal } from '../support/terminal'
import { down, enter, interruptAfter, presentTest, type Step, step, walk } from './steps'

const test = presentTest.extend<{ answered: undefined; enabled: () => boolean }>({
  answered: async ({ shell }, use) => {
    const answers = [1, 2, 3].map((question_id) => ({ question_id, response: 'kept' }))
    const stdin = JSON.stringify({ security_questions: answers })
    await shell('skyctl profile security-questions answer --body -', { stdin })
    await use(undefined)
  },
  enabled: async ({ world }, use) =>
    use(() => world.users.all().find(({ username }) => username === 'owner')?.two_factor_auth === true),
})

const rows = 60
const utf8 = { LANG: 'C.UTF-8' }
const secretIn = (screen: readonly string[]) =>
  [...screen.join(' ').matchAll(/Secret for an authenticator app: +([A-Z2-7]+) /g)].at(-1)?.[1] ?? ''

/** The code of the secret that the terminal shows. */
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
    'is on when a code is accepted, on %i columns',
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

  test('has security questions answered first where they are not', async ({ terminal, clock, enabled, world }) => {
    const one = terminal('profile tfa setup', { rows, env: utf8 })
    await one.until('Two-factor authentication needs three answered security questions.')
    await walk(one, [...answers, step('? Send these answers? (y/N)', `y${enter}`)])
    await walk(one, [step(asksCode, () => codeOf(one, clock.now()) + enter), saved])
    expect({ exit: (await one.end).exit, enabled: enabled() }).toEqual({ exit: 0, enabled: true })
    expect(world.requests('POST').map(({ path }) => path)).toEqual([
      '/profile/security-questions',
      '/profile/tfa-enable',
      '/profile/tfa-enable-confirm',
    ])
  })

  test('asks again for a wrong code and for what is no code', async ({
    terminal,
    clock,
    enabled,
    world,
    answered: _,
  }) => {
    const one = terminal('profile tfa setup', { rows })
    await walk(one, [step(asksCode, `12a${enter}`), step('> Must be digits only', '\x15')])
    const wrong = (code: string) => code.replace(/.$/, (digit) => String((Number(digit) + 1) % 10))
    one.type(wrong(codeOf(one, clock.now())) + enter)
    await one.until(/Invalid code\. Type the next code(.|\n)*\n\? Code/)
    one.type(codeOf(one, clock.now()) + enter)
    await walk(one, [saved])
    expect({ exit: (await one.end).exit, enabled: enabled() }).toEqual({ exit: 0, enabled: true })
    expect(world.requests('POST').filter(({ path }) => path.endsWith('confirm'))).toHaveLength(2)
  })

  test('keeps the secret where Enter alone is followed by no, and takes a code as the app shows it', async ({
    terminal,
    clock,
    enabled,
    world,
    answered: _,
  }) => {
    const one = terminal('profile tfa setup --qr none', { rows })
    await one.until(asksCode)
    one.type(enter)
    await one.until('Create another secret? (y/N)')
    one.type(enter)
    await one.until(/No\n\? Code from the authenticator app/)
    const code = codeOf(one, clock.now())
    one.type(`${code.slice(0, 3)} ${code.slice(3)} ${enter}`)
    await walk(one, [saved])
    expect({ exit: (await one.end).exit, enabled: enabled() }).toEqual({ exit: 0, enabled: true })
    expect(world.requests('POST').map(({ path }) => path)).toEqual([
      '/profile/security-questions',
      '/profile/tfa-enable',
      '/profile/tfa-enable-confirm',
    ])
  })

  test('makes another secret when one asks for it, as where the first has expired', async ({
    terminal,
    clock,
    enabled,
    answered: _,
  }) => {
    const one = terminal('profile tfa setup --qr none', { rows })
    await one.until(asksCode)
    const first = secretIn(one.screen())
    clock.advance(25 * 3_600_000)
    one.type(codeOf(one, clock.now()) + enter)
    await one.until(/has expired(.|\n)*\? Code/)
    one.type(enter)
    await one.until('? The secret above will no longer work. Create another secret? (y/N)')
    one.type(`y${enter}`)
    await one.until(/Here is another secret(.|\n)*\? Code/)
    expect(secretIn(one.screen())).not.toBe(first)
    one.type(codeOf(one, clock.now()) + enter)
    await walk(one, [saved])
    expect({ exit: (await one.end).exit, enabled: enabled() }).toEqual({ exit: 0, enabled: true })
  })

  test.for([
    [-95_000, 'ahead of'],
    [95_000, 'behind'],
  ] as const)(
    'says that the clock is %i ms off before it costs a code',
    async ([skew, side], { terminal, clock, answered: _ }) => {
      clock.advance(skew)
      const one = terminal('profile tfa setup', { rows })
      const screen = await one.until(asksCode)
      expect(screen.slice(0, 2).join('\n')).toMatch(
        new RegExp(
          `^The clock of this computer is 9\\d s ${side} the clock of the service\\.\nThe service would reject its codes`,
        ),
      )
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
    expect(one.raw().includes('\x1b[30;107m')).toBe(kind !== 'none')
  })

  test('--scratch-file keeps the scratch code from the screen', async ({ terminal, clock, home, answered: _ }) => {
    const file = join(home, 'scratch.txt')
    const one = terminal(`profile tfa setup --scratch-file ${file}`, { rows })
    await walk(one, [step(asksCode, () => codeOf(one, clock.now()) + enter), saved])
    expect((await one.end).exit).toBe(0)
    const scratch = readFileSync(file, 'utf8').trim()
    expect(scratch).not.toBe('')
    expect(one.raw()).not.toContain(scratch)
    expect(statSync(file).mode & 0o777).toBe(0o600)
  })

  test('asks until the scratch code is saved', async ({ terminal, clock, answered: _ }) => {
    const one = terminal('profile tfa setup', { rows })
    await walk(one, [
      step(asksCode, () => codeOf(one, clock.now()) + enter),
      step('(y/N)', enter),
      step(/locks you out\.\n\? It is not shown again/, `y${enter}`),
    ])
    expect((await one.end).exit).toBe(0)
  })

  test('leaves what is on as it is unless told otherwise', async ({ terminal, world }) => {
    for (const user of world.users.all()) world.users.put({ ...user, two_factor_auth: true })
    const one = terminal('profile tfa setup')
    await walk(one, [step('Two-factor authentication is on. Set it up with a new secret? (y/N)', enter)])
    expect((await one.end).exit).toBe(6)
    expect(world.requests('POST')).toEqual([])
  })
})

describe('Ctrl-C in profile tfa setup', () => {
  const line = 'LANG=C.UTF-8 skyctl profile tfa setup --qr none'

  const questions = [...answers, step('? Send these answers? (y/N)', `y${enter}`)]
  test.for(questions.map((_, index) => index))(
    'at question %i says that it is not on, and sends nothing',
    async (index, { shellTerminal, world }) => {
      const { exit, screen } = await interruptAfter(shellTerminal, line, questions.slice(0, index + 1))
      expect({ exit, last: screen.at(-1), sent: world.requests('POST') }).toEqual({
        exit: 130,
        last: 'skyctl: interrupted at a prompt; two-factor authentication is not on. Go on with: skyctl profile tfa setup',
        sent: [],
      })
    },
  )

  test('where it is on leaves it on', async ({ shellTerminal, world, enabled }) => {
    for (const user of world.users.all()) world.users.put({ ...user, two_factor_auth: true })
    const { exit, screen } = await interruptAfter(shellTerminal, line, [step('Set it up with a new secret? (y/N)')])
    expect({ exit, last: screen.at(-1), enabled: enabled(), sent: world.requests('POST') }).toEqual({
      exit: 130,
      last: 'skyctl: interrupted at a prompt',
      enabled: true,
      sent: [],
    })
  })

  test('at the code says that the secret changes nothing', async ({ shellTerminal, enabled, answered: _ }) => {
    const { exit, screen } = await interruptAfter(shellTerminal, line, [step(asksCode)])
    expect({ exit, enabled: enabled() }).toEqual({ exit: 130, enabled: false })
    expect(screen.at(-1)).toContain('not on: a secret changes nothing until a code confirms it. Go on with:')
  })

  test('after the questions says that they are answered', async ({ shellTerminal }) => {
    const steps = [...answers, step('(y/N)', `y${enter}`), step(asksCode)]
    const { screen } = await interruptAfter(shellTerminal, line, steps)
    expect(screen.at(-1)).toContain('the security questions are answered, but two-factor authentication is not on')
  })

  test('at the scratch code says that it is on', async ({ shellTerminal, clock, enabled, answered: _ }) => {
    let screen: () => string[] = () => []
    const open: typeof shellTerminal = (typed, options) => {
      const one = shellTerminal(typed, options)
      screen = one.screen
      return one
    }
    const code = () => codeOf({ screen } as OpenTerminal, clock.now()) + enter
    const end = await interruptAfter(open, line, [step(asksCode, code), saved])
    expect({ exit: end.exit, enabled: enabled() }).toEqual({ exit: 130, enabled: true })
    expect(end.screen.at(-1)).toContain('two-factor authentication is on, and the scratch code above replaces a code')
  })
})

describe('profile tfa disable', () => {
  test('asks nothing where two-factor authentication is off', async ({ terminal, enabled }) => {
    const { exit, screen } = await terminal('profile tfa disable').end
    expect({ exit, screen: screen.join('\n').trim(), enabled: enabled() }).toEqual({
      exit: 0,
      screen: 'Two-factor authentication is already off',
      enabled: false,
    })
  })
})
