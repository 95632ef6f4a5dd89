/** Questions, accepted answers and requests of `profile tfa setup` and `profile security-questions answer`. */
import { Secret, TOTP } from 'otpauth'
import { describe, expect } from 'vitest'
import { askSecurityQuestions } from '../../src/commands/flows/security-questions'
import { setUpTfa } from '../../src/commands/flows/tfa'
import { observedClient, sendWith } from '../support/service-client'
import { test as base } from '../support/skyctl'
import { type Answer, type Talk, talk } from './talk'

type Setup = Parameters<typeof setUpTfa>[1]

interface Outcome extends Talk {
  /** Result or error. */
  end: unknown
  delivered: string[]
  drawn: unknown[]
}

const test = base.extend<{
  /** Runs the setup; the answers `right` and `wrong` are codes for the last printed secret. */
  setUp(answers: Answer[], setup?: Partial<Setup>): Promise<Outcome>
  question(answers: Answer[], shown?: boolean): Promise<Pick<Outcome, 'end' | 'lines' | 'offered'>>
  answered: undefined
  sent: () => string[]
}>({
  setUp: async ({ sandbox, clock }, use) =>
    use(async (answers, setup = {}) => {
      const { client } = observedClient(sandbox.baseUrl, { token: sandbox.ownerToken })
      const delivered: string[] = []
      const drawn: unknown[] = []
      const right = () => codeOf(one.lines, clock.now())
      const codes = new Map<Answer, Answer>([
        ['right', right],
        ['wrong', () => wrong(right())],
      ])
      const one: Talk = talk(...answers.map((answer) => codes.get(answer) ?? answer))
      const end = await setUpTfa(
        { ...one, client, send: sendWith(client), clock },
        {
          ...{ username: 'ada', enabled: false, skewMs: undefined, issuer: 'api.example.net' },
          draw: async (...call) => void drawn.push(call),
          deliver: async (scratch) => void delivered.push(scratch),
          ...setup,
        },
      ).catch((error) => error)
      return { ...one, end, delivered, drawn }
    }),
  question: async ({ sandbox, clock }, use) =>
    use(async (answers, shown = false) => {
      const { client } = observedClient(sandbox.baseUrl, { token: sandbox.ownerToken })
      const one = talk(...answers)
      const end = await askSecurityQuestions({ ...one, client, send: sendWith(client), clock }, { shown }).catch(
        (error) => error,
      )
      return { ...one, end }
    }),
  answered: async ({ skyctl }, use) => {
    const answers = [1, 2, 3].map((question_id) => ({ question_id, response: 'kept' }))
    const stdin = JSON.stringify({ security_questions: answers })
    await skyctl('profile security-questions answer --body -', { stdin })
    await use(undefined)
  },
  sent: async ({ world }, use) =>
    use(() => world.requests().flatMap(({ method, path }) => (method === 'GET' ? [] : [path]))),
})

const secretIn = (lines: readonly string[]) =>
  lines.flatMap((line) => /^Secret for an authenticator app: (.+)$/.exec(line)?.[1] ?? []).at(-1) ?? ''
const codeOf = (lines: readonly string[], timestamp: number) =>
  new TOTP({ secret: Secret.fromBase32(secretIn(lines)), algorithm: 'SHA1', digits: 6 }).generate({ timestamp })
const wrong = (code: string) => code.replace(/.$/, (digit) => String((Number(digit) + 1) % 10))

const saved = '? It is not shown again. Is the scratch code saved? (y/N)'
const asksCode = '? Code from the authenticator app'
const hint = 'Go on with: skyctl profile tfa setup'
const questions: Answer[] = ['', 'Tirana', '', 'Rex the dog', '', 'ab']

