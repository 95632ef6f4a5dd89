/** api.md, Events. How they are listed is not shown there; gaps.md has it. */
import { describe, expect } from 'vitest'
import { type Service, test } from '../sandbox/fixture'

const rules = { inbound: [], inbound_policy: 'DROP', outbound: [], outbound_policy: 'ACCEPT' }
const firewall = '/networking/firewalls/4005'

async function events({ call }: Service): Promise<unknown[]> {
  return (await call('GET /account/events')).body.data.map(({ action }: { action: string }) => action)
}

describe('Events', () => {
  test.for<[kind: string, line: string, body?: object, before?: string]>([
    ['firewall_create', 'POST /networking/firewalls', { label: 'new', rules }],
    ['firewall_enable', 'PUT /networking/firewalls/4002', { status: 'enabled' }, 'DELETE /networking/firewalls/4001'],
    ['firewall_disable', `PUT ${firewall}`, { status: 'disabled' }],
    ['firewall_device_add', `POST ${firewall}/devices`, { id: 1009, type: 'compute' }],
    ['firewall_device_remove', 'DELETE /networking/firewalls/4001/devices/4101'],
  ])('Events: %s is emitted by %s', async ([kind, line, body, before], { service }) => {
    if (before) await service.call(before)
    const earlier = await events(service)
    expect((await service.call(line, body && { body })).status).toBe(200)
    expect(await events(service)).toEqual([kind, ...earlier])
  })

  test.for<[line: string, body: object]>([
    ['POST /networking/firewalls', { label: 'web', rules }],
    ['PUT /networking/firewalls/4002', { status: 'enabled' }],
    ['PUT /networking/firewalls/4005', { status: 'enabled' }],
    ['PUT /networking/firewalls/4005', { tags: ['a'] }],
    ['POST /networking/firewalls/4005/devices', { id: 1001, type: 'compute' }],
    ['PUT /networking/firewalls/4005/rules', rules],
  ])('Events: none where nothing of the kind was done: %s %j', async ([line, body], { service }) => {
    await service.call(line, { body })
    expect(await events(service)).toEqual([])
  })
})
