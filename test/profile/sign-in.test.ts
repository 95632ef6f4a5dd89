/** Two-factor authentication, security questions and preferences of a user. */
import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Secret, TOTP } from 'otpauth'
import { describe, expect } from 'vitest'
import { parse as parseYaml } from 'yaml'
import { missingPath } from '../support/nonexistent'
import type { World } from '../support/sandbox'
import { type Fixtures, test } from '../support/skyctl'

const json = (text: string) => JSON.parse(text)
const sent = (world: World) => world.requests().filter(({ method }) => method !== 'GET')

function owner({ users }: World) {
  const user = users.get(1)
  if (!user) throw new Error('the sandbox has no owner')
  return user
}

const answers = (...ids: number[]) => ({
  stdin: JSON.stringify({ security_questions: ids.map((question_id) => ({ question_id, response: 'canary' })) }),
})

describe('profile preferences', () => {
  const set = ({ skyctl }: Pick<Fixtures, 'skyctl'>, stdin?: string) =>
    skyctl('profile preferences set --body -', { stdin })

  test('are replaced completely, with any keys, and a message', async ({ skyctl }) => {
    const text = '{"theme":"dark","__proto__":{"a":1},"constructor":null,"toString":"x","":[1,2]}'
    expect(await set({ skyctl }, text)).toMatchObject({
      exit: 0,
      stderr: expect.stringContaining('Replaced the preferences\n'),
    })
    const { stdout, stderr } = await skyctl('profile preferences view --json')
    expect({ text: JSON.stringify(json(stdout)), stderr }).toEqual({ text, stderr: '' })
    await set({ skyctl }, '{"other":1}')
    expect(json((await skyctl('profile preferences view --json')).stdout)).toEqual({ other: 1 })
    expect((await skyctl('profile preferences view')).stderr).toBe('')
  })

  test('may have 65,535 characters; longer ones are rejected before any request', async ({ skyctl, world }) => {
    const text = (length: number) => JSON.stringify({ a: 'é'.repeat(length - '{"a":""}'.length) })
    const more = await set({ skyctl }, text(65_536))
    expect({ exit: more.exit, requests: world.requests() }).toEqual({ exit: 2, requests: [] })
    expect((await set({ skyctl }, text(65_535))).exit).toBe(0)
  })

  test.for([
    ['an array', '[1]', 2],
    ['a string', '"x"', 2],
    ['nothing', '', 2],
    ['100,000 levels', `{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`, 12],
    ['501 levels', `{"a":${'['.repeat(500)}${']'.repeat(500)}}`, 12],
    ['broken JSON', '{"a":', 2],
  ] as const)('are rejected before any request: %s', async ([, text, code], { skyctl, world }) => {
    const { exit, stderr } = await set({ skyctl }, text)
    expect({ exit, requests: world.requests() }).toEqual({ exit: code, requests: [] })
    expect(stderr).not.toContain('defect')
  })

  test('need a body', async ({ skyctl, world }) => {
    expect(await skyctl('profile preferences set --yes')).toMatchObject({
      exit: 2,
      stderr: 'skyctl: no preferences to send. Pass --body FILE, or - for stdin\n',
    })
    expect(world.requests()).toEqual([])
  })

  test('belong to the OAuth client of the token; a message reports if there are none', async ({ skyctl, world }) => {
    expect((await skyctl('profile preferences view')).stderr).toBe('No preferences\n')
    await set({ skyctl }, '{"mine":1}')
    const SKYCTL_TOKEN = world.tokens.all().find(({ app }) => app === 1)?.token
    const others = await skyctl('profile preferences view --json', { env: { SKYCTL_TOKEN } })
    expect(others).toEqual({ exit: 0, stdout: '{}\n', stderr: '' })
  })

  test('are read before they are sent again', async ({ skyctl, lossy, world }) => {
    lossy.lose('PUT', '/profile/preferences', 'answer lost')
    const { exit, stdout } = await skyctl('profile preferences set --body - --json', { stdin: '{"a":1}' })
    expect({ exit, answer: json(stdout), puts: world.requests('PUT').length }).toEqual({
      exit: 0,
      answer: { a: 1 },
      puts: 1,
    })
  })
})

const previous = { theme: 'dark', size: 1, deep: { a: [1] } }

/** Edits preferences; the editor is a shell line that changes the file "$1". */
const editing = test.extend<{ edit(line: string, flags?: string): ReturnType<Fixtures['skyctl']> }>({
  edit: async ({ skyctl, home, world }, use) => {
    world.profile.preferences.put({ id: 1, user: 1, app: null, text: JSON.stringify(previous) })
    await use((line, flags = '--yes') => {
      const EDITOR = join(home, 'editor')
      writeFileSync(EDITOR, `#!/bin/sh\n${line}\n`)
      chmodSync(EDITOR, 0o755)
      return skyctl(`profile preferences edit ${flags}`, { env: { EDITOR, PATH: '/usr/bin:/bin' } })
    })
  },
})