describe('Three security questions', () => {
  test('are different, and their answers are hidden', async ({ question }) => {
    const { end, lines, offered } = await question([...questions, true])
    expect(end).toEqual({
      security_questions: [
        { question_id: 1, response: 'Tirana' },
        { question_id: 2, response: 'Rex the dog' },
        { question_id: 3, response: 'ab' },
      ],
    })
    expect(lines.slice(0, 7)).toEqual([
      'Choose three questions.',
      '? Question 1 of 3',
      '? Answer (not shown) ***',
      '? Question 2 of 3',
      '? Answer (not shown) ***',
      '? Question 3 of 3',
      '? Answer (not shown) ***',
    ])
    expect(lines.slice(7)).toEqual([
      expect.stringMatching(/^ {2}\S/),
      '    ****** (6 characters)',
      expect.stringMatching(/^ {2}\S/),
      '    *********** (11 characters)',
      `  ${offered[0]}`,
      '    ** (2 characters)',
      '? Send these answers? (y/N)',
    ])
  })

  test('have visible answers on request', async ({ question }) => {
    const { lines } = await question([...questions, true], true)
    expect(lines.filter((line) => /^\? A|^ {4}/.test(line))).toEqual([
      ...['? Answer', '? Answer', '? Answer'],
      ...['    Tirana', '    Rex the dog', '    ab'],
    ])
  })

  test.for([false, true])('are asked again if an answer is empty (visible: %s)', async (shown, { question }) => {
    const { lines } = await question(['', '', 'Tirana'], shown)
    expect(lines.slice(3, 5)).toEqual(['> An answer must not be empty', lines[2]])
  })

  test('are sent only after a yes', async ({ question }) => {
    const { end } = await question([...questions, false])
    expect(end).toMatchObject({ code: 'refused', message: 'not confirmed; no answer was sent' })
  })

  test('are replaced after a question that mentions earlier answers', async ({ question, answered: _ }) => {
    const { lines } = await question([...questions, true])
    expect([lines[0], lines.at(-1)]).toEqual([
      'New answers replace all earlier ones.',
      '? Replace the earlier answers with these? (y/N)',
    ])
  })
})

describe('Two-factor authentication', () => {
  test('is on after a code, and repeats its question until the scratch code is saved', async ({
    setUp,
    sent,
    answered: _,
  }) => {
    const { end, lines, delivered, drawn } = await setUp(['right', false, true])
    const address = `otpauth://totp/api.example.net:ada?secret=${secretIn(lines)}&issuer=api.example.net`
    expect({ end, sent: sent().slice(1) }).toEqual({
      end: undefined,
      sent: ['/profile/tfa-enable', '/profile/tfa-enable-confirm'],
    })
    expect(lines).toEqual([
      `Secret for an authenticator app: ${secretIn(lines)}`,
      address,
      asksCode,
      saved,
      'Without it, losing the authenticator app locks you out.',
      saved,
    ])
    expect(delivered).toEqual([expect.stringMatching(/\S/)])
    expect(drawn).toEqual([[address, { above: lines.slice(0, 2).join('\n'), below: asksCode.slice(2) }]])
  })

  test('encodes account and service in its address', async ({ setUp, answered: _ }) => {
    const { lines } = await setUp([], { username: 'a&b:c', issuer: 'x y' })
    expect(lines[1]).toBe(`otpauth://totp/x%20y:a%26b%3Ac?secret=${secretIn(lines)}&issuer=x%20y`)
  })

  test('asks again after a malformed or wrong code', async ({ setUp, sent, answered: _ }) => {
    const { lines } = await setUp(['12a', 'wrong', 'right', true])
    expect(lines.slice(2, -1)).toEqual([
      asksCode,
      '> Must be digits only',
      asksCode,
      expect.stringMatching(/Invalid code\. Type the next code, or press Enter alone to create another secret\.$/),
      asksCode,
    ])
    expect(sent().filter((path) => path.endsWith('confirm'))).toHaveLength(2)
  })

  test('creates another secret after Enter and a yes', async ({ setUp, sent, answered: _ }) => {
    const { end, lines } = await setUp(['', true, 'right', true])
    expect(lines[4]).toBe('Here is another secret. Remove the previous one from the app.')
    expect(lines[5]).not.toBe(lines[0])
    expect({ end, secrets: sent().filter((path) => path.endsWith('enable')).length }).toEqual({
      end: undefined,
      secrets: 2,
    })
  })

  test('that is on is unchanged without a yes', async ({ setUp, sent }) => {
    const { end, lines } = await setUp([false], { enabled: true })
    expect(lines).toEqual(['? Two-factor authentication is on. Set it up with a new secret? (y/N)'])
    expect(end).toMatchObject({ code: 'refused', message: 'two-factor authentication is unchanged' })
    expect(sent()).toEqual([])
  })

  test('that is on is set up again after a yes', async ({ setUp, answered: _ }) => {
    expect(await setUp([true, 'right', true], { enabled: true })).toMatchObject({ end: undefined })
  })
})

