import { describe, expect } from 'vitest'
import { refused, type Service, test } from './fixture'

const minute = 60_000
const number = { iso_code: 'US', phone_number: '+1 (202) 555-0143' }
const send = ({ call }: Service, body: object = number) => call('POST /profile/phone-number', { body })
const verify = ({ call }: Service, otp_code: string) =>
  call('POST /profile/phone-number/verify', { body: { otp_code } })
const verified = async ({ call }: Service) => (await call('GET /profile')).body.verified_phone_number
const lastCode = ({ sandbox }: Service) => sandbox.outbox().at(-1)?.code ?? ''
const wrongCode = (service: Service) => (lastCode(service) === '000000' ? '000001' : '000000')

describe('phone send', () => {
  test('sends a code by SMS, and does not return it', async ({ service }) => {
    const { status, body } = await send(service)
    expect({ status, body }).toEqual({ status: 200, body: {} })
    expect(service.sandbox.outbox()).toEqual([
      {
        id: 1,
        user: 'owner',
        sent: '2026-01-15T12:30:00',
        to: '+12025550143',
        text: expect.stringContaining(lastCode(service)),
        code: expect.stringMatching(/^\d{6}$/),
      },
    ])
    expect(await verified(service)).toBeNull()
  })

  test('sends the same code again until it expires, without extending it', async ({ service }) => {
    await send(service)
    const code = lastCode(service)
    service.clock.advance(10 * minute - 1)
    await send(service)
    expect(service.sandbox.outbox().map((message) => message.code)).toEqual([code, code])
    service.clock.advance(1)
    expect((await verify(service, code)).status).toBe(400)
    await send(service)
    expect(lastCode(service)).not.toBe(code)
  })

  test.for([
    ['+123456', 400],
    ['+1234567', 200],
    ['+123456789012345', 200],
    ['+1234567890123456', 400],
  ] as const)(
    'accepts only numbers of 7 to 15 digits (ITU-T E.164): %s',
    async ([phone_number, status], { service }) => {
      expect((await send(service, { iso_code: 'US', phone_number })).status).toBe(status)
    },
  )

  test('keeps only the last 1,000 messages', async ({ service: { sandbox, world, call } }) => {
    const { messages } = world.profile
    for (let id = 1; id <= 1000; id += 1) {
      messages.put({ id, user: 1, sent: '2026-01-15T12:30:00', to: '+12025550143', text: 'a', code: '000000' })
    }
    await call('POST /profile/phone-number', { body: number })
    const ids = sandbox.outbox().map(({ id }) => id)
    expect(ids).toEqual(Array.from({ length: 1000 }, (_, index) => index + 2))
  })

  test('sends a new code to another number, which replaces the first code', async ({ service }) => {
    await send(service)
    const first = lastCode(service)
    await send(service, { iso_code: 'DE', phone_number: '030 123456' })
    expect(service.sandbox.outbox().at(-1)).toMatchObject({ to: '+4930123456' })
    expect(lastCode(service)).not.toBe(first)
    expect((await verify(service, first)).status).toBe(400)
    expect((await verify(service, lastCode(service))).status).toBe(200)
    expect(await verified(service)).toBe('+4930123456')
  })

  test.for(['UK', 'us', 'USA', 'U', '', 'XX', '__', null])('refuses the country %j', async (iso_code, { service }) => {
    expect(await send(service, { ...number, iso_code })).toMatchObject(refused(400, expect.any(String), 'iso_code'))
    expect(service.sandbox.outbox()).toEqual([])
  })

  test.for(['', '+', '555-CALL', '202555014x', '123', '+1234567890123456', '++12025550143', null, 2025550143])(
    'refuses the number %j',
    async (phone_number, { service }) => {
      expect(await send(service, { ...number, phone_number })).toMatchObject(
        refused(400, expect.any(String), 'phone_number'),
      )
      expect(service.sandbox.outbox()).toEqual([])
    },
  )

  test('needs both country and number', async ({ service }) => {
    const { body } = await send(service, {})
    expect(body.errors).toEqual([
      { field: 'iso_code', reason: 'iso_code is required' },
      { field: 'phone_number', reason: 'phone_number is required' },
    ])
  })
})

describe('phone verify', () => {
  test('assigns the number, and accepts a code once', async ({ service }) => {
    await send(service)
    const { status, body } = await verify(service, lastCode(service))
    expect({ status, body }).toEqual({ status: 200, body: {} })
    expect(await verified(service)).toBe('+12025550143')
    expect((await verify(service, lastCode(service))).status).toBe(400)
  })

  test('refuses a wrong code, and then still accepts the right one', async ({ service }) => {
    await send(service)
    expect(await verify(service, wrongCode(service))).toMatchObject(refused(400, 'Invalid code', 'otp_code'))
    expect(await verified(service)).toBeNull()
    expect((await verify(service, lastCode(service))).status).toBe(200)
  })

  test('accepts the code within ten minutes', async ({ service }) => {
    await send(service)
    service.clock.advance(10 * minute - 1)
    expect((await verify(service, lastCode(service))).status).toBe(200)
  })

  test('refuses the code after ten minutes', async ({ service }) => {
    await send(service)
    service.clock.advance(10 * minute)
    expect(await verify(service, lastCode(service))).toMatchObject(
      refused(400, 'The code has expired; send another', 'otp_code'),
    )
    expect(await verified(service)).toBeNull()
  })

  test('accepts the code only from the user who requested it', async ({ service }) => {
    await send(service)
    const token = service.world.token('*', 2)
    const body = { otp_code: lastCode(service) }
    expect(await service.call('POST /profile/phone-number/verify', { token, body })).toMatchObject(
      refused(400, 'No code was sent; send one first', 'otp_code'),
    )
    expect((await verify(service, lastCode(service))).status).toBe(200)
  })

  test('refuses a code when none was sent', async ({ service }) => {
    expect(await verify(service, '123456')).toMatchObject(refused(400, 'No code was sent; send one first', 'otp_code'))
  })

  test.for(['12a', '', ' 123456', '１２３４５６', 123_456, null])(
    'refuses the code %j',
    async (otp_code, { service }) => {
      await send(service)
      expect(await service.call('POST /profile/phone-number/verify', { body: { otp_code } })).toMatchObject(
        refused(400, expect.any(String), 'otp_code'),
      )
    },
  )
})

describe('phone delete', () => {
  test('removes the number, after which another can be verified', async ({ service }) => {
    await send(service)
    await verify(service, lastCode(service))
    expect(await send(service)).toMatchObject(
      refused(400, 'A phone number is verified already; delete it to verify another', 'phone_number'),
    )
    const { status, body } = await service.call('DELETE /profile/phone-number')
    expect({ status, body }).toEqual({ status: 200, body: {} })
    expect(await verified(service)).toBeNull()
    await send(service, { iso_code: 'GB', phone_number: '020 7946 0018' })
    await verify(service, lastCode(service))
    expect(await verified(service)).toBe('+442079460018')
  })

  test('fails with 404 if no number is verified', async ({ service: { call } }) => {
    expect(await call('DELETE /profile/phone-number')).toMatchObject(refused(404, 'Not found'))
  })
})
