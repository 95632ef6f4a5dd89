/** A plan in which a named network has changed, as people and scripts read it (state.md, For teams). */
import { expect } from 'vitest'
import { test } from './support/account-files'

const text = (office: string) => `networks: { office: ${office} }
rules: { ssh: [{ action: accept, protocol: tcp, ports: 22, from: office, label: ssh }] }
firewalls:
  team-a:
    rules:
      inbound_policy: drop
      outbound_policy: accept
      outbound: []
      inbound: [{ use: ssh }, { action: accept, protocol: tcp, ports: 443, from: office, label: https }]
  team-b:
    rules: { inbound_policy: drop, outbound_policy: accept, inbound: [{ use: ssh }], outbound: [] }
`

test('a plan names a changed network once, and the rules below it; scripts get all addresses', async ({
  skyctl,
  file,
}) => {
  const path = file('a.yaml', text('192.0.2.1'))
  expect(await skyctl(`apply ${path} --yes`)).toMatchObject({ exit: 0 })
  file('a.yaml', text('192.0.2.2'))
  const { stdout } = await skyctl(`plan ${path}`)
  expect(stdout).toBe(`network "office": +192.0.2.2/32 -192.0.2.1/32 (2 firewalls, 3 rules)
~ firewall "team-a" (${/"team-a" \((\d+)\)/.exec(stdout)?.[1]})
    changed  inbound 1, inbound 2: with network "office"
~ firewall "team-b" (${/"team-b" \((\d+)\)/.exec(stdout)?.[1]})
    changed  inbound 1: with network "office"
2 to update; 0 unchanged
`)
  const data = await skyctl(`plan ${path} --json`)
  const expanded = file('b.yaml', text('192.0.2.2').replaceAll('from: office', 'addresses: 192.0.2.2'))
  const named = JSON.parse(data.stdout)
  const plain = JSON.parse((await skyctl(`plan ${expanded} --json`)).stdout.replaceAll(expanded, path))
  expect({ ...named, networks: [] }).toEqual(plain)
  expect(named.networks).toEqual([
    { name: 'office', added: ['192.0.2.2/32'], removed: ['192.0.2.1/32'], firewalls: 2, rules: 3 },
  ])
  const applied = await skyctl(`apply ${path} --yes`)
  expect(applied).toMatchObject({ exit: 0, stderr: expect.stringContaining('network "office": +192.0.2.2/32') })
  expect(await skyctl(`plan ${path} --exit-code`)).toMatchObject({ exit: 0 })
})
