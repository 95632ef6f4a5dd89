/** Export: fields a file can set, comments for the others, and no difference to the account in a plan. */

import { describe, expect } from 'vitest'
import { accountSchema } from '../src/account-file/json-schema'
import { test, withoutHeader } from './support/account-files'
import { withAccount } from './support/account-stage'
import fc, { runs, timeout } from './support/fast-check'
import { faultServer, reply } from './support/fault-server'
import { ruleSet, ssh, web } from './support/firewall-rules'
import { hostileInLines } from './support/hostile-text'
import { openProxy } from './support/proxy'
import { accounts } from './support/random-accounts'
import { readings } from './support/yaml-readers'

const shortSsh = { action: 'accept', protocol: 'tcp', from: ssh.addresses.ipv4[0] }

describe('export', () => {
  test('writes a comment with read-only fields above each object', async ({ skyctl, world }) => {
    expect(withoutHeader((await skyctl('export volumes --filter label=data-1')).stdout)).toBe(`volumes:
  # id 3001, nvme, attached to web-1
  data-1:
    size: 40
    region: us-east
    compute_id: 1001
    tags: [production]
`)
    const { stdout } = await skyctl('export firewalls --filter label=web')
    expect(withoutHeader(stdout).split('\n').slice(0, 3)).toEqual([
      'firewalls:',
      '  # id 4001, balancer 2001 is front-1, compute 1001 is web-1, compute 1002 is web-2',
      '  web:',
    ])
    expect((await skyctl('export rdns --filter address=192.0.2.11')).stdout).toContain(
      '  # ipv4, in us-east, of compute instance 1001\n  192.0.2.11: ',
    )
    expect(withoutHeader((await skyctl('export profile')).stdout)).toMatch(/^# of user owner\nprofile:\n/)
    expect(world.requests().every(({ method }) => method === 'GET')).toBe(true)
  })

  test('of a whole account counts default names in reverse DNS, and leaves them out', async ({ skyctl, world }) => {
    const count = world.network.addresses.all().filter(({ public: isPublic }) => isPublic).length - 1
    const { stdout } = await skyctl('export')
    expect(stdout).toContain(`\n# Left out: ${count} addresses with the default of rdns (skyctl export rdns has all)\n`)
    const rdns = (text: string) => (readings(text)[0] as { rdns: object }).rdns
    expect(rdns(stdout)).toEqual({ '192.0.2.31': 'www.example.net' })
    expect(Object.keys(rdns((await skyctl('export rdns')).stdout))).toHaveLength(count + 1)
    expect(stdout.split('\n').length).toBeLessThanOrEqual(200)
    expect((await skyctl('plan - --exit-code', { stdin: stdout })).exit).toBe(0)
  })

  test('has the same contents as JSON and as YAML, and both have no changes', async ({ skyctl, world }) => {
    world.network.firewall({ label: 'edge', rules: ruleSet(ssh, web) })
    for (const line of ['export', 'export rdns tokens ips', 'export firewalls --owner team']) {
      const [yaml, json] = [await skyctl(line), await skyctl(`${line} --json`)]
      expect(JSON.parse(json.stdout)).toEqual(readings(yaml.stdout)[0])
      expect((await skyctl('plan - --exit-code', { stdin: json.stdout })).exit, line).toBe(0)
    }
  })

  test('leaves a name at an address with a default name to plan --drift, which mentions it', async ({
    skyctl,
    file,
    world,
  }) => {
    const own = world.network.addresses.all().find(({ rdns }) => rdns === 'www.example.net')
    for (const rdns of ['www.example.net', null]) {
      if (own) world.network.addresses.put({ ...own, rdns })
      const path = file('account.yaml', (await skyctl('export')).stdout)
      expect((await skyctl(`plan --drift ${path}`)).stdout).toMatch(/^No drift; \d+ as in the files\n$/)
      await skyctl('ips rdns 192.0.2.11 mail.example.com')
      const note = 'In no file, but with a name of its own: 192.0.2.11 (mail.example.com)'
      expect((await skyctl(`plan --drift ${path}`)).stdout).toMatch(
        new RegExp(`^  ${note.replace(/[()]/g, '\\$&')}\nNo drift; `),
      )
      expect(JSON.parse((await skyctl(`plan --drift ${path} --json`)).stdout).notes).toEqual([note])
      expect((await skyctl(`plan --drift ${path} --exit-code`)).exit).toBe(0)
      expect((await skyctl(`plan ${path}`)).stdout).toMatch(/^No changes; /)
      expect((await skyctl('ips rdns 192.0.2.11 --reset --yes')).exit).toBe(0)
    }
  })

  test('of a name that begins with the address has no changes, and neither has that name in a file', async ({
    skyctl,
  }) => {
    const name = '192-0-2-11.customers.example.com'
    await skyctl(`ips rdns 192.0.2.11 ${name}`)
    for (const stdin of [`rdns: { 192.0.2.11: ${name} }`, 'rdns: { 192.0.2.11: null }'])
      expect((await skyctl('plan - --exit-code', { stdin })).exit).toBe(0)
    const stdin = 'rdns: { 192.0.2.11: 192-0-2-11.other.example.com }'
    expect((await skyctl('plan - --exit-code', { stdin })).exit).toBe(13)
  })

  test('names only services that have a label', async ({ skyctl, world }) => {
    const { id } = world.network.firewall({ label: 'plain' })
    world.network.device(id, 'compute', world.compute({ label: '' }).id)
    world.network.device(id, 'compute', world.compute({ id: 9001, label: 'mail' }).id)
    const { stdout } = await skyctl('export firewalls --filter label=plain')
    expect(withoutHeader(stdout).split('\n').slice(0, 3)).toEqual([
      'firewalls:',
      `  # id ${id}, compute 9001 is mail`,
      '  plain:',
    ])
  })

  test('begins with its account, the newest change in it, and instructions', async ({ skyctl, sandbox, world }) => {
    world.volume({ label: 'older', updated: '2026-02-03T04:05:05' })
    world.volume({ label: 'newer', updated: '2026-02-03T04:05:06', tags: ['a'] })
    const header = (newest: string) => `# yaml-language-server: $schema=./account.schema.json
#
# Account file of skyctl, exported from user owner, ${sandbox.baseUrl}
# Newest change: ${newest}Z
#
# Preview the changes that would match it:  skyctl plan FILE
# Apply it to the account:                  skyctl apply FILE
# Schema for completion in editors:         skyctl export --schema > account.schema.json

`
    const exported = async (words: string) => (await skyctl(`export ${words}`)).stdout
    const text = await exported('volumes')
    expect(text.slice(0, -withoutHeader(text).length)).toBe(header('2026-02-03T04:05:06'))
    expect(await exported('volumes')).toBe(text)
    expect(await exported('volumes --filter label=older')).toContain(header('2026-02-03T04:05:05'))
    expect(await exported('rdns')).not.toContain('Newest change')
  })

  test('names no user if the API does not return the profile', async ({ skyctl, sandbox }) => {
    const proxy = await openProxy(sandbox.baseUrl, {
      before: ({ path }) => (path.startsWith('/profile') ? 'drop' : undefined),
    })
    const { exit, stdout } = await skyctl('export volumes', { env: { SKYCTL_BASE_URL: proxy.baseUrl } })
    await proxy.close()
    expect({ exit, account: stdout.split('\n')[2] }).toEqual({
      exit: 0,
      account: `# Account file of skyctl, exported from ${proxy.baseUrl}`,
    })
  })

  test('counts changed devices of a firewall as its newest change', async ({ skyctl, world }) => {
    const { id } = world.network.firewall({ label: 'plain' })
    const device = world.network.device(id, 'compute', 1004)
    world.network.devices.put({ ...device, updated: '2030-01-01T00:00:00' })
    expect((await skyctl('export firewalls')).stdout).toContain('\n# Newest change: 2030-01-01T00:00:00Z\n')
  })

  test('--schema prints the schema of account files without an account', async ({ skyctl, world }) => {
    const { exit, stdout } = await skyctl('export --schema', { env: { SKYCTL_TOKEN: '' } })
    expect({ exit, schema: JSON.parse(stdout) }).toEqual({
      exit: 0,
      schema: JSON.parse(JSON.stringify(accountSchema())),
    })
    expect(world.requests()).toEqual([])
  })

  test('leaves out null that is the default, and keeps null that is a value', async ({ skyctl, world }) => {
    const { id } = world.network.firewall({ label: 'foreign' })
    const odd = { ...ssh, label: null, description: null, ports: null, addresses: { ...ssh.addresses, ipv6: null } }
    const firewall = world.network.firewalls.get(id)
    if (firewall) world.network.firewalls.put({ ...firewall, rules: ruleSet(odd as never) })
    const { stdout, stderr } = await skyctl('export firewalls volumes rdns')
    expect(stderr).toBe('')
    const file = readings(stdout)[0] as Record<string, Record<string, { rules: unknown }>>
    expect(file.firewalls?.foreign?.rules).toMatchObject({ inbound: [shortSsh] })
    expect(Object.keys(Object(file.firewalls?.foreign?.rules).inbound[0])).toEqual(Object.keys(shortSsh))
    expect(stdout.match(/^ .*: null$/gm)?.every((line) => /^( {4}compute_id| {2}\S+): null$/.test(line))).toBe(true)
    expect(stdout).toContain('    compute_id: null\n')
    expect((await skyctl('plan - --exit-code', { stdin: stdout })).exit).toBe(0)
  })

  test('keeps numbers of any length', async ({ skyctl }) => {
    const rules = { inbound: [], inbound_policy: 'DROP', outbound: [], outbound_policy: 'ACCEPT' }
    const { env } = await faultServer((socket, request) => {
      const { path } = request
      const id = path.includes('devices') ? '9007199254740993' : '7'
      const firewall = `"label": "web", "status": "enabled", "tags": [], "rules": ${JSON.stringify(rules)}`
      const device = `"entity": { "id": ${id}, "type": "compute", "label": "a", "url": "/" }`
      const times = '"created": "2026-01-15T12:00:00", "updated": "2026-01-15T12:00:00"'
      const item = `{ "id": ${id}, ${path.includes('devices') ? device : firewall}, ${times} }`
      reply(200, `{ "data": [${item}], "page": 1, "pages": 1, "results": 1 }`)(socket, request)
    })
    const { stdout } = await skyctl('export firewalls --json', { env })
    expect(stdout).toMatch(/"computes": \[\s*9007199254740993\s*\]/)
  })

  test('--filter selects by list fields, and combines several with AND', async ({ skyctl, world }) => {
    world.volume({ label: 'big', size: 900, tags: ['production'] })
    const exported = async (filters: string) =>
      Object.keys(JSON.parse((await skyctl(`export volumes --json ${filters}`)).stdout).volumes ?? {})
    expect(await exported('--filter tags=production')).toEqual(['big', 'data-1', 'database'])
    expect(await exported('--filter tags=production --filter size>=100 --filter region=us-east')).toEqual(['big'])
    expect(await exported('--filter label=none-of-this')).toEqual([])
    expect(withoutHeader((await skyctl('export volumes --filter label=none-of-this')).stdout)).toBe('{}\n')
  })

  test.for([
    ['--filter tags=a', '--filter needs exactly one kind. Name one of volumes, firewalls, sshkeys, ips, rdns, tokens'],
    ['volumes firewalls --filter tags=a', '--filter needs exactly one kind'],
    ['profile --filter username=me', '--filter needs exactly one kind'],
    ['volumes --filter size>=big', 'size'],
    ['volumes --filter sise=4', 'Did you mean "size"?'],
  ] as const)('rejects the filter %s', async ([words, message], { skyctl }) => {
    const { exit, stdout, stderr } = await skyctl(`export ${words}`)
    expect({ exit, stdout, stderr }).toEqual({ exit: 2, stdout: '', stderr: expect.stringContaining(message) })
  })

  test('warns about rules that a file cannot have, leaves them out, and matches the account', async ({
    skyctl,
    world,
  }) => {
    const foreign = { ...ssh, protocol: 'ALL', ports: undefined }
    const { id } = world.network.firewall({ label: 'foreign', rules: ruleSet(ssh, foreign as never) })
    const { exit, stdout, stderr } = await skyctl('export firewalls --filter label=foreign')
    const reason = 'inbound rule 2 has the unknown protocol ALL'
    expect({ exit, stderr }).toEqual({
      exit: 0,
      stderr: `skyctl: warning: left out: firewall "foreign": ${reason}\n`,
    })
    expect(stdout).toContain(`  # id ${id}; left out: ${reason}\n  foreign:\n    status: enabled\n`)
    expect((await skyctl('plan - --exit-code', { stdin: stdout })).exit).toBe(0)
  })

  test('names a wrong rule by its position among all rules of the firewall', async ({ skyctl, world }) => {
    const foreign = { ...ssh, protocol: 'ALL', ports: undefined }
    const wrong = { ...ssh, label: 'x'.repeat(200) }
    world.network.firewall({ label: 'foreign', rules: ruleSet(foreign as never, ssh, foreign as never, wrong) })
    const { exit, stderr } = await skyctl('export firewalls --filter label=foreign')
    expect(exit).toBe(0)
    expect(stderr).toContain('left out: firewall "foreign": rules.inbound[3].label: Must be')
  })

  test('keeps labels that are names of JavaScript object properties', async ({ skyctl, world }) => {
    for (const label of ['__proto__', 'constructor', 'toString']) world.volume({ label })
    for (const form of ['yaml', 'json']) {
      const { stdout } = await skyctl(`export volumes -o ${form}`)
      const { stdout: planned } = await skyctl('plan - --exit-code', { stdin: stdout })
      expect(planned).toBe('No changes; 9 unchanged\n')
    }
  })

  test('warns about objects that a file cannot name or describe, and leaves them out', async ({ skyctl, world }) => {
    const long = 'x'.repeat(65)
    const { sshkeys } = world.profile
    sshkeys.add({ user: 1, label: long, ssh_key: sshkeys.get(1)?.ssh_key ?? '' })
    sshkeys.add({ user: 1, label: 'of-two-lines', ssh_key: 'of\ntwo lines' })
    const { exit, stdout, stderr } = await skyctl('export sshkeys')
    expect({ exit, stderr }).toEqual({
      exit: 0,
      stderr:
        'skyctl: warning: left out: SSH key "of-two-lines": ssh_key: Must be one key, not 2: each key has a label of its own\n' +
        `skyctl: warning: left out: SSH key "${long}": Must be 0-64 characters\n`,
    })
    expect(stdout).not.toMatch(/of-two-lines|xxx/)
    expect((await skyctl('plan - --exit-code', { stdin: stdout })).exit).toBe(0)
  })

  test('escapes hostile names, and still matches the account', async ({ skyctl, world }) => {
    world.compute({ id: 7777, label: 'a\nvolumes: {}\u001b[2J' })
    world.volume({ label: 'b\n# c\u202e: d', compute_id: 7777 })
    const { stdout } = await skyctl('export volumes')
    expect(stdout).not.toMatch(/[\u001b\u202e]/)
    expect(stdout).toContain('attached to a\\nvolumes: {}\\x1b[2J\n')
    const planned = await skyctl('plan - --exit-code', { stdin: stdout })
    expect({ exit: planned.exit, stdout: planned.stdout }).toEqual({
      exit: 0,
      stdout: expect.stringMatching(/^No changes; 7 unchanged/),
    })
  })

  test('writes the owner of --owner, so that apply --prune accepts the file', async ({ skyctl, world }) => {
    for (const label of ['mine', 'gone']) world.volume({ label, tags: ['web-team'] })
    const { exit, stdout, stderr } = await skyctl('export --owner web-team')
    expect({ exit, head: withoutHeader(stdout).split('\n').slice(0, 3) }).toEqual({
      exit: 0,
      head: ['# apply --prune deletes resources that have this tag but are in no file', 'owner: web-team', 'volumes:'],
    })
    expect(stderr).toMatch(
      /^skyctl: warning: \d+ objects do not have the tag "web-team", so apply --prune never deletes them: apply --adopt adds it\n$/,
    )
    const plan = await skyctl('plan - --prune --exit-code', { stdin: stdout })
    expect(plan).toMatchObject({ exit: 0, stdout: expect.stringMatching(/^No changes; /) })
    const document = JSON.parse((await skyctl('export volumes --owner web-team --filter tags=web-team --json')).stdout)
    expect(document).toEqual({ owner: 'web-team', volumes: { gone: expect.anything(), mine: expect.anything() } })
    const { gone: _gone, ...volumes } = document.volumes
    const stdin = JSON.stringify({ ...document, volumes })
    expect((await skyctl('apply - --prune --yes', { stdin })).exit).toBe(0)
    const labels = world.volumes.all().map(({ label }) => label)
    expect({ gone: labels.includes('gone'), mine: labels.includes('mine'), count: labels.length }).toEqual({
      gone: false,
      mine: true,
      count: 7,
    })
  })

  const oddTexts = [
    '👨\u200d💻',
    '❤\ufe0f',
    'a\u200bb',
    '\u202ea',
    'a\u0085b',
    'a\u2028b',
    '\ufeff',
    '\ud83d',
    '\uffff',
    '\0',
  ]
  const typeLike = ['yes', '1e3', '010', '~', 'null', '2026-01-31', '<<', '=', '- a', 'a: b', '# a', ' a ', 'a\n b\n']

  test('keeps every text as other YAML readers read it', async ({ skyctl, world }) => {
    const texts = [...oddTexts, ...typeLike]
    const ssh_key = world.profile.sshkeys.get(1)?.ssh_key ?? ''
    for (const [index, text] of texts.entries()) {
      world.volume({ label: text, tags: [text, `${text}.`] })
      world.network.firewall({ label: `fw-${index}`, tags: [text], rules: ruleSet({ ...ssh, description: text }) })
      world.profile.sshkeys.add({ user: 1, label: text, ssh_key })
    }
    const { stdout } = await skyctl('export')
    const { exit, stdout: planned } = await skyctl('plan - --exit-code', { stdin: stdout })
    expect({ exit, planned }).toEqual({ exit: 0, planned: expect.stringMatching(/^No changes; /) })
    for (const reading of readings(stdout) as Record<string, Record<string, never>>[]) {
      for (const [index, text] of texts.entries()) {
        expect(reading.volumes?.[text]).toMatchObject({ tags: [text, `${text}.`] })
        const rules = { inbound: [{ description: text }] }
        expect(reading.firewalls?.[`fw-${index}`]).toMatchObject({ tags: [text], rules })
        expect(reading.sshkeys?.[text]).toEqual({ ssh_key })
      }
    }
  })

  test.for(['yaml', 'json'])('prints no terminal control characters in %s', async (format, { skyctl, world }) => {
    for (const text of oddTexts) world.volume({ label: text, tags: [text] })
    const { stdout } = await skyctl(`export volumes -o ${format}`)
    expect(hostileInLines(stdout)).toEqual([])
  })

  test('matches random accounts, and repeats byte for byte', {
    timeout,
  }, async () => {
    await fc.assert(
      fc.asyncProperty(accounts, async ({ wanted }) => {
        await withAccount(wanted, async ({ skyctl }) => {
          const [first, second] = [await skyctl('export'), await skyctl('export')]
          expect(first).toMatchObject({
            exit: 0,
            stderr: expect.stringMatching(/^(skyctl: warning: left out: .*\n)*$/),
          })
          expect(second.stdout).toBe(first.stdout)
          const { exit, stdout } = await skyctl('plan - --exit-code', { stdin: first.stdout })
          expect({ exit, stdout }).toEqual({ exit: 0, stdout: expect.stringMatching(/^No changes; /m) })
        })
      }),
      { numRuns: runs(10) },
    )
  })
})
