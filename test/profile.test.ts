/** The profile group: real command line, real client, real sandbox on a socket. */
import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Secret, TOTP } from 'otpauth'
import { describe, expect, onTestFinished } from 'vitest'
import { parse as parseYaml } from 'yaml'
import { between } from './support/between'
import { faultServer, reply } from './support/fault-server'
import { lossyProxy } from './support/lossy'
import { nowhere } from './support/nowhere'
import type { World } from './support/sandbox'
import { test } from './support/skyctl'

const json = (text: string) => JSON.parse(text)
const sent = (world: World) => world.requests().filter(({ method }) => method !== 'GET')
const user = ({ users }: World, name = 'owner') => {
  const found = users.all().find(({ username }) => username === name)
  if (!found) throw new Error(`no user ${name}`)
  return found
}
const publicKey = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAILq5CeZ9vU8HSbHCCT0nTbFqvbJJM5tWYHfqbmWk1DFA me@example.net'
const privateKey = '-----BEGIN OPENSSH PRIVATE KEY-----\nc2VjcmV0\n-----END OPENSSH PRIVATE KEY-----\n'

describe('profile view', () => {
  test('answers who am I, and what may this token do', async ({ skyctl, world }) => {
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

  test('prints JSON as the service sent it, and the scopes only where they are asked for', async ({ skyctl }) => {
    expect(Object.keys(json((await skyctl('profile view --json')).stdout))).not.toContain('token_scopes')
    const { stdout } = await skyctl('profile view --json --columns username,token_scopes')
    expect(json(stdout)).toEqual({ username: 'owner', token_scopes: '*' })
  })

  test('shows referrals where the account has paid enough, and no others', async ({ skyctl, world }) => {
    expect(json((await skyctl('profile view --json')).stdout)).toHaveProperty('referrals.code')
    const SKYCTL_TOKEN = world.token('*', user(world, 'proxy').id)
    expect(json((await skyctl('profile view --json', { env: { SKYCTL_TOKEN } })).stdout)).not.toHaveProperty(
      'referrals',
    )
  })
})

describe('profile update', () => {
  test('sends every field that the API takes', async ({ skyctl, world, home }) => {
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

  test('changes what is given and nothing else', async ({ skyctl, world }) => {
    const { exit, stdout } = await skyctl('profile update --timezone America/New_York --json')
    expect({ exit, timezone: json(stdout).timezone }).toEqual({ exit: 0, timezone: 'America/New_York' })
    expect(sent(world).map(({ body }) => body)).toEqual([{ timezone: 'America/New_York' }])
  })

  test('keys repeat, come from a file or stdin, or are emptied', async ({ skyctl, world }) => {
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
    ['--restricted', 'Restrict yourself'],
    ['--no-two-factor-auth', 'Switch two-factor authentication off'],
    ['--shell-auth-method keys_only --no-authorized-keys', 'Close the remote shell'],
  ])('%s says what it cuts off, and needs --yes off a terminal', async ([flags, said], { skyctl, world }) => {
    const { exit, stderr } = await skyctl(`profile update ${flags}`)
    expect({ exit, requests: world.requests() }).toEqual({ exit: 2, requests: [] })
    expect(stderr).toContain(said)
    expect(stderr).toContain('Add --yes')
  })

  test('the whitelist can only be switched off, and that is said', async ({ skyctl, world }) => {
    expect((await skyctl('profile update --ip-whitelist-enabled')).exit).toBe(2)
    const { exit, stderr } = await skyctl('profile update --body -', { stdin: '{"ip_whitelist_enabled": true}' })
    expect({ exit, requests: world.requests() }).toEqual({ exit: 2, requests: [] })
    expect(stderr).toContain('cannot be switched on')
    const off = await skyctl('profile update --no-ip-whitelist-enabled')
    expect(off.stderr).toContain('the whitelist cannot be switched on again')
    expect(user(world).ip_whitelist_enabled).toBe(false)
  })

  test.for([
    [''],
    ['--email nobody'],
    ['--shell-auth-method keys'],
    ['--authorized-key a --no-authorized-keys'],
    ['--uid 7'],
    ['--authentication-type idp'],
  ])('"%s" is refused before anything is sent', async ([flags], { skyctl, world }) => {
    expect((await skyctl(`profile update ${flags}`)).exit).toBe(2)
    expect(world.requests()).toEqual([])
  })

  test('the email of a proxy user is fixed', async ({ skyctl, world }) => {
    const SKYCTL_TOKEN = world.token('*', user(world, 'proxy').id)
    const { exit, stderr } = await skyctl('profile update --email new@example.net', { env: { SKYCTL_TOKEN } })
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

describe('profile preferences edit', () => {
  test.for(['json', 'ndjson', 'yaml'])(
    'prints what stands where nothing was changed: -o %s',
    async (format, { skyctl, world, env }) => {
      world.profile.preferences.put({ id: 1, user: 1, app: null, text: '{"theme":"dark"}' })
      env.EDITOR = 'true'
      const { exit, stdout, stderr } = await skyctl(`profile preferences edit --yes -o ${format}`)
      expect({ exit, stderr: format === 'yaml' ? '' : stderr }).toEqual({ exit: 0, stderr: '' })
      expect(parseYaml(stdout)).toEqual({ theme: 'dark' })
      expect(world.requests().map(({ method }) => method)).toEqual(['GET'])
    },
  )
})

describe('profile grants', () => {
  test('of an unrestricted user are none: JSON null, and a sentence for a person', async ({ skyctl }) => {
    expect(await skyctl('profile grants --json')).toEqual({ exit: 0, stdout: 'null\n', stderr: '' })
    expect(await skyctl('profile grants')).toEqual({
      exit: 0,
      stdout: '',
      stderr: 'You are not restricted: you may do everything that the token allows\n',
    })
  })

  test.for(['', '--json', '-o csv'])(
    'are not said to be unlimited by an answer that is empty, but for a 204: %s',
    async (flags, { skyctl }) => {
      const { host } = await faultServer(reply(200, ''))
      const { exit, stdout, stderr } = await skyctl(`profile grants ${flags}`, {
        env: { SKYCTL_BASE_URL: `http://${host}/v4` },
      })
      expect({ exit, stdout }).toEqual({ exit: 8, stdout: '' })
      expect(stderr).toContain('the response to GET /profile/grants is not from the API: it is empty')
    },
  )

  test('of a restricted user are lines, those on the account first', async ({ skyctl, world }) => {
    const env = { SKYCTL_TOKEN: world.token('volumes:read_only', user(world, 'restricted').id) }
    const { stdout } = await skyctl('profile grants -o tsv', { env })
    const lines = stdout.trimEnd().split('\n')
    expect(lines.slice(0, 2)).toEqual(['on\tid\tlabel\tpermissions', expect.stringMatching(/^global\t\t/)])
    expect(lines).toContain('global\t\tadd_volumes\tfalse')
    expect(lines).toContain('volume\t3001\tdata-1\tread_only')
    expect(json((await skyctl('profile grants --json', { env })).stdout).volume[0]).toMatchObject({ id: 3001 })
  })
})

describe('the columns of profile grants', () => {
  test('are those of its lines, chosen and sorted by their names', async ({ skyctl, world }) => {
    const env = { SKYCTL_TOKEN: world.token('*', user(world, 'restricted').id) }
    const { stdout } = await skyctl('profile grants -o tsv --columns permissions,label', { env })
    expect(stdout.split('\n').slice(0, 1)).toEqual(['permissions\tlabel'])
    expect(stdout).toContain('read_only\tdata-1\n')
    expect(await skyctl('profile grants -o tsv --columns labl', { env })).toMatchObject({
      exit: 2,
      stdout: '',
      stderr: expect.stringContaining('Did you mean "label"'),
    })
  })
})

describe('profile grants on what this version does not know', () => {
  test.for<[string, unknown, string[]]>([
    ['a list of grants', [{ id: 1, label: 'a', permissions: 'read_only' }], ['later\t1\ta\tread_only']],
    ['a text', 'all', []],
    ['an object', { id: 1, label: 'a' }, []],
    ['null', null, []],
  ])('%s', async ([, later, lines], { skyctl, sandbox, world }) => {
    const env = { SKYCTL_TOKEN: world.token('*', user(world, 'restricted').id) }
    const known = json((await skyctl('profile grants --json', { env })).stdout)
    const { host } = await faultServer(reply(200, { ...known, later }))
    const rows = async (url: string) =>
      (await skyctl('profile grants -o tsv', { env: { ...env, SKYCTL_BASE_URL: url } })).stdout.trimEnd().split('\n')
    expect(await rows(`http://${host}/v4`)).toEqual([...(await rows(sandbox.baseUrl)), ...lines])
  })
})

describe('profile apps', () => {
  test('are listed, viewed and revoked by id or label; what they hold is refused at once', async ({
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

  test('an app that may be the one in use needs --force', async ({ skyctl, world }) => {
    const env = { SKYCTL_TOKEN: world.tokens.all().find(({ app }) => app === 1)?.token }
    const { exit, stderr } = await skyctl('profile apps revoke 1 --yes', { env })
    expect({ exit, sent: sent(world) }).toEqual({ exit: 2, sent: [] })
    expect(stderr).toContain('--force')
    expect((await skyctl('profile apps revoke 1 --yes --force', { env })).exit).toBe(0)
  })
})

describe('profile devices and logins', () => {
  test('have ids and no labels', async ({ skyctl, world }) => {
    for (const line of [
      'profile devices view firefox',
      'profile devices revoke firefox --yes',
      'profile logins view x',
    ]) {
      expect({ line, exit: (await skyctl(line)).exit }).toEqual({ line, exit: 2 })
    }
    expect(world.requests()).toEqual([])
  })

  test('devices are listed, viewed and revoked', async ({ skyctl }) => {
    const ids = (await skyctl('profile devices list -q')).stdout.trim().split('\n')
    expect(json((await skyctl(`profile devices view ${ids[0]} --json`)).stdout)).toHaveProperty('user_agent')
    const all = await skyctl('profile devices revoke - --yes', { stdin: ids.join('\n') })
    expect(all.exit).toBe(0)
    expect((await skyctl('profile devices list --json')).stdout).toBe('[]\n')
  })

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
  test('is removed, sent a code and verified, a command each', async ({ skyctl, sandbox, world }) => {
    world.users.put({ ...user(world), verified_phone_number: '+12125550100' })
    expect((await skyctl('profile phone delete --yes --json')).stdout).toBe('{}\n')
    const send = await skyctl('profile phone send --iso-code DE --phone-number 0301234567')
    expect(send.stderr).toContain('skyctl profile phone verify --otp-code')
    // As a person reads it aloud, or an app shows it.
    const code = sandbox.outbox().at(-1)?.code.replace(/^.../, '$& ')
    const verify = await skyctl(`profile phone verify --otp-code ' ${code} ' --json`)
    expect(verify).toEqual({ exit: 0, stdout: '{}\n', stderr: '' })
    expect(user(world).verified_phone_number).toBe('+49301234567')
  })

  test('a code is of use for ten minutes, and to the user who asked for it', async ({
    skyctl,
    sandbox,
    world,
    clock,
  }) => {
    await skyctl('profile phone send --iso-code DE --phone-number 0301234567')
    const line = `profile phone verify --otp-code ${sandbox.outbox().at(-1)?.code}`
    const other = { SKYCTL_TOKEN: world.token('*', user(world, 'restricted').id) }
    expect((await skyctl(line, { env: other })).exit).not.toBe(0)
    clock.advance(10 * 60_000)
    expect((await skyctl(line)).stderr).toContain('expired')
    expect(user(world).verified_phone_number).toBeNull()
  })

  test.for([
    ['send --iso-code UK --phone-number 02079460000', 'GB'],
    ['send --iso-code DEU --phone-number 0301234567', '--iso-code'],
    ['send --iso-code DE --phone-number 030CALLME', '--phone-number'],
    ['send --iso-code DE --phone-number 1', 'too short'],
    ['send --iso-code DE', '--phone-number is required'],
    ['verify --otp-code 12a', 'digits'],
    ['verify --otp-code ""', 'digits'],
    ['delete', '--yes'],
  ])('"%s" is refused before anything is sent', async ([line, said], { skyctl, world }) => {
    const { exit, stderr } = await skyctl(`profile phone ${line}`)
    expect({ exit, requests: world.requests() }).toEqual({ exit: 2, requests: [] })
    expect(stderr).toContain(said)
  })

  test('a wrong code is refused, and no number is there to remove', async ({ skyctl, world }) => {
    await skyctl('profile phone send --iso-code DE --phone-number 0301234567')
    expect((await skyctl('profile phone verify --otp-code 0')).exit).toBe(6)
    world.users.put({ ...user(world), verified_phone_number: null })
    expect(await skyctl('profile phone delete --yes')).toMatchObject({
      exit: 5,
      stderr: 'skyctl: no phone number is verified\n',
    })
  })
})

describe('profile preferences', () => {
  const set = (text?: string) => ({ stdin: text })

  test('are replaced as a whole, with any key names', async ({ skyctl }) => {
    const text = '{"theme":"dark","__proto__":{"a":1},"constructor":null,"toString":"x","":[1,2]}'
    expect((await skyctl('profile preferences set --body - --json', set(text))).exit).toBe(0)
    const { stdout } = await skyctl('profile preferences view --json')
    expect(JSON.stringify(json(stdout))).toBe(text)
    await skyctl('profile preferences set --body -', set('{"other":1}'))
    expect(json((await skyctl('profile preferences view --json')).stdout)).toEqual({ other: 1 })
  })

  test('may have 65,535 characters, and are refused before they are sent with one more', async ({ skyctl, world }) => {
    const text = (length: number) => JSON.stringify({ a: 'é'.repeat(length - '{"a":""}'.length) })
    const more = await skyctl('profile preferences set --body -', set(text(65_536)))
    expect({ exit: more.exit, requests: world.requests() }).toEqual({ exit: 2, requests: [] })
    expect((await skyctl('profile preferences set --body -', set(text(65_535)))).exit).toBe(0)
  })

  test.for([
    ['an array', '[1]', 2],
    ['a string', '"x"', 2],
    ['nothing', '', 2],
    ['100,000 levels', `{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`, 12],
    ['501 levels', `{"a":${'['.repeat(500)}${']'.repeat(500)}}`, 12],
    ['broken JSON', '{"a":', 2],
  ] as const)('%s is refused before anything is sent', async ([, text, code], { skyctl, world }) => {
    const { exit, stderr } = await skyctl('profile preferences set --body -', set(text))
    expect({ exit, requests: world.requests() }).toEqual({ exit: code, requests: [] })
    expect(stderr).not.toContain('defect')
  })

  test('need a body', async ({ skyctl, world }) => {
    expect((await skyctl('profile preferences set')).exit).toBe(2)
    expect(world.requests()).toEqual([])
  })

  test('are of the OAuth client that made the token', async ({ skyctl, world }) => {
    expect((await skyctl('profile preferences view')).stderr).toBe('No preferences\n')
    await skyctl('profile preferences set --body -', set('{"mine":1}'))
    const SKYCTL_TOKEN = world.tokens.all().find(({ app }) => app === 1)?.token
    expect((await skyctl('profile preferences view --json', { env: { SKYCTL_TOKEN } })).stdout).toBe('{}\n')
  })

  test('are read again before they are sent a second time', async ({ skyctl, sandbox, world }) => {
    const proxy = await lossyProxy(sandbox.baseUrl)
    try {
      proxy.lose('PUT', '/profile/preferences', 'answer lost')
      const env = { SKYCTL_BASE_URL: proxy.baseUrl }
      const { exit, stdout } = await skyctl('profile preferences set --body - --json', { stdin: '{"a":1}', env })
      expect({ exit, answer: json(stdout), puts: world.requests('PUT').length }).toEqual({
        exit: 0,
        answer: { a: 1 },
        puts: 1,
      })
    } finally {
      await proxy.close()
    }
  })

  describe('edit', () => {
    /** An editor that does what a line of the shell does to the file "$1". */
    const editor = (home: string, line: string) => {
      mkdirSync(join(home, 'bin'), { recursive: true })
      const path = join(home, 'bin', 'editor')
      writeFileSync(path, `#!/bin/sh\n${line}\n`)
      chmodSync(path, 0o755)
      return { EDITOR: path, PATH: '/usr/bin:/bin' }
    }

    test('sends what was made of them, and leaves no file', async ({ skyctl, home }) => {
      await skyctl('profile preferences set --body -', set('{"theme":"dark","size":1}'))
      const env = editor(home, `stat -c %a "$1" > ${home}/mode; sed -i s/dark/light/ "$1"`)
      const { exit, stdout } = await skyctl('profile preferences edit --json --yes', { env })
      expect({ exit, stdout: json(stdout) }).toEqual({ exit: 0, stdout: { theme: 'light', size: 1 } })
      expect(readFileSync(join(home, 'mode'), 'utf8')).toBe('600\n')
      expect(readdirSync(join(home, 'state', 'drafts'))).toEqual([])
    })

    test('shows nothing that would command a terminal or hide, and keeps it', async ({ skyctl, home, world }) => {
      const hostile = '\u001b]0;pwned\u0007 \u202e \u200b \u009b2J \u{e0041} \ufeff'
      const body = JSON.stringify({ [hostile]: { deep: [hostile] }, theme: 'dark' })
      await skyctl('profile preferences set --body -', set(body))
      const env = editor(home, `cat "$1" > ${home}/shown; sed -i s/dark/light/ "$1"`)
      const { exit, stderr } = await skyctl('profile preferences edit --yes', { env })
      const shown = readFileSync(join(home, 'shown'), 'utf8')
      for (const text of [shown, stderr]) expect(text).not.toMatch(/[^\n\x20-\x7e]/)
      expect(shown).toContain(String.raw`\u202e \u200b \u009b2J \udb40\udc41 \ufeff`)
      expect(exit).toBe(0)
      expect(sent(world).at(-1)?.body).toEqual({ [hostile]: { deep: [hostile] }, theme: 'light' })
    })

    test('sends nothing where nothing was changed', async ({ skyctl, home, world }) => {
      const { exit, stderr } = await skyctl('profile preferences edit', { env: editor(home, 'true') })
      expect({ exit, stderr, sent: sent(world) }).toEqual({ exit: 0, stderr: 'No changes\n', sent: [] })
    })

    test('stops where somebody else changed them meanwhile, and keeps the text', async ({
      skyctl,
      home,
      sandbox,
      world,
    }) => {
      const change = `curl -s -X PUT -H "Authorization: Bearer ${sandbox.ownerToken}" -H 'Content-Type: application/json' -d '{"theirs":1}' ${sandbox.baseUrl}/profile/preferences`
      const env = editor(home, `${change} > ${home}/curl; echo '{"mine": 1}' > "$1"`)
      const { exit, stderr } = await skyctl('profile preferences edit --yes', { env })
      expect(exit).toBe(6)
      expect(stderr).toContain('the preferences were changed meanwhile; yours were not sent')
      const [kept = ''] = readdirSync(join(home, 'state', 'drafts'))
      expect(stderr).toContain(`Your text is kept in "${join(home, 'state', 'drafts', kept)}"`)
      expect(stderr).not.toContain('preferences set')
      expect(readFileSync(join(home, 'state', 'drafts', kept), 'utf8')).toBe('{"mine": 1}\n')
      expect(sent(world).map(({ body }) => body)).toEqual([{ theirs: 1 }])
    })

    test('says so where somebody changed them right after', async ({ skyctl, home, sandbox, world }) => {
      const proxy = await lossyProxy(sandbox.baseUrl)
      try {
        const [first, again, after] = [1, 2, 3].map(() => proxy.hold('GET', '/profile/preferences'))
        first?.release()
        again?.release()
        const env = { ...editor(home, `echo '{"mine": 1}' > "$1"`), SKYCTL_BASE_URL: proxy.baseUrl }
        const edit = skyctl('profile preferences edit --yes', { env })
        await after?.arrived
        for (const kept of world.profile.preferences.all()) {
          world.profile.preferences.put({ ...kept, text: '{"theirs":1}' })
        }
        after?.release()
        const { exit, stderr } = await edit
        expect(exit).toBe(6)
        expect(stderr).toContain('the preferences differ from what was sent: somebody else changed them too')
      } finally {
        await proxy.close()
      }
    })

    test('keeps the text where it is no object any more', async ({ skyctl, home, world }) => {
      const { exit, stderr } = await skyctl('profile preferences edit', { env: editor(home, `echo '[' > "$1"`) })
      expect({ exit, sent: sent(world) }).toEqual({ exit: 2, sent: [] })
      expect(stderr).toContain('Your text is kept in ')
    })
  })
})

describe('profile security-questions', () => {
  const answers = (...ids: number[]) => ({
    stdin: JSON.stringify({ security_questions: ids.map((question_id) => ({ question_id, response: 'canary' })) }),
  })

  test('list tells which are answered, and the answers only as JSON', async ({ skyctl }) => {
    await skyctl('profile security-questions answer --body -', answers(2, 3, 5))
    const { stdout } = await skyctl('profile security-questions list --limit 2')
    expect(stdout).toBe(
      'ID  QUESTION                              ANSWERED\n' +
        ' 1  In what city were you born?           no\n' +
        ' 2  What was the name of your first pet?  yes\n',
    )
    const all = json((await skyctl('profile security-questions list --json')).stdout)
    expect(all).toHaveLength(19)
    expect(all.filter(({ response }: { response: unknown }) => response !== null)).toHaveLength(3)
  })

  test('answer takes a file or stdin, and does not echo the answers', async ({ skyctl }) => {
    for (const format of ['--json', '-o yaml', '-o csv', '']) {
      const { exit, stdout, stderr } = await skyctl(
        `profile security-questions answer --body - ${format}`,
        answers(1, 2, 3),
      )
      expect({ format, exit, echoed: (stdout + stderr).includes('canary') }).toEqual({ format, exit: 0, echoed: false })
    }
  })

  test('earlier answers are gone', async ({ skyctl }) => {
    await skyctl('profile security-questions answer --body -', answers(1, 2, 3))
    await skyctl('profile security-questions answer --body -', answers(4, 5, 6))
    const all = json((await skyctl('profile security-questions list --json')).stdout)
    const answered = all.filter(({ response }: { response: unknown }) => response !== null)
    expect(answered.map(({ id }: { id: number }) => id)).toEqual([4, 5, 6])
  })

  test.for([
    [
      'two answers',
      JSON.stringify({ security_questions: [1, 2].map((question_id) => ({ question_id, response: 'x' })) }),
    ],
    [
      'four answers',
      JSON.stringify({ security_questions: [1, 2, 3, 4].map((question_id) => ({ question_id, response: 'x' })) }),
    ],
    [
      'the same question twice',
      JSON.stringify({ security_questions: [1, 2, 2].map((question_id) => ({ question_id, response: 'x' })) }),
    ],
    [
      'an empty answer',
      JSON.stringify({ security_questions: [1, 2, 3].map((question_id) => ({ question_id, response: '' })) }),
    ],
    ['no answers', '{}'],
    ['an unknown key', '{"answers": []}'],
  ])('%s: refused before anything is sent', async ([, stdin], { skyctl, world }) => {
    const { exit } = await skyctl('profile security-questions answer --body -', { stdin })
    expect({ exit, requests: world.requests() }).toEqual({ exit: 2, requests: [] })
  })

  test('a question that is not in the list is refused by the service', async ({ skyctl }) => {
    expect((await skyctl('profile security-questions answer --body -', answers(1, 2, 999))).exit).toBe(6)
  })

  test('off a terminal without a file it says where the answers come from', async ({ skyctl, world }) => {
    const { exit, stderr } = await skyctl('profile security-questions answer')
    expect({ exit, requests: world.requests() }).toEqual({ exit: 2, requests: [] })
    expect(stderr).toContain('--body')
  })

  test('answers are no flags', async ({ skyctl }) => {
    expect((await skyctl('profile security-questions answer --response x')).exit).toBe(2)
  })
})

describe('profile sshkeys', () => {
  test('are added from a text, a file or stdin; viewed, labelled anew and deleted', async ({ skyctl, home }) => {
    const file = join(home, 'id.pub')
    writeFileSync(file, `${publicKey}\n`)
    const added = await Promise.all([
      skyctl(['profile', 'sshkeys', 'add', '--label', 'a', '--ssh-key', publicKey, '--json']),
      skyctl(`profile sshkeys add --label b --file ${file} --json`),
      skyctl('profile sshkeys add --label c --file - --json', { stdin: `${publicKey}\n` }),
      skyctl('profile ssh-keys add --label d --ssh-key - --json', { stdin: `${publicKey}\n` }),
    ])
    expect(added.map(({ stdout }) => json(stdout).ssh_key)).toEqual(Array(4).fill(publicKey))
    expect((await skyctl('profile sshkeys update a --label z')).exit).toBe(0)
    expect(json((await skyctl('profile sshkeys view z --json')).stdout)).toMatchObject({ label: 'z' })
    expect((await skyctl('profile sshkeys delete z b c d --yes')).exit).toBe(0)
  })

  test.for([
    ['as text', ['--ssh-key', privateKey], undefined],
    ['on stdin', ['--file', '-'], privateKey],
    ['with --no-validate', ['--ssh-key', privateKey, '--no-validate'], undefined],
    ['in a body', ['--body', '-'], JSON.stringify({ label: 'x', ssh_key: privateKey })],
    ['of PuTTY', ['--file', '-'], 'PuTTY-User-Key-File-3: ssh-ed25519\nEncryption: none\n'],
  ] as const)('a private key %s is never sent, and never quoted', async ([, flags, stdin], { skyctl, world }) => {
    const { exit, stdout, stderr } = await skyctl(['profile', 'sshkeys', 'add', '--label', 'x', ...flags, '--debug'], {
      stdin,
    })
    expect({ exit, requests: world.requests() }).toEqual({ exit: 2, requests: [] })
    expect(stderr).toContain('private SSH key')
    expect(stdout + stderr).not.toContain('c2VjcmV0')
  })

  test('a private key is no authorized key either', async ({ skyctl, world }) => {
    expect((await skyctl('profile update --authorized-keys-file -', { stdin: privateKey })).exit).toBe(2)
    expect((await skyctl(['profile', 'update', '--authorized-key', privateKey, '--no-validate'])).exit).toBe(2)
    expect(world.requests()).toEqual([])
  })

  test.for([
    [`add --label ${'x'.repeat(65)} --ssh-key k`],
    ['add --label x'],
    ['add --ssh-key k'],
    ['add --label x --ssh-key k --file f'],
    [`update 1 --label ${'x'.repeat(65)}`],
    ['update 1'],
    ['update 1 --ssh-key k'],
  ])('"%s" is refused before anything is sent', async ([line], { skyctl, world }) => {
    expect((await skyctl(`profile sshkeys ${line}`)).exit).toBe(2)
    expect(world.requests()).toEqual([])
  })

  test('a file that cannot be read is exit 12', async ({ skyctl }) => {
    expect((await skyctl(`profile sshkeys add --label x --file ${nowhere}/id.pub`)).exit).toBe(12)
  })

  test('a key whose answer was lost is found by its label', async ({ skyctl, sandbox, world }) => {
    const proxy = await lossyProxy(sandbox.baseUrl)
    try {
      proxy.lose('POST', '/profile/sshkeys', 'answer lost')
      const env = { SKYCTL_BASE_URL: proxy.baseUrl }
      const { exit, stderr } = await skyctl(['profile', 'sshkeys', 'add', '--label', 'new', '--ssh-key', publicKey], {
        env,
      })
      expect({ exit, posts: world.requests('POST').length }).toEqual({ exit: 0, posts: 1 })
      expect(stderr).toContain('the answer was lost, but SSH key "new"')
      proxy.lose('POST', '/profile/sshkeys', 'request lost')
      const lost = await skyctl(['profile', 'sshkeys', 'add', '--label', 'lost', '--ssh-key', publicKey], { env })
      expect(lost.exit).toBe(11)
      expect(lost.stderr).toContain('skyctl profile sshkeys list --filter label=lost')
    } finally {
      await proxy.close()
    }
  })
})

describe('profile tfa', () => {
  const codeOf = (secret: string, timestamp: number) =>
    new TOTP({ secret: Secret.fromBase32(secret), algorithm: 'SHA1', digits: 6 }).generate({ timestamp })

  test('is switched on and off, a command each', async ({ skyctl, world, clock, home }) => {
    expect((await skyctl('profile tfa enable')).stderr).toContain('Security Questions')
    const stdin = JSON.stringify({
      security_questions: [1, 2, 3].map((question_id) => ({ question_id, response: 'x' })),
    })
    await skyctl('profile security-questions answer --body -', { stdin })
    const enabled = await skyctl('profile tfa enable --json')
    const { secret } = json(enabled.stdout)
    expect({ on: user(world).two_factor_auth, stderr: enabled.stderr }).toEqual({
      on: false,
      stderr: expect.not.stringContaining('already on'),
    })
    const file = join(home, 'scratch')
    const confirm = `profile tfa confirm --tfa-code ${codeOf(secret, clock.now())} --scratch-file ${file}`
    const { exit, stdout } = await skyctl(`${confirm} --json`)
    expect({ exit, stdout, on: user(world).two_factor_auth }).toEqual({ exit: 0, stdout: '{}\n', on: true })
    expect(readFileSync(file, 'utf8')).toMatch(/^\S+\n$/)
    expect(statSync(file).mode & 0o777).toBe(0o600)
    const again =
      'Two-factor authentication is already on: the current secret stays valid until a code confirms the new one'
    expect((await skyctl('profile tfa enable')).stderr).toContain(again)
    expect((await skyctl('profile tfa disable')).exit).toBe(2)
    expect((await skyctl('profile tfa disable --yes --json')).stdout).toBe('{}\n')
    expect(user(world).two_factor_auth).toBe(false)
  })

  test('a --scratch-file that exists is refused before anything is sent, unless --force replaces it', async ({
    skyctl,
    world,
    home,
  }) => {
    const file = join(home, 'scratch')
    writeFileSync(file, 'precious')
    const line = `profile tfa confirm --tfa-code 123456 --scratch-file ${file}`
    expect(await skyctl(line)).toMatchObject({ exit: 12, stderr: expect.stringContaining('already exists') })
    expect(await skyctl(`profile tfa setup --scratch-file ${file}`)).toMatchObject({ exit: 12 })
    expect({ text: readFileSync(file, 'utf8'), sent: world.requests() }).toEqual({ text: 'precious', sent: [] })
    // No secret waits to be confirmed: the service refuses what was sent.
    expect((await skyctl(`${line} --force`)).exit).toBe(6)
  })

  test('the scratch code is printed once where no file is named', async ({ skyctl, clock }) => {
    const stdin = JSON.stringify({
      security_questions: [1, 2, 3].map((question_id) => ({ question_id, response: 'x' })),
    })
    await skyctl('profile security-questions answer --body -', { stdin })
    const secret = (await skyctl('profile tfa enable -o tsv --query secret')).stdout.trim()
    const code = codeOf(secret, clock.now()).replace(/^.../, '$& ')
    const { stdout } = await skyctl(`profile tfa confirm --tfa-code '${code}'`)
    expect(stdout).toMatch(/^scratch {2}\S+\n$/)
  })

  test('the scratch code is shown after all where its file cannot be written any more', async ({
    skyctl,
    sandbox,
    world,
    clock,
    home,
  }) => {
    const stdin = JSON.stringify({
      security_questions: [1, 2, 3].map((question_id) => ({ question_id, response: 'x' })),
    })
    await skyctl('profile security-questions answer --body -', { stdin })
    const secret = (await skyctl('profile tfa enable -o tsv --query secret')).stdout.trim()
    const folder = join(home, 'codes')
    mkdirSync(folder)
    const proxy = await between(sandbox.baseUrl, {
      after: ({ path }) => void (path === '/profile/tfa-enable-confirm' && rmSync(folder, { recursive: true })),
    })
    onTestFinished(proxy.close)
    const line = `profile tfa confirm --tfa-code ${codeOf(secret, clock.now())} --scratch-file ${folder}/scratch`
    const { exit, stdout, stderr } = await skyctl(line, { env: { SKYCTL_BASE_URL: proxy.baseUrl } })
    expect({ exit, stdout, on: user(world).two_factor_auth }).toEqual({
      exit: 12,
      stdout: expect.stringMatching(/^scratch {2}\S+\n$/),
      on: true,
    })
    expect(stderr).toContain(`cannot write ${folder}/scratch`)
  })

  test.for([
    ['confirm --tfa-code 12a'],
    ['confirm'],
    [`confirm --tfa-code 123456 --scratch-file ${nowhere}/x`],
    ['disable'],
  ])('"%s" sends nothing', async ([line], { skyctl, world }) => {
    expect([2, 12]).toContain((await skyctl(`profile tfa ${line}`)).exit)
    expect(world.requests()).toEqual([])
  })

  test('a switch-off whose answer was lost is looked at before it is sent again', async ({
    skyctl,
    sandbox,
    world,
  }) => {
    world.users.put({ ...user(world), two_factor_auth: true })
    const proxy = await lossyProxy(sandbox.baseUrl)
    try {
      proxy.lose('POST', '/profile/tfa-disable', 'answer lost')
      const { exit } = await skyctl('profile tfa disable --yes', { env: { SKYCTL_BASE_URL: proxy.baseUrl } })
      expect({ exit, posts: world.requests('POST').length }).toEqual({ exit: 0, posts: 1 })
    } finally {
      await proxy.close()
    }
  })
})
