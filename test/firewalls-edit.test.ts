/** `firewalls rules edit` and `profile preferences edit` without a terminal: the user's text is never lost. */
import { chmodSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { ruleSet, ssh, web } from './support/firewall-rules'
import { type Fixtures, test } from './support/skyctl'

const id = 9100
const rules = ruleSet(ssh, web)
const arrange = ({ network }: Fixtures['world']) => network.firewall({ id, label: 'edge', rules })
const ports = ({ network }: Fixtures['world']) => network.firewalls.get(id)?.rules.inbound.map((one) => one.ports)

/** Returns an editor that runs one shell line on "$1" per start, and the last one from then on. */
function editor(home: string, ...lines: string[]) {
  const path = join(home, 'editor')
  const cases = lines.map((line, index) => `${index === lines.length - 1 ? '*' : index + 1}) ${line} ;;`)
  const count = `echo x >> ${home}/opened; cp "$1" ${home}/seen; n=$(wc -l < ${home}/opened)`
  writeFileSync(path, `#!/bin/sh\n${count}\ncase $((n)) in\n${cases.join('\n')}\nesac\n`)
  chmodSync(path, 0o755)
  return { EDITOR: path, PATH: process.env.PATH }
}
const timesOpened = (home: string) => readFileSync(join(home, 'opened'), 'utf8').split('\n').length - 1
const lastSeen = (home: string) => readFileSync(join(home, 'seen'), 'utf8')
const drafts = (home: string) => {
  const folder = join(home, 'state/drafts')
  return existsSync(folder) ? readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8')) : []
}
const edit = 'firewalls rules edit edge --yes'

describe('firewalls rules edit', () => {
  test('opens the editor on YAML with hints, and sends the result', async ({ skyctl, world, home }) => {
    arrange(world)
    const { exit, stderr } = await skyctl(edit, { env: editor(home, 'sed -i s/443/8443/ "$1"') })
    expect({ exit, stderr }).toEqual({
      exit: 0,
      stderr: expect.stringContaining('changed  inbound 2 "web": ports 443 -> 8443'),
    })
    expect({ ports: ports(world), drafts: drafts(home) }).toEqual({ ports: ['22', '8443'], drafts: [] })
    expect(lastSeen(home)).toMatch(/^# Rules of firewall "edge" \(9100\)\n#\n# The first rule/)
  })

  test('changes nothing if the text stays unchanged', async ({ skyctl, world, home }) => {
    arrange(world)
    const { exit, stderr } = await skyctl('firewalls rules edit edge', { env: { EDITOR: 'true' } })
    expect({ exit, stderr }).toEqual({ exit: 0, stderr: 'No changes\n' })
    expect({ puts: world.requests('PUT'), drafts: drafts(home) }).toEqual({ puts: [], drafts: [] })
  })

  test.for([
    ['is invalid', 'sed -i s/443/44x/', '--yes', 2],
    ['is not YAML', 'sed -i s/inbound:/inbound/', '--yes', 2],
    ['was not confirmed', 'sed -i s/443/8443/', '', 2],
    ['was written by a failing editor', 'sed -i s/443/8443/ "$1"; false', '--yes', 12],
  ] as const)(
    'keeps a text that %s, and names the next command',
    async ([, EDITOR, flags, code], { skyctl, world, home }) => {
      arrange(world)
      const { exit, stderr } = await skyctl(`firewalls rules edit edge ${flags}`, { env: { EDITOR } })
      const path = join(home, 'state/drafts', readdirSync(join(home, 'state/drafts'))[0] ?? '')
      expect({ exit, puts: world.requests('PUT') }).toEqual({ exit: code, puts: [] })
      expect(stderr).toContain(`Your text is kept in "${path}"`)
      expect(stderr).toContain(`skyctl firewalls rules diff 9100 --file ${path}`)
      expect(stderr).not.toContain('rules update')
      expect(readFileSync(path, 'utf8')).toMatch(/44x|8443|inbound/)
    },
  )

  test('needs an editor or a terminal', async ({ skyctl, world }) => {
    arrange(world)
    expect((await skyctl('firewalls rules edit edge')).exit).toBe(2)
  })
})

describe('an invalid text', () => {
  test('is opened again with each problem above its line, and can be fixed', async ({ skyctl, world, home }) => {
    arrange(world)
    const env = editor(home, 'sed -i "s/443/44x/; s/DROP$/DRIP/" "$1"', 'sed -i "s/44x/8443/; s/DRIP$/DROP/" "$1"')
    const { exit, stderr } = await skyctl(edit, { env })
    expect({ exit, ports: ports(world), drafts: drafts(home) }).toEqual({ exit: 0, ports: ['22', '8443'], drafts: [] })
    expect(stderr).not.toContain('44x')
    expect(lastSeen(home)).toMatch(/^ +#! inbound\[1\]\.ports: .*44x.*\n +ports: "?44x"?$/m)
    expect(lastSeen(home)).toMatch(/^#! inbound_policy: .*\ninbound_policy: DRIP$/m)
    expect(lastSeen(home)).not.toMatch(/#!.*\(line/)
  })

  test('that is not YAML has the problem above its line', async ({ skyctl, world, home }) => {
    arrange(world)
    const env = editor(home, 'sed -i "s/^outbound: .*/outbound: [/" "$1"', 'true')
    expect((await skyctl(edit, { env })).exit).toBe(2)
    expect(lastSeen(home)).toMatch(/^#! the text is neither JSON nor YAML: .*/m)
  })

  test('that stays invalid is kept without the notes, with exit code 2', async ({ skyctl, world, home }) => {
    arrange(world)
    const { exit, stderr } = await skyctl(edit, { env: editor(home, 'sed -i s/443/44x/ "$1"', 'true') })
    expect({ exit, opened: timesOpened(home) }).toEqual({ exit: 2, opened: 2 })
    const [draft = ''] = drafts(home)
    expect(draft).not.toMatch(/^ *#! /m)
    expect(draft.split('\n')[Number(/\(line (\d+)\)/.exec(stderr)?.[1]) - 1]).toContain('44x')
  })

  test('that is emptied is kept as it was before', async ({ skyctl, world, home }) => {
    arrange(world)
    const { exit } = await skyctl(edit, { env: editor(home, 'sed -i s/443/44x/ "$1"', ': > "$1"') })
    expect({ exit, opened: timesOpened(home) }).toEqual({ exit: 2, opened: 2 })
    expect(drafts(home)).toEqual([expect.stringContaining('44x')])
  })

  test('is opened twice if an editor writes the same again', async ({ skyctl, world, home }) => {
    arrange(world)
    expect((await skyctl(edit, { env: editor(home, 'echo "[" > "$1"') })).exit).toBe(2)
    expect({ opened: timesOpened(home), drafts: drafts(home) }).toEqual({ opened: 2, drafts: ['[\n'] })
  })

  test('is opened a few times if an editor makes it worse each time', async ({ skyctl, world, home }) => {
    arrange(world)
    expect((await skyctl(edit, { env: editor(home, 'echo "[" >> "$1"') })).exit).toBe(2)
    expect(timesOpened(home)).toBeLessThan(10)
    expect(drafts(home)).toHaveLength(1)
  })

  test('is opened again if the API rejects it', async ({ skyctl, world, home }) => {
    arrange(world)
    const env = editor(home, 'sed -i s/443/44x/ "$1"', 'true')
    const { exit } = await skyctl(`${edit} --no-validate`, { env })
    expect({ exit, puts: world.requests('PUT').length }).toEqual({ exit: 6, puts: 1 })
    expect(lastSeen(home)).toMatch(/^ +#! inbound\[1\]\.ports: .*\n +ports: "?44x"?$/m)
    expect(drafts(home)).toEqual([expect.stringContaining('44x')])
  })
})

test('a valid text is opened once, even if its change is refused', async ({ skyctl, world, home }) => {
  arrange(world)
  const [owner] = world.tokens.all()
  if (!owner) throw new Error('the world has no token')
  const token = 'facade'.padEnd(64, '5')
  world.tokens.put({ ...owner, id: 9000, label: 'reader', token, scopes: 'firewall:read_only' })
  const env = { ...editor(home, 'sed -i s/443/8443/ "$1"', 'sed -i s/8443/9443/ "$1"'), SKYCTL_TOKEN: token }
  const { exit } = await skyctl(edit, { env })
  expect({ exit, opened: timesOpened(home), ports: ports(world) }).toEqual({ exit: 4, opened: 1, ports: ['22', '443'] })
  expect(drafts(home)).toEqual([expect.stringContaining('8443')])
})

describe('a draft', () => {
  test.for([
    ['with a failing editor', 'false', 12],
    ['that was emptied', ': > "$1"', 2],
    ['that was removed', 'rm "$1"', 12],
  ] as const)('%s, without a change, is removed', async ([, line, code], { skyctl, world, home }) => {
    arrange(world)
    const { exit, stderr } = await skyctl(edit, { env: editor(home, line) })
    expect({ exit, drafts: drafts(home) }).toEqual({ exit: code, drafts: [] })
    expect(stderr).not.toContain('kept')
  })

  test('of --dry-run is kept', async ({ skyctl, world, home }) => {
    arrange(world)
    const { exit, stderr } = await skyctl('firewalls rules edit edge --dry-run', {
      env: editor(home, 'sed -i s/443/8443/ "$1"'),
    })
    expect({ exit, drafts: drafts(home) }).toEqual({ exit: 0, drafts: [expect.stringContaining('8443')] })
    expect(stderr).toContain('Your text is kept in ')
  })
})

describe('profile preferences edit', () => {
  const arrangePreferences = ({ profile }: Fixtures['world']) =>
    profile.preferences.put({ id: 1, user: 1, app: null, text: '{"theme":"dark","size":1}' })
  const sent = (world: Fixtures['world']) => world.requests('PUT').map(({ body }) => body)

  test('shows each changed key, and needs --yes without a terminal', async ({ skyctl, world, home }) => {
    arrangePreferences(world)
    const env = editor(home, `echo '{"theme": "light", "new": [1]}' > "$1"`)
    const unconfirmed = await skyctl('profile preferences edit', { env })
    expect({ exit: unconfirmed.exit, sent: sent(world) }).toEqual({ exit: 2, sent: [] })
    expect(unconfirmed.stderr).toContain('Replace the preferences? This must be confirmed')
    const { exit, stderr } = await skyctl('profile preferences edit --yes', { env })
    expect({ exit, stderr, sent: sent(world) }).toEqual({
      exit: 0,
      stderr: 'changed  theme: "dark" -> "light"\nremoved  size: 1\nadded    new: [1]\nReplaced the preferences\n',
      sent: [{ theme: 'light', new: [1] }],
    })
  })

  test('explains at the top that # begins a comment, and removes comments', async ({ skyctl, world, home }) => {
    arrangePreferences(world)
    const { exit } = await skyctl('profile preferences edit --yes', { env: editor(home, 'sed -i s/dark/light/ "$1"') })
    expect({ exit, sent: sent(world) }).toEqual({ exit: 0, sent: [{ theme: 'light', size: 1 }] })
    expect(lastSeen(home)).toMatch(/^# Preferences, as JSON\. Lines that begin with # are comments/)
  })

  test('opens an invalid text again, with the problem above its line', async ({ skyctl, world, home }) => {
    arrangePreferences(world)
    const env = editor(home, 'sed -i "s/^}/]/; s/: 1/: 2/" "$1"', 'sed -i "s/^]/}/" "$1"')
    const { exit } = await skyctl('profile preferences edit --yes', { env })
    expect({ exit, sent: sent(world), drafts: drafts(home) }).toEqual({
      exit: 0,
      sent: [{ theme: 'dark', size: 2 }],
      drafts: [],
    })
    expect(lastSeen(home)).toMatch(/^ *#! .*neither JSON nor YAML/m)
  })

  test('keeps lines of YAML values that begin with #', async ({ skyctl, world, home }) => {
    arrangePreferences(world)
    const env = editor(home, `printf '# mine\\nnote: |\\n  # first\\n  second\\n' > "$1"`)
    await skyctl('profile preferences edit --yes', { env })
    expect(sent(world)).toEqual([{ note: '# first\nsecond\n' }])
  })
})
