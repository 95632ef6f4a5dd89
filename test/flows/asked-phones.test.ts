/** What `profile phone setup` asks, which answers it takes, and what it sends (api.md, Flows in the profile area). */
import { describe, expect } from 'vitest'
import type { Problem } from '../../src/errors'
import { setUpPhone } from '../../src/flows/phone'
import { observedClient } from '../support/service-client'
import { test as base } from '../support/skyctl'
import { type Answer, talk } from './talk'

const minute = 60_000

interface Walked {
  /** What it resolved to, or was refused with. */
  end: unknown
  lines: string[]
  offered: string[]
  /** What was sent besides reading. */
  sent: string[]
}

const test = base.extend<{
  walk(answers: Answer[], setup?: Partial<Parameters<typeof setUpPhone>[1]>): Promise<Walked>
  code: () => string
  verified(number: string): void
  /** From then on the service does not know the token. */
  revoke(): void
}>({
  walk: async ({ sandbox, world, clock }, use) =>
    use(async (answers, setup = {}) => {
      const { client } = observedClient(sandbox.baseUrl, { token: sandbox.ownerToken })
      const one = talk(...answers)
      const known = { guess: undefined, where: undefined, ...setup }
      const end = await setUpPhone({ ...one, client, clock }, known).catch((error) => error)
      const sent = world.requests().filter(({ method }) => method !== 'GET')
      return { end, ...one, sent: sent.map(({ method, path }) => `${method} ${path}`) }
    }),
  code: async ({ sandbox }, use) => use(() => String(sandbox.outbox().at(-1)?.code)),
  revoke: async ({ world, sandbox }, use) =>
    use(() => {
      for (const { id, token } of world.tokens.all()) if (token === sandbox.ownerToken) world.tokens.delete(id)
    }),
  verified: async ({ world }, use) =>
    use((number) => {
      for (const user of world.users.all()) world.users.put({ ...user, verified_phone_number: number })
    }),
})

const number = ['germ', '030 1234567']
const onItsWay = 'A code was sent. It is valid for 10 minutes.'
const send = 'POST /profile/phone-number'
const verify = `${send}/verify`
const codeQuestion = (lines: readonly string[]) => lines.filter((line) => line.startsWith('? Code'))

describe('a country', () => {
  test.for([
    ['+43', ['Austria (AT, +43)']],
    ['43', ['Austria (AT, +43)']],
    ['AUSTR', ['Australia (AU, +61)', 'Austria (AT, +43)']],
  ] as const)('is found by its calling code or a part of its name: "%s"', async ([typed, found], { walk }) => {
    expect((await walk([typed])).offered).toEqual(found)
  })

  test('is found by its code, which is not in its name', async ({ walk }) => {
    const { offered } = await walk([' dE '])
    expect(offered).toContain('Germany (DE, +49)')
    expect(offered).not.toContain('Austria (AT, +43)')
  })

  test('is offered first where it is guessed, and once', async ({ walk }) => {
    const first = async (guess: string | undefined) => (await walk([''], { guess })).offered
    const all = await first(undefined)
    expect(all.slice(0, 2)).toEqual(['Afghanistan (AF, +93)', 'Åland Islands (AX, +358)'])
    const guessed = await first('AT')
    expect(guessed.slice(0, 2)).toEqual(['Austria (AT, +43)', 'Afghanistan (AF, +93)'])
    expect(guessed.toSorted()).toEqual(all.toSorted())
  })
})

describe('a number', () => {
  test('is verified by the code that is sent to it', async ({ walk, code, world }) => {
    const { end, lines, sent } = await walk([...number, code])
    expect(end).toEqual({ country: 'DE', number: '+49301234567' })
    expect(lines).toEqual([
      '? Country (type to search)',
      '? Phone number in Germany (+49)',
      onItsWay,
      '? Code from the message (10:00 left; Enter resends)',
    ])
    expect(sent).toEqual([send, verify])
    expect(world.requests('POST')[0]?.body).toEqual({ iso_code: 'DE', phone_number: '+49301234567' })
  })

  test('that no numbering plan allows is asked for again, and sent nowhere', async ({ walk }) => {
    const { lines, sent } = await walk(['germ', '1', '030 CALL ME'])
    expect(lines.slice(2)).toEqual([
      'That number is too short for Germany.',
      '? Phone number in Germany (+49)',
      expect.stringMatching(/^That number is .* for Germany\.$/),
      '? Phone number in Germany (+49)',
    ])
    expect(sent).toEqual([])
  })

  test('that the service refuses is asked for again, and the other one is verified', async ({ walk, code }) => {
    const { end, lines, sent } = await walk(['germ', '03012', '030 1234567', code])
    expect(lines.slice(2, 4)).toEqual([
      expect.stringMatching(/Must be a valid phone number of DE\.$/),
      '? Phone number in Germany (+49)',
    ])
    expect(end).toEqual({ country: 'DE', number: '+49301234567' })
    expect(sent).toEqual([send, send, verify])
  })

  test('that is verified already is removed after a yes, once there is another', async ({ walk, code, verified }) => {
    verified('+12125550100')
    const { end, lines, sent } = await walk([true, ...number, code])
    expect(lines[0]).toBe('? +12125550100 is verified. Remove it and verify another? (y/N)')
    expect(end).toMatchObject({ number: '+49301234567' })
    expect(sent).toEqual(['DELETE /profile/phone-number', send, verify])
  })

  test('that is verified already stays without a yes', async ({ walk, verified }) => {
    verified('+12125550100')
    const { end, sent } = await walk([false])
    expect(end).toMatchObject({ code: 'refused', message: 'the verified phone number is unchanged' })
    expect(sent).toEqual([])
  })
})

