/** api.md, States and transitions. */
import { describe, expect } from 'vitest'
import { refused, type Service, test } from '../sandbox/fixture'

const actions = async ({ call }: Service) =>
  (await call('GET /account/events')).body.data.map(({ action }: { action: string }) => action).reverse()
const rules = { inbound: [], inbound_policy: 'DROP', outbound: [], outbound_policy: 'ACCEPT' }

describe('States: a volume', () => {
  test('is creating, active, resizing, active, as time goes on', async ({ service: { call, clock } }) => {
    const { id, status } = (await call('POST /volumes', { body: { label: 'a', region: 'us-east' } })).body
    const now = async () => (await call(`GET /volumes/${id}`)).body.status
    expect([status, await now()]).toEqual(['creating', 'creating'])
    clock.advance(1000)
    expect(await now()).toBe('active')
    expect((await call(`POST /volumes/${id}/resize`, { body: { size: 30 } })).body).toMatchObject({
      size: 30,
      status: 'resizing',
    })
    expect(await now()).toBe('resizing')
    clock.advance(1000)
    expect(await now()).toBe('active')
  })

  test.for<[status: 'creating' | 'resizing' | 'active', operation: string, allowed: boolean]>([
    ['creating', 'clone', false],
    ['resizing', 'clone', false],
    ['active', 'clone', true],
    ['creating', 'resize', false],
    ['resizing', 'resize', false],
    ['active', 'resize', true],
  ])('that is %s takes %s: %j', async ([status, operation, allowed], { service: { call, world } }) => {
    const { id } = world.volume({ status })
    const body = operation === 'clone' ? { label: 'b' } : { size: 30 }
    expect((await call(`POST /volumes/${id}/${operation}`, { body })).status).toBe(allowed ? 200 : 400)
  })

  test('that migrates is deleted when its migration has finished', async ({ service: { call, world } }) => {
    expect((await call('DELETE /volumes/3006')).status).toBe(400)
    const volume = world.volumes.get(3006)
    if (volume) world.volumes.put({ ...volume, status: 'active' })
    expect((await call('DELETE /volumes/3006')).status).toBe(200)
  })
})

describe('States: a firewall', () => {
  test('is enabled, disabled, enabled, deleted, each with its event', async ({ service }) => {
    const { call } = service
    const made = await call('POST /networking/firewalls', { body: { label: 'new', rules } })
    const path = `/networking/firewalls/${made.body.id}`
    expect(made.body.status).toBe('enabled')
    expect(await actions(service)).toEqual(['firewall_create'])
    expect((await call(`PUT ${path}`, { body: { status: 'disabled' } })).body.status).toBe('disabled')
    expect(await actions(service)).toEqual(['firewall_create', 'firewall_disable'])
    expect((await call(`PUT ${path}`, { body: { status: 'enabled' } })).body.status).toBe('enabled')
    expect(await actions(service)).toEqual(['firewall_create', 'firewall_disable', 'firewall_enable'])
    expect((await call(`PUT ${path}`, { body: { status: 'deleted' } })).status).toBe(400)
    expect((await call(`DELETE ${path}`)).body).toEqual({})
    expect(await call(`GET ${path}`)).toMatchObject(refused(404, 'Not found'))
  })

  test('is deleted where it is disabled, too', async ({ service: { call } }) => {
    expect((await call('DELETE /networking/firewalls/4002')).status).toBe(200)
  })

  test.for(['disabled', 'enabled'])('with a live migration is not %s', async (status, { service: { call, world } }) => {
    const firewall = world.network.firewalls.get(4004)
    if (firewall) world.network.firewalls.put({ ...firewall, status: status === 'enabled' ? 'disabled' : 'enabled' })
    expect(await call('PUT /networking/firewalls/4004', { body: { status } })).toMatchObject(
      refused(400, 'Compute busy.'),
    )
  })
})

describe('States: a region', () => {
  test('is ok or in outage', async ({ service: { call } }) => {
    const { data } = (await call('GET /regions')).body
    expect(new Set(data.map(({ status }: { status: string }) => status))).toEqual(new Set(['ok', 'outage']))
  })
})

describe('States: what is revoked', () => {
  test('an authorized app: its token can no longer access the account', async ({ service: { call, sandbox } }) => {
    const { token = null } = sandbox.describe().tokens.find(({ app }) => app === 1) ?? {}
    expect((await call('GET /profile', { token })).status).toBe(200)
    expect((await call('DELETE /profile/apps/1')).body).toEqual({})
    expect(await call('GET /profile', { token })).toMatchObject(refused(401, 'Invalid Token'))
  })

  test('a trusted device: it is trusted no more', async ({ service: { call } }) => {
    expect((await call('DELETE /profile/devices/1')).body).toEqual({})
    expect((await call('GET /profile/devices/1')).status).toBe(404)
  })

  test('a phone number: another can be verified afterwards', async ({ service: { call, sandbox } }) => {
    const send = (phone_number: string) =>
      call('POST /profile/phone-number', { body: { iso_code: 'US', phone_number } })
    const verify = () =>
      call('POST /profile/phone-number/verify', { body: { otp_code: sandbox.outbox().at(-1)?.code } })
    await send('+1 202 555 0143')
    expect((await verify()).body).toEqual({})
    expect((await call('DELETE /profile/phone-number')).body).toEqual({})
    await send('+1 202 555 0144')
    await verify()
    expect((await call('GET /profile')).body.verified_phone_number).toBe('+12025550144')
  })
})
