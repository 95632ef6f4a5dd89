/** `profile phone setup` in a terminal, from the first key to the last, against a real sandbox. */
import { describe, expect } from 'vitest'
import type { TestSandbox } from '../support/sandbox'
import { test as base } from '../support/terminal'
import { enter, interruptAfter, step, walk } from './steps'

const test = base.extend<{ lastCode: () => string; number: (present?: string | null) => string | null }>({
  lastCode: async ({ sandbox }, use) => use(() => String(sandbox.outbox().at(-1)?.code)),
  number: async ({ world }, use) => {
    const owner = () => world.users.all().find(({ username }) => username === 'owner')
    await use((present) => {
      const user = owner()
      if (user && present !== undefined) world.users.put({ ...user, verified_phone_number: present })
      return owner()?.verified_phone_number ?? null
    })
  },
})

const country = [step('? Country', 'germ'), step('Germany (DE, +49)', enter)]
const toCode = [...country, step('? Phone number in Germany (+49)', `030 1234567${enter}`)]
const code = (read: () => string) => step(/\? Code from the message/, () => read() + enter)
const wrong = (code: string) => code.replace(/.$/, (digit) => String((Number(digit) + 1) % 10))
const sent = ({ world }: TestSandbox) =>
  world.requests().flatMap(({ method, path }) => (method === 'GET' ? [] : [`${method} ${path}`]))