test('a service that fails is not asked for another number', async ({ walk, revoke }) => {
  const revoked = () => {
    revoke()
    return '030 1234567'
  }
  const { end, lines } = await walk(['germ', revoked])
  expect(end).toMatchObject({ code: 'not_signed_in' })
  expect(lines).toHaveLength(2)
})

describe('a code', () => {
  const wrong = (code: string) => code.replace(/.$/, (digit) => String((Number(digit) + 1) % 10))

  test('is asked for again where it is none, or not the one that was sent', async ({ walk, code }) => {
    const { end, lines, sent } = await walk([...number, '12a', () => wrong(code()), code])
    expect(lines.slice(3)).toEqual([
      expect.stringMatching(/^\? Code/),
      '> Must be digits only',
      expect.stringMatching(/^\? Code/),
      expect.stringMatching(/Invalid code\. Try again, or press Enter alone for another message\.$/),
      expect.stringMatching(/^\? Code/),
    ])
    expect(end).toMatchObject({ country: 'DE' })
    expect(sent).toEqual([send, verify, verify])
  })

  test('is the same within its ten minutes, which do not begin again, and another one after them', async ({
    walk,
    code,
    clock,
    sandbox,
  }) => {
    const later = (milliseconds: number, text: string | (() => string) = '') => {
      return () => {
        clock.advance(milliseconds)
        return typeof text === 'string' ? text : text()
      }
    }
    // Nothing is drawn again meanwhile: what is typed comes after the time that the next question tells.
    const { end, lines } = await walk([...number, later(55_500), later(9 * minute - 55_500), later(minute), code])
    expect(codeQuestion(lines).map((line) => /\((.*)\)/.exec(line)?.[1])).toEqual([
      '10:00 left; Enter resends',
      '9:05 left; Enter resends',
      '1:00 left; Enter resends',
      '10:00 left; Enter resends',
    ])
    expect(lines.filter((line) => /^(A|The same) code was sent/.test(line))).toEqual([
      onItsWay,
      'The same code was sent again. It is valid for another 9:05.',
      'The same code was sent again. It is valid for another 1:00.',
      onItsWay,
    ])
    const codes = sandbox.outbox().map((message) => message.code)
    expect(codes.slice(0, 3)).toEqual([codes[0], codes[0], codes[0]])
    expect(codes[3]).not.toBe(codes[0])
    expect(end).toMatchObject({ country: 'DE' })
  })

  test('that has expired meanwhile is told as such', async ({ walk, clock }) => {
    const late = () => {
      clock.advance(10 * minute)
      return '1'
    }
    const { lines } = await walk([...number, late])
    expect(lines.at(-1)).toBe('? Code from the message (expired; Enter sends another)')
  })

  test('is found where it is said, where no phone receives it', async ({ walk }) => {
    const { lines } = await walk(number, { where: 'Look there' })
    expect(lines.slice(2, 4)).toEqual([onItsWay, 'Look there'])
    expect((await walk(number)).lines).toHaveLength(4)
  })
})

describe('what is left half done', () => {
  const hint = 'Go on with: skyctl profile phone setup'

  test('is nothing before a code is sent: an earlier number stays', async ({ walk, verified }) => {
    const { end } = await walk(['germ'])
    expect(end).toMatchObject({ message: 'interrupted at a prompt', details: {} })
    expect((end as Problem).details).not.toHaveProperty('hint')
    verified('+12125550100')
    expect(await walk([true, 'germ'])).toMatchObject({ end: { message: 'interrupted at a prompt' }, sent: [] })
  })

  test('is said, and how to go on', async ({ walk, verified }) => {
    expect((await walk(number)).end).toMatchObject({
      code: 'interrupted',
      message: 'interrupted at a prompt; no number is verified',
      details: { hint },
    })
    verified('+12125550100')
    expect((await walk([true, ...number])).end).toMatchObject({
      message: 'interrupted at a prompt; the earlier number is removed, and no other is verified',
      details: { hint },
    })
  })

  test('is said too where the service does not answer with a refusal', async ({ walk, revoke }) => {
    const revoked = () => {
      revoke()
      return '123456'
    }
    const { end, lines } = await walk([...number, revoked])
    expect(end).toMatchObject({ code: 'not_signed_in', message: expect.stringMatching(/; no number is verified$/) })
    expect(codeQuestion(lines)).toHaveLength(1)
  })
})
