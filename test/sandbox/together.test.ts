/** Everything that is wrong with one request is told at once, also what only the world knows. */
import { describe, expect } from 'vitest'
import { test } from './fixture'

const fields = ({ body }: { body: { errors: { field: string | null }[] } }) => body.errors.map(({ field }) => field)
const rules = { inbound: [], inbound_policy: 'DROP', outbound: [], outbound_policy: 'ACCEPT' }

describe('all at once', () => {
  test('of an assignment: addresses and instances that do not exist', async ({ service: { call } }) => {
    const assignments = [
      { address: '192.0.2.250', compute_id: 999 },
      { address: '192.0.2.251', compute_id: 1001 },
    ]
    const answer = await call('POST /networking/ips/assign', { body: { region: 'us-east', assignments } })
    expect(answer.status).toBe(400)
    expect(fields(answer)).toEqual(['assignments[0].compute_id', 'assignments[0].address', 'assignments[1].address'])
  })

  test('of a sharing: every address that does not exist', async ({ service: { call } }) => {
    const answer = await call('POST /networking/ips/share', {
      body: { compute_id: 1001, ips: ['192.0.2.250', '192.0.2.251'] },
    })
    expect({ status: answer.status, fields: fields(answer) }).toEqual({ status: 400, fields: ['ips[0]', 'ips[1]'] })
  })

  test('of a firewall: its label, and every service that does not exist; nothing is made', async ({ service }) => {
    const { call, world } = service
    const before = world.network.firewalls.size
    const answer = await call('POST /networking/firewalls', {
      body: { label: 'web', rules, devices: { computes: [999, 998], balancers: [997] } },
    })
    expect(answer.status).toBe(400)
    expect(fields(answer)).toEqual(['label', 'devices.computes[0]', 'devices.computes[1]', 'devices.balancers[0]'])
    expect(world.network.firewalls.size).toBe(before)
  })
})
