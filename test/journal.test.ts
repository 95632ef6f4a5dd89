/** `--journal` and `--resume`: a run that was killed is gone on with; nothing is done twice and nothing is missing. */
import fs, {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { dirname, join } from 'node:path'
import { describe, expect, onTestFinished, vi } from 'vitest'
import { failed } from './files/watched'
import type { World } from './support/sandbox'
import { test as base, type Options, type Result } from './support/skyctl'

interface Fixtures {
  file: string
  /** The lines of the journal. */
  lines(): string[]
  /** Leaves the journal as a kill leaves it. */
  cut(change: (lines: string[]) => string[]): void
  /** Goes on with it. */
  resume(line: string, options?: Options): Promise<Result>
  begin(line: string, options?: Options): Promise<Result>
}

const test = base.extend<Fixtures>({
  file: async ({ home }, use) => use(join(home, 'done.ndjson')),
  lines: async ({ file }, use) => use(() => readFileSync(file, 'utf8').split('\n').slice(0, -1)),
  cut: async ({ file, lines }, use) => use((change) => writeFileSync(file, `${change(lines()).join('\n')}\n`)),
  begin: async ({ skyctl, file, world }, use) => {
    // What is attached could not be deleted.
    for (const volume of world.volumes.all()) world.volumes.put({ ...volume, compute_id: null })
    await use((line, options) => skyctl(`${line} --yes --journal ${file} --concurrency 1`, options))
  },
  resume: async ({ skyctl, file }, use) => use((line, options) => skyctl(`${line} --yes --resume ${file}`, options)),
})

const json = (text: string) => JSON.parse(text)
const ndjson = (...values: unknown[]) => values.map((value) => `${JSON.stringify(value)}\n`).join('')
const bodies = (...labels: string[]) => ndjson(...labels.map((label) => ({ label, region: 'us-east', size: 20 })))
const create = 'volumes create --body -'
const isDone = (target: number) => (line: string) => json(line).target === target && json(line).state === 'done'
const without = (target: number) => (lines: string[]) => lines.filter((line) => !isDone(target)(line))
const standing = (world: World, label: string) => world.volumes.all().filter((volume) => volume.label === label)

/** Lets the sources see what a test has made of `node:fs`, until it ends. */
function mocked(): void {
  syncBuiltinESMExports()
  onTestFinished(() => {
    vi.restoreAllMocks()
    syncBuiltinESMExports()
  })
}

describe('a journal', () => {
  test('tells its owner alone of every request and its answer', async ({ begin, lines, file, world, env }) => {
    const { id } = world.volume({ label: 'data' })
    expect((await begin('volumes delete data 3001')).exit).toBe(0)
    expect(lines().map(json)).toEqual([
      {
        skyctl_journal: 1,
        command: 'delete: DELETE /volumes/{volumeId}',
        account: expect.stringContaining(env.SKYCTL_BASE_URL ?? ''),
        inputs: { targets: ['data', '3001'], body: {} },
      },
      { target: 1, state: 'sending', id },
      { target: 1, state: 'done', id, label: 'data', answer: {} },
      { target: 2, state: 'sending', id: 3001 },
      { target: 2, state: 'done', id: 3001, label: 'data-1', answer: {} },
    ])
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(readFileSync(file, 'utf8')).not.toContain(env.SKYCTL_TOKEN)
    expect(existsSync(`${file}.lock`)).toBe(false)
  })

  test('is on the disk when the request arrives', async ({ skyctl, meanwhile, file }) => {
    const seen: string[] = []
    await meanwhile({
      before: ({ method }) => void (method === 'POST' && seen.push(readFileSync(file, 'utf8'))),
    })
    const line = `volumes create --label data --region us-east --journal ${file}`
    const { exit } = await skyctl(line)
    expect({ exit, seen: seen.map((text) => json(text.split('\n')[1] ?? '').state) }).toEqual({
      exit: 0,
      seen: ['sending'],
    })
  })

  test('is forced to the disk, with its name, before a request leaves', async ({ skyctl, meanwhile, file }) => {
    const sync = fs.fsyncSync
    // By the number of the file, how long it was when it was forced there.
    const synced = new Map<number, number>()
    vi.spyOn(fs, 'fsyncSync').mockImplementation((descriptor) => {
      sync(descriptor)
      const { ino, size } = fs.fstatSync(descriptor)
      synced.set(ino, size)
    })
    mocked()
    const seen: object[] = []
    await meanwhile({
      before({ method }) {
        if (method !== 'POST') return
        const { ino, size } = statSync(file)
        seen.push({ lacks: size - (synced.get(ino) ?? 0), named: synced.has(statSync(dirname(file)).ino) })
      },
    })
    const line = `volumes create --body - --yes --journal ${file} --concurrency 1`
    expect((await skyctl(line, { stdin: bodies('a', 'b') })).exit).toBe(0)
    expect(seen).toEqual([
      { lacks: 0, named: true },
      { lacks: 0, named: true },
    ])
  })

  test('is never written through a link, also where that leads to no file', async ({ begin, file, home, world }) => {
    symlinkSync(join(home, 'theirs'), file)
    expect((await begin('volumes delete 3001')).exit).toBe(12)
    expect({ made: existsSync(join(home, 'theirs')), sent: world.requests('DELETE') }).toEqual({
      made: false,
      sent: [],
    })
  })

  test.for([
    ['that can be none', 'a b', 2],
    ['that the service does not know', 'f'.repeat(64), 3],
  ] as const)('is not begun with a token %s', async ([, SKYCTL_TOKEN, code], { begin, file }) => {
    expect((await begin('volumes delete 3001', { env: { SKYCTL_TOKEN } })).exit).toBe(code)
    expect(existsSync(file)).toBe(false)
  })

  test.for([
    ['volumes delete used', 6],
    ['volumes create --label data --region none-such --no-validate', 5],
  ] as const)('of a refusal says that nothing was done: %s', async ([line, exit], { begin, lines, world }) => {
    world.volume({ label: 'used', compute_id: 1001 })
    expect((await begin(line)).exit).toBe(exit)
    expect(lines().map((line) => json(line).state)).toEqual([undefined, 'sending', 'undone'])
  })

  test('of a lost answer leaves open what was done', async ({ begin, lines, lossy }) => {
    lossy.lose('POST', '/volumes', 'request lost')
    expect((await begin('volumes create --label data --region us-east')).exit).toBe(11)
    expect(lines().map((line) => json(line).state)).toEqual([undefined, 'sending'])
  })

  test('on a full disk stops with exit 12, and keeps no half of a line', async ({ begin, lines, file, world }) => {
    for (const label of ['a', 'b', 'c']) world.volume({ label })
    const write = fs.writeFileSync
    let whole = 0
    vi.spyOn(fs, 'writeFileSync').mockImplementation((to, text, options) => {
      const isThird = String(text).startsWith('{"target":2')
      if (!isThird) return write(to, text, options)
      whole = lines().length
      write(to, String(text).slice(0, 9), options)
      throw failed('ENOSPC', 'no space left on device')
    })
    mocked()
    const { stderr } = await begin('volumes delete a b c')
    expect(stderr).toContain(`cannot write ${file}: no space left on device`)
    const text = readFileSync(file, 'utf8')
    expect({ ends: text.endsWith('\n'), lines: lines().length >= whole }).toEqual({ ends: true, lines: true })
    for (const line of lines()) expect(() => json(line)).not.toThrow()
    expect(lines().filter((line) => json(line).target === 2)).toEqual([])
    expect(world.volumes.all().filter(({ label }) => label === 'b')).toHaveLength(1)
  })

  test('is no file that is there already', async ({ begin, file, world, home }) => {
    mkdirSync(home, { recursive: true })
    writeFileSync(file, 'mine')
    const { exit, stderr } = await begin('volumes delete 3001')
    expect({ exit, text: readFileSync(file, 'utf8'), sent: world.requests('DELETE') }).toEqual({
      exit: 12,
      text: 'mine',
      sent: [],
    })
    expect(stderr).toContain('Continue it with --resume')
  })

  test('that cannot be written stops the command before anything is sent', async ({ skyctl, home, world }) => {
    const { exit } = await skyctl(`volumes delete 3001 3002 --yes --journal ${join(home, 'none', 'done.ndjson')}`)
    expect({ exit, sent: world.requests('DELETE') }).toEqual({ exit: 12, sent: [] })
  })

  test('is not written by a dry run, nor before a question is answered', async ({ skyctl, file }) => {
    const line = `volumes delete 3001 3002 --journal ${file}`
    expect((await skyctl(`${line} --dry-run`)).exit).toBe(0)
    expect((await skyctl(line)).exit).toBe(2)
    expect(existsSync(file)).toBe(false)
  })

  test.for(['--resend-unknown', '--resume x --journal y'])('%s is refused', async (flags, { skyctl, world }) => {
    const { exit } = await skyctl(`${create} ${flags}`, { stdin: bodies('a') })
    expect({ exit, sent: world.requests() }).toEqual({ exit: 2, sent: [] })
  })
})

describe('going on', () => {
  test('does what is left, and prints what was done before as well', async ({ begin, resume, cut, world }) => {
    const labels = ['a', 'b', 'c', 'd', 'e']
    for (const label of labels) world.volume({ label })
    const whole = await begin(`volumes delete ${labels.join(' ')} --json`)
    for (const label of labels.slice(2)) world.volume({ label })
    cut((lines) => lines.slice(0, 5))
    const before = world.requests('DELETE').length
    const { exit, stdout } = await resume(`volumes delete ${labels.join(' ')} --json`)
    expect({ exit, sent: world.requests('DELETE').length - before }).toEqual({ exit: 0, sent: 3 })
    const named = (text: string) => json(text).map(({ label, ok }: { label: string; ok: boolean }) => [label, ok])
    expect(named(stdout)).toEqual(named(whole.stdout))
    expect(json(stdout).slice(0, 2)).toEqual(json(whole.stdout).slice(0, 2))
  })

  test('says how much is done, and sends and notes nothing where all is', async ({ begin, resume, lines, world }) => {
    const stdin = bodies('a', 'b')
    const first = await begin(`${create} -o csv`, { stdin })
    const before = world.requests().length
    const kept = lines()
    const { exit, stdout, stderr } = await resume(`${create} -o csv`, { stdin })
    expect({ exit, stdout }).toEqual({ exit: 0, stdout: first.stdout })
    expect(stderr).toMatch(/^Resuming .*: 2 of 2 are done\n2 of 2 created\n$/)
    const more = world.requests().slice(before)
    expect(more.filter(({ path }) => path !== '/profile' && !path.startsWith('/regions'))).toEqual([])
    expect(lines()).toEqual(kept)
  })

  test('does not take for changed what is gone: a deletion is done then', async ({ begin, resume, cut, world }) => {
    const line = 'firewalls disable 4001 4005'
    await begin(line)
    cut(without(2))
    world.network.firewalls.delete(4005)
    const { exit, stderr } = await resume(line)
    expect({ exit, stderr }).toEqual({ exit: 9, stderr: expect.stringContaining('firewall 4005 not found') })
  })

  test.runIf(existsSync('/proc/self/fd'))('is closed at the end', async ({ begin, file }) => {
    await begin('volumes delete 3001')
    const { ino } = statSync(file)
    const open = readdirSync('/proc/self/fd').map((one) => statSync(`/proc/self/fd/${one}`, { throwIfNoEntry: false }))
    expect(open.filter((one) => one?.ino === ino && one.size === statSync(file).size)).toEqual([])
  })

  test('keeps the file to its owner', async ({ begin, resume, file }) => {
    await begin('volumes delete 3001')
    chmodSync(file, 0o644)
    expect((await resume('volumes delete 3001')).exit).toBe(0)
    expect(statSync(file).mode & 0o777).toBe(0o600)
  })

  test('counts only what is done, and not what was refused', async ({ begin, resume, world }) => {
    world.volume({ label: 'a' })
    await begin('volumes delete a none-such')
    const { exit, stderr } = await resume('volumes delete a none-such')
    expect(exit).toBe(9)
    expect(stderr).toMatch(/^Resuming .*: 1 of 2 are done\n/)
  })

  test('takes stdin from the journal where it is empty now', async ({ begin, resume, cut, world }) => {
    const stdin = bodies('a', 'b', 'c')
    await begin(create, { stdin })
    cut((lines) => lines.slice(0, 3))
    for (const { id } of [...standing(world, 'b'), ...standing(world, 'c')]) world.volumes.delete(id)
    expect((await resume(create, { stdin: '' })).exit).toBe(0)
    expect(['a', 'b', 'c'].map((label) => standing(world, label).length)).toEqual([1, 1, 1])
  })

  test('tries again what had failed', async ({ begin, resume, world }) => {
    const { id } = world.volume({ label: 'used', compute_id: 1001 })
    world.volume({ label: 'free' })
    expect((await begin('volumes delete free used')).exit).toBe(9)
    const used = world.volumes.get(id)
    if (used) world.volumes.put({ ...used, compute_id: null })
    expect((await resume('volumes delete free used')).exit).toBe(0)
    expect(world.volumes.get(id)).toBeUndefined()
  })

  test('waits for what was done before the kill', async ({ begin, resume, world }) => {
    await begin(create, { stdin: bodies('a', 'b') })
    const { exit, stdout } = await resume(`${create} --wait --json`, { stdin: bodies('a', 'b') })
    expect({ exit, states: json(stdout).map(({ status }: { status: string }) => status) }).toEqual({
      exit: 0,
      states: ['active', 'active'],
    })
    expect(world.requests('POST')).toHaveLength(2)
  })

  test('shows with --dry-run what it would send, and leaves the journal', async ({ begin, resume, cut, file }) => {
    await begin('volumes delete 3001 3002')
    cut((lines) => lines.slice(0, 3))
    const text = readFileSync(file, 'utf8')
    const { exit, stdout } = await resume('volumes delete 3001 3002 --dry-run --json')
    expect({ exit, stdout: json(stdout) }).toEqual({ exit: 0, stdout: { method: 'DELETE', path: '/volumes/3002' } })
    expect(readFileSync(file, 'utf8')).toBe(text)
  })

  interface Kind {
    line: string
    make(world: World): number
    table(world: World): { get(id: number): object | undefined; put(record: never): unknown }
  }

  test.for<Kind>([
    {
      line: 'firewalls disable',
      make: ({ network }) => network.firewall().id,
      table: ({ network }) => network.firewalls,
    },
    {
      line: 'firewalls enable',
      make: ({ network }) => network.firewall({ status: 'disabled' }).id,
      table: ({ network }) => network.firewalls,
    },
    { line: 'volumes detach', make: (world) => world.volume({ compute_id: 1001 }).id, table: ({ volumes }) => volumes },
    {
      line: 'tokens revoke',
      make: (world) => {
        const text = world.token('*')
        return world.tokens.all().find(({ token }) => token === text)?.id ?? 0
      },
      table: ({ tokens }) => tokens,
    },
    {
      line: 'profile sshkeys delete',
      make: ({ profile }) => profile.sshkeys.add({ user: 1, label: 'key', ssh_key: 'ssh-ed25519 AAAA' }).id,
      table: ({ profile }) => profile.sshkeys,
    },
  ])('works for $line', async ({ line, make, table }, { begin, resume, cut, world }) => {
    const ids = [make(world), make(world), make(world)]
    const records = ids.map((id) => ({ ...table(world).get(id) }))
    const changing = () =>
      world
        .requests()
        .filter(({ method }) => method !== 'GET')
        .map(({ path }) => path)
    expect(await begin(`${line} ${ids.join(' ')}`)).toMatchObject({ exit: 0 })
    const before = changing()
    // As if it had been killed after the first.
    cut((lines) => lines.slice(0, 3))
    for (const record of records.slice(1)) table(world).put(record as never)
    expect(await resume(`${line} ${ids.join(' ')} --concurrency 1`)).toMatchObject({ exit: 0 })
    expect(changing().slice(before.length)).toEqual(before.slice(1))
  })

  test('works for ips rdns', async ({ begin, resume, cut, world }) => {
    const stdin = ndjson({ address: '192.0.2.31', rdns: null }, { address: '192.0.2.32', rdns: null })
    expect(await begin('ips rdns --body -', { stdin })).toMatchObject({ exit: 0 })
    cut((lines) => lines.slice(0, 3))
    expect(await resume('ips rdns --body -', { stdin })).toMatchObject({ exit: 0 })
    expect(world.requests('PUT').map(({ path }) => path.slice(-2))).toEqual(['31', '32', '32'])
  })
})

describe('a target that was killed between sending and answer', () => {
  const stdin = bodies('a', 'b', 'c')

  test('is adopted where it is proved to be ours', async ({ begin, resume, cut, world }) => {
    await begin(create, { stdin })
    cut(without(2))
    const { exit, stdout } = await resume(`${create} --json`, { stdin })
    expect({ exit, ids: json(stdout).map(({ id }: { id: number }) => id) }).toEqual({
      exit: 0,
      ids: ['a', 'b', 'c'].flatMap((label) => standing(world, label).map(({ id }) => id)),
    })
    expect(world.requests('POST')).toHaveLength(3)
  })

  test('is unknown where nothing stands, and is not sent again', async ({ begin, resume, cut, lines, world }) => {
    await begin(create, { stdin })
    cut(without(2))
    for (const { id } of standing(world, 'b')) world.volumes.delete(id)
    for (let count = 0; count < 2; count += 1) {
      const { exit, stdout, stderr } = await resume(`${create} --json`, { stdin })
      expect({ exit, made: json(stdout).filter(({ ok }: { ok: boolean }) => ok).length }).toEqual({ exit: 9, made: 2 })
      expect(json(stderr).error.failures).toMatchObject([
        { target: 'line 2', error: { code: 'outcome_unknown', exit_code: 11 } },
      ])
    }
    expect(world.requests('POST')).toHaveLength(3)
    expect(
      lines()
        .map(json)
        .filter(({ target }) => target === 2),
    ).toHaveLength(1)
  })

  test('of a single one is exit 11', async ({ begin, resume, cut, world }) => {
    const one = 'volumes create --label a --region us-east'
    await begin(one)
    cut(without(1))
    for (const { id } of standing(world, 'a')) world.volumes.delete(id)
    const { exit, stderr } = await resume(one)
    expect({ exit, sent: world.requests('POST').length }).toEqual({ exit: 11, sent: 1 })
    expect(stderr).toMatch(/an earlier run ended before the answer.*no volume has the label "a" now.*Check before/)
  })

  test('is sent again with --resend-unknown if nothing new has its label', async ({ begin, resume, cut, world }) => {
    await begin(create, { stdin })
    cut(without(2))
    for (const { id } of standing(world, 'b')) world.volumes.delete(id)
    expect((await resume(`${create} --resend-unknown`, { stdin })).exit).toBe(0)
    expect((await resume(`${create} --resend-unknown`, { stdin })).exit).toBe(0)
    expect(['a', 'b', 'c'].map((label) => standing(world, label).length)).toEqual([1, 1, 1])
  })

  test('is not sent again where the journal lacks what had its label before', async ({ begin, resume, cut, world }) => {
    await begin(create, { stdin })
    const withoutBefore = (line: string) => JSON.stringify({ ...json(line), before: undefined })
    cut((lines) => without(2)(lines).map((line) => (json(line).target === 2 ? withoutBefore(line) : line)))
    for (const { id } of standing(world, 'b')) world.volumes.delete(id)
    const { exit, stderr } = await resume(`${create} --resend-unknown --json`, { stdin })
    expect({ exit, sent: world.requests('POST').length }).toEqual({ exit: 9, sent: 3 })
    expect(json(stderr).error.failures).toMatchObject([{ target: 'line 2', error: { code: 'outcome_unknown' } }])
  })

  test.for(['', '--resend-unknown'])(
    'is unknown where only another of its label stands %s',
    async (flags, { begin, resume, cut, world }) => {
      await begin(create, { stdin })
      cut(without(2))
      for (const { id } of standing(world, 'b')) world.volumes.delete(id)
      world.volume({ label: 'b', size: 500, region: 'us-east' })
      const { exit, stderr } = await resume(`${create} ${flags}`, { stdin })
      expect({ exit, sent: world.requests('POST').length }).toEqual({ exit: 9, sent: 3 })
      expect(stderr).toMatch(/volume "b" \(\d+\) has size 500, not 20/)
    },
  )

  test('is not taken for another line of the same label', async ({ begin, resume, cut, world }) => {
    const twins = bodies('twin', 'twin', 'twin')
    const line = `${create} --allow-duplicate`
    await begin(line, { stdin: twins })
    const [, second] = standing(world, 'twin')
    cut(without(2))
    expect((await resume(line, { stdin: twins })).exit).toBe(0)
    cut(without(2))
    world.volumes.delete(second?.id ?? 0)
    expect((await resume(line, { stdin: twins })).exit).toBe(9)
    expect(world.requests('POST')).toHaveLength(3)
  })

  test('is not taken for another that was open, too, and has the same label', async ({ begin, resume, cut, world }) => {
    const twins = bodies('twin', 'twin')
    const line = `${create} --allow-duplicate --concurrency 1`
    await begin(`${create} --allow-duplicate`, { stdin: twins })
    const [, second] = standing(world, 'twin')
    // Both had looked before either was made.
    const alike = (text: string) => JSON.stringify({ ...json(text), before: { ...json(text).before, items: [] } })
    cut((lines) => without(1)(without(2)(lines)).map((text) => (json(text).state === 'sending' ? alike(text) : text)))
    world.volumes.delete(second?.id ?? 0)
    expect((await resume(line, { stdin: twins })).exit).toBe(9)
    expect(world.requests('POST')).toHaveLength(2)
  })

  test('takes with --if-absent what is there', async ({ begin, resume, cut, world }) => {
    await begin(`${create} --if-absent`, { stdin })
    cut((lines) => lines.slice(0, 4))
    for (const { id } of [...standing(world, 'b'), ...standing(world, 'c')]) world.volumes.delete(id)
    const { id } = world.volume({ label: 'b', size: 20, region: 'us-east' })
    expect((await resume(`${create} --if-absent`, { stdin })).exit).toBe(0)
    expect(standing(world, 'b').map((volume) => volume.id)).toEqual([id])
    expect(standing(world, 'c')).toHaveLength(1)
  })

  test('is not sent again with --if-absent where nothing has its label', async ({ begin, resume, cut, world }) => {
    await begin(`${create} --if-absent`, { stdin })
    cut(without(2))
    for (const { id } of standing(world, 'b')) world.volumes.delete(id)
    const { exit, stderr } = await resume(`${create} --if-absent`, { stdin })
    expect({ exit, sent: world.requests('POST').length }).toEqual({ exit: 9, sent: 3 })
    expect(stderr).toContain('no volume has the label "b" now')
  })

  test('takes with --if-absent what is as asked for, be it ours or not', async ({ begin, resume, cut, world }) => {
    await begin(`${create} --if-absent`, { stdin })
    cut(without(2))
    for (const { id } of standing(world, 'b')) world.volumes.delete(id)
    const { id } = world.volume({ label: 'b', size: 20, region: 'us-east', created: '2020-01-01T00:00:00' })
    expect(await resume(`${create} --if-absent`, { stdin })).toMatchObject({
      exit: 0,
      stderr: expect.stringContaining(`volume "b" (${id}) already exists and matches`),
    })
    expect(world.requests('POST')).toHaveLength(3)
  })

  test('counts as deleted where it is gone', async ({ begin, resume, cut, lines, world }) => {
    for (const label of ['a', 'b']) world.volume({ label })
    await begin('volumes delete a b')
    cut(without(2))
    const { exit, stdout } = await resume('volumes delete a b --json')
    expect({ exit, told: json(stdout).map(({ ok }: { ok: boolean }) => ok) }).toEqual({ exit: 0, told: [true, true] })
    // A kill at any of these lines must not make it open again: its label may be another's by now.
    const states = lines()
      .map(json)
      .filter(({ target }) => target === 2)
      .map(({ state }) => state)
    expect(states).toEqual(['sending', 'sending', 'done'])
  })

  test('is not another object that got its label since', async ({ begin, resume, cut, world }) => {
    for (const label of ['a', 'b']) world.volume({ label })
    await begin('volumes delete a b')
    cut(without(2))
    const { id } = world.volume({ label: 'b' })
    expect((await resume('volumes delete a b')).exit).toBe(0)
    expect(world.volumes.get(id)).toBeDefined()
  })
})

describe('a journal that is not whole', () => {
  const stdin = bodies('a', 'b', 'c')

  test('does no harm wherever its last line ends', async ({ skyctl, world, home, env }) => {
    mkdirSync(home, { recursive: true })
    const file = join(home, 'done.ndjson')
    const line = (flag: string) => `${create} --yes --concurrency 1 ${flag} ${file}`
    await skyctl(line('--journal'), { stdin, env })
    const whole = readFileSync(file, 'utf8')
    const last = whole.lastIndexOf('\n', whole.length - 2) + 1
    for (let length = last; length < whole.length; length += 37) {
      writeFileSync(file, whole.slice(0, length))
      const { exit } = await skyctl(line('--resume'), { stdin, env })
      const text = readFileSync(file, 'utf8')
      expect({ length, exit, lines: text.trim().split('\n').map(json).length }).toEqual({ length, exit: 0, lines: 7 })
    }
    expect(world.requests('POST')).toHaveLength(3)
  })

  test('tells, where its first line has no end, that nothing was sent', async ({ begin, resume, file, world }) => {
    await begin('volumes delete 3001')
    const text = readFileSync(file, 'utf8')
    for (const length of [0, 10, text.indexOf('\n')]) {
      world.volumes.put({ ...world.volume(), id: 3001 })
      writeFileSync(file, text.slice(0, length))
      const before = world.requests('DELETE').length
      expect((await resume('volumes delete 3001')).exit).toBe(0)
      expect(world.requests('DELETE').length - before).toBe(1)
    }
  })

  test('is refused where another line is damaged', async ({ begin, resume, cut, world }) => {
    await begin('volumes delete 3001 3002')
    cut((lines) => lines.map((line, index) => (index === 2 ? line.slice(0, -5) : line)))
    const before = world.requests('DELETE').length
    const { exit, stderr } = await resume('volumes delete 3001 3002')
    expect({ exit, sent: world.requests('DELETE').length - before }).toEqual({ exit: 12, sent: 0 })
    expect(stderr).toContain('line 3 of')
  })
})

test('A byte order mark before a journal does not damage it', async ({ begin, resume, cut, file, lines, world }) => {
  await begin(create, { stdin: bodies('a', 'b') })
  for (const { id } of standing(world, 'b')) world.volumes.delete(id)
  cut((before) => before.filter((line) => json(line).target !== 2))
  writeFileSync(file, `\ufeff${readFileSync(file, 'utf8')}{"target": 2, "st`)
  expect(await resume(create)).toMatchObject({ exit: 0 })
  expect([standing(world, 'a').length, standing(world, 'b').length]).toEqual([1, 1])
  expect(lines().map((line) => json(line.replace('\ufeff', '')).state)).toEqual([
    undefined,
    ...['sending', 'done', 'sending', 'done'],
  ])
})

test('A journal that another has taken over is not gone on with', async ({ skyctl, meanwhile, file, world }) => {
  const lock = `${file}.lock`
  await meanwhile({
    before: ({ method }) => {
      if (method !== 'POST') return
      writeFileSync(lock, readFileSync(lock, 'utf8').replace(/"mark":"\w+"/, '"mark":"0123456789abcdef"'))
    },
  })
  const line = `${create} --journal ${file} --concurrency 1`
  const { exit, stderr } = await skyctl(line, { stdin: bodies('a', 'b') })
  expect({ exit, made: [standing(world, 'a').length, standing(world, 'b').length] }).toEqual({ exit: 9, made: [1, 0] })
  expect(stderr).toContain(`${file} was taken over by another process while this one was suspended`)
})

describe('a journal of something else', () => {
  const stdin = bodies('a', 'b')

  test.for<string[]>([
    ['another command', 'volumes detach 3001 3002', '', 'the command is delete: DELETE /volumes/{volumeId}'],
    ['another target', 'volumes delete 3001 3003', '', 'the input differs'],
    ['fewer targets', 'volumes delete 3001', ''],
    ['another order', 'volumes delete 3002 3001', ''],
    ['other lines of stdin', 'volumes delete -', '3001\n3003\n'],
  ])('%s: it is refused', async ([, line = '', typed, difference = ''], { begin, resume, cut, world }) => {
    await begin('volumes delete 3001 3002')
    cut((lines) => lines.slice(0, 3))
    const { exit, stderr } = await resume(line, { stdin: typed })
    expect({ exit, sent: world.requests('DELETE').length, posts: world.requests('POST') }).toEqual({
      exit: 2,
      sent: 2,
      posts: [],
    })
    expect(stderr).toContain(`is the journal of another run: ${difference}`)
  })

  test.for<string[]>([
    ['another body', `${create}`, bodies('a', 'c')],
    ['another flag', `${create} --size 40`, stdin],
  ])('%s: it is refused', async ([, line = '', given], { begin, resume, world }) => {
    await begin(create, { stdin })
    const { exit } = await resume(line, { stdin: given })
    expect({ exit, sent: world.requests('POST').length }).toEqual({ exit: 2, sent: 2 })
  })

  test('another account: it is refused, but not another token of the same user', async ({ begin, resume, world }) => {
    await begin('volumes delete 3001 3002')
    const [ours, other] = [world.token('*'), world.token('*', 2)]
    const { exit, stderr } = await resume('volumes delete 3001 3002', { env: { SKYCTL_TOKEN: other } })
    expect({ exit, stderr }).toEqual({
      exit: 6,
      stderr: expect.stringMatching(/the journal of user "owner" \(1\) at .*, but this is user "restricted" \(2\) at /),
    })
    expect((await resume('volumes delete 3001 3002', { env: { SKYCTL_TOKEN: ours } })).exit).toBe(0)
  })

  test.for(['mine, and no journal', '{"a":1}\n', 'a\nb\n'])('no journal at all: %j', async (text, { resume, file }) => {
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
    const { exit, stderr } = await resume('volumes delete 3001')
    expect({ exit, text: readFileSync(file, 'utf8') }).toEqual({ exit: 2, text })
    expect(stderr).toContain('is not a skyctl journal')
  })

  test('one that is not there, or is a link', async ({ skyctl, resume, file, begin }) => {
    expect((await resume('volumes delete 3001')).exit).toBe(12)
    expect((await begin('volumes delete 3001')).exit).toBe(0)
    symlinkSync(file, `${file}.link`)
    const linked = await skyctl(`volumes delete 3001 --yes --resume ${file}.link`)
    expect(linked.exit).toBe(12)
    // What could not be opened holds no lock.
    expect([file, `${file}.link`].filter((path) => existsSync(`${path}.lock`))).toEqual([])
  })
})

test('Two processes never go on with one journal at once', async ({ skyctl, begin, cut, sandbox, file, meanwhile }) => {
  await begin('volumes delete 3001 3002')
  // The second is gone by now, which nobody knows to be our doing.
  cut((lines) => lines.slice(0, 3))
  const line = `volumes delete 3001 3002 --yes --resume ${file}`
  const seconds: number[] = []
  const proxy = await meanwhile({
    // While the first is at work, which is through here, a second one comes.
    before: async ({ path }) => {
      if (path === '/volumes/3002') seconds.push((await skyctl(line)).exit)
    },
  })
  cut((lines) => lines.map((text) => text.replaceAll(sandbox.baseUrl, proxy.baseUrl)))
  const first = await skyctl(line)
  expect({ first: first.exit, seconds }).toEqual({ first: 9, seconds: [12] })
})
