/** Plans that combine files exactly, take no object for another, and delete last. */
import { describe, expect } from 'vitest'
import { test } from '../support/account-files'
import { ruleSet, ssh } from '../support/firewall-rules'

describe('a plan', () => {
  test('takes the rules of a firewall from the last file that has them, and none of an earlier file', async ({
    skyctl,
    file,
    world,
  }) => {
    const { id } = world.network.firewall({ label: 'edge', rules: ruleSet() })
    const earlier = file('base.yaml', JSON.stringify({ firewalls: { edge: { rules: ruleSet(ssh) } } }))
    const later = file('prod.yaml', 'firewalls: { edge: { rules: { inbound_policy: drop, outbound_policy: accept } } }')
    expect(await skyctl(`apply ${earlier} ${later} --yes`)).toMatchObject({ exit: 0 })
    expect(world.network.firewalls.get(id)?.rules).toMatchObject({ inbound: [], inbound_policy: 'DROP' })
  })

  test('refuses to rename one of two volumes with the former label', async ({ skyctl, file, world, problems }) => {
    const ids = [1, 2].map(() => world.volume({ label: 'old', region: 'us-east' }).id)
    const path = file('a.yaml', 'volumes: { new: { was: old } }')
    const { exit, stderr } = await skyctl(`apply ${path} --yes`)
    expect({ exit, problems: problems(stderr) }).toEqual({
      exit: 6,
      problems: [expect.stringMatching(`"old" \\(${ids[0]}\\) and volume "old" \\(${ids[1]}\\) both exist`)],
    })
    expect(world.requests().filter(({ method }) => method !== 'GET')).toEqual([])
  })

  test('deletes only after all creations and changes, however many steps they have', async ({
    skyctl,
    file,
    world,
  }) => {
    world.volume({ label: 'gone', region: 'us-east', tags: ['team'] })
    world.network.firewall({ label: 'spare', tags: ['team'] })
    const text = `owner: team
volumes:
  fresh: { region: us-east, size: 30 }
  renamed: { was: data-1, size: 50, tags: [one], compute_id: null }
`
    expect(await skyctl(`apply ${file('a.yaml', text)} --prune --adopt --max-deletes 2 --yes`)).toMatchObject({
      exit: 0,
    })
    const methods = world.requests().flatMap(({ method }) => (method === 'GET' ? [] : [method]))
    expect(methods).toHaveLength(7)
    expect(methods.slice(-3)).toEqual([expect.stringMatching(/POST|PUT/), 'DELETE', 'DELETE'])
  })

  test('takes no service from a protected firewall for another one', async ({ skyctl, file, world, problems }) => {
    world.compute({ id: 7001, region: 'us-east' })
    const { id } = world.network.firewall({ label: 'guard', tags: ['protected'], rules: ruleSet(ssh) })
    world.network.device(id, 'compute', 7001)
    world.network.firewall({ label: 'next', rules: ruleSet(ssh) })
    const text = 'firewalls:\n  guard: { devices: { computes: [] } }\n  next: { devices: { computes: [7001] } }\n'
    const { exit, stderr } = await skyctl(`apply ${file('a.yaml', text)} --yes`)
    expect({ exit, problems: problems(stderr) }).toEqual({
      exit: 6,
      problems: [
        expect.stringMatching(
          /^a\.yaml:2: firewalls\.guard\.devices\.computes: It has the tag "protected", and the plan would remove compute 7001 from it/,
        ),
      ],
    })
    expect(world.network.devicesOf(id)).toHaveLength(1)
  })
})
