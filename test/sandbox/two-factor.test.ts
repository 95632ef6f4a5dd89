import { createHmac } from 'node:crypto'
import { describe, expect } from 'vitest'
import { test as base, refused, type Service } from './fixture'

/** TOTP code, written from the text of RFC 6238: SHA-1, 6 digits, steps of 30 seconds. */
function totp(secret: string, now: number): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(Math.floor(now / 30_000)))
  const mac = createHmac('sha1', fromBase32(secret)).update(counter).digest()
  const offset = (mac[19] ?? 0) & 15
  return String((mac.readUInt32BE(offset) & 0x7fffffff) % 1_000_000).padStart(6, '0')
}

function fromBase32(text: string): Buffer {
  const digits = [...text].map((char) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(char))
  const bits = digits.map((digit) => digit.toString(2).padStart(5, '0')).join('')
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)))
}

const answers = [1, 2, 3].map((question_id) => ({ question_id, response: 'an answer' }))
const confirm = ({ call }: Service, tfa_code: string) =>
  call('POST /profile/tfa-enable-confirm', { body: { tfa_code } })
const isEnabled = async ({ call }: Service) => (await call('GET /profile')).body.two_factor_auth

/** Adds a service whose owner has answered the security questions, and a new secret. */
const test = base.extend<{ answered: Service; secret: string }>({
  answered: async ({ service }, use) => {
    await service.call('POST /profile/security-questions', { body: { security_questions: answers } })
    await use(service)
  },
  secret: async ({ answered }, use) => use((await answered.call('POST /profile/tfa-enable')).body.secret),
})

base('the codes of these tests match RFC 6238, appendix B', () => {
  const secret = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'
  expect(fromBase32(secret).toString()).toBe('12345678901234567890')
  const codes = [59, 1111111109, 1111111111, 1234567890, 2000000000, 20000000000].map((s) => totp(secret, s * 1000))
  expect(codes).toEqual(['287082', '081804', '050471', '005924', '279037', '353130'])
})

describe('two-factor secret create', () => {
  test('needs the security questions to be answered', async ({ service: { call } }) => {
    expect(await call('POST /profile/tfa-enable')).toMatchObject(
      refused(400, 'You must add Security Questions to your profile in order to enable Two Factor Authentication'),
    )
  })

  test('returns a base32 secret with its expiry, and enables nothing yet', async ({ answered }) => {
    const { status, body } = await answered.call('POST /profile/tfa-enable')
    expect(status).toBe(200)
    expect(body).toEqual({
      // 20 bytes, as RFC 4226, section 4, recommends.
      secret: expect.stringMatching(/^[A-Z2-7]{32}$/),
      expiry: '2026-01-16T12:30:00',
    })
    expect(await isEnabled(answered)).toBe(false)
  })

  test('can be repeated, and then only the newest secret is valid', async ({ answered, secret }) => {
    const { body } = await answered.call('POST /profile/tfa-enable')
    expect(body.secret).not.toBe(secret)
    expect(await confirm(answered, totp(secret, answered.clock.now()))).toMatchObject(
      refused(400, 'Invalid code', 'tfa_code'),
    )
    expect((await confirm(answered, totp(body.secret, answered.clock.now()))).status).toBe(200)
  })
})

describe('two-factor confirm', () => {
  test('enables two-factor authentication and returns a scratch code', async ({ answered, secret }) => {
    const { status, body } = await confirm(answered, totp(secret, answered.clock.now()))
    expect(status).toBe(200)
    expect(body).toEqual({ scratch: expect.stringMatching(/^\S{8,}$/) })
    expect(await isEnabled(answered)).toBe(true)
  })

  test.for<[seconds: number, status: number]>([
    [-90, 400],
    [-60, 400],
    [-30, 200],
    [0, 200],
    [30, 200],
    [60, 400],
    [90, 400],
  ])('answers the code of %d seconds away with status %d', async ([seconds, status], { answered, secret }) => {
    expect((await confirm(answered, totp(secret, answered.clock.now() + seconds * 1000))).status).toBe(status)
    expect(await isEnabled(answered)).toBe(status === 200)
  })

  test('accepts a secret once', async ({ answered, secret }) => {
    const code = totp(secret, answered.clock.now())
    expect((await confirm(answered, code)).status).toBe(200)
    expect((await confirm(answered, code)).status).toBe(400)
  })

  test('needs a secret of the same user', async ({ answered, secret }) => {
    const code = totp(secret, answered.clock.now())
    const token = answered.world.token('*', 2)
    const reply = await answered.call('POST /profile/tfa-enable-confirm', { token, body: { tfa_code: code } })
    expect(reply).toMatchObject(refused(400, 'There is no two-factor secret to confirm; create one first'))
    expect((await confirm(answered, code)).status).toBe(200)
  })

  test('refuses a secret that has expired', async ({ answered }) => {
    const { body } = await answered.call('POST /profile/tfa-enable')
    answered.clock.advance(Date.parse(`${body.expiry}Z`) - answered.clock.now())
    expect(await confirm(answered, totp(body.secret, answered.clock.now()))).toMatchObject(
      refused(400, 'The two-factor secret has expired; create another'),
    )
  })

  test.for(['12a', '', ' 123456', '1', '1234567', '１２３４５６', 123_456, null])(
    'refuses the code %j',
    async (tfa_code, { answered, secret }) => {
      expect(secret).toBeTruthy()
      expect(await answered.call('POST /profile/tfa-enable-confirm', { body: { tfa_code } })).toMatchObject(
        refused(400, expect.any(String), 'tfa_code'),
      )
      expect(await isEnabled(answered)).toBe(false)
    },
  )
})

