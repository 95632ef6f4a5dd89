/** What each change of the profile asks, says when it is done, and refuses before anything is sent. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { faultServer, reply } from '../support/fault-server'
import { wholeProfile } from '../support/records'
import type { World } from '../support/sandbox'
import { test } from '../support/skyctl'

const json = (text: string) => JSON.parse(text)
const sent = (world: World) => world.requests().filter(({ method }) => method !== 'GET')
const keys = ['AAAAC3NzaC1lZDI1NTE5AAAAILq5CeZ9vU8HSbHCCT0nTbFqvbJJM5tWYHfqbmWk1DFA', 'AAAAC3NzaC1lZDI1NTE5AAAAIFJ1']
const [one = '', two = ''] = keys.map((key, index) => `ssh-ed25519 ${key} key-${index}`)

function change(world: World, fields: object): void {
  const owner = world.users.get(1)
  if (!owner) throw new Error('there is no owner')
  world.users.put({ ...owner, ...fields } as typeof owner)
}

describe('profile update', () => {
  const off = ['Logins will need the password only', 'Switch two-factor authentication off']
  const nobody = [
    'Nobody will be able to log in to the remote shell: it accepts only keys, and there are none',
    'Close the remote shell',
  ]
  const restrict = ['You will immediately lose all access without a grant, also to this command', 'Restrict yourself']

  test.for([
    ['{"restricted":true}', [restrict]],
    ['{"restricted":false}', []],
    ['{"two_factor_auth":false}', [off]],
    ['{"shell_auth_method":"keys_only","authorized_keys":null}', [nobody]],
    ['{"shell_auth_method":"keys_only","authorized_keys":[]}', [nobody]],
    [`{"shell_auth_method":"keys_only","authorized_keys":["${one}"]}`, []],
    ['{"shell_auth_method":"password_keys","authorized_keys":null}', []],
    ['{"timezone":"UTC"}', []],
    ['{"two_factor_auth":false,"restricted":true}', [restrict, off]],
  ] as const)('of %s asks about what is lost by it', async ([stdin, asked], { skyctl, world }) => {
    const { exit, stderr } = await skyctl('profile update --body -', { stdin })
    const sentences = [...asked.map(([loss]) => loss), asked.map(([, what]) => what).join('; ')].join('. ')
    const question = asked.length > 0 ? `skyctl: ${sentences}: this must be confirmed` : ''
    expect({ exit, asked: stderr.startsWith('skyctl: ') ? stderr : '' }).toEqual({
      exit: asked.length > 0 ? 2 : 0,
      asked: expect.stringContaining(question),
    })
    expect(sent(world)).toHaveLength(asked.length > 0 ? 0 : 1)
  })

  test('says of whom, and of the whitelist that it stays off', async ({ skyctl, world }) => {
    expect((await skyctl('profile update --timezone UTC')).stderr).toBe('Updated the profile of owner\n')
    change(world, { ip_whitelist_enabled: true })
    expect((await skyctl('profile update --no-ip-whitelist-enabled')).stderr).toBe(
      'Updated the profile of owner; the whitelist cannot be switched on again\n',
    )
  })

  test('adds keys to those that stand and takes some away, which are known only then', async ({ skyctl, world }) => {
    change(world, { authorized_keys: [one] })
    expect((await skyctl(['profile', 'update', '--add-authorized-key', two])).exit).toBe(0)
    expect(world.users.get(1)?.authorized_keys).toEqual([one, two])
    expect((await skyctl(['profile', 'update', '--remove-authorized-key', one])).exit).toBe(0)
    expect(world.users.get(1)?.authorized_keys).toEqual([two])
    const before = world.requests().length
    const dry = await skyctl(['profile', 'update', '--add-authorized-key', one, '--dry-run', '--json'])
    expect({ exit: dry.exit, asked: world.requests().length, keys: json(dry.stdout).body.authorized_keys }).toEqual({
      exit: 0,
      asked: before,
      keys: [one],
    })
  })

  const exclude = '--authorized-key, --authorized-keys-file and --no-authorized-keys exclude each other'
  const contradict = '--add-authorized-key and --remove-authorized-key contradict a whole list of keys'

  test.for<[string[], string]>([
    [[], 'nothing to change. See skyctl profile update --help'],
    [
      ['--authorized-key', one, '--no-authorized-keys'],
      '--authorized-key and --no-authorized-keys contradict each other',
    ],
    [['--authorized-key', one, '--authorized-keys-file', '-'], exclude],
    [['--authorized-keys-file', '-', '--no-authorized-keys'], exclude],
    [['--authorized-key', one, '--add-authorized-key', two], contradict],
    [['--no-authorized-keys', '--remove-authorized-key', two], contradict],
    [['--add-authorized-key', '-----BEGIN OPENSSH PRIVATE KEY-----'], 'authorized_keys: that is a private SSH key'],
  ])('%j is refused before anything is sent', async ([flags, said], { skyctl, world }) => {
    const { exit, stderr } = await skyctl(['profile', 'update', ...flags], { stdin: one })
    expect({ exit, sent: sent(world), stderr }).toEqual({ exit: 2, sent: [], stderr: expect.stringContaining(said) })
  })

  test('cannot switch the whitelist on', async ({ skyctl, world }) => {
    const { exit, stderr } = await skyctl('profile update --body -', { stdin: '{"ip_whitelist_enabled":true}' })
    expect({ exit, stderr, sent: sent(world) }).toEqual({
      exit: 2,
      stderr: 'skyctl: ip_whitelist_enabled: it is deprecated and cannot be switched on\n',
      sent: [],
    })
  })
})

describe('profile sshkeys', () => {
  const add = (label: string, key = one) => ['profile', 'sshkeys', 'add', '--label', label, '--ssh-key', key]

  test('are told by their label when added, changed and deleted', async ({ skyctl, world }) => {
    const { stderr, exit } = await skyctl(add('mine'))
    const id = world.users.size > 0 ? /\((\d+)\)/.exec(stderr)?.[1] : undefined
    expect({ exit, stderr }).toEqual({ exit: 0, stderr: `Added SSH key "mine" (${id})\n` })
    expect((await skyctl('profile sshkeys update mine --label yours')).stderr).toBe(`Updated SSH key "yours" (${id})\n`)
    expect((await skyctl('profile sshkeys delete yours --yes')).stderr).toBe(
      `Deleted SSH key "yours" (${id}); instances keep their copies\n`,
    )
  })

  test('come from stdin for a hyphen, without the line break at the end', async ({ skyctl, world }) => {
    for (const flags of [
      ['--ssh-key', '-'],
      ['--file', '-'],
    ])
      await skyctl(['profile', 'sshkeys', 'add', '--label', flags[0]?.slice(2) ?? '', ...flags], { stdin: `${one}\n` })
    expect(sent(world).map(({ body }) => body)).toEqual([
      { label: 'ssh-key', ssh_key: one },
      { label: 'file', ssh_key: one },
    ])
    expect((await skyctl([...add('x'), '--file', '-'])).stderr).toBe(
      'skyctl: --ssh-key and --file contradict each other\n',
    )
  })

  test('may have a label that is taken only where that is wanted', async ({ skyctl }) => {
    await skyctl(add('mine'))
    expect((await skyctl(add('mine', two))).exit).toBe(6)
    expect((await skyctl([...add('mine', two), '--allow-duplicate'])).exit).toBe(0)
    await skyctl(add('other'))
    expect((await skyctl('profile sshkeys update other --label mine')).exit).toBe(6)
    expect((await skyctl('profile sshkeys update other --label other')).exit).toBe(0)
  })
})

describe('profile phone', () => {
  test('says what happens next at each step', async ({ skyctl, world, sandbox }) => {
    await skyctl('profile phone delete --yes')
    expect((await skyctl('profile phone delete --yes')).stderr).toMatch(/^skyctl: no phone number is verified/)
    const number = '--iso-code DE --phone-number 030123456'
    expect((await skyctl(`profile phone send ${number}`)).stderr).toBe(
      'A code was sent; it is valid for 10 minutes. Next: skyctl profile phone verify --otp-code CODE\n',
    )
    const code = sandbox.outbox().at(-1)?.code
    expect((await skyctl(`profile phone verify --otp-code ${code}`)).stderr).toBe('The phone number is verified\n')
    expect((await skyctl('profile phone delete')).stderr).toContain('Remove the verified phone number: this must be')
    expect((await skyctl('profile phone delete --yes')).stderr).toBe('Removed the phone number\n')
    expect(world.users.get(1)?.verified_phone_number).toBeNull()
  })

  test('tells what is wrong with a number, and sends none', async ({ skyctl, world }) => {
    const { exit, stderr } = await skyctl('profile phone send --iso-code DE --phone-number 1')
    expect({ exit, stderr, sent: sent(world) }).toEqual({
      exit: 2,
      stderr: expect.stringMatching(/--phone-number: it .* for DE/),
      sent: [],
    })
  })

  test('what fails otherwise is not told as a number that is not there', async ({ skyctl }) => {
    const { host } = await faultServer(reply(400, { errors: [{ reason: 'not today' }] }))
    const env = { SKYCTL_BASE_URL: `http://${host}/v4` }
    const { exit, stderr } = await skyctl('profile phone delete --yes', { env })
    expect({ exit, stderr }).toEqual({ exit: 6, stderr: expect.stringContaining('not today') })
  })
})

describe('profile apps and devices', () => {
  test.for([
    ['apps', 'app', 'It will lose access to the account at once'],
    ['devices', 'device', 'Its browser must log in again, even if you use it now'],
  ] as const)('%s: asks before one is revoked, and says which was', async ([group, noun, text], { skyctl }) => {
    const [first] = json((await skyctl(`profile ${group} list --json`)).stdout)
    const { stderr } = await skyctl(`profile ${group} revoke ${first.id}`)
    expect(stderr).toMatch(new RegExp(`^skyctl: ${text}. Revoke .*${first.id}.*: this must be confirmed`))
    expect((await skyctl(`profile ${group} revoke ${first.id} --yes`)).stderr).toMatch(
      new RegExp(`^Revoked ${noun}.* \\(?${first.id}\\)?\n$`),
    )
  })
})

describe('profile tfa', () => {
  test('is refused for a QR code that is none, before anything is sent', async ({ skyctl, world }) => {
    for (const interactive of [true, false])
      expect(await skyctl('profile tfa setup --qr picture', { interactive })).toEqual({
        exit: 2,
        stdout: '',
        stderr: 'skyctl: --qr: "picture" is not one of utf8, ascii, none\n',
      })
    expect(world.requests()).toEqual([])
  })

  test('is asked about before it is switched off, and said to be off', async ({ skyctl, world }) => {
    change(world, { two_factor_auth: true })
    expect((await skyctl('profile tfa disable')).stderr).toContain(
      'Logins will need the password only. Switch two-factor authentication off: this must be confirmed',
    )
    expect(sent(world)).toEqual([])
    expect((await skyctl('profile tfa disable --yes')).stderr).toBe('Two-factor authentication is off\n')
  })

  test('says how a secret is confirmed', async ({ skyctl }) => {
    const answers = [1, 2, 3].map((question_id) => ({ question_id, response: `answer ${question_id}` }))
    const stdin = JSON.stringify({ security_questions: answers })
    await skyctl('profile security-questions answer --body -', { stdin })
    const { stdout, stderr } = await skyctl('profile tfa enable')
    expect(stderr).toBe('Nothing changes until a code confirms it: skyctl profile tfa confirm --tfa-code CODE\n')
    expect(stdout).toContain('secret')
  })
})

describe('profile preferences', () => {
  test('are replaced by a body alone, and said to be', async ({ skyctl, world }) => {
    expect(await skyctl('profile preferences set --yes')).toMatchObject({
      exit: 2,
      stderr: 'skyctl: no preferences to send. Pass --body FILE, or - for stdin\n',
    })
    expect(sent(world)).toEqual([])
    const set = await skyctl('profile preferences set --body - --yes', { stdin: '{"theme":"dark"}' })
    expect(set).toMatchObject({ exit: 0, stderr: expect.stringContaining('Replaced the preferences\n') })
    expect((await skyctl('profile preferences view')).stderr).toBe('')
  })

  test('that are none are said to be, to people', async ({ skyctl }) => {
    await skyctl('profile preferences set --body - --yes', { stdin: '{}' })
    expect((await skyctl('profile preferences view')).stderr).toBe('No preferences\n')
    expect(await skyctl('profile preferences view --json')).toEqual({ exit: 0, stdout: '{}\n', stderr: '' })
  })

  describe('edit', () => {
    const edited = async (text: string, flags: string, { skyctl, home }: Editing) => {
      await skyctl('profile preferences set --body - --yes', { stdin: '{"theme":"dark","size":1,"deep":{"a":[1]}}' })
      writeFileSync(join(home, 'text'), text)
      return skyctl(`profile preferences edit ${flags}`, { env: { EDITOR: `cp ${join(home, 'text')}` } })
    }
    type Editing = {
      skyctl(line: string, options?: object): Promise<{ exit: number; stdout: string; stderr: string }>
      home: string
    }

    test('shows a line for each key that is removed, added or changed, and no other', async ({ skyctl, home }) => {
      const text = '# mine\n{"size":2,"deep":{"a":[1]},"new":null}'
      const { exit, stderr } = await edited(text, '--yes', { skyctl, home })
      expect(exit).toBe(0)
      expect(stderr.split('\n').filter((line) => /^(removed|changed|added) /.test(line))).toEqual([
        'removed  theme: "dark"',
        'changed  size: 1 -> 2',
        'added    new: null',
      ])
    })

    test('takes YAML, with its comments', async ({ skyctl, home }) => {
      expect((await edited('theme: light # at last\n', '--yes', { skyctl, home })).exit).toBe(0)
      expect(json((await skyctl('profile preferences view --json')).stdout)).toEqual({ theme: 'light' })
    })

    test('asks, and with --dry-run sends nothing', async ({ skyctl, home, world }) => {
      const asked = await edited('{"theme":"light"}', '', { skyctl, home })
      expect({ exit: asked.exit, stderr: asked.stderr }).toEqual({
        exit: 2,
        stderr: expect.stringContaining('Replace the preferences: this must be confirmed'),
      })
      const before = sent(world).length
      const dry = await edited('{"theme":"light"}', '--dry-run --json', { skyctl, home })
      expect({ exit: dry.exit, body: json(dry.stdout).body }).toEqual({ exit: 0, body: { theme: 'light' } })
      // That by which they were arranged.
      expect(sent(world)).toHaveLength(before + 1)
    })
  })
})

describe('profile security-questions', () => {
  test('are told as answered or not, and answers only where they are asked for', async ({ skyctl }) => {
    const { stdout } = await skyctl('profile security-questions list -o csv')
    const [head, ...rows] = stdout.trimEnd().split('\n')
    expect(head).toBe('id,question,response')
    expect(rows.length).toBeGreaterThan(3)
    const table = (await skyctl('profile security-questions list')).stdout
    expect(table.split('\n')[0]).toMatch(/^ID +QUESTION +ANSWERED/i)
  })

  test('that were answered say what became of earlier answers', async ({ skyctl }) => {
    const answers = [1, 2, 3].map((question_id) => ({ question_id, response: `answer ${question_id}` }))
    const stdin = JSON.stringify({ security_questions: answers })
    const run = await skyctl('profile security-questions answer --body - --json', { stdin })
    expect({ exit: run.exit, stdout: run.stdout }).toEqual({ exit: 0, stdout: expect.not.stringContaining('answer 1') })
    expect(json(run.stdout).security_questions.map((each: object) => Object.keys(each))[0]).toContain('question_id')
    const people = await skyctl('profile security-questions answer --body -', { stdin })
    expect(people.stderr).toBe('The security questions are answered; earlier answers are replaced\n')
  })

  test('are not asked with --dry-run or off a terminal, which want a body', async ({ skyctl, world }) => {
    for (const options of [{}, { interactive: true }]) {
      const flags = 'interactive' in options ? '--dry-run' : ''
      const { exit, stderr } = await skyctl(`profile security-questions answer ${flags}`, options)
      expect({ exit, stderr }).toEqual({ exit: 2, stderr: expect.stringContaining('security_questions is required') })
    }
    expect(world.requests()).toEqual([])
  })
})

describe('profile view', () => {
  test('a service that does not tell the scopes has none in the table', async ({ skyctl }) => {
    const { host } = await faultServer(reply(200, wholeProfile))
    const env = { SKYCTL_BASE_URL: `http://${host}/v4` }
    const { stdout } = await skyctl('profile view --columns username,token_scopes --json', { env })
    expect(json(stdout)).toEqual({ username: 'me', token_scopes: null })
  })
})