describe('profile preferences edit', () => {
  editing('sends the edited text, and leaves no file', async ({ edit, home }) => {
    const line = `stat -c %a "$1" > ${home}/mode; sed -i s/dark/light/ "$1"`
    const { exit, stdout } = await edit(line, '--json --yes')
    expect({ exit, stdout: json(stdout) }).toEqual({ exit: 0, stdout: { ...previous, theme: 'light' } })
    expect(readFileSync(join(home, 'mode'), 'utf8')).toBe('600\n')
    expect(readdirSync(join(home, 'state', 'drafts'))).toEqual([])
  })

  editing('accepts YAML with comments', async ({ edit, world }) => {
    expect((await edit('echo "theme: light # a comment" > "$1"')).exit).toBe(0)
    expect(sent(world).map(({ body }) => body)).toEqual([{ theme: 'light' }])
  })

  editing('prints a line for each removed, added or changed key', async ({ edit }) => {
    const { exit, stderr } = await edit(`echo '{"size":2,"deep":{"a":[1]},"new":null}' > "$1"`)
    expect(exit).toBe(0)
    expect(stderr.split('\n').filter((line) => /^(removed|changed|added) /.test(line))).toEqual([
      'removed  theme: "dark"',
      'changed  size: 1 -> 2',
      'added    new: null',
    ])
  })

  editing('must be confirmed, and sends nothing with --dry-run', async ({ edit, world }) => {
    expect(await edit('sed -i s/dark/light/ "$1"', '')).toMatchObject({
      exit: 2,
      stderr: expect.stringContaining('Replace the preferences? This must be confirmed'),
    })
    const dry = await edit('sed -i s/dark/light/ "$1"', '--dry-run --json')
    expect({ exit: dry.exit, body: json(dry.stdout).body }).toEqual({ exit: 0, body: { ...previous, theme: 'light' } })
    expect(sent(world)).toEqual([])
  })

  editing('escapes control and invisible characters, and sends them unchanged', async ({ edit, home, world }) => {
    const hostile = '\u001b]0;pwned\u0007 \u202e \u200b \u009b2J \u{e0041} \ufeff'
    const text = JSON.stringify({ [hostile]: { deep: [hostile] }, theme: 'dark' })
    world.profile.preferences.put({ id: 1, user: 1, app: null, text })
    const { exit, stderr } = await edit(`cat "$1" > ${home}/shown; sed -i s/dark/light/ "$1"`)
    const shown = readFileSync(join(home, 'shown'), 'utf8')
    for (const text of [shown, stderr]) expect(text).not.toMatch(/[^\n\x20-\x7e]/)
    expect(shown).toContain(String.raw`\u202e \u200b \u009b2J \udb40\udc41 \ufeff`)
    expect(exit).toBe(0)
    expect(sent(world).at(-1)?.body).toEqual({ [hostile]: { deep: [hostile] }, theme: 'light' })
  })

  editing.for(['', '--yes -o json', '--yes -o ndjson', '--yes -o yaml'])(
    'sends nothing without a change, and prints the current preferences as data: %s',
    async (flags, { edit, world }) => {
      const { exit, stdout, stderr } = await edit('true', flags)
      const data = { exit: 0, printed: previous, stderr: flags.endsWith('yaml') ? 'No changes\n' : '' }
      expect({ exit, printed: parseYaml(stdout), stderr }).toEqual(
        flags === '' ? { exit: 0, printed: null, stderr: 'No changes\n' } : data,
      )
      expect(world.requests().map(({ method }) => method)).toEqual(['GET'])
    },
  )

  editing(
    'fails if somebody else has changed them meanwhile, and saves the text',
    async ({ edit, home, sandbox, world }) => {
      const change = `curl -s -X PUT -H "Authorization: Bearer ${sandbox.ownerToken}" -H 'Content-Type: application/json' -d '{"theirs":1}' ${sandbox.baseUrl}/profile/preferences`
      const { exit, stderr } = await edit(`${change} > ${home}/curl; echo '{"mine": 1}' > "$1"`)
      expect(exit).toBe(6)
      expect(stderr).toContain('the preferences were changed meanwhile; yours were not sent')
      const [draft = ''] = readdirSync(join(home, 'state', 'drafts'))
      expect(stderr).toContain(`Your text is kept in "${join(home, 'state', 'drafts', draft)}"`)
      expect(stderr).not.toContain('preferences set')
      expect(readFileSync(join(home, 'state', 'drafts', draft), 'utf8')).toBe('{"mine": 1}\n')
      expect(sent(world).map(({ body }) => body)).toEqual([{ theirs: 1 }])
    },
  )

  editing('fails if somebody else changes them right after', async ({ edit, lossy, world }) => {
    const [first, again, after] = [1, 2, 3].map(() => lossy.hold('GET', '/profile/preferences'))
    first?.release()
    again?.release()
    const edited = edit(`echo '{"mine": 1}' > "$1"`)
    await after?.arrived
    for (const one of world.profile.preferences.all()) {
      world.profile.preferences.put({ ...one, text: '{"theirs":1}' })
    }
    after?.release()
    const { exit, stderr } = await edited
    expect(exit).toBe(6)
    expect(stderr).toContain('the preferences differ from what was sent: somebody else changed them too')
  })

  editing('saves the text if it is not an object', async ({ edit, world }) => {
    const { exit, stderr } = await edit(`echo '[' > "$1"`, '')
    expect({ exit, sent: sent(world) }).toEqual({ exit: 2, sent: [] })
    expect(stderr).toContain('Your text is kept in ')
  })
})

