/** Questions, accepted answers and requests of `profile phone setup` (api.md, Flows in the profile area). */
import { describe, expect } from 'vitest'
import { setUpPhone } from '../../src/commands/flows/phone'
import type { Problem } from '../../src/errors'
import { observedClient, sendWith } from '../support/service-client'
import { test as base } from '../support/skyctl'
import { type Answer, talk } from './talk'

const minute = 60_000

interface Outcome {
  /** Result or error. */
  end: unknown
  lines: string[]
  offered: string[]
  /** Requests that change something. */
  sent: string[]
}

const test = base.extend<{
  walk(answers: Answer[], setup?: Partial<Parameters<typeof setUpPhone>[1]>): Promise<Outcome>
  code: () => string
  verified(number: string): void
  /** Revokes the current token. */
  revoke(): void
}>({
  walk: async ({ sandbox, world, clock }, use) =>
    use(async (answers, setup = {}) => {
      const { client } = observedClient(sandbox.baseUrl, { token: sandbox.ownerToken })
      const one = talk(...answers)
      const options = { guess: undefined, where: undefined, ...setup }
      const end = await setUpPhone({ ...one, client, send: sendWith(client), clock }, options).catch((error) => error)
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
const codeSent = 'A code was sent. It is valid for 10 minutes.'
const send = 'POST /profile/phone-number'
const verify = `${send}/verify`
const codeQuestion = (lines: readonly string[]) => lines.filter((line) => line.startsWith('? Code'))

describe('A country', () => {
  test.for([
    ['+43', ['Austria (AT, +43)']],
    ['43', ['Austria (AT, +43)']],
    ['AUSTR', ['Australia (AU, +61)', 'Austria (AT, +43)']],
  ] as const)('is found by calling code or part of its name: "%s"', async ([input, matches], { walk }) => {
    expect((await walk([input])).offered).toEqual(matches)
  })

  test('is found by its country code', async ({ walk }) => {
    const { offered } = await walk([' dE '])
    expect(offered).toContain('Germany (DE, +49)')
    expect(offered).not.toContain('Austria (AT, +43)')
  })

  test.for([
    ['us', 'United States (US, +1)'],
    ['ger', 'Germany (DE, +49)'],
    ['niger', 'Niger (NE, +227)'],
    ['+7', 'Kazakhstan (KZ, +7)'],
  ] as const)('is offered before others that match less: "%s" is %s', async ([input, best], { walk }) => {
    const { offered } = await walk([input])
    expect(offered[0]).toBe(best)
    expect((await walk([input], { guess: 'AU' })).offered[0]).toBe(best)
  })

  test('is offered first if it is guessed, and only once', async ({ walk }) => {
    const first = async (guess: string | undefined) => (await walk([''], { guess })).offered
    const all = await first(undefined)
    expect(all.slice(0, 2)).toEqual(['Afghanistan (AF, +93)', 'Åland Islands (AX, +358)'])
    const guessed = await first('AT')
    expect(guessed.slice(0, 2)).toEqual(['Austria (AT, +43)', 'Afghanistan (AF, +93)'])
    expect(guessed.toSorted()).toEqual(all.toSorted())
  })
})

describe('A number', () => {
  test('is verified by a code sent to it', async ({ walk, code, world }) => {
    const { end, lines, sent } = await walk([...number, code])
    expect(end).toEqual({ country: 'DE', number: '+49301234567' })
    expect(lines).toEqual([
      '? Country (type to search)',
      '? Phone number in Germany (+49)',
      codeSent,
      '? Code from the message (10:00 left; Enter resends)',
    ])
    expect(sent).toEqual([send, verify])
    expect(world.requests('POST')[0]?.body).toEqual({ iso_code: 'DE', phone_number: '+49301234567' })
  })

  test('is prompted for again without a request if it is invalid', async ({ walk }) => {
    const { lines, sent } = await walk(['germ', '1', '030 CALL ME'])
    expect(lines.slice(2)).toEqual([
      'That number is too short for Germany.',
      '? Phone number in Germany (+49)',
      expect.stringMatching(/^That number is .* for Germany\.$/),
      '? Phone number in Germany (+49)',
    ])
    expect(sent).toEqual([])
  })

  test('is prompted for again if the service rejects it', async ({ walk, code }) => {
    const { end, lines, sent } = await walk(['germ', '03012', '030 1234567', code])
    expect(lines.slice(2, 4)).toEqual([
      expect.stringMatching(/Must be a valid phone number of DE\.$/),
      '? Phone number in Germany (+49)',
    ])
    expect(end).toEqual({ country: 'DE', number: '+49301234567' })
    expect(sent).toEqual([send, send, verify])
  })

  test('that is already verified is removed after a yes', async ({ walk, code, verified }) => {
    verified('+12125550100')
    const { end, lines, sent } = await walk([true, ...number, code])
    expect(lines[0]).toBe('? +12125550100 is verified. Remove it and verify another? (y/N)')
    expect(end).toMatchObject({ number: '+49301234567' })
    expect(sent).toEqual(['DELETE /profile/phone-number', send, verify])
  })

  test('that is already verified stays without a yes', async ({ walk, verified }) => {
    verified('+12125550100')
    const { end, sent } = await walk([false])
    expect(end).toMatchObject({ code: 'refused', message: 'the verified phone number is unchanged' })
    expect(sent).toEqual([])
  })
})

test('The number is not prompted for again after another error of the service', async ({ walk, revoke }) => {
  const revoked = () => {
    revoke()
    return '030 1234567'
  }
  const { end, lines } = await walk(['germ', revoked])
  expect(end).toMatchObject({ code: 'not_signed_in' })
  expect(lines).toHaveLength(2)
})

describe('A code', () => {
  const wrong = (code: string) => code.replace(/.$/, (digit) => String((Number(digit) + 1) % 10))

  test('is prompted for again if it is malformed or wrong', async ({ walk, code }) => {
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

  test('stays the same for ten minutes in total, then a new one is sent', async ({ walk, code, clock, sandbox }) => {
    const later = (milliseconds: number, text: string | (() => string) = '') => {
      return () => {
        clock.advance(milliseconds)
        return typeof text === 'string' ? text : text()
      }
    }
    // Questions are not redrawn meanwhile, so answers arrive later than the printed times.
    const { end, lines } = await walk([...number, later(55_500), later(9 * minute - 55_500), later(minute), code])
    expect(codeQuestion(lines).map((line) => /\((.*)\)/.exec(line)?.[1])).toEqual([
      '10:00 left; Enter resends',
      '9:05 left; Enter resends',
      '1:00 left; Enter resends',
      '10:00 left; Enter resends',
    ])
    expect(lines.filter((line) => /^(A|The same) code was sent/.test(line))).toEqual([
      codeSent,
      'The same code was sent again. It is valid for another 9:05.',
      'The same code was sent again. It is valid for another 1:00.',
      codeSent,
    ])
    const codes = sandbox.outbox().map((message) => message.code)
    expect(codes.slice(0, 3)).toEqual([codes[0], codes[0], codes[0]])
    expect(codes[3]).not.toBe(codes[0])
    expect(end).toMatchObject({ country: 'DE' })
  })

  test('is reported as expired in the question', async ({ walk, clock }) => {
    const late = () => {
      clock.advance(10 * minute)
      return '1'
    }
    const { lines } = await walk([...number, late])
    expect(lines.at(-1)).toBe('? Code from the message (expired; Enter sends another)')
  })

  test('can be found elsewhere if no phone receives it', async ({ walk }) => {
    const { lines } = await walk(number, { where: 'Look there' })
    expect(lines.slice(2, 4)).toEqual([codeSent, 'Look there'])
    expect((await walk(number)).lines).toHaveLength(4)
  })
})

describe('An interrupted setup', () => {
  const hint = 'Go on with: skyctl profile phone setup'

  test('changes nothing before a code is sent', async ({ walk, verified }) => {
    const { end } = await walk(['germ'])
    expect(end).toMatchObject({ message: 'interrupted at a prompt', details: {} })
    expect((end as Problem).details).not.toHaveProperty('hint')
    verified('+12125550100')
    expect(await walk([true, 'germ'])).toMatchObject({ end: { message: 'interrupted at a prompt' }, sent: [] })
  })

  test('reports its state and how to continue', async ({ walk, verified }) => {
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

  test('reports its state after another error too', async ({ walk, revoke }) => {
    const revoked = () => {
      revoke()
      return '123456'
    }
    const { end, lines } = await walk([...number, revoked])
    expect(end).toMatchObject({ code: 'not_signed_in', message: expect.stringMatching(/; no number is verified$/) })
    expect(codeQuestion(lines)).toHaveLength(1)
  })
})