describe('A clock difference', () => {
  const warning = 'The service would reject its codes: set the clock, or use another device.'
  test.for([
    [undefined, undefined],
    [30_000, undefined],
    [-30_000, undefined],
    [30_001, 'The clock of this computer is 30 s behind the clock of the service.'],
    [-95_000, 'The clock of this computer is 95 s ahead of the clock of the service.'],
  ] as const)('causes a warning if codes are for another time step: %i ms', async ([skewMs, line], { setUp }) => {
    const { lines } = await setUp([], { skewMs })
    expect(lines.slice(0, line ? 2 : 1)).toEqual(
      line ? [line, warning] : ['Two-factor authentication needs three answered security questions.'],
    )
  })
})

describe('Unanswered security questions', () => {
  test('are answered first', async ({ setUp, sent, world }) => {
    const { end, lines } = await setUp([...questions, true, 'right', true])
    expect(lines[0]).toBe('Two-factor authentication needs three answered security questions.')
    expect(lines).toContain('? Answer (not shown) ***')
    expect(lines).toContain('The security questions are answered.')
    expect({ end, sent: sent() }).toEqual({
      end: undefined,
      sent: ['/profile/security-questions', '/profile/tfa-enable', '/profile/tfa-enable-confirm'],
    })
    expect(world.requests('POST')[0]?.body).toMatchObject({ security_questions: [{ response: 'Tirana' }, {}, {}] })
  })
})

describe('An interrupted setup', () => {
  const earlier = 'the earlier secret is still valid'
  const off = 'two-factor authentication is not on'
  const nothing = ': a secret changes nothing until a code confirms it'

  test.for([
    [false, [], off],
    [true, [true], earlier],
    [false, [...questions, true], `the security questions are answered, but ${off}${nothing}`],
    [true, [true, ...questions, true], `the security questions are answered, but ${earlier}${nothing}`],
  ] as const)('reports its state (on: %s, answers: %o)', async ([enabled, answers, state], { setUp }) => {
    expect((await setUp([...answers], { enabled })).end).toMatchObject({
      code: 'interrupted',
      message: `interrupted at a prompt; ${state}`,
      details: { hint },
    })
  })

  test('reports its state at the code', async ({ setUp, answered: _ }) => {
    expect((await setUp([])).end).toMatchObject({ message: `interrupted at a prompt; ${off}${nothing}` })
  })

  test('reminds of the scratch code if it is already on', async ({ setUp, answered: _ }) => {
    expect((await setUp(['right'])).end).toMatchObject({
      message:
        'interrupted at a prompt; two-factor authentication is on, and the scratch code above replaces a code, once',
      details: { hint: 'Save the scratch code' },
    })
  })

  test('reports its state after an error of the service, without another question', async ({
    setUp,
    sandbox,
    world,
    answered: _,
  }) => {
    const revoked = () => {
      for (const { id, token } of world.tokens.all()) if (token === sandbox.ownerToken) world.tokens.delete(id)
      return '123456'
    }
    const { end, lines } = await setUp([revoked])
    expect(end).toMatchObject({ code: 'not_signed_in', message: expect.stringMatching(/until a code confirms it$/) })
    expect(lines.at(-1)).toBe(asksCode)
  })

  test('passes a defect on unchanged', async ({ setUp, answered: _ }) => {
    const defect = new Error('defect')
    const draw = () => Promise.reject(defect)
    expect((await setUp([], { draw })).end).toBe(defect)
  })
})