describe('profile security-questions', () => {
  const line = 'profile security-questions answer --body -'
  const isAnswered = ({ response }: { response: unknown }) => response !== null

  test('list shows answered questions, and answers only as data; earlier answers are gone', async ({ skyctl }) => {
    expect((await skyctl(line, answers(1, 2, 3))).stderr).toBe(
      'The security questions are answered; earlier answers are replaced\n',
    )
    await skyctl(line, answers(2, 5, 7))
    const { stdout } = await skyctl('profile security-questions list --limit 2')
    expect(stdout).toBe(
      'ID  QUESTION                              ANSWERED\n' +
        ' 1  In what city were you born?           no\n' +
        ' 2  What was the name of your first pet?  yes\n',
    )
    const all = json((await skyctl('profile security-questions list --json')).stdout)
    expect(all).toHaveLength(19)
    expect(all.filter(isAnswered).map(({ id }: { id: number }) => id)).toEqual([2, 5, 7])
    expect((await skyctl('profile security-questions list -o csv')).stdout).toMatch(/^id,question,response\n/)
  })

  test.for(['--json', '-o yaml', '-o csv', ''])('answer does not print the answers: %s', async (format, { skyctl }) => {
    const { exit, stdout, stderr } = await skyctl(`${line} ${format}`, answers(1, 2, 3))
    expect({ exit, echoed: (stdout + stderr).includes('canary') }).toEqual({ exit: 0, echoed: false })
    if (format === '--json') expect(Object.keys(json(stdout).security_questions[0])).toContain('question_id')
  })

  test.for([
    ['two answers', answers(1, 2).stdin],
    ['four answers', answers(1, 2, 3, 4).stdin],
    ['the same question twice', answers(1, 2, 2).stdin],
    ['an empty answer', answers(1, 2, 3).stdin.replace('canary', '')],
    ['no answers', '{}'],
    ['an unknown key', '{"answers": []}'],
  ])('answer rejects %s before any request', async ([, stdin], { skyctl, world }) => {
    const { exit } = await skyctl(line, { stdin })
    expect({ exit, requests: world.requests() }).toEqual({ exit: 2, requests: [] })
  })

  test('answer fails for a question that is not in the list', async ({ skyctl }) => {
    expect((await skyctl(line, answers(1, 2, 999))).exit).toBe(6)
  })

  test.for([
    ['', false],
    ['--dry-run', true],
  ] as const)(
    'answer requires a body without a terminal or with --dry-run: %s',
    async ([flags, interactive], { skyctl, world }) => {
      const { exit, stderr } = await skyctl(`profile security-questions answer ${flags}`, { interactive })
      expect({ exit, requests: world.requests() }).toEqual({ exit: 2, requests: [] })
      expect(stderr).toMatch(/security_questions is required.*--body/)
    },
  )

  test('answer accepts no answers as flags', async ({ skyctl }) => {
    expect((await skyctl('profile security-questions answer --response x')).exit).toBe(2)
  })
})

