/** Signals while apply moves a service from one firewall to another (reliability.md, Protected). */
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { protectedIn } from '../support/exposure'
import { lossyProxy } from '../support/lossy-proxy'
import { test } from '../support/process'

test.runIf(existsSync('/proc/self/status')).for(['SIGINT', 'SIGTERM'] as const)(
  'After %s, apply only attaches the service that it has just detached',
  async (signal, { start, sandbox, home, world }) => {
    const [from, to] = ['fw-a', 'fw-b'].map((label) => world.network.firewall({ label }).id) as [number, number]
    world.compute({ id: 7001 })
    world.network.address({ address: '203.0.113.1', compute_id: 7001 })
    world.network.device(from, 'compute', 7001)
    const file = join(home, 'a.yaml')
    const firewalls = { 'fw-a': { devices: { computes: [] } }, 'fw-b': { devices: { computes: [7001] } } }
    writeFileSync(file, JSON.stringify({ firewalls, volumes: { new: { region: 'us-east' } } }))
    const proxy = await lossyProxy(sandbox.baseUrl)
    const request = proxy.hold('DELETE', /\/devices\//)
    const apply = start(`apply ${file} --yes`, { env: { SKYCTL_BASE_URL: proxy.baseUrl }, stdin: '' })
    await request.arrived
    await apply.signal(signal)
    request.release()
    const { exit } = await apply.end
    await proxy.close()
    expect({ exit, posts: world.requests('POST').map(({ path }) => path) }).toEqual({
      exit: signal === 'SIGINT' ? 130 : 143,
      posts: [`/networking/firewalls/${to}/devices`],
    })
    expect([...protectedIn(world)]).toContain('compute 7001')
  },
)
