/**
 * Answers that lack fields (gaps.md, Missing fields in answers): an optional field is null in JSON and `-` in tables.
 * Only identifying fields are required, listed by hand for each command.
 */
import { describe, expect } from 'vitest'
import { stageOf } from './support/answer-stage'
import { faultServer, reply, type Script } from './support/fault-server'
import { hostileValues, spoiledBody, valueAtPath } from './support/hostile-answers'
import { test } from './support/skyctl'

const missing = hostileValues.find(({ name }) => name === 'missing') as (typeof hostileValues)[number]
const none = hostileValues.find(({ name }) => name === 'null') as (typeof hostileValues)[number]

/** The required fields of each command. */
const identities: Readonly<Record<string, readonly string[]>> = {
  'volumes list': ['id'],
  'firewalls list': ['id'],
  // A device is identified by its entity, too.
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

describe('a missing field is null unless it identifies the object:', () => {
  test.for(Object.entries(identities))('%s', { timeout: 120_000 }, async ([command, identity]) => {
    const stage = await stageOf(command)
    try {
      const index = stage.replay.recorded.length - 1
      const body = JSON.parse(stage.replay.recorded[index]?.body ?? '')
      const record = Array.isArray(body.data) ? body.data[0] : body
      const above = Array.isArray(body.data) ? ['data', 0] : []
      for (const field of Object.keys(record)) {
        for (const value of [missing, none]) {
          stage.replay.spoil(index, { body: spoiledBody(body, [...above, field], value) })
          const { exit, stdout, stderr } = await stage.run('--json')
          const expected = identity.includes(field) ? 1 : 0
          expect({ field, value: value.name, exit, stderr: exit === expected ? '' : stderr }).toEqual({
            field,
            value: value.name,
            exit: expected,
            stderr: '',
          })
          if (exit !== 0) continue
          const printed = [JSON.parse(stdout)].flat()[0]
          const shown = printed[field] ?? null
          expect({ field, shown }).toEqual({ field, shown: value === none && Array.isArray(shown) ? [] : null })
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

const serve = async (answers: Record<string, object>) => {
  const { env, received } = await faultServer((socket, request) => {
    const [path = ''] = request.path.replace('/v4', '').split('?')
    const answer = answers[path]
    ;(answer ? reply(200, answer) : page())(socket, request)
  })
  return { env, received }
}
const pageOf = (...data: object[]) => ({ data, page: 1, pages: 1, results: data.length })

const page = (...data: object[]): Script => reply(200, { data, page: 1, pages: 1, results: data.length })

describe('an answer without some fields is accepted', () => {
  test.for(['rdns', 'compute_id'])('for export and audit: an address without %s', async (field) => {
    for (const path of ['export', 'audit']) {
      const stage = await stageOf(path)
      try {
        const index = stage.replay.recorded.findIndex(({ request: asked }) =>
          asked.startsWith('GET /v4/networking/ips'),
        )
        const body = JSON.parse(stage.replay.recorded[index]?.body ?? '')
        stage.replay.spoil(index, { body: spoiledBody(body, ['data', 0, field], missing) })
        const { exit, stdout } = await stage.run('')
        expect({ path, exit }).toEqual({ path, exit: 0 })
        expect(stdout).not.toMatch(/undefined|NaN/)
      } finally {
        await stage.close()
      }
    }
  })

  test('for ipv6 pools list: a pool without a prefix', async ({ skyctl }) => {
    const pool = { range: '2001:db8:33::', region: 'eu-west', route_target: null }
    const { env } = await faultServer(page(pool))
    const { exit, stdout } = await skyctl('ipv6 pools list --json', { env })
    expect({ exit, pools: JSON.parse(stdout) }).toEqual({ exit: 0, pools: [{ ...pool, prefix: null }] })
    expect((await skyctl('ipv6 pools list', { env })).stdout).toMatch(/2001:db8:33::\s+-\s+eu-west/)
  })

  test('for a volume and a firewall with only an id', async ({ skyctl }) => {
    for (const group of ['volumes', 'firewalls']) {
      const { env } = await faultServer([reply(200, { id: 7 }), reply(200, { id: 7 }), page()])
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

  test('for ipv6 ranges create: a range without a route target', async () => {
    const stage = await stageOf('ipv6 ranges create')
    try {
      const index = stage.replay.recorded.findIndex(({ request: asked }) =>
        asked.startsWith('POST /v4/networking/ipv6/ranges'),
      )
      const body = JSON.parse(stage.replay.recorded[index]?.body ?? '')
      stage.replay.spoil(index, { body: spoiledBody(body, ['route_target'], missing) })
      const { exit, stderr } = await stage.run('')
      expect({ exit, stderr }).toEqual({ exit: 0, stderr: expect.stringMatching(/^Created IPv6 range [0-9a-f:/]+$/m) })
    } finally {
      await stage.close()
    }
  })

  test('for vlans list: a VLAN without instances', async ({ skyctl }) => {
    const { env } = await faultServer(page({ label: 'blue', region: 'us-east', created: '2026-01-01T00:00:00' }))
    const { exit, stdout } = await skyctl('vlans list --json', { env })
    expect({ exit, vlans: JSON.parse(stdout) }).toMatchObject({ exit: 0, vlans: [{ label: 'blue', computes: null }] })
  })

  test('for auth login: a profile without an authentication type', async ({ skyctl }) => {
    const { host } = await faultServer(reply(200, { username: 'ada', uid: 7, email: 'ada@example.net' }))
    const flags = `--base-url http://${host}/v4 --context bare --with-token`
    expect(await skyctl(`auth login ${flags}`, { stdin: 'a'.repeat(64) })).toMatchObject({ exit: 0 })
  })
})

test('a message of success omits missing fields', async ({ skyctl }) => {
  const volume = { id: 7, label: 'data', size: 20, filesystem_path: '/dev/disk/by-id/data' }
  const token = { id: 8, token: 'f'.repeat(64) }
  const { env } = await serve({
    '/volumes/7': { ...volume, filesystem_path: undefined },
    '/volumes/7/resize': { id: 7, size: 40 },
    '/networking/ips/192.0.2.7': { address: '192.0.2.7' },
    '/profile/tokens': { ...pageOf(), ...token },
    '/profile/tokens/8': { ...token, token: 'a'.repeat(16) },
  })
  const stderrOf = async (line: string, more = {}) =>
    (await skyctl(`${line} --yes`, { env: { ...env, ...more } })).stderr
  expect(await stderrOf('volumes update 7 --label logs')).toMatch(/Its path has changed/)
  expect(await stderrOf('volumes update 7 --label data --tag hot')).not.toMatch(/path/)
  expect(await stderrOf('volumes resize 7 --size 40')).toMatch(/^Resizing volume "data" \(7\) to 40 GiB$/m)
  expect(await stderrOf('ips rdns 192.0.2.7 www.example.net')).toMatch(
    /^The reverse DNS of 192.0.2.7 is www.example.net$/m,
  )
  expect(await stderrOf('ips rdns 192.0.2.7 --reset')).toMatch(/^The reverse DNS of 192.0.2.7 is the default$/m)
  expect(await stderrOf('tokens create --label ci --scope volumes:read_only --expiry 90d')).toMatch(
    /^Created token 8\. Store it now: it cannot be shown again$/m,
  )
  expect(await stderrOf('tokens revoke 8', { SKYCTL_TOKEN: 'a'.repeat(64) })).toMatch(/token 8 is the current token/)
})

test('a volume without a label is deleted and recorded in the history', async ({ skyctl }) => {
  const volume = { id: 7, label: null, compute_id: null, tags: [] }
  const { env } = await serve({ '/volumes/7': volume })
  expect(await skyctl('volumes delete 7 --yes', { env })).toMatchObject({ exit: 0, stderr: 'Deleted volume 7\n' })
  const { stdout } = await skyctl('history list --json', { env })
  expect(JSON.parse(stdout)).toMatchObject([{ outcome: 'ok', label: null }])
})

describe('a missing field is not guessed:', () => {
  test('a token without an expiry has an unknown one', async ({ skyctl, sandbox }) => {
    const token = { id: 7, label: 'job', scopes: '*', created: '2026-01-01T00:00:00' }
    const { env } = await serve({
      '/profile': { username: 'ada', uid: 7, restricted: false, two_factor_auth: true },
      '/profile/tokens': pageOf({ ...token, token: sandbox.ownerToken.slice(0, 16) }),
    })
    expect((await skyctl('tokens list --columns id,expiry --no-headers', { env })).stdout).toMatch(/^7\s+-$/m)
    const status = await skyctl('auth status --json', { env })
    expect(JSON.parse(status.stdout)).toMatchObject({ token_expiry: 'unknown', days_left: null })
  })

  test.for<[answer: object, name: string]>([
    [{ id: 7, label: 'edge' }, 'edge'],
    [{ id: 7 }, '7'],
  ])('a firewall without a status is not called enabled or disabled: %j', async ([answer, name], { skyctl }) => {
    const { env, received } = await serve({ '/networking/firewalls/7': answer })
    const { exit, stderr } = await skyctl('firewalls disable 7 --yes', { env })
    expect({ exit, stderr }).toEqual({
      exit: 1,
      stderr: expect.stringContaining(
        `the answer lacks the status of ${name}, so skyctl cannot tell whether it was changed`,
      ),
    })
    expect(received.filter(({ method }) => method !== 'GET')).toEqual([])
  })

  test('security questions without text are listed, and without responses the audit skips them', async ({ skyctl }) => {
    const { env } = await serve({
      '/profile': { username: 'ada', uid: 7, authentication_type: 'password', two_factor_auth: true },
      '/profile/security-questions': { security_questions: [{ id: 1 }, { id: 2, question: 'Which?', response: null }] },
    })
    const list = await skyctl('profile security-questions list --no-headers', { env })
    expect(list).toMatchObject({ exit: 0, stdout: expect.stringMatching(/^1\s+-\s+-\n2\s+Which\?\s+no$/m) })
    const audit = JSON.parse((await skyctl('audit --json', { env })).stdout)
    expect(audit).toMatchObject({ findings: [], skipped: [{ part: 'questions' }] })
    expect(audit.skipped[0].error.message).toContain('security_questions[0].response is missing')
  })

  test('a lost response does not count as success if the profile lacks the field', async ({ skyctl }) => {
    const { env } = await faultServer((socket, request) => {
      if (request.method === 'POST') socket.destroy()
      else reply(200, { username: 'ada', uid: 7 })(socket, request)
    })
    expect(await skyctl('profile tfa disable --yes', { env })).toMatchObject({ exit: 11 })
  })

  // Adoption would replace the unknown tags.
  test.for([
    ['size', '', '{ size: 40 }'],
    ['compute_id', '', '{ compute_id: 1001 }'],
    ['tags', ' --adopt', '{ size: 20 }'],
  ] as const)('plan rejects a volume without its %s%s', async ([field, flag, fields], { skyctl }) => {
    const volume = { id: 7, label: 'data', region: 'us-east', size: 20, tags: [], compute_id: null, status: 'active' }
    const { env } = await serve({ '/volumes': pageOf({ ...volume, [field]: undefined }) })
    const stdin = `${flag && 'owner: team\n'}volumes: { data: ${fields} }`
    const { exit, stderr } = await skyctl(`plan -${flag}`, { env, stdin })
    expect({ exit, stderr }).toEqual({
      exit: 1,
      stderr: expect.stringContaining(`volumes.data.${field}: The answer lacks the ${field}`),
    })
  })

  test.for([
    ['active', { compute_id: null }, 'status is missing'],
    ['detached', { status: 'active' }, 'compute_id is missing'],
    ['attached', { status: 'active' }, 'compute_id is missing'],
  ] as const)('volumes wait --for %s names the missing field at once', async ([state, fields, reason], { skyctl }) => {
    const { env } = await faultServer(reply(200, { id: 7, label: 'data', ...fields }))
    const { exit, stderr } = await skyctl(`volumes wait 7 --for ${state} --wait-timeout 5m`, { env })
    expect({ exit, stderr }).toEqual({ exit: 1, stderr: expect.stringContaining(reason) })
  })

  test.for(['volumes detach 7', 'firewalls enable 7'])(
    '%s does not count as done without the field that shows it',
    async (line, { skyctl }) => {
      const { env, received } = await faultServer(reply(200, { id: 7, label: 'data' }))
      const { exit, stderr } = await skyctl(`${line} --yes`, { env })
      expect({ exit, stderr }).toEqual({ exit: 1, stderr: expect.stringMatching(/lacks the (compute_id|status) of/) })
      expect(received.map(({ method }) => method)).not.toContain('POST')
    },
  )

  test('missing rules do not count as empty, and nothing is added to them', async ({ skyctl }) => {
    const rules = { inbound_policy: 'DROP', outbound: [], outbound_policy: 'ACCEPT' }
    const { env, received } = await faultServer([reply(200, { id: 7, label: 'web', rules }), reply(200, rules)])
    const line = 'firewalls rules add 7 inbound --action accept --protocol tcp --port 22 --from 192.0.2.7/32 --yes'
    const { exit, stderr } = await skyctl(line, { env })
    expect({ exit, stderr }).toEqual({ exit: 1, stderr: expect.stringContaining('inbound is missing') })
    expect(received.map(({ method }) => method)).not.toContain('PUT')
  })

  test('plan refuses to set an rdns that the answer lacks, and export omits it', async ({ skyctl }) => {
    const address = { address: '192.0.2.7', type: 'ipv4', public: true, region: 'us-east', compute_id: 1001 }
    const withName = { ...address, address: '192.0.2.8', rdns: 'www.example.net' }
    const { env } = await serve({ '/networking/ips': pageOf(address, withName) })
    for (const rdns of [null, 'www.example.net']) {
      const stdin = JSON.stringify({ rdns: { '192.0.2.7': rdns } })
      const { exit, stdout, stderr } = await skyctl('plan -', { env, stdin })
      expect({ exit, stdout, stderr }).toEqual({ exit: 1, stdout: '', stderr: expect.stringMatching(/lacks the rdns/) })
    }
    const stdin = '{"rdns": {"192.0.2.8": "www.example.net"}}'
    expect(await skyctl('plan - --exit-code', { env, stdin })).toMatchObject({ exit: 0 })
    const { exit, stdout, stderr } = await skyctl('export rdns --json', { env })
    expect({ exit, file: JSON.parse(stdout) }).toEqual({ exit: 0, file: { rdns: { '192.0.2.8': 'www.example.net' } } })
    expect(JSON.parse(stderr).warning.message).toBe('left out: address "192.0.2.7": the answer lacks its rdns')
  })

  test('a plan needs only the fields that its file sets', async ({ skyctl }) => {
    const volume = { id: 7, label: 'data', tags: ['old'] }
    const profile = { username: 'ada', uid: 7, timezone: 'UTC' }
    // Addresses only show the regions of instances here.
    const { env } = await serve({
      '/volumes': pageOf(volume, { id: 8, label: 'of-no-file' }),
      '/networking/ips': pageOf({ address: '192.0.2.7' }),
      '/profile': profile,
    })
    const stdin = '{"volumes": {"data": {"tags": ["new"]}}, "profile": {"timezone": "Europe/Berlin"}}'
    const { exit, stdout, stderr } = await skyctl('plan - --json', { env, stdin })
    expect({ exit, stderr }).toEqual({ exit: 0, stderr: '' })
    expect(JSON.parse(stdout).objects.map(({ kind }: { kind: string }) => kind)).toEqual(['volumes', 'profile'])
    const other = await skyctl('plan -', { env, stdin: '{"profile": {"email": "ada@example.net"}}' })
    expect(other).toMatchObject({
      exit: 1,
      stdout: '',
      stderr: expect.stringContaining('profile.email: The answer lacks the email'),
    })
  })

  test('export omits a missing field, with a warning', async ({ skyctl }) => {
    const volume = { id: 7, label: 'data', size: 20, region: 'us-east', compute_id: null }
    const { env } = await serve({ '/volumes': pageOf(volume) })
    const { exit, stdout, stderr } = await skyctl('export volumes', { env })
    expect({ exit, stderr }).toEqual({ exit: 0, stderr: expect.stringContaining('the answer lacks its tags') })
    expect(stdout).toContain('# id 7; left out: the answer lacks its tags')
    expect(stdout).not.toMatch(/^ +tags|undefined|, null/m)
  })

  test('export describes an address only with the fields of the answer', async ({ skyctl }) => {
    const address = { address: '192.0.2.7', type: 'ipv4', public: true, rdns: 'www.example.net', compute_id: null }
    const { env } = await serve({ '/networking/ips': pageOf(address) })
    expect(await skyctl('export rdns', { env })).toEqual({
      exit: 0,
      stdout: expect.stringMatching(/^(#.*\n)+\nrdns:\n {2}# ipv4\n {2}192\.0\.2\.7: www\.example\.net\n$/),
      stderr: '',
    })
  })

  test('export omits an invalid address, with a warning', async ({ skyctl }) => {
    const network = { address: '192.0.2.0/24', type: 'ipv4', public: true, rdns: 'www.example.net', compute_id: null }
    const { env } = await serve({ '/networking/ips': pageOf(network) })
    expect(await skyctl('export rdns', { env })).toEqual({
      exit: 0,
      stdout: expect.stringMatching(/^(#.*\n)+\n\{\}\n$/),
      stderr: 'skyctl: warning: left out: address "192.0.2.0/24": Must be an IPv4 or IPv6 address\n',
    })
  })

  test('plan does not call a missing region a different one', async ({ skyctl }) => {
    const volume = { id: 7, label: 'data', size: 20, tags: [], compute_id: null, status: 'active' }
    const other = { ...volume, id: 8, label: 'other', compute_id: 1001, region: 'us-east' }
    const { env } = await serve({ '/volumes': pageOf(volume, other) })
    const stdin = '{"volumes": {"data": {"compute_id": 1001}}}'
    expect(await skyctl('plan -', { env, stdin })).toMatchObject({
      exit: 0,
      stdout: expect.stringContaining('attached to compute instance 1001'),
    })
  })

  test('plan does not call an instance unknown if an address lacks its compute_id', async ({ skyctl }) => {
    const { env } = await serve({ '/networking/ips': pageOf({ address: '192.0.2.7' }) })
    const stdin = '{"volumes": {"data": {"compute_id": 1001}}}'
    expect(await skyctl('plan -', { env, stdin })).toMatchObject({ exit: 0, stderr: '' })
  })

  test('volumes attach does not call a missing region a different one', async ({ skyctl }) => {
    const volume = { id: 7, label: 'data', compute_id: null, status: 'active' }
    const neighbour = { id: 8, label: 'other', compute_id: 1001, region: 'us-east' }
    for (const [one, other] of [
      [volume, neighbour],
      [
        { ...volume, region: 'us-east' },
        { ...neighbour, region: undefined },
      ],
    ] as const) {
      const { env, received } = await serve({
        '/volumes': pageOf(other),
        '/volumes/7': one,
        '/volumes/7/attach': { ...one, compute_id: 1001 },
      })
      expect(await skyctl('volumes attach 7 --compute-id 1001', { env })).toMatchObject({ exit: 0 })
      expect(received.filter(({ method }) => method === 'POST')).toHaveLength(1)
    }
  })

  test('audit does not count a missing rdns or compute_id as null', async ({ skyctl }) => {
    const address = { address: '192.0.2.7', type: 'ipv4', public: true, region: 'us-east', compute_id: 1001 }
    const volume = { id: 7, label: 'data', size: 20, region: 'us-east' }
    const codesWith = async (fields: object) => {
      const { env } = await serve({
        '/networking/ips': pageOf({ ...address, ...('rdns' in fields && fields) }),
        '/volumes': pageOf({ ...volume, ...('compute_id' in fields && fields) }),
      })
      const { stdout } = await skyctl('audit --json', { env })
      const { findings } = JSON.parse(stdout)
      return findings.map(({ code }: { code: string }) => code)
    }
    expect(await codesWith({ rdns: null })).toContain('address-without-rdns')
    expect(await codesWith({ compute_id: null })).toContain('volume-unattached')
    const unknown = await codesWith({})
    expect(unknown).not.toContain('address-without-rdns')
    expect(unknown).not.toContain('volume-unattached')
  })

  const rule = { action: 'ACCEPT', protocol: 'TCP', ports: '22', addresses: { ipv4: ['0.0.0.0/0'] } }
  const rules = { inbound: [rule], inbound_policy: 'DROP', outbound: [], outbound_policy: 'ACCEPT' }

  test.for([
    ['inbound is missing', ['inbound']],
    ['inbound[0].addresses is missing', ['inbound', 0, 'addresses']],
    ['inbound_policy is null', ['inbound_policy']],
    ['outbound_policy is null', ['outbound_policy']],
    ['inbound[0].action is null', ['inbound', 0, 'action']],
    ['inbound[0].protocol is null', ['inbound', 0, 'protocol']],
  ] as const)('rules in which %s are null and -, and have no verdict', async ([reason, place], { skyctl }) => {
    const firewall = spoiledBody({ id: 7, label: 'web', rules }, ['rules', ...place], missing)
    const { env } = await serve({ '/networking/firewalls/7': JSON.parse(firewall) })
    const verdict = await skyctl('firewalls test 7 --protocol tcp --port 22 --from 198.51.100.7', { env })
    expect(verdict).toMatchObject({ exit: 1, stdout: '', stderr: expect.stringContaining(`rules.${reason}`) })
    const json = await skyctl('firewalls view 7 --json', { env })
    expect({ exit: json.exit, value: valueAtPath(JSON.parse(json.stdout).rules, place) }).toEqual({
      exit: 0,
      value: null,
    })
    const view = await skyctl('firewalls view 7', { env })
    expect(view).toMatchObject({ exit: 0, stderr: '', stdout: expect.stringContaining('Rules: -\n') })
    expect(view.stdout).not.toMatch(/null|undefined|nowhere/)
  })

  test('firewalls close --expired reads rules separately if the list lacks them', async ({ skyctl }) => {
    const { env, received } = await serve({
      '/networking/firewalls': pageOf({ id: 7, label: 'web', status: 'enabled' }),
      '/networking/firewalls/7/rules': { ...rules, inbound: undefined },
    })
    const { exit, stderr } = await skyctl('firewalls close --expired --yes', { env })
    expect({ exit, stderr }).toEqual({ exit: 1, stderr: expect.stringContaining('inbound is missing') })
    expect(received.map(({ method }) => method)).not.toContain('PUT')
  })

  test('--keep-open fails if the answer lacks the rules', async ({ skyctl }) => {
    const { env, received } = await serve({
      '/networking/firewalls/7': { id: 7, label: 'web', status: 'disabled' },
      '/networking/firewalls/7/devices': pageOf({ id: 1, entity: { id: 1001, type: 'compute' } }),
    })
    const { exit, stderr } = await skyctl('firewalls enable 7 --keep-open tcp/22@198.51.100.7 --yes', { env })
    expect({ exit, stderr }).toEqual({ exit: 1, stderr: expect.stringContaining('rules') })
    expect(received.map(({ method }) => method)).not.toContain('PUT')
  })

  test.for(['volumes delete', 'volumes detach', 'firewalls delete', 'firewalls disable'])(
    '%s does not take an object without tags for one that is not protected',
    async (line, { skyctl }) => {
      const volume = { id: 7, label: 'data', compute_id: line === 'volumes detach' ? 1001 : null }
      const { env, received } = await serve({
        '/volumes/7': volume,
        '/networking/firewalls/7': { id: 7, label: 'edge', status: 'enabled' },
        '/networking/firewalls/7/devices': pageOf(),
      })
      const { exit, stderr } = await skyctl(`${line} 7 --yes`, { env })
      expect({ exit, stderr }).toMatchObject({ exit: 1, stderr: expect.stringContaining('whether it is protected') })
      expect(received.filter(({ method }) => method !== 'GET')).toEqual([])
      expect(await skyctl(`${line} 7 --yes --force`, { env })).toMatchObject({ exit: 0 })
      expect(received.filter(({ method }) => method !== 'GET')).toHaveLength(1)
    },
  )

  test('history does not record a previous state with missing fields', async ({ skyctl }) => {
    const { env } = await serve({
      '/profile': { username: 'ada', uid: 7 },
      '/volumes/7': { id: 7, label: 'data' },
    })
    expect((await skyctl('volumes update 7 --tag new', { env })).exit).toBe(0)
    const { stdout } = await skyctl('history view 1 --json', { env })
    expect(JSON.parse(stdout)).toMatchObject({ outcome: 'ok', undo: null })
  })

  test.for<[field: string, reason: string]>([
    ['compute_id', 'the answer lacks the compute_id of volume 7: it may have to be detached first'],
    ['tags', 'the answer lacks the tags of 7, so skyctl cannot tell whether it has the tag "team"'],
  ])('--prune fails at a volume without its %s, and names it', async ([field, reason], { skyctl }) => {
    const volume = { id: 7, label: 'old', region: 'us-east', tags: ['team'], size: 20, compute_id: 1001 }
    const { env, received } = await serve({
      '/volumes': pageOf(Object.fromEntries(Object.entries(volume).filter(([key]) => key !== field))),
      '/networking/firewalls': pageOf(),
    })
    const { exit, stderr } = await skyctl('apply - --prune --yes', { env, stdin: 'owner: team' })
    expect({ exit, stderr }).toEqual({ exit: 1, stderr: expect.stringContaining(reason) })
    expect(received.filter(({ method }) => method !== 'GET')).toEqual([])
  })

  test('an object without a label may have the label, so --if-present fails', async ({ skyctl }) => {
    const { env, received } = await faultServer(page({ id: 7, size: 20 }))
    const { exit, stderr } = await skyctl('volumes delete data --if-present --yes', { env })
    expect({ exit, stderr }).toEqual({ exit: 5, stderr: expect.stringContaining('the label of volume 7') })
    expect(received.map(({ method }) => method)).not.toContain('DELETE')
  })

  test('a record without a label does not prevent finding another label', async ({ skyctl }) => {
    const { env } = await faultServer(page({ id: 6 }, { id: 7, label: 'data', size: 20 }))
    expect(await skyctl('volumes view data --json', { env })).toMatchObject({
      exit: 0,
      stdout: expect.stringContaining('"id": 7'),
    })
    const { exit, stderr } = await skyctl('volumes view other', { env })
    expect({ exit, stderr }).toEqual({ exit: 5, stderr: expect.stringContaining('the label of volume 6') })
  })

  test('--if-absent creates nothing if an object without a label may match', async ({ skyctl }) => {
    const { env, received } = await faultServer((socket, request) => {
      const regions = page({ id: 'us-east', label: 'Newark', status: 'ok' })
      const answer = request.path.includes('/regions') ? regions : page({ id: 7, size: 20 })
      answer(socket, request)
    })
    const { exit, stderr } = await skyctl('volumes create --label data --region us-east --if-absent', { env })
    expect({ exit, stderr }).toEqual({ exit: 1, stderr: expect.stringContaining('the label of volume 7') })
    expect(received.map(({ method }) => method)).not.toContain('POST')
  })

  test.for(['scopes', 'expiry', 'created'])(
    'tokens rotate creates no token if the old one lacks its %s',
    async (field, { skyctl }) => {
      const token = { id: 7, label: 'old', scopes: '*', token: 'f'.repeat(16) }
      const times = { created: '2026-01-01T00:00:00', expiry: '2026-03-01T00:00:00' }
      const { env, received } = await serve({
        '/profile/tokens/7': { ...token, ...times, [field]: undefined },
        '/profile': { username: 'ada', uid: 7 },
      })
      const { exit, stderr } = await skyctl('tokens rotate 7 --yes', { env })
      expect({ exit, stderr }).toEqual({ exit: 1, stderr: expect.stringContaining(`lacks the ${field}`) })
      expect(received.map(({ method }) => method)).not.toContain('POST')
      expect(received.length).toBeLessThanOrEqual(2)
    },
  )

  test('ips assign and share leave checks of missing fields to the service', async ({ skyctl }) => {
    const address = { address: '192.0.2.7', type: 'ipv4', public: true, region: 'us-east', compute_id: 1001 }
    const other = { ...address, address: '192.0.2.8', compute_id: 1002 }
    for (const field of ['type', 'public', 'region', 'compute_id'] as const) {
      const { env, received } = await serve({
        '/networking/ips': pageOf({ ...address, [field]: undefined }, { ...other, [field]: undefined }),
        '/networking/ips/assign': {},
        '/networking/ips/share': {},
      })
      const assign = await skyctl('ips assign 192.0.2.7=1002 192.0.2.8=1001 --region us-east --yes', { env })
      const share = await skyctl('ips share 192.0.2.7 --compute-id 1002 --yes', { env })
      expect({ field, exits: [assign.exit, share.exit], stderr: assign.stderr + share.stderr }).toEqual({
        field,
        exits: [0, 0],
        stderr: expect.not.stringMatching(/null|undefined|would have/),
      })
      expect(received.filter(({ method }) => method === 'POST')).toHaveLength(2)
    }
  })

  test('tokens revoke refuses a token that may be the current one', async ({ skyctl }) => {
    const token = { id: 7, label: 'old', scopes: '*', created: '2026-01-01T00:00:00', expiry: null }
    const { env, received } = await faultServer(reply(200, token))
    expect(await skyctl('tokens revoke 7 --yes', { env })).toMatchObject({
      exit: 2,
      stderr: expect.stringContaining('--force'),
    })
    expect(received.map(({ method }) => method)).not.toContain('DELETE')
  })
})
