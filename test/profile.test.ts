/** The profile group, except two-factor setup: real command line, real client, real sandbox on a socket. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { faultServer, reply } from './support/fault-server'
import { missingPath } from './support/nonexistent'
import { completeProfile } from './support/records'
import type { World } from './support/sandbox'
import { test } from './support/skyctl'

const json = (text: string) => JSON.parse(text)
const sent = (world: World) => world.requests().filter(({ method }) => method !== 'GET')
const user = ({ users }: World, name = 'owner') => {
  const match = users.all().find(({ username }) => username === name)
  if (!match) throw new Error(`no user ${name}`)
  return match
}
const change = (world: World, fields: object) => world.users.put({ ...user(world), ...fields })
const envOf = (world: World, name: string) => ({ SKYCTL_TOKEN: world.token('*', user(world, name).id) })
const publicKey = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAILq5CeZ9vU8HSbHCCT0nTbFqvbJJM5tWYHfqbmWk1DFA me@example.net'
const otherKey = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIFJ1 other'
const privateKey = '-----BEGIN OPENSSH PRIVATE KEY-----\nc2VjcmV0\n-----END OPENSSH PRIVATE KEY-----\n'

describe('profile view', () => {
  test("prints the user and the token's scopes", async ({ skyctl, world }) => {
    const SKYCTL_TOKEN = world.token('account:read_only volumes:read_write')
    const { stdout } = await skyctl('profile view', { env: { SKYCTL_TOKEN } })
    expect(stdout.split('\n').slice(0, 6)).toEqual([
      'username               owner',
      'uid                    1',
      'restricted             false',
      'two_factor_auth        false',
      expect.stringContaining('verified_phone_number'),
      'token_scopes           account:read_only volumes:read_write',
    ])
  })

  test("prints the service's JSON, with scopes only if requested", async ({ skyctl }) => {
    expect(Object.keys(json((await skyctl('profile view --json')).stdout))).not.toContain('token_scopes')
    const { stdout } = await skyctl('profile view --json --columns username,token_scopes')
    expect(json(stdout)).toEqual({ username: 'owner', token_scopes: '*' })
  })

  test('has null for scopes that the service does not return', async ({ skyctl }) => {
    const { env } = await faultServer(reply(200, completeProfile))
    const { stdout } = await skyctl('profile view --columns username,token_scopes --json', { env })
    expect(json(stdout)).toEqual({ username: 'me', token_scopes: null })
  })

  test('shows referrals only if the account has them', async ({ skyctl, world }) => {
    expect(json((await skyctl('profile view --json')).stdout)).toHaveProperty('referrals.code')
    const { stdout } = await skyctl('profile view --json', { env: envOf(world, 'proxy') })
    expect(json(stdout)).not.toHaveProperty('referrals')
  })
})

describe('profile update', () => {
  test('sends every field of the API', async ({ skyctl, world, home }) => {
    const file = join(home, 'keys')
    writeFileSync(file, `# mine\n${publicKey}\n\n`)
    const flags =
      '--email new@example.net --no-email-notifications --no-ip-whitelist-enabled --shell-auth-method keys_only ' +
      `--authorized-keys-file ${file} --timezone Europe/Paris --two-factor-auth --restricted --yes --dry-run --json`
    const { stdout } = await skyctl(`profile update ${flags}`)
    expect(json(stdout)).toEqual({
      method: 'PUT',
      path: '/profile',
      body: {
        email: 'new@example.net',
        email_notifications: false,
        ip_whitelist_enabled: false,
        shell_auth_method: 'keys_only',
        timezone: 'Europe/Paris',
        two_factor_auth: true,
        restricted: true,
        authorized_keys: [publicKey],
      },
    })
    expect(world.requests()).toEqual([])
  })

  test('changes only the fields of its flags, and prints the user', async ({ skyctl, world }) => {
    const { exit, stderr } = await skyctl('profile update --timezone America/New_York')
    expect({ exit, stderr }).toEqual({ exit: 0, stderr: 'Updated the profile of owner\n' })
    expect(sent(world).map(({ body }) => body)).toEqual([{ timezone: 'America/New_York' }])
    expect(user(world).timezone).toBe('America/New_York')
  })

  test('reads keys from repeated flags, a file or stdin, or removes all', async ({ skyctl, world }) => {
    await skyctl(['profile', 'update', '--authorized-key', publicKey, '--authorized-key', `${publicKey}, too`])
    await skyctl('profile update --authorized-keys-file -', { stdin: `${publicKey}\n` })
    await skyctl('profile update --no-authorized-keys')
    expect(sent(world).map(({ body }) => body)).toEqual([
      { authorized_keys: [publicKey, `${publicKey}, too`] },
      { authorized_keys: [publicKey] },
      { authorized_keys: null },
    ])
  })

  test.for([
    ['--authorized-key', '--authorized-key'],
    ['--authorized-keys-file', '--authorized-keys-file'],
  ] as const)('%s names the keys that it leaves out', async ([flag, named], { skyctl, world }) => {
    change(world, { authorized_keys: [publicKey, otherKey] })
    const line = ['profile', 'update', flag, flag === '--authorized-key' ? otherKey : '-']
    const stdin = `${otherKey}\n`
    const { exit, stderr } = await skyctl(line, { stdin })
    const note = `${named} replaces the keys me@example.net; --add-authorized-key keeps them\n`
    expect({ exit, stderr }).toEqual({ exit: 0, stderr: `${note}Updated the profile of owner\n` })
    expect((await skyctl(line, { stdin })).stderr).not.toContain('replaces')
    change(world, { authorized_keys: [publicKey] })
    expect((await skyctl([...line, '--json'], { stdin })).stderr).toBe('')
  })

  test('adds and removes keys, reading the present ones only when it sends', async ({ skyctl, world }) => {
    change(world, { authorized_keys: [publicKey] })
    expect((await skyctl(['profile', 'update', '--add-authorized-key', otherKey])).exit).toBe(0)
    expect(user(world).authorized_keys).toEqual([publicKey, otherKey])
    expect((await skyctl(['profile', 'update', '--remove-authorized-key', publicKey])).exit).toBe(0)
    expect(user(world).authorized_keys).toEqual([otherKey])
    const before = world.requests().length
    const dry = await skyctl(['profile', 'update', '--add-authorized-key', publicKey, '--dry-run', '--json'])
    expect({ exit: dry.exit, requests: world.requests().length, keys: json(dry.stdout).body.authorized_keys }).toEqual({
      exit: 0,
      requests: before,
      keys: [publicKey],
    })
  })

  const disableTwoFactor = ['Logins will need the password only', 'Switch two-factor authentication off']
  const closeShell = [
    'Nobody will be able to log in to the remote shell: it accepts only keys, and there are none',
    'Close the remote shell',
  ]
  const restrict = ['You will immediately lose all access without a grant, also to this command', 'Restrict yourself']

  test.for([
    ['--restricted', [restrict]],
    ['--no-restricted', []],
    ['--no-two-factor-auth', [disableTwoFactor]],
    ['--shell-auth-method keys_only --no-authorized-keys', [closeShell]],
    [`--shell-auth-method keys_only --authorized-key "${publicKey}"`, []],
    ['--shell-auth-method password_keys --no-authorized-keys', []],
    ['--no-two-factor-auth --restricted', [restrict, disableTwoFactor]],
  ] as const)('asks about the losses by %s', async ([flags, losses], { skyctl, world }) => {
    const { exit, stderr } = await skyctl(`profile update ${flags}`)
    const sentences = [...losses.map(([loss]) => loss), losses.map(([, what]) => what).join('; ')].join('. ')
    expect({ exit, stderr, puts: world.requests('PUT').length }).toEqual(
      losses.length > 0
        ? { exit: 2, stderr: expect.stringContaining(`skyctl: ${sentences}? This must be confirmed`), puts: 0 }
        : { exit: 0, stderr: 'Updated the profile of owner\n', puts: 1 },
    )
  })

  test('asks about an empty list of keys in a body, too', async ({ skyctl, world }) => {
    const stdin = '{"shell_auth_method":"keys_only","authorized_keys":[]}'
    const { exit, stderr } = await skyctl('profile update --body -', { stdin })
    expect({ exit, requests: world.requests() }).toEqual({ exit: 2, requests: [] })
    expect(stderr).toContain('Close the remote shell? This must be confirmed')
  })

  test('can only disable the whitelist, with a warning', async ({ skyctl, world }) => {
    expect(await skyctl('profile update --body -', { stdin: '{"ip_whitelist_enabled": true}' })).toEqual({
      exit: 2,
      stdout: '',
      stderr: 'skyctl: ip_whitelist_enabled: it is deprecated and cannot be switched on\n',
    })
    expect(world.requests()).toEqual([])
    change(world, { ip_whitelist_enabled: true })
    expect((await skyctl('profile update --no-ip-whitelist-enabled')).stderr).toBe(
      'Updated the profile of owner; the whitelist cannot be switched on again\n',
    )
    expect(user(world).ip_whitelist_enabled).toBe(false)
  })

  const exclude = '--authorized-key, --authorized-keys-file and --no-authorized-keys exclude each other'
  const contradict = '--add-authorized-key and --remove-authorized-key contradict a whole list of keys'

  test.for<[string, string]>([
    ['', 'nothing to change. See skyctl profile update --help'],
    ['--email nobody', 'email'],
    ['--shell-auth-method keys', 'keys_only'],
    ['--ip-whitelist-enabled', '--ip-whitelist-enabled'],
    ['--uid 7', '--uid'],
    ['--authentication-type idp', '--authentication-type'],
    ['--authorized-key a --no-authorized-keys', '--authorized-key and --no-authorized-keys contradict each other'],
    ['--authorized-key a --authorized-keys-file -', exclude],
    ['--authorized-keys-file - --no-authorized-keys', exclude],
    ['--authorized-key a --add-authorized-key b', contradict],
    ['--no-authorized-keys --remove-authorized-key b', contradict],
  ])('rejects "%s" before anything is sent', async ([flags, message], { skyctl, world }) => {
    const { exit, stderr } = await skyctl(`profile update ${flags}`, { stdin: publicKey })
    expect({ exit, requests: world.requests() }).toEqual({ exit: 2, requests: [] })
    expect(stderr).toContain(message)
  })

  test.for([
    ['--authorized-keys-file', '-'],
    ['--authorized-key', privateKey, '--no-validate'],
    ['--add-authorized-key', privateKey],
  ])('rejects a private key as an authorized key: %s', async (flags, { skyctl, world }) => {
    const { exit, stderr } = await skyctl(['profile', 'update', ...flags], { stdin: privateKey })
    expect({ exit, sent: sent(world) }).toEqual({ exit: 2, sent: [] })
    expect(stderr).toContain('authorized_keys: that is a private SSH key')
  })

  test('cannot change the email of a proxy user', async ({ skyctl, world }) => {
    const { exit, stderr } = await skyctl('profile update --email new@example.net', { env: envOf(world, 'proxy') })
    expect(exit).toBe(6)
    expect(stderr).toContain('email')
  })

  test('needs account:read_write', async ({ skyctl, world }) => {
    const SKYCTL_TOKEN = world.token('account:read_only')
    const { exit, stderr } = await skyctl('profile update --timezone UTC', { env: { SKYCTL_TOKEN } })
    expect(exit).toBe(4)
    expect(stderr).toContain('account:read_write')
  })
})

describe('profile grants', () => {
  test('of an unrestricted user are null in JSON, and a sentence in a terminal', async ({ skyctl }) => {
    expect(await skyctl('profile grants --json')).toEqual({ exit: 0, stdout: 'null\n', stderr: '' })
    expect(await skyctl('profile grants')).toEqual({
      exit: 0,
      stdout: '',
      stderr: 'You are not restricted: you may do everything that the token allows\n',
    })
  })

  test.for(['', '--json', '-o csv'])(
    'of an empty response other than a 204 are an error: %s',
    async (flags, { skyctl }) => {
      const { env } = await faultServer(reply(200, ''))
      const { exit, stdout, stderr } = await skyctl(`profile grants ${flags}`, { env })
      expect({ exit, stdout }).toEqual({ exit: 8, stdout: '' })
      expect(stderr).toContain('the response to GET /profile/grants is not from the API: it is empty')
    },
  )

  test('of a restricted user are rows, those of the account first', async ({ skyctl, world }) => {
    const env = { SKYCTL_TOKEN: world.token('volumes:read_only', user(world, 'restricted').id) }
    const { stdout } = await skyctl('profile grants -o tsv', { env })
    const lines = stdout.trimEnd().split('\n')
    expect(lines.slice(0, 2)).toEqual(['on\tid\tlabel\tpermissions', expect.stringMatching(/^global\t\t/)])
    expect(lines).toContain('global\t\tadd_volumes\tfalse')
    expect(lines).toContain('volume\t3001\tdata-1\tread_only')
    expect(json((await skyctl('profile grants --json', { env })).stdout).volume[0]).toMatchObject({ id: 3001 })
  })

  test('can be selected and sorted by columns', async ({ skyctl, world }) => {
    const env = envOf(world, 'restricted')
    const { stdout } = await skyctl('profile grants -o tsv --columns permissions,label', { env })
    expect(stdout.split('\n').slice(0, 1)).toEqual(['permissions\tlabel'])
    expect(stdout).toContain('read_only\tdata-1\n')
    expect(await skyctl('profile grants -o tsv --columns labl', { env })).toMatchObject({
      exit: 2,
      stdout: '',
      stderr: expect.stringContaining('Did you mean "label"'),
    })
  })

  test.for<[string, unknown, string[]]>([
    ['a list of grants', [{ id: 1, label: 'a', permissions: 'read_only' }], ['later\t1\ta\tread_only']],
    ['a text', 'all', []],
    ['an object', { id: 1, label: 'a' }, []],
    ['null', null, []],
  ])(
    'of a kind unknown to this version are printed if they have the usual form: %s',
    async ([, later, lines], { skyctl, sandbox, world }) => {
      const env = envOf(world, 'restricted')
      const grants = json((await skyctl('profile grants --json', { env })).stdout)
      const { host } = await faultServer(reply(200, { ...grants, later }))
      const rows = async (url: string) =>
        (await skyctl('profile grants -o tsv', { env: { ...env, SKYCTL_BASE_URL: url } })).stdout.trimEnd().split('\n')
      expect(await rows(`http://${host}/v4`)).toEqual([...(await rows(sandbox.baseUrl)), ...lines])
    },
  )
})

describe('profile apps and devices', () => {
  test.for([
    ['apps', 'app', 'It will lose access to the account at once'],
    ['devices', 'device', 'Its browser must log in again, even if you use it now'],
  ] as const)('%s: revoke asks, and prints which one was revoked', async ([group, noun, text], { skyctl }) => {
    const [first] = json((await skyctl(`profile ${group} list --json`)).stdout)
    const { stderr } = await skyctl(`profile ${group} revoke ${first.id}`)
    expect(stderr).toMatch(new RegExp(`^skyctl: ${text}. Revoke .*${first.id}.*? This must be confirmed`))
    expect((await skyctl(`profile ${group} revoke ${first.id} --yes`)).stderr).toMatch(
      new RegExp(`^Revoked ${noun}.* \\(?${first.id}\\)?\n$`),
    )
  })

  test('apps are listed, viewed and revoked by id or label, and their tokens are rejected at once', async ({
    skyctl,
    world,
  }) => {
    const { stdout } = await skyctl('profile apps list --json')
    expect(json(stdout).map(({ label }: { label: string }) => label)).toEqual(['dashboard', 'backups'])
    const token = world.tokens.all().find(({ app }) => app === 2)?.token ?? ''
    expect(json((await skyctl('profile apps view backups --json')).stdout)).toMatchObject({ id: 2 })
    const { exit, stderr } = await skyctl('profile app revoke backups --yes')
    expect({ exit, stderr }).toEqual({ exit: 0, stderr: 'Revoked app "backups" (2)\n' })
    expect((await skyctl('volumes list', { env: { SKYCTL_TOKEN: token } })).exit).toBe(3)
  })

  test('an app that may be the current one needs --force', async ({ skyctl, world }) => {
    const env = { SKYCTL_TOKEN: world.tokens.all().find(({ app }) => app === 1)?.token }
    const { exit, stderr } = await skyctl('profile apps revoke 1 --yes', { env })
    expect({ exit, sent: sent(world) }).toEqual({ exit: 2, sent: [] })
    expect(stderr).toContain('--force')
    expect((await skyctl('profile apps revoke 1 --yes --force', { env })).exit).toBe(0)
  })

  test('devices are listed, viewed and revoked', async ({ skyctl }) => {
    const ids = (await skyctl('profile devices list -q')).stdout.trim().split('\n')
    expect(json((await skyctl(`profile devices view ${ids[0]} --json`)).stdout)).toHaveProperty('user_agent')
    const all = await skyctl('profile devices revoke - --yes', { stdin: ids.join('\n') })
    expect(all.exit).toBe(0)
    expect((await skyctl('profile devices list --json')).stdout).toBe('[]\n')
  })

  test.for(['devices view firefox', 'devices revoke firefox --yes', 'logins view x'])(
    'devices and logins have ids and no labels: %s',
    async (line, { skyctl, world }) => {
      expect((await skyctl(`profile ${line}`)).exit).toBe(2)
      expect(world.requests()).toEqual([])
    },
  )

  test('logins are the successful ones of the last 90 days', async ({ skyctl, clock }) => {
    const logins = json((await skyctl('profile logins list --json')).stdout)
    expect(logins.length).toBeGreaterThan(0)
    for (const { status, datetime } of logins) {
      expect(status).toBe('successful')
      expect(clock.now() - Date.parse(`${datetime}Z`)).toBeLessThanOrEqual(90 * 86_400_000)
    }
    expect(json((await skyctl(`profile logins view ${logins[0].id} --json`)).stdout)).toEqual(logins[0])
  })
})

describe('profile phone', () => {
  const send = 'profile phone send --iso-code DE --phone-number 0301234567'

  test('sends a code and names the next command, verifies the number, and removes it', async ({
    skyctl,
    sandbox,
    world,
  }) => {
    expect((await skyctl(send)).stderr).toBe(
      'A code was sent; it is valid for 10 minutes. Next: skyctl profile phone verify --otp-code CODE\n',
    )
    // The code has a blank, as a person may type it.
    const code = sandbox.outbox().at(-1)?.code.replace(/^.../, '$& ')
    const verified = await skyctl(`profile phone verify --otp-code ' ${code} '`)
    expect(verified).toEqual({ exit: 0, stdout: '', stderr: 'The phone number is verified\n' })
    expect(user(world).verified_phone_number).toBe('+49301234567')
    expect((await skyctl('profile phone delete --yes')).stderr).toBe('Removed the phone number\n')
    expect(user(world).verified_phone_number).toBeNull()
    expect(await skyctl('profile phone delete --yes')).toMatchObject({
      exit: 5,
      stderr: 'skyctl: no phone number is verified\n',
    })
  })

  test('prints an empty object as JSON', async ({ skyctl, sandbox, world }) => {
    await skyctl(send)
    const code = sandbox.outbox().at(-1)?.code
    const verified = await skyctl(`profile phone verify --otp-code ${code} --json`)
    expect(verified).toEqual({ exit: 0, stdout: '{}\n', stderr: '' })
    expect((await skyctl('profile phone delete --yes --json')).stdout).toBe('{}\n')
    expect(user(world).verified_phone_number).toBeNull()
  })

  test('accepts a code within ten minutes, from the user who requested it', async ({
    skyctl,
    sandbox,
    world,
    clock,
  }) => {
    await skyctl(send)
    expect((await skyctl('profile phone verify --otp-code 0')).exit).toBe(6)
    const line = `profile phone verify --otp-code ${sandbox.outbox().at(-1)?.code}`
    expect((await skyctl(line, { env: envOf(world, 'restricted') })).exit).not.toBe(0)
    clock.advance(10 * 60_000)
    expect((await skyctl(line)).stderr).toContain('expired')
    expect(user(world).verified_phone_number).toBeNull()
  })

  test.for([
    ['send --iso-code UK --phone-number 02079460000', 'GB'],
    ['send --iso-code DEU --phone-number 0301234567', '--iso-code'],
    ['send --iso-code DE --phone-number 030CALLME', '--phone-number'],
    ['send --iso-code DE --phone-number 1', '--phone-number: it is too short for DE'],
    [
      'send --iso-code DE --phone-number "+1 202 555 0123"',
      'it is read as +12025550123, a number of +1, but DE has +49. Name the country of the number, or use --no-validate',
    ],
    [
      'send --iso-code BR --phone-number "0055 11 91234 5678"',
      'it is read as +11912345678, a number of +1, but BR has +55. Write +5511912345678',
    ],
    ['send --iso-code DE', '--phone-number is required'],
    ['verify --otp-code 12a', 'digits'],
    ['verify --otp-code ""', 'digits'],
    ['delete', 'Remove the verified phone number? This must be confirmed'],
  ])('rejects "%s" before anything is sent', async ([line, message], { skyctl, world }) => {
    const { exit, stderr } = await skyctl(`profile phone ${line}`)
    expect({ exit, requests: world.requests() }).toEqual({ exit: 2, requests: [] })
    expect(stderr).toContain(message)
  })

  test.for([
    ['DE', '+12025550123', '--no-validate'],
    ['GG', '+447700900123', ''],
    ['CA', '+12025550123', ''],
    ['BR', '+5511912345678', ''],
  ])(
    'sends a number of another country if that is asked for, or has the same calling code: %s %s %s',
    async ([country, number, flag], { skyctl, sandbox }) => {
      const { exit } = await skyctl(`profile phone send --iso-code ${country} --phone-number ${number} ${flag}`)
      expect({ exit, to: sandbox.outbox().at(-1) }).toMatchObject({ exit: 0, to: { to: number } })
    },
  )

  test('delete reports other failures than a missing number unchanged', async ({ skyctl }) => {
    const { env } = await faultServer(reply(400, { errors: [{ reason: 'not today' }] }))
    const { exit, stderr } = await skyctl('profile phone delete --yes', { env })
    expect({ exit, stderr }).toEqual({ exit: 6, stderr: expect.stringContaining('not today') })
  })
})

describe('profile sshkeys', () => {
  const add = (label: string, key = publicKey) => ['profile', 'sshkeys', 'add', '--label', label, '--ssh-key', key]

  test('are named by label when added, changed and deleted', async ({ skyctl }) => {
    const { stderr, exit } = await skyctl(add('mine'))
    const id = /\((\d+)\)/.exec(stderr)?.[1]
    expect({ exit, stderr }).toEqual({ exit: 0, stderr: `Added SSH key "mine" (${id})\n` })
    expect((await skyctl('profile sshkeys update mine --label yours')).stderr).toBe(`Updated SSH key "yours" (${id})\n`)
    expect(json((await skyctl('profile sshkeys view yours --json')).stdout)).toMatchObject({ label: 'yours' })
    expect((await skyctl('profile sshkeys delete yours --yes')).stderr).toBe(
      `Deleted SSH key "yours" (${id}); instances keep their copies\n`,
    )
  })

  test('come from a flag, a file or stdin, without the final line break', async ({ skyctl, home }) => {
    const file = join(home, 'id.pub')
    writeFileSync(file, `${publicKey}\n`)
    const results = await Promise.all([
      skyctl([...add('a'), '--json']),
      skyctl(`profile sshkeys add --label b --file ${file} --json`),
      skyctl('profile sshkeys add --label c --file - --json', { stdin: `${publicKey}\n` }),
      skyctl('profile ssh-keys add --label d --ssh-key - --json', { stdin: `${publicKey}\n` }),
    ])
    expect(results.map(({ stdout }) => json(stdout).ssh_key)).toEqual(Array(4).fill(publicKey))
    expect((await skyctl('profile sshkeys delete a b c d --yes')).exit).toBe(0)
  })

  describe('of a public key file', () => {
    const [type = '', data = ''] = publicKey.split(' ')
    const sent = `${type} ${data} my laptop`

    // What ssh-keygen -l reads as one key (ssh-keygen(1), sshd(8)).
    test.for([
      ['a comment line and blank lines around it', `# office\n\n${sent}\n\n`],
      ['tabs between its parts', `${type}\t${data}\tmy laptop\n`],
      ['several blanks between its parts', `  ${type}  ${data}   my laptop\n`],
      ['line ends of Windows', `# office\r\n${sent}\r\n`],
    ] as const)('are sent as one line: %s', async ([, text], { skyctl, home }) => {
      const file = join(home, 'id.pub')
      writeFileSync(file, text)
      const files = join(home, 'account.yaml')
      writeFileSync(files, 'sshkeys:\n  b: { file: id.pub }\n')
      const added = await skyctl(`profile sshkeys add --label a --file ${file} --json`)
      const applied = await skyctl(`apply ${files} --yes`)
      const view = await skyctl('profile sshkeys view b --json')
      expect({ added: json(added.stdout).ssh_key, exit: applied.exit, key: json(view.stdout).ssh_key }).toEqual({
        added: sent,
        exit: 0,
        key: sent,
      })
      expect((await skyctl(`plan ${files}`)).exit).toBe(0)
      const whole = await skyctl(`profile update --authorized-keys-file ${file} --json --yes`)
      expect(json(whole.stdout).authorized_keys).toEqual([sent])
      expect((await skyctl('profile sshkeys delete a b --yes')).exit).toBe(0)
    })

    test.for([
      ['---- BEGIN SSH2 PUBLIC KEY ----\nAAAA\n---- END SSH2 PUBLIC KEY ----\n', 'ssh-keygen -i -f FILE'],
      ['-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----\n', 'ssh-keygen -i -m PKCS8 -f FILE'],
      ['-----BEGIN RSA PUBLIC KEY-----\nAAAA\n-----END RSA PUBLIC KEY-----\n', 'ssh-keygen -i -m PEM -f FILE'],
      ['PuTTY-User-Key-File-3: ssh-ed25519\nEncryption: none\n', 'puttygen FILE -L'],
      [`from="10.0.0.0/8" ${publicKey}\n`, 'options before it are not kept'],
      [`${publicKey}\n${otherKey}\n${publicKey}\n`, 'must be one key, not 3'],
    ] as const)(
      'that are none name the way to one, and nothing is sent: %j',
      async ([text, way], { skyctl, world }) => {
        const { exit, stderr } = await skyctl('profile sshkeys add --label x --file -', { stdin: text })
        expect({ exit, stderr, requests: world.requests() }).toEqual({
          exit: 2,
          stderr: expect.stringContaining(way),
          requests: [],
        })
      },
    )
  })

  test('of a file for the remote shell are sent as they are with --no-validate', async ({ skyctl }) => {
    const stdin = `no-pty ${publicKey}\n`
    const line = 'profile update --authorized-keys-file - --dry-run --json'
    expect((await skyctl(line, { stdin })).exit).toBe(2)
    const { exit, stdout } = await skyctl(`${line} --no-validate`, { stdin })
    expect({ exit, ...json(stdout) }).toMatchObject({ exit: 0, body: { authorized_keys: [stdin.trim()] } })
  })

  test('may have a taken label only with --allow-duplicate', async ({ skyctl }) => {
    await skyctl(add('mine'))
    expect((await skyctl(add('mine', otherKey))).exit).toBe(6)
    expect((await skyctl([...add('mine', otherKey), '--allow-duplicate'])).exit).toBe(0)
    await skyctl(add('other'))
    expect((await skyctl('profile sshkeys update other --label mine')).exit).toBe(6)
    expect((await skyctl('profile sshkeys update other --label other')).exit).toBe(0)
  })

  test.for([
    ['in a flag', ['--ssh-key', privateKey], undefined],
    ['on stdin', ['--file', '-'], privateKey],
    ['with --no-validate', ['--ssh-key', privateKey, '--no-validate'], undefined],
    ['in a body', ['--body', '-'], JSON.stringify({ label: 'x', ssh_key: privateKey })],
    ['of PuTTY', ['--file', '-'], 'PuTTY-User-Key-File-3: ssh-ed25519\nEncryption: none\n'],
  ] as const)('that are private are never sent and never quoted: %s', async ([, flags, stdin], { skyctl, world }) => {
    const line = ['profile', 'sshkeys', 'add', '--label', 'x', ...flags, '--debug']
    const { exit, stdout, stderr } = await skyctl(line, { stdin })
    expect({ exit, requests: world.requests() }).toEqual({ exit: 2, requests: [] })
    expect(stderr).toContain('private SSH key')
    expect(stdout + stderr).not.toContain('c2VjcmV0')
  })

  test.for([
    [`add --label ${'x'.repeat(65)} --ssh-key k`, '0-64 characters'],
    ['add --label x', '--ssh-key'],
    ['add --ssh-key k', '--label is required'],
    ['add --label x --ssh-key k --file -', '--ssh-key and --file contradict each other'],
    [`update 1 --label ${'x'.repeat(65)}`, '0-64 characters'],
    ['update 1', '--label'],
    ['update 1 --ssh-key k', '--ssh-key'],
  ])('cannot be changed by "%s", and nothing is sent', async ([line, message], { skyctl, world }) => {
    const { exit, stderr } = await skyctl(`profile sshkeys ${line}`)
    expect({ exit, requests: world.requests() }).toEqual({ exit: 2, requests: [] })
    expect(stderr).toContain(message)
  })

  test('from an unreadable file end with exit code 12', async ({ skyctl }) => {
    expect((await skyctl(`profile sshkeys add --label x --file ${missingPath}/id.pub`)).exit).toBe(12)
  })

  test('are found by label if the response is lost', async ({ skyctl, lossy, world }) => {
    lossy.lose('POST', '/profile/sshkeys', 'answer lost')
    const { exit, stderr } = await skyctl(add('new'))
    expect({ exit, posts: world.requests('POST').length }).toEqual({ exit: 0, posts: 1 })
    expect(stderr).toContain('the answer was lost, but SSH key "new"')
    lossy.lose('POST', '/profile/sshkeys', 'request lost')
    const second = await skyctl(add('lost'))
    expect(second.exit).toBe(11)
    expect(second.stderr).toContain('skyctl profile sshkeys list --filter label=lost')
  })
})
