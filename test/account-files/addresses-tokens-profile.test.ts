/** Addresses, tokens and the profile in account files: what a plan refuses, and what is no difference. */
import { describe, expect } from 'vitest'
import { test } from '../support/account-files'
import type { World } from '../support/sandbox'

const changesIn = (world: World) => world.requests().filter(({ method }) => method !== 'GET')

describe('an address', () => {
  test('cannot be assigned to an instance in another region', async ({ skyctl, file, world, problems }) => {
    world.compute({ id: 7001, region: 'eu-west' })
    world.network.address({ address: '203.0.113.1', compute_id: 7001, region: 'eu-west' })
    const { exit, stderr } = await skyctl(`apply ${file('a.yaml', 'ips:\n  192.0.2.31: { compute_id: 7001 }\n')} --yes`)
    expect({ exit, problems: problems(stderr) }).toEqual({
      exit: 6,
      problems: ['a.yaml:2: ips.192.0.2.31.compute_id: Compute instance 7001 is in eu-west, the address in us-east'],
    })
    expect(changesIn(world)).toEqual([])
  })

  test('cannot leave its instance without a public IPv4 address', async ({ skyctl, file, world, problems }) => {
    for (const id of [7001, 7002]) {
      world.compute({ id, region: 'us-east' })
      world.network.address({ address: `203.0.113.${id - 7000}`, compute_id: id })
    }
    const { exit, stderr } = await skyctl(`apply ${file('a.yaml', 'ips: { 203.0.113.1: { compute_id: 7002 } }')} --yes`)
    expect({ exit, problems: problems(stderr) }).toEqual({
      exit: 6,
      problems: [
        expect.stringContaining('Compute instance 7001 would have no public IPv4 address. Assign another one'),
      ],
    })
    expect(changesIn(world)).toEqual([])
  })
})

describe('a token', () => {
  const expected = 'tokens: { ci: { scopes: volumes:read_only } }'

  test('that has expired does not count', async ({ skyctl, file, clock }) => {
    expect(await skyctl('tokens create --label ci --scope volumes:read_only --expiry 2d')).toMatchObject({ exit: 0 })
    const path = file('a.yaml', expected)
    expect(await skyctl(`plan ${path} --exit-code`)).toMatchObject({ exit: 0 })
    clock.advance(3 * 86_400_000)
    const { exit, stdout } = await skyctl(`plan ${path} --exit-code`)
    expect({ exit, stdout }).toEqual({
      exit: 13,
      stdout: expect.stringContaining('The token with this label expired at 2026-01-17T12:00:00 UTC'),
    })
  })

  test('with wider scopes should be revoked if another one is as expected', async ({ skyctl, file, world }) => {
    world.tokens.add({ label: 'ci', user: 1, scopes: 'volumes:read_only', token: 'a'.repeat(64) })
    const { id } = world.tokens.add({ label: 'ci', user: 1, scopes: 'volumes:read_write', token: 'b'.repeat(64) })
    const { exit, stdout } = await skyctl(`plan ${file('a.yaml', expected)} --exit-code`)
    expect({ exit, lines: stdout.split('\n') }).toEqual({
      exit: 13,
      lines: expect.arrayContaining([
        expect.stringMatching(`token ${id} has wider scopes: volumes:read_write, not volumes:read_only`),
        expect.stringMatching(`Another one is as expected, so revoke this one: skyctl tokens revoke ${id}$`),
      ]),
    })
  })
})

describe('the profile', () => {
  const keys = ['J2kqDZbJwWzL1dMRPbmTzc6iUOh3TM0YrKDzDfJ6QyD', 'GGfa+k3oJua5sGa8o1VxK361GI2XF3I5p3VrKIgwg9g'].map(
    (end) => `ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI${end} x`,
  )

  test('is unchanged if its keys have another order, and gets only the fields that differ', async ({
    skyctl,
    file,
    world,
  }) => {
    expect(
      await skyctl(`profile update --authorized-key "${keys[0]}" --authorized-key "${keys[1]}" --yes`),
    ).toMatchObject({ exit: 0 })
    const text = (more: object) => JSON.stringify({ profile: { authorized_keys: [...keys].reverse(), ...more } })
    expect(await skyctl(`plan ${file('a.yaml', text({}))} --exit-code`)).toMatchObject({ exit: 0 })
    const path = file('b.yaml', text({ timezone: 'Europe/Paris' }))
    expect(await skyctl(`apply ${path} --yes`)).toMatchObject({ exit: 0 })
    expect(changesIn(world).at(-1)?.body).toEqual({ timezone: 'Europe/Paris' })
  })

  test('accepts only a time zone of the IANA list', async ({ skyctl, file, world, problems }) => {
    const path = file('a.yaml', 'profile:\n  timezone: Europe/Bonn\n')
    const { exit, stderr } = await skyctl(`apply ${path} --yes`)
    expect({ exit, problems: problems(stderr) }).toEqual({
      exit: 6,
      problems: [
        'a.yaml:2: profile.timezone: Must be a time zone of the IANA list, with its capitals, such as Europe/Berlin; a new zone may need a newer Node',
      ],
    })
    expect(changesIn(world)).toEqual([])
  })
})
