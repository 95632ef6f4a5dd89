/** Values that api.md does not name: printed, exported as comments, and unchanged (gaps.md, Unknown kinds in answers). */
import { describe, expect } from 'vitest'
import { test as base } from '../support/account-files'
import { ruleSet, ssh, web } from '../support/firewall-rules'

const json = (text: string) => JSON.parse(text)
const lines = (text: string) => text.trimEnd().split('\n')
const gre = { action: 'ACCEPT', protocol: 'GRE', addresses: { ipv4: ['203.0.113.0/24'] }, label: 'tunnel' }

interface Fixtures {
  /** Creates a firewall with a device, a status and a rule that api.md does not name, and returns its id. */
  unknownFirewall(more?: object): number
}

const test = base.extend<Fixtures>({
  unknownFirewall: async ({ world }, use) =>
    use((more = {}) => {
      const rules = ruleSet(ssh, gre as never)
      const { id } = world.network.firewall({ label: 'edge', status: 'paused', rules, ...more } as never)
      world.network.device(id, 'compute', 1004)
      world.network.device(id, 'compute_interface' as never, 77)
      return id
    }),
})

describe('a firewall with values that api.md does not name', () => {
  test('is exported with comments for them, and the exported file changes nothing', async ({
    skyctl,
    unknownFirewall,
    world,
  }) => {
    const id = unknownFirewall()
    const { exit, stdout, stderr } = await skyctl('export firewalls --filter label=edge')
    expect(exit).toBe(0)
    for (const text of [
      'its status "paused" is unknown',
      'compute_interface 77 is of an unknown type',
      'inbound rule 2 has the unknown protocol GRE',
    ]) {
      expect(stdout).toContain(`left out: ${text}`)
      expect(stderr).toContain(`left out: firewall "edge": ${text}`)
    }
    // One line each: values of the service are not mistakes of the file.
    expect(lines(stderr)).toHaveLength(3)
    const applied = await skyctl('apply - --yes', { stdin: stdout })
    expect(applied).toMatchObject({ exit: 0, stderr: 'No changes; 1 unchanged\n' })
    expect(world.requests().every(({ method }) => method === 'GET')).toBe(true)
    expect(world.network.firewalls.get(id)?.status).toBe('paused')
  })

  test('keeps its device, status and rule if a file changes the rest', async ({
    skyctl,
    unknownFirewall,
    file,
    world,
  }) => {
    const id = unknownFirewall()
    const text = `firewalls: { edge: { status: disabled, rules: { inbound: ${JSON.stringify([web, ssh])} }, devices: { computes: [] } } }`
    const path = file('a.yaml', text)
    const { stdout } = await skyctl(`plan ${path}`)
    for (const note of [
      `firewall "edge" (${id}): its status "paused" is unknown, and stays unchanged`,
      `firewall "edge" (${id}): compute_interface 77 is of an unknown type, and stays unchanged`,
      `firewall "edge" (${id}): inbound rule 2 has the unknown protocol GRE, and stays unchanged`,
    ])
      expect(stdout).toContain(note)
    expect(json((await skyctl(`plan ${path} --json`)).stdout).notes).toHaveLength(3)
    // The sandbox accepts only protocols of api.md; a service that has others accepts them.
    expect((await skyctl(`apply ${path} --yes`)).stderr).toContain('inbound[2].protocol')
    const [sent] = world.requests('PUT').map(({ body }) => body) as [
      { inbound: { protocol: string; ports?: string }[] },
    ]
    expect(sent.inbound.map(({ protocol, ports }) => ports ?? protocol)).toEqual([web.ports, ssh.ports, 'GRE'])
    const others = file('b.yaml', 'firewalls: { edge: { status: disabled, tags: [x], devices: { computes: [] } } }')
    expect(await skyctl(`apply ${others} --yes`)).toMatchObject({ exit: 0 })
    expect(world.network.firewalls.get(id)).toMatchObject({ status: 'paused', tags: ['x'] })
    expect(world.network.devicesOf(id).map(({ type }) => type)).toEqual(['compute_interface'])
    expect((await skyctl(`plan ${others} --exit-code`)).exit).toBe(0)
  })

  test.for([
    ['status: enabled', 'its status "paused" is unknown'],
    ['rules: { inbound: [] }', 'inbound rule 2 has the unknown protocol GRE'],
    ['devices: { computes: [] }', 'compute_interface 77 is of an unknown type'],
    ['tags: [x]'],
  ])(
    'is planned with notes only for fields that the file sets: %s',
    async ([field, ...left], { skyctl, unknownFirewall, file }) => {
      unknownFirewall()
      const { stdout } = await skyctl(`plan ${file('a.yaml', `firewalls: { edge: { ${field} } }`)} --json`)
      expect(json(stdout).notes.map(({ text }: { text: string }) => text)).toEqual(
        left.map((text) => `${text}, and stays unchanged`),
      )
    },
  )

  test('does not conflict with the firewall that protects its services if a file enables it', async ({
    skyctl,
    unknownFirewall,
    file,
    world,
  }) => {
    unknownFirewall()
    world.network.device(world.network.firewall({ label: 'front' }).id, 'compute', 1004)
    const path = file('a.yaml', 'firewalls: { edge: { status: enabled } }')
    expect(await skyctl(`plan ${path}`)).toMatchObject({
      exit: 0,
      stdout: expect.stringContaining('its status "paused" is unknown, and stays unchanged'),
    })
  })

  test('is kept by --prune with an unknown status, and otherwise deleted with its unknown devices named', async ({
    skyctl,
    unknownFirewall,
    file,
    world,
  }) => {
    const paused = unknownFirewall({ label: 'paused', tags: ['team'] })
    const enabled = unknownFirewall({ label: 'gone', status: 'enabled', tags: ['team'] })
    const path = file('a.yaml', 'owner: team\nvolumes: { data-1: {} }')
    expect((await skyctl(`plan ${path} --prune`)).stdout).toContain('compute_interface 77 is open to all traffic')
    expect(await skyctl(`apply ${path} --prune --yes --max-deletes 1`)).toMatchObject({ exit: 0 })
    expect([paused, enabled].map((id) => world.network.firewalls.get(id)?.label)).toEqual(['paused', undefined])
  })
})
