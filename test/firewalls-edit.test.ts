/** `firewalls rules edit` and `profile preferences edit` off a terminal: what a person wrote is never lost. */
import { chmodSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { ruleSet, ssh, web } from './support/firewall-rules'
import { type Fixtures, test } from './support/skyctl'

const id = 9100
const rules = ruleSet(ssh, web)
const arrange = ({ network }: Fixtures['world']) => network.firewall({ id, label: 'edge', rules })
const ports = ({ network }: Fixtures['world']) => network.firewalls.get(id)?.rules.inbound.map((one) => one.ports)

/** An editor that does each time what the next line of the shell does to "$1", and the last one from then on. */
function editor(home: string, ...lines: string[]) {
  const path = join(home, 'editor')
  const cases = lines.map((line, index) => `${index === lines.length - 1 ? '*' : index + 1}) ${line} ;;`)
  const count = `echo x >> ${home}/opened; cp "$1" ${home}/seen; n=$(wc -l < ${home}/opened)`
  writeFileSync(path, `#!/bin/sh\n${count}\ncase $((n)) in\n${cases.join('\n')}\nesac\n`)
  chmodSync(path, 0o755)
  return { EDITOR: path, PATH: process.env.PATH }
}
const opened = (home: string) => readFileSync(join(home, 'opened'), 'utf8').split('\n').length - 1
const seen = (home: string) => readFileSync(join(home, 'seen'), 'utf8')
const drafts = (home: string) => {
  const folder = join(home, 'state/drafts')
  return existsSync(folder) ? readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8')) : []
}
const edit = 'firewalls rules edit edge --yes'

describe('firewalls rules edit', () => {
  test('opens the editor on YAML with hints, and sends what came back', async ({ skyctl, world, home }) => {
    arrange(world)
    const { exit, stderr } = await skyctl(edit, { env: editor(home, 'sed -i s/443/8443/ "$1"') })
    expect({ exit, stderr }).toEqual({
      exit: 0,
      stderr: expect.stringContaining('changed  inbound 2: ports 443 -> 8443'),
    })
    expect({ ports: ports(world), drafts: drafts(home) }).toEqual({ ports: ['22', '8443'], drafts: [] })
    expect(seen(home)).toMatch(/^# Rules of firewall "edge" \(9100\)\n#\n# The first rule/)
  })

  test('changes nothing where the text is left as it is', async ({ skyctl, world, home }) => {
    arrange(world)
    const { exit, stderr } = await skyctl('firewalls rules edit edge', { env: { EDITOR: 'true' } })
    expect({ exit, stderr }).toEqual({ exit: 0, stderr: 'No changes\n' })
    expect({ puts: world.requests('PUT'), drafts: drafts(home) }).toEqual({ puts: [], drafts: [] })
  })

  test.for([
    ['is wrong', 'sed -i s/443/44x/', '--yes', 2],
    ['is no YAML', 'sed -i s/inbound:/inbound/', '--yes', 2],
    ['was not confirmed', 'sed -i s/443/8443/', '', 2],
    ['made the editor fail', 'sed -i s/443/8443/ "$1"; false', '--yes', 12],
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

  test('without an editor and without a terminal is a problem of usage', async ({ skyctl, world }) => {
    arrange(world)
    expect((await skyctl('firewalls rules edit edge')).exit).toBe(2)
  })
})

describe('a text that is wrong', () => {
  test('is opened again with each problem above its line, and may be mended', async ({ skyctl, world, home }) => {
    arrange(world)
    const env = editor(home, 'sed -i "s/443/44x/; s/DROP$/DRIP/" "$1"', 'sed -i "s/44x/8443/; s/DRIP$/DROP/" "$1"')
    const { exit, stderr } = await skyctl(edit, { env })
    expect({ exit, ports: ports(world), drafts: drafts(home) }).toEqual({ exit: 0, ports: ['22', '8443'], drafts: [] })
    expect(stderr).not.toContain('44x')
    expect(seen(home)).toMatch(/^ +#! inbound\[1\]\.ports: .*44x.*\n +ports: "?44x"?$/m)
    expect(seen(home)).toMatch(/^#! inbound_policy: .*\ninbound_policy: DRIP$/m)
    expect(seen(home)).not.toMatch(/#!.*\(line/)
  })

  test('that is no YAML has the problem above the line where that is found', async ({ skyctl, world, home }) => {
    arrange(world)
    const env = editor(home, 'sed -i "s/^outbound: .*/outbound: [/" "$1"', 'true')
    expect((await skyctl(edit, { env })).exit).toBe(2)
    expect(seen(home)).toMatch(/^#! the text is neither JSON nor YAML: .*/m)
  })

  test('and is left so ends with 2, and is kept without the notes', async ({ skyctl, world, home }) => {
    arrange(world)
    const { exit, stderr } = await skyctl(edit, { env: editor(home, 'sed -i s/443/44x/ "$1"', 'true') })
    expect({ exit, opened: opened(home) }).toEqual({ exit: 2, opened: 2 })
    const [kept = ''] = drafts(home)
    expect(kept).not.toMatch(/^ *#! /m)
    expect(kept.split('\n')[Number(/\(line (\d+)\)/.exec(stderr)?.[1]) - 1]).toContain('44x')
  })

  test('and is emptied then keeps what was written before', async ({ skyctl, world, home }) => {
    arrange(world)
    const { exit } = await skyctl(edit, { env: editor(home, 'sed -i s/443/44x/ "$1"', ': > "$1"') })
    expect({ exit, opened: opened(home) }).toEqual({ exit: 2, opened: 2 })
    expect(drafts(home)).toEqual([expect.stringContaining('44x')])
  })

  test('of a script that writes the same again is not opened for ever', async ({ skyctl, world, home }) => {
    arrange(world)
    expect((await skyctl(edit, { env: editor(home, 'echo "[" > "$1"') })).exit).toBe(2)
    expect({ opened: opened(home), drafts: drafts(home) }).toEqual({ opened: 2, drafts: ['[\n'] })
  })

  test('of a script that makes it worse each time is not opened for ever', async ({ skyctl, world, home }) => {
    arrange(world)
    expect((await skyctl(edit, { env: editor(home, 'echo "[" >> "$1"') })).exit).toBe(2)
    expect(opened(home)).toBeLessThan(10)
    expect(drafts(home)).toHaveLength(1)
  })

  test('by the verdict of the service is opened again too', async ({ skyctl, world, home }) => {
    arrange(world)
    const env = editor(home, 'sed -i s/443/44x/ "$1"', 'true')
    const { exit } = await skyctl(`${edit} --no-validate`, { env })
    expect({ exit, puts: world.requests('PUT').length }).toEqual({ exit: 6, puts: 1 })
    expect(seen(home)).toMatch(/^ +#! inbound\[1\]\.ports: .*\n +ports: "?44x"?$/m)
    expect(drafts(home)).toEqual([expect.stringContaining('44x')])
  })
})

test('a text that nothing is wrong with is opened once, though its change is refused', async ({
  skyctl,
  world,
  home,
}) => {
  arrange(world)
  const [owner] = world.tokens.all()
  if (!owner) throw new Error('the world has no token')
  const token = 'facade'.padEnd(64, '5')
  world.tokens.put({ ...owner, id: 9000, label: 'reader', token, scopes: 'firewall:read_only' })
  const env = { ...editor(home, 'sed -i s/443/8443/ "$1"', 'sed -i s/8443/9443/ "$1"'), SKYCTL_TOKEN: token }
  const { exit } = await skyctl(edit, { env })
  expect({ exit, opened: opened(home), ports: ports(world) }).toEqual({ exit: 4, opened: 1, ports: ['22', '443'] })
  expect(drafts(home)).toEqual([expect.stringContaining('8443')])
})

describe('a draft', () => {
  test.for([
    ['that the editor failed on', 'false', 12],
    ['that was emptied', ': > "$1"', 2],
    ['that was taken away', 'rm "$1"', 12],
  ] as const)('%s without a change is removed', async ([, line, code], { skyctl, world, home }) => {
    arrange(world)
    const { exit, stderr } = await skyctl(edit, { env: editor(home, line) })
    expect({ exit, drafts: drafts(home) }).toEqual({ exit: code, drafts: [] })
    expect(stderr).not.toContain('kept')
  })

  test('of --dry-run is kept, since nothing was done with it', async ({ skyctl, world, home }) => {
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

  test('shows each key that is different, and needs --yes off a terminal', async ({ skyctl, world, home }) => {
    arrangePreferences(world)
    const env = editor(home, `echo '{"theme": "light", "new": [1]}' > "$1"`)
    const asked = await skyctl('profile preferences edit', { env })
    expect({ exit: asked.exit, sent: sent(world) }).toEqual({ exit: 2, sent: [] })
    expect(asked.stderr).toContain('Replace the preferences: this must be confirmed')
    const { exit, stderr } = await skyctl('profile preferences edit --yes', { env })
    expect({ exit, stderr, sent: sent(world) }).toEqual({
      exit: 0,
      stderr: 'changed  theme: "dark" -> "light"\nremoved  size: 1\nadded    new: [1]\nReplaced the preferences\n',
      sent: [{ theme: 'light', new: [1] }],
    })
  })

  test('tells at the head that lines with # are taken out, and takes them out', async ({ skyctl, world, home }) => {
    arrangePreferences(world)
    const { exit } = await skyctl('profile preferences edit --yes', { env: editor(home, 'sed -i s/dark/light/ "$1"') })
    expect({ exit, sent: sent(world) }).toEqual({ exit: 0, sent: [{ theme: 'light', size: 1 }] })
    expect(seen(home)).toMatch(/^# Preferences, as JSON\. Lines that begin with # are comments/)
  })

  test('a text that is wrong is opened again, with the problem above its line', async ({ skyctl, world, home }) => {
    arrangePreferences(world)
    const env = editor(home, 'sed -i "s/^}/]/; s/: 1/: 2/" "$1"', 'sed -i "s/^]/}/" "$1"')
    const { exit } = await skyctl('profile preferences edit --yes', { env })
    expect({ exit, sent: sent(world), drafts: drafts(home) }).toEqual({
      exit: 0,
      sent: [{ theme: 'dark', size: 2 }],
      drafts: [],
    })
    expect(seen(home)).toMatch(/^ *#! .*neither JSON nor YAML/m)
  })

  test('a value whose lines begin with # is no comment where the text is YAML', async ({ skyctl, world, home }) => {
    arrangePreferences(world)
    const env = editor(home, `printf '# mine\\nnote: |\\n  # first\\n  second\\n' > "$1"`)
    await skyctl('profile preferences edit --yes', { env })
    expect(sent(world)).toEqual([{ note: '# first\nsecond\n' }])
  })
})
