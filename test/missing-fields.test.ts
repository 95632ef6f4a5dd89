/**
 * Answers that lack fields (gaps.md, Missing fields in answers): what nobody needs is null in JSON and `-` in tables.
 * Required is what tells an object from others, typed by hand for each command.
 */
import { describe, expect } from 'vitest'
import { stageOf } from './support/answer-stage'
import { faultServer, reply, type Script } from './support/fault-server'
import { hostileValues, spoiledBody } from './support/hostile-answers'
import { test } from './support/skyctl'

const missing = hostileValues.find(({ name }) => name === 'missing') as (typeof hostileValues)[number]
const none = hostileValues.find(({ name }) => name === 'null') as (typeof hostileValues)[number]

/** What each command cannot do without. */
const identities: Readonly<Record<string, readonly string[]>> = {
  'volumes list': ['id'],
  'firewalls list': ['id'],
  // A device is what it connects.
  'firewalls devices list': ['id', 'entity'],
  'regions list': ['id'],
  'regions view': ['id'],
  'regions availability': ['region', 'plan'],
  'ips list': ['address'],
  'ips view': ['address'],
  'ipv6 pools list': ['range'],
  'ipv6 ranges list': ['range'],
  'ipv6 ranges view': ['range'],
  'vlans list': ['label'],
  'tokens list': ['id'],
  'profile view': ['username'],
  'profile apps list': ['id'],
  'profile devices list': ['id'],
  'profile logins list': ['id'],
  'profile sshkeys list': ['id'],
}

describe('A field that an answer lacks is null, unless it tells the object from others:', () => {
  test.for(Object.entries(identities))('%s', { timeout: 120_000 }, async ([command, identity]) => {
    const stage = await stageOf(command)
    try {
      const index = stage.replay.recorded.length - 1
      const body = JSON.parse(stage.replay.recorded[index]?.body ?? '')
      const record = Array.isArray(body.data) ? body.data[0] : body
      const above = Array.isArray(body.data) ? ['data', 0] : []
      for (const field of Object.keys(record)) {
        for (const value of [missing, none]) {
          stage.replay.spoil(index, spoiledBody(body, [...above, field], value))
          const { exit, stdout, stderr } = await stage.run('--json')
          const wanted = identity.includes(field) ? 1 : 0
          expect({ field, value: value.name, exit, stderr: exit === wanted ? '' : stderr }).toEqual({
            field,
            value: value.name,
            exit: wanted,
            stderr: '',
          })
          if (exit !== 0) continue
          const printed = [JSON.parse(stdout)].flat()[0]
          const isNone = printed[field] ?? null
          expect({ field, isNone }).toEqual({ field, isNone: value === none && Array.isArray(isNone) ? [] : null })
          const table = await stage.run('')
          expect({ field, exit: table.exit }).toEqual({ field, exit: 0 })
          expect(table.stdout).not.toMatch(/\b(null|undefined|NaN)\b/)
        }
      }
    } finally {
      await stage.close()
    }
  })
})

const page = (...data: object[]): Script => reply(200, { data, page: 1, pages: 1, results: data.length })

describe('Recorded answers that lack fields are read:', () => {
  test('an IPv6 pool of range, region and route target', async ({ skyctl }) => {
    const pool = { range: '2001:db8:33::', region: 'eu-west', route_target: null }
    const { host } = await faultServer(page(pool))
    const env = { SKYCTL_BASE_URL: `http://${host}/v4` }
    const { exit, stdout } = await skyctl('ipv6 pools list --json', { env })
    expect({ exit, pools: JSON.parse(stdout) }).toEqual({ exit: 0, pools: [{ ...pool, prefix: null }] })
    expect((await skyctl('ipv6 pools list', { env })).stdout).toMatch(/2001:db8:33::\s+-\s+eu-west/)
  })

  test('a volume and a firewall of an id alone', async ({ skyctl }) => {
    for (const group of ['volumes', 'firewalls']) {
      const { host } = await faultServer([reply(200, { id: 7 }), reply(200, { id: 7 }), page()])
      const env = { SKYCTL_BASE_URL: `http://${host}/v4` }
      const { exit, stdout } = await skyctl(`${group} view 7 --json`, { env })
      expect({ exit, record: JSON.parse(stdout) }).toMatchObject({
        exit: 0,
        record: { id: 7, label: null, status: null },
      })
      const table = await skyctl(`${group} view 7`, { env })
      expect(table).toMatchObject({ exit: 0, stderr: '' })
      expect(table.stdout).not.toMatch(/null|undefined/)
    }
  })

  test('a VLAN without its instances', async ({ skyctl }) => {
    const { host } = await faultServer(page({ label: 'blue', region: 'us-east', created: '2026-01-01T00:00:00' }))
    const { exit, stdout } = await skyctl('vlans list --json', { env: { SKYCTL_BASE_URL: `http://${host}/v4` } })
    expect({ exit, vlans: JSON.parse(stdout) }).toMatchObject({ exit: 0, vlans: [{ label: 'blue', computes: null }] })
  })

  test('a profile without the way of signing in, at sign-in', async ({ skyctl }) => {
    const { host } = await faultServer(reply(200, { username: 'ada', uid: 7, email: 'ada@example.net' }))
    const flags = `--base-url http://${host}/v4 --context bare --with-token`
    expect(await skyctl(`auth login ${flags}`, { stdin: 'a'.repeat(64) })).toMatchObject({ exit: 0 })
  })
})

describe('What a command decides by is not guessed:', () => {
  test('plan refuses a volume without its size', async ({ skyctl }) => {
    const volume = { id: 7, label: 'data', region: 'us-east', tags: [], compute_id: null, status: 'active' }
    const { host } = await faultServer(page(volume))
    const { exit, stderr } = await skyctl('plan - ', {
      env: { SKYCTL_BASE_URL: `http://${host}/v4` },
      stdin: 'volumes: { data: { size: 40 } }',
    })
    expect(exit).toBe(1)
    expect(stderr).toContain('data[0].size is missing')
  })

  test('tokens revoke refuses a token that may be the one in use', async ({ skyctl }) => {
    const token = { id: 7, label: 'old', scopes: '*', created: '2026-01-01T00:00:00', expiry: null }
    const { host, heard } = await faultServer(reply(200, token))
    const env = { SKYCTL_BASE_URL: `http://${host}/v4` }
    expect(await skyctl('tokens revoke 7 --yes', { env })).toMatchObject({
      exit: 2,
      stderr: expect.stringContaining('--even-if-current'),
    })
    expect(heard.map(({ method }) => method)).not.toContain('DELETE')
  })
})
