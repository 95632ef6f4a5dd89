/** `profile phone setup` in a terminal, against a real sandbox. */
import { describe, expect } from 'vitest'
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

describe('profile phone setup', () => {
  test.for([60, 80])('verifies a number: %i columns', async (columns, { terminal, lastCode, number }) => {
    const one = terminal('profile phone setup', { columns })
    await walk(one, [...toCode, code(lastCode)])
    const { exit, screen } = await one.end
    expect({ exit, number: number() }).toEqual({ exit: 0, number: '+49301234567' })
    const shown = columns === 80 ? screen.join('\n') : screen.join(' ').replaceAll(/( \\)?\s+/g, ' ')
    const lines = [
      '✔ Country (type to search) Germany (DE, +49)',
      '✔ Phone number in Germany (+49) 030 1234567',
      'A code was sent. It is valid for 10 minutes.',
      `✔ Code from the message (10:00 left; Enter resends) ${lastCode()}`,
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
    ['Brazil', 'BR, +55', '0055 11 91234 5678', '? Is it +5511912345678?', '+5511912345678'],
    [
      'Germany',
      'DE, +49',
      '+1 202 555 0123',
      '? +12025550123 is a number of +1, not of Germany. Use it?',
      '+12025550123',
    ],
  ] as const)(
    'asks about a number that is read as one of another country: %s, %s, %s',
    async ([name, codes, typed, question, sent], { terminal, sandbox }) => {
      const one = terminal('profile phone setup')
      const ask = step('? Phone number in', typed + enter)
      await walk(one, [step('? Country', name), step(`${name} (${codes})`, enter), ask, step(question, `n${enter}`)])
      expect(sandbox.outbox()).toEqual([])
      await walk(one, [ask, step(question, `y${enter}`)])
      await one.until('? Code from the message')
      expect(sandbox.outbox().at(-1)).toMatchObject({ to: sent })
    },
  )

  test('shows the ten minutes', async ({ terminal }) => {
    const one = terminal('profile phone setup')
    await walk(one, toCode)
    await one.until('(10:00 left; Enter resends)')
  })

  test.for([
    { at: 'the country', steps: country.slice(0, 1), left: undefined },
    { at: 'the number', steps: toCode, left: undefined },
    { at: 'the code', steps: [...toCode, code(() => '')], left: 'no number is verified' },
  ])('reports its state after Ctrl-C at $at', async ({ steps, left }, { shellTerminal }) => {
    const { exit, screen } = await interruptAfter(shellTerminal, 'skyctl profile phone setup', steps)
    expect(exit).toBe(130)
    const state = left ? `; ${left}. Go on with: skyctl profile phone setup` : ''
    expect(screen.at(-1)).toBe(`skyctl: interrupted at a prompt${state}`)
  })

  test('names the outbox only if the service is the sandbox', async ({ terminal, shell }) => {
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

  test('fails without a terminal, and names the commands for scripts', async ({ skyctl, world }) => {
    const { exit, stderr } = await skyctl('profile phone setup')
    expect(exit).toBe(2)
    expect(stderr).toContain(
      'skyctl profile phone send --iso-code COUNTRY --phone-number NUMBER, then skyctl profile phone verify --otp-code CODE',
    )
    expect(world.requests()).toEqual([])
  })
})