describe('profile phone setup', () => {
  test.for([40, 80])('verifies a number, on %i columns', async (columns, { terminal, lastCode, number }) => {
    const one = terminal('profile phone setup', { columns })
    await walk(one, [...toCode, code(lastCode)])
    const { exit, screen } = await one.end
    expect({ exit, number: number() }).toEqual({ exit: 0, number: '+49301234567' })
    const shown = columns === 80 ? screen.join('\n') : screen.join(' ').replaceAll(/\s+/g, ' ')
    const lines = [
      '✔ Country (type to search) Germany (DE, +49)',
      '✔ Phone number in Germany (+49) 030 1234567',
      'A code was sent. It is valid for 10 minutes.',
      `✔ Code from the message ${lastCode()}`,
      'The phone number is verified',
      'Next time: skyctl profile phone send --iso-code DE --phone-number +49301234567',
    ]
    expect(shown).toBe(lines.join(columns === 80 ? '\n' : ' '))
  })

  test.for([
    ['de_AT.UTF-8', 'Austria (AT, +43)'],
    ['en_GB', 'United Kingdom (GB, +44)'],
    ['C', 'Afghanistan (AF, +93)'],
  ] as const)('offers the country of the locale %s first', async ([LANG, first], { terminal }) => {
    const one = terminal('profile phone setup', { env: { LANG } })
    expect((await one.until('? Country')).join('\n')).toMatch(/\? Country/)
    const screen = await one.until(first)
    expect(screen.findIndex((line) => line.includes('(')) + 1).toBe(screen.findIndex((line) => line.includes(first)))
  })

  test.for([
    ['austr', ['Australia (AU, +61)', 'Austria (AT, +43)']],
    ['+43', ['Austria (AT, +43)']],
    ['at', ['Austria (AT, +43)']],
  ] as const)('finds countries by "%s"', async ([typed, found], { terminal }) => {
    const one = terminal('profile phone setup')
    await walk(one, [step('? Country', typed)])
    for (const name of found) await one.until(name)
  })

  test('counts the ten minutes down', async ({ terminal }) => {
    const one = terminal('profile phone setup')
    await walk(one, toCode)
    await one.until('(10:00 left; Enter resends)')
    await one.until(/\(9:5\d left; Enter resends\)/)
  })

  test('asks again for a wrong code, and for what is no code before it is sent', async ({
    terminal,
    sandbox,
    lastCode,
    number,
  }) => {
    const one = terminal('profile phone setup')
    await walk(one, [
      ...toCode,
      code(() => '12a'),
      step('Must be digits only', '\x15'),
      code(() => wrong(lastCode())),
      step(/Invalid code\. Try again(.|\n)*\? Code/, () => lastCode() + enter),
    ])
    expect((await one.end).exit).toBe(0)
    expect(number()).toBe('+49301234567')
    expect(sent(sandbox)).toEqual([
      'POST /profile/phone-number',
      'POST /profile/phone-number/verify',
      'POST /profile/phone-number/verify',
    ])
  })

  test('Enter alone sends the same code again, and another one when it has expired', async ({
    terminal,
    sandbox,
    clock,
    lastCode,
  }) => {
    const one = terminal('profile phone setup')
    await walk(one, toCode)
    await one.until('? Code')
    const first = lastCode()
    one.type(enter)
    await one.until(
      /A code was sent\. It is valid for 10 minutes(.|\n)*The same code was sent again\. It is valid for another (10:00|9:5\d)(.|\n)*\? Code/,
    )
    expect(sandbox.outbox().map(({ code }) => code)).toEqual([first, first])
    clock.advance(10 * 60_000)
    one.type(first + enter)
    await one.until('The code has expired')
    one.type(enter)
    await one.until(/(was sent(.|\n)*){3}\? Code/)
    expect(lastCode()).not.toBe(first)
    one.type(lastCode() + enter)
    expect((await one.end).exit).toBe(0)
  })

  test('asks again for a number that no numbering plan allows', async ({ terminal, sandbox }) => {
    const one = terminal('profile phone setup')
    await walk(one, [...country, step('? Phone number', `1${enter}`), step('That number is too short for Germany')])
    one.type(`030 CALL ME${enter}`)
    await one.until(/too short(.|\n)*That number/)
    expect(sent(sandbox)).toEqual([])
  })

  test('asks again for a number that the service refuses', async ({ terminal, lastCode, number }) => {
    const one = terminal('profile phone setup')
    await walk(one, [
      ...country,
      step('? Phone number', `03012${enter}`),
      step(/Must be a valid phone number of DE\.\n\? Phone number/, `030 1234567${enter}`),
      code(lastCode),
    ])
    expect({ exit: (await one.end).exit, number: number() }).toEqual({ exit: 0, number: '+49301234567' })
  })

  test('removes a verified number only after asking', async ({ terminal, sandbox, number, lastCode }) => {
    number('+12125550100')
    const no = terminal('profile phone setup')
    await walk(no, [step('+12125550100 is verified. Remove it and verify another? (y/N)', enter)])
    expect(await no.end).toMatchObject({ exit: 6 })
    expect(sent(sandbox)).toEqual([])
    const yes = terminal('profile phone setup')
    await walk(yes, [step('(y/N)', `y${enter}`), ...toCode, code(lastCode)])
    expect((await yes.end).exit).toBe(0)
    expect(sent(sandbox)).toEqual([
      'DELETE /profile/phone-number',
      'POST /profile/phone-number',
      'POST /profile/phone-number/verify',
    ])
    expect(number()).toBe('+49301234567')
  })

  test.for([
    { at: 'the country', steps: country.slice(0, 1), left: undefined },
    { at: 'the number', steps: toCode, left: undefined },
    { at: 'the code', steps: [...toCode, code(() => '')], left: 'no number is verified' },
  ])('Ctrl-C at $at says what is left undone', async ({ steps, left }, { shellTerminal }) => {
    const { exit, screen } = await interruptAfter(shellTerminal, 'skyctl profile phone setup', steps)
    expect(exit).toBe(130)
    const state = left ? `; ${left}. Go on with: skyctl profile phone setup` : ''
    expect(screen.at(-1)).toBe(`skyctl: interrupted at a prompt${state}`)
  })

  test('Ctrl-C leaves a verified number that was not given up', async ({ shellTerminal, sandbox, number }) => {
    number('+12125550100')
    for (const steps of [[step('(y/N)', `y${enter}`)], [step('(y/N)', `y${enter}`), ...toCode]]) {
      const { exit, screen } = await interruptAfter(shellTerminal, 'skyctl profile phone setup', steps)
      expect({ exit, last: screen.at(-1) }).toEqual({ exit: 130, last: 'skyctl: interrupted at a prompt' })
    }
    expect({ sent: sent(sandbox), number: number() }).toEqual({ sent: [], number: '+12125550100' })
  })

  test('Ctrl-C says that the earlier number is gone where it is', async ({ shellTerminal, number }) => {
    number('+12125550100')
    const steps = [step('(y/N)', `y${enter}`), ...toCode, code(() => '')]
    const { screen } = await interruptAfter(shellTerminal, 'skyctl profile phone setup', steps)
    expect(screen.at(-1)).toContain('the earlier number is removed, and no other is verified')
    expect(number()).toBeNull()
  })

  test('names the outbox where the service is the sandbox, and nowhere else', async ({ terminal, shell }) => {
    const env = { SKYCTL_TOKEN: undefined, SKYCTL_BASE_URL: undefined, SKYCTL_CONTEXT: 'sandbox' }
    const where = 'The sandbox shows it with: skyctl sandbox outbox'
    const one = terminal('profile phone setup', { env })
    await walk(one, toCode)
    expect((await one.until('? Code')).join('\n')).toContain(where)
    const send = 'skyctl profile phone send --iso-code DE --phone-number 0301234567'
    expect((await shell(send, { env })).stderr).toContain(where)
    expect((await shell(`${send} --json`, { env })).stderr).toBe('')
    expect((await shell(send)).stderr).not.toContain('outbox')
  })

  test('is refused where there is no terminal, with the commands for scripts', async ({ skyctl, world }) => {
    const { exit, stderr } = await skyctl('profile phone setup')
    expect(exit).toBe(2)
    expect(stderr).toContain('skyctl profile phone send, then skyctl profile phone verify')
    expect(world.requests()).toEqual([])
  })
})
