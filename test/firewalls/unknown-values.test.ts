/** Commands with an undocumented status, policy or device type in an answer (gaps.md, Unknown kinds in answers). */
import { describe, expect } from 'vitest'
import { findingsOf } from '../support/audit-stage'
import { ruleSet, ssh } from '../support/firewall-rules'
import { test as base } from '../support/skyctl'

interface PausedFixtures {
  /** The firewall `edge` of an unknown status, which protects an instance and a device of unknown type. */
  edge: { id: number; device: number }
}

const test = base.extend<PausedFixtures>({
  edge: async ({ world }, use) => {
    const { id } = world.network.firewall({ label: 'edge', status: 'paused', rules: ruleSet(ssh) } as never)
    world.network.device(id, 'compute', 1004)
    const device = world.network.device(id, 'compute_interface' as never, 77)
    await use({ id, device: device.id })
  },
})

const warning = 'has the unknown status "paused": skyctl cannot tell whether its rules are enforced'

describe('An unknown status', () => {
  test.for([
    'enable edge --yes',
    'disable edge --yes',
    'update edge --status disabled --yes',
    'update edge --status enabled --yes',
    'delete edge --yes',
    'test edge --protocol TCP --port 22 --from 203.0.113.7',
  ])('causes a warning: firewalls %s', async (line, { skyctl, edge }) => {
    const { exit, stderr } = await skyctl(`firewalls ${line}`)
    expect({ exit, stderr }).toEqual({
      exit: 0,
      stderr: expect.stringContaining(`warning: firewall "edge" (${edge.id}) ${warning}`),
    })
  })

  test.for(['enable edge --yes', 'disable edge --yes', 'update edge --status disabled --yes'])(
    'causes a warning in JSON: firewalls %s --json',
    async (line, { skyctl, edge }) => {
      const { exit, stderr } = await skyctl(`firewalls ${line} --json`)
      expect({ exit, stderr }).toEqual({ exit: 0, stderr: expect.stringContaining(warning.replaceAll('"', '\\"')) })
      expect(stderr).toContain(String(edge.id))
    },
  )

  test.for(['disable edge --yes', 'delete edge --yes', 'update edge --status disabled --yes'])(
    'does not count as disabled, and newly allowed traffic is printed: firewalls %s',
    async (line, { skyctl, edge: _ }) => {
      expect((await skyctl(`firewalls ${line}`)).stderr).toContain('newly allowed at')
    },
  )

  test('does not count as disabled if a service is assigned or a device deleted', async ({ skyctl, edge, world }) => {
    const addition = await skyctl('firewalls devices add edge --compute-id 1008 --keep-open tcp/5432')
    expect({ exit: addition.exit, devices: world.network.devicesOf(edge.id).length }).toEqual({ exit: 6, devices: 2 })
    const { exit, stderr } = await skyctl(`firewalls devices delete edge ${edge.device} --yes`)
    expect({ exit, stderr }).toEqual({
      exit: 0,
      stderr: expect.stringContaining('newly allowed at compute_interface 77'),
    })
    expect(stderr).toContain(warning)
  })

  test('does not count as disabled with --keep-open', async ({ skyctl, edge, world }) => {
    const { exit } = await skyctl('firewalls update edge --label other --keep-open tcp/5432')
    expect({ exit, label: world.network.firewalls.get(edge.id)?.label }).toEqual({ exit: 6, label: 'edge' })
  })

  test('and an unknown device type are shown in lists and views', async ({ skyctl, edge }) => {
    expect((await skyctl('firewalls list --filter label=edge')).stdout).toContain('paused')
    const { stdout } = await skyctl('firewalls view edge')
    expect(stdout).toContain('status   paused')
    expect(stdout).toContain(`compute_interface 77 (device ${edge.device})`)
    expect((await skyctl('firewalls devices list edge')).stdout).toMatch(/compute_interface\s+77/)
    expect((await skyctl(`firewalls devices view edge ${edge.device}`)).stdout).toContain('compute_interface')
  })
})

describe('An unknown policy', () => {
  const reject = { ...ruleSet(ssh), inbound_policy: 'REJECT' }

  test('is omitted from an export with the reason, and unchanged by a file', async ({ skyctl, world }) => {
    const { id } = world.network.firewall({ label: 'edge', rules: reject } as never)
    const { stdout } = await skyctl('export firewalls --filter label=edge')
    expect(stdout).toContain('left out: rules.inbound_policy REJECT is unknown')
    expect(await skyctl('plan - --exit-code', { stdin: stdout })).toMatchObject({ exit: 0 })
    const file = 'firewalls: { edge: { rules: { inbound_policy: DROP } } }'
    const plan = await skyctl('plan - --exit-code', { stdin: file })
    expect(plan).toMatchObject({
      exit: 0,
      stdout: expect.stringContaining('rules.inbound_policy REJECT is unknown, and stays unchanged'),
    })
    expect(world.network.firewalls.get(id)?.rules.inbound_policy).toBe('REJECT')
  })

  test('is sent unchanged if a file changes other rules', async ({ skyctl, world }) => {
    world.network.firewall({ label: 'edge', rules: reject } as never)
    const stdin = 'firewalls: { edge: { rules: { inbound: [], inbound_policy: DROP } } }'
    await skyctl('apply - --yes', { stdin })
    expect(world.requests('PUT').map(({ body }) => body)).toEqual([{ ...reject, inbound: [] }])
  })

  test('does not count as DROP in an audit', async ({ skyctl, world }) => {
    const { id } = world.network.firewall({ label: 'edge', rules: { ...reject, inbound: [] } } as never)
    world.network.device(id, 'compute', 1004)
    const { stdout } = await skyctl('audit --code database-port-open --json')
    const findings = findingsOf(stdout).filter(({ object }) => object.id === id)
    expect(findings.map(({ reason }) => reason.replace(/^.* by (.*);.*$/, '$1'))).toContain('the inbound policy')
  })
})