describe('two-factor disable', () => {
  test.for(['POST /profile/tfa-disable', 'PUT /profile'])(
    'disables two-factor authentication: %s',
    async (line, { answered, secret }) => {
      await confirm(answered, totp(secret, answered.clock.now()))
      const body = line.startsWith('PUT') ? { two_factor_auth: false } : {}
      expect((await answered.call(line, { body })).status).toBe(200)
      expect(await isEnabled(answered)).toBe(false)
    },
  )

  test('is refused if two-factor authentication is not enabled', async ({ service: { call } }) => {
    expect(await call('POST /profile/tfa-disable')).toMatchObject(
      refused(400, 'Two Factor Authentication is not enabled'),
    )
  })
})

const line = 'POST /profile/security-questions'
const three = [
  { question_id: 7, response: 'Elm Street' },
  { question_id: 1, response: 'Springfield' },
  { question_id: 19, response: 'Smith' },
]
const answer = ({ call }: Service, security_questions: unknown) => call(line, { body: { security_questions } })
const responses = async ({ call }: Service, token?: string) => {
  const { body } = await call('GET /profile/security-questions', token === undefined ? {} : { token })
  return Object.fromEntries(
    body.security_questions
      .filter(({ response }: { response: string | null }) => response !== null)
      .map(({ id, response }: { id: number; response: string }) => [id, response]),
  )
}

describe('security questions list', () => {
  test('shows 19 different questions, unanswered at first', async ({ service: { call } }) => {
    const { body } = await call('GET /profile/security-questions')
    expect(Object.keys(body)).toEqual(['security_questions'])
    expect(body.security_questions).toHaveLength(19)
    expect(body.security_questions[0]).toEqual({ id: 1, question: expect.stringMatching(/\?$/), response: null })
    for (const field of ['id', 'question']) {
      expect(new Set(body.security_questions.map((item: Record<string, unknown>) => item[field])).size).toBe(19)
    }
  })

  test('shows answers only to their own user', async ({ service }) => {
    await answer(service, three)
    expect(await responses(service)).toEqual({ 1: 'Springfield', 7: 'Elm Street', 19: 'Smith' })
    expect(Object.keys(await responses(service, service.world.token('*', 2)))).toEqual(['1', '4', '15'])
    expect(await responses(service, service.world.token('*', 3))).toEqual({})
  })
})

describe('security questions answer', () => {
  test('stores three answers and returns them', async ({ service }) => {
    const { status, body } = await answer(service, three)
    expect(status).toBe(200)
    expect(body.security_questions).toEqual(
      three.map((one) => ({ ...one, security_question: expect.stringMatching(/\?$/) })),
    )
  })

  test('replaces earlier answers, and removes those that are left out', async ({ service }) => {
    await answer(service, three)
    await answer(service, [
      { question_id: 1, response: 'Shelbyville' },
      { question_id: 2, response: 'Rex' },
      { question_id: 3, response: 'Beetle' },
    ])
    expect(await responses(service)).toEqual({ 1: 'Shelbyville', 2: 'Rex', 3: 'Beetle' })
  })

  test.for<[name: string, answers: unknown]>([
    ['no answers', []],
    ['two answers', three.slice(1)],
    ['four answers', [...three, { question_id: 2, response: 'Rex' }]],
    ['two answers to one question', [three[0], three[1], three[0]]],
    ['two different answers to one question', [three[0], three[1], { question_id: 7, response: 'other' }]],
    ['an answer without a list', three[0]],
  ])('refuses %s', async ([, wrong], { service }) => {
    expect(await answer(service, wrong)).toMatchObject(refused(400, expect.any(String), 'security_questions'))
    expect(await responses(service)).toEqual({})
  })

  test.for<[field: string, wrong: object]>([
    ['question_id', { question_id: 20 }],
    ['question_id', { question_id: 0 }],
    ['question_id', { question_id: 'seven' }],
    ['question_id', { question_id: 1.5 }],
    ['response', { response: '' }],
    ['response', { response: null }],
    ['response', { response: 7 }],
  ])('names the answer whose %s is wrong: %j', async ([field, wrong], { service }) => {
    const { status, body } = await answer(service, [three[0], { ...three[1], ...wrong }, three[2]])
    expect({ status, errors: body.errors }).toMatchObject({
      status: 400,
      errors: [{ field: `security_questions[1].${field}` }],
    })
    expect(await responses(service)).toEqual({})
  })

  test('needs the list', async ({ service: { call } }) => {
    expect(await call(line)).toMatchObject(refused(400, 'security_questions is required', 'security_questions'))
  })
})
