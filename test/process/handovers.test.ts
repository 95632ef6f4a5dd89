/** Ctrl-C between the release of a service and its claim (reliability.md, Protected). */
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { protectedIn } from '../support/exposure'
import { lossyProxy } from '../support/lossy'
import { test } from '../support/process'

test.runIf(existsSync('/proc/self/status')).for(['SIGINT', 'SIGTERM'] as const)(
  'a service that was released is claimed although %s has come, and nothing else is done',
  async (signal, { start, sandbox, home, world }) => {
    const [from, to] = ['fw-a', 'fw-b'].map((label) => world.network.firewall({ label }).id) as [number, number]
    world.compute({ id: 7001 })
    world.network.address({ address: '203.0.113.1', compute_id: 7001 })
    world.network.device(from, 'compute', 7001)
    const file = join(home, 'a.yaml')
    const wanted = { 'fw-a': { devices: { computes: [] } }, 'fw-b': { devices: { computes: [7001] } } }
    writeFileSync(file, JSON.stringify({ firewalls: wanted, volumes: { new: { region: 'us-east' } } }))
    const proxy = await lossyProxy(sandbox.baseUrl)
    const held = proxy.hold('DELETE', /\/devices\//)
    const apply = start(`apply ${file} --yes`, { env: { SKYCTL_BASE_URL: proxy.baseUrl }, stdin: '' })
    await held.arrived
    await apply.signal(signal)
    held.release()
    const { exit } = await apply.end
    await proxy.close()
    expect({ exit, made: world.requests('POST').map(({ path }) => path) }).toEqual({
      exit: signal === 'SIGINT' ? 130 : 143,
      made: [`/networking/firewalls/${to}/devices`],
    })
    expect([...protectedIn(world)]).toContain('compute 7001')
  },
)