describe('profile tfa', () => {
  const codeOf = (secret: string, timestamp: number) =>
    new TOTP({ secret: Secret.fromBase32(secret), algorithm: 'SHA1', digits: 6 }).generate({ timestamp })

  /** Returns the code that confirms a new secret. */
  async function newCode({ skyctl, clock }: Pick<Fixtures, 'skyctl' | 'clock'>): Promise<string> {
    await skyctl('profile security-questions answer --body -', answers(1, 2, 3))
    const { stdout } = await skyctl('profile tfa enable -o tsv --query secret')
    return codeOf(stdout.trim(), clock.now())
  }

  test('is enabled and disabled with one command each', async ({ skyctl, world, clock, home }) => {
    const unanswered = await skyctl('profile tfa enable')
    expect(unanswered.stderr).toContain('Security Questions')
    expect(unanswered.stderr).toContain('All steps at once: skyctl profile tfa setup')
    await skyctl('profile security-questions answer --body -', answers(1, 2, 3))
    const enabled = await skyctl('profile tfa enable -o tsv --query secret')
    expect({ on: owner(world).two_factor_auth, stderr: enabled.stderr }).toEqual({
      on: false,
      stderr: 'Nothing changes until a code confirms it: skyctl profile tfa confirm --tfa-code CODE\n',
    })
    const file = join(home, 'scratch')
    const code = codeOf(enabled.stdout.trim(), clock.now())
    const { exit, stdout } = await skyctl(`profile tfa confirm --tfa-code ${code} --scratch-file ${file} --json`)
    expect({ exit, stdout, on: owner(world).two_factor_auth }).toEqual({ exit: 0, stdout: '{}\n', on: true })
    expect(readFileSync(file, 'utf8')).toMatch(/^\S+\n$/)
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect((await skyctl('profile tfa enable')).stderr).toContain(
      'Two-factor authentication is already on: the current secret stays valid until a code confirms the new one',
    )
    expect(await skyctl('profile tfa disable')).toMatchObject({
      exit: 2,
      stderr: expect.stringContaining(
        'Logins will need the password only. Switch two-factor authentication off? This must be confirmed',
      ),
    })
    expect(owner(world).two_factor_auth).toBe(true)
    expect((await skyctl('profile tfa disable --yes')).stderr).toBe('Two-factor authentication is off\n')
    expect(owner(world).two_factor_auth).toBe(false)
    expect((await skyctl('profile tfa disable --yes --json')).stdout).toBe('{}\n')
  })

  test('rejects an existing --scratch-file unless --force replaces it', async ({ skyctl, world, home }) => {
    const file = join(home, 'scratch')
    writeFileSync(file, 'precious')
    const line = `profile tfa confirm --tfa-code 123456 --scratch-file ${file}`
    expect(await skyctl(line)).toMatchObject({ exit: 12, stderr: expect.stringContaining('already exists') })
    expect(await skyctl(`profile tfa setup --scratch-file ${file}`)).toMatchObject({ exit: 12 })
    expect({ text: readFileSync(file, 'utf8'), sent: world.requests() }).toEqual({ text: 'precious', sent: [] })
    // Without a secret to confirm, the API rejects the code.
    expect((await skyctl(`${line} --force`)).exit).toBe(6)
  })

  test('prints the scratch code once without --scratch-file', async ({ skyctl, clock }) => {
    const code = (await newCode({ skyctl, clock })).replace(/^.../, '$& ')
    const { stdout } = await skyctl(`profile tfa confirm --tfa-code '${code}'`)
    expect(stdout).toMatch(/^scratch {2}\S+\n$/)
  })

  test('prints the scratch code if its file cannot be written', async ({ skyctl, meanwhile, world, clock, home }) => {
    const code = await newCode({ skyctl, clock })
    const folder = join(home, 'codes')
    mkdirSync(folder)
    await meanwhile({
      after: ({ path }) => void (path === '/profile/tfa-enable-confirm' && rmSync(folder, { recursive: true })),
    })
    const confirm = `profile tfa confirm --tfa-code ${code} --scratch-file ${folder}/scratch`
    const { exit, stdout, stderr } = await skyctl(confirm)
    expect({ exit, stdout, on: owner(world).two_factor_auth }).toEqual({
      exit: 12,
      stdout: expect.stringMatching(/^scratch {2}\S+\n$/),
      on: true,
    })
    expect(stderr).toContain(`cannot write ${folder}/scratch`)
  })

  test.for([
    ['confirm --tfa-code 12a', 2, 'digits'],
    ['confirm', 2, '--tfa-code'],
    [`confirm --tfa-code 123456 --scratch-file ${missingPath}/x`, 12, 'cannot write'],
    ['setup --qr picture', 2, '--qr: "picture" is not one of utf8, ascii, none'],
  ] as const)('rejects "%s" before any request', async ([line, code, message], { skyctl, world }) => {
    for (const interactive of [false, true]) {
      const { exit, stdout, stderr } = await skyctl(`profile tfa ${line}`, { interactive })
      expect({ exit, stdout }).toEqual({ exit: code, stdout: '' })
      expect(stderr).toContain(message)
    }
    expect(world.requests()).toEqual([])
  })

  test('disable checks the state before it repeats a request whose answer was lost', async ({
    skyctl,
    lossy,
    world,
  }) => {
    world.users.put({ ...owner(world), two_factor_auth: true })
    lossy.lose('POST', '/profile/tfa-disable', 'answer lost')
    const { exit } = await skyctl('profile tfa disable --yes')
    expect({ exit, posts: world.requests('POST').length }).toEqual({ exit: 0, posts: 1 })
  })
})
