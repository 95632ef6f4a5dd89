/** `--journal` and `--resume`: a run that was killed continues; no request is repeated or missing. */
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
  /** Returns the lines of the journal. */
  lines(): string[]
  /** Removes lines as if the process had been killed. */
  cut(change: (lines: string[]) => string[]): void
  /** Continues the run of the journal. */
  resume(line: string, options?: Options): Promise<Result>
  begin(line: string, options?: Options): Promise<Result>
}

const test = base.extend<Fixtures>({
  file: async ({ home }, use) => use(join(home, 'done.ndjson')),
  lines: async ({ file }, use) => use(() => readFileSync(file, 'utf8').split('\n').slice(0, -1)),
  cut: async ({ file, lines }, use) => use((change) => writeFileSync(file, `${change(lines()).join('\n')}\n`)),
  begin: async ({ skyctl, file, world }, use) => {
    // Attached volumes could not be deleted.
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
const withoutDone = (target: number) => (lines: string[]) => lines.filter((line) => !isDone(target)(line))
const withLabel = (world: World, label: string) => world.volumes.all().filter((volume) => volume.label === label)

/** Makes the mocks of `node:fs` visible to the sources until the test ends. */
function publishMocks(): void {
  syncBuiltinESMExports()
  onTestFinished(() => {
    vi.restoreAllMocks()
    syncBuiltinESMExports()
  })
}

describe('a journal', () => {
  test('has every request with its response, readable by its owner only', async ({
    begin,
    lines,
    file,
    world,
    env,
  }) => {
    const { id } = world.volume({ label: 'data' })
    expect((await begin('volumes delete data 3001')).exit).toBe(0)
    expect(lines().map(json)).toEqual([
      {
        skyctl_journal: 1,
        command: 'delete: DELETE /volumes/{volumeId}',
        account: expect.stringContaining(env.SKYCTL_BASE_URL ?? ''),
        inputs: { targets: ['data', '3001'], body: {} },
      },
      { target: 1, state: 'sending', id, history: expect.any(String) },
      { target: 1, state: 'done', id, label: 'data', answer: {} },
      { target: 2, state: 'sending', id: 3001, history: expect.any(String) },
      { target: 2, state: 'done', id: 3001, label: 'data-1', answer: {} },
    ])
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(readFileSync(file, 'utf8')).not.toContain(env.SKYCTL_TOKEN)
    expect(existsSync(`${file}.lock`)).toBe(false)
  })

  test('is on disk when the request arrives', async ({ skyctl, meanwhile, file }) => {
    const journals: string[] = []
    await meanwhile({
      before: ({ method }) => void (method === 'POST' && journals.push(readFileSync(file, 'utf8'))),
    })
    const line = `volumes create --label data --region us-east --journal ${file}`
    const { exit } = await skyctl(line)
    expect({ exit, journals: journals.map((text) => json(text.split('\n')[1] ?? '').state) }).toEqual({
      exit: 0,
      journals: ['sending'],
    })
  })

  test('is synced to disk, with its name, before a request is sent', async ({ skyctl, meanwhile, file }) => {
    const sync = fs.fsyncSync
    // Size of each file when it was synced, by inode number.
    const synced = new Map<number, number>()
    vi.spyOn(fs, 'fsyncSync').mockImplementation((descriptor) => {
      sync(descriptor)
      const { ino, size } = fs.fstatSync(descriptor)
      synced.set(ino, size)
    })
    publishMocks()
    const states: object[] = []
    await meanwhile({
      before({ method }) {
        if (method !== 'POST') return
        const { ino, size } = statSync(file)
        states.push({ unsynced: size - (synced.get(ino) ?? 0), nameSynced: synced.has(statSync(dirname(file)).ino) })
      },
    })
    const line = `volumes create --body - --yes --journal ${file} --concurrency 1`
    expect((await skyctl(line, { stdin: bodies('a', 'b') })).exit).toBe(0)
    expect(states).toEqual([
      { unsynced: 0, nameSynced: true },
      { unsynced: 0, nameSynced: true },
    ])
  })

  test('is never written through a symbolic link, even a dangling one', async ({ begin, file, home, world }) => {
    symlinkSync(join(home, 'theirs'), file)
    expect((await begin('volumes delete 3001')).exit).toBe(12)
    expect({ created: existsSync(join(home, 'theirs')), sent: world.requests('DELETE') }).toEqual({
      created: false,
      sent: [],
    })
  })

  test.for([
    ['of invalid form', 'a b', 2],
    ['that the service rejects', 'f'.repeat(64), 3],
  ] as const)('is not created with a token %s', async ([, SKYCTL_TOKEN, code], { begin, file }) => {
    expect((await begin('volumes delete 3001', { env: { SKYCTL_TOKEN } })).exit).toBe(code)
    expect(existsSync(file)).toBe(false)
  })

  test.for([
    ['volumes delete used', 6],
    ['volumes create --label data --region none-such --no-validate', 5],
  ] as const)('marks a rejected request as undone: %s', async ([line, exit], { begin, lines, world }) => {
    world.volume({ label: 'used', compute_id: 1001 })
    expect((await begin(line)).exit).toBe(exit)
    expect(lines().map((line) => json(line).state)).toEqual([undefined, 'sending', 'undone'])
  })

  test('leaves the outcome open if the response is lost', async ({ begin, lines, lossy }) => {
    lossy.lose('POST', '/volumes', 'request lost')
    expect((await begin('volumes create --label data --region us-east')).exit).toBe(11)
    expect(lines().map((line) => json(line).state)).toEqual([undefined, 'sending'])
  })

  test('ends the command with exit code 12 on a full disk, without a partial line', async ({
    begin,
    lines,
    file,
    world,
  }) => {
    for (const label of ['a', 'b', 'c']) world.volume({ label })
    const write = fs.writeFileSync
    let lineCount = 0
    vi.spyOn(fs, 'writeFileSync').mockImplementation((to, text, options) => {
      const isThird = String(text).startsWith('{"target":2')
      if (!isThird) return write(to, text, options)
      lineCount = lines().length
      write(to, String(text).slice(0, 9), options)
      throw failed('ENOSPC', 'no space left on device')
    })
    publishMocks()
    const { stderr } = await begin('volumes delete a b c')
    expect(stderr).toContain(`cannot write ${file}: no space left on device`)
    const text = readFileSync(file, 'utf8')
    expect({ ends: text.endsWith('\n'), lines: lines().length >= lineCount }).toEqual({ ends: true, lines: true })
    for (const line of lines()) expect(() => json(line)).not.toThrow()
    expect(lines().filter((line) => json(line).target === 2)).toEqual([])
    expect(world.volumes.all().filter(({ label }) => label === 'b')).toHaveLength(1)
  })

  test('never overwrites an existing file', async ({ begin, file, world, home }) => {
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

  test('stops the command before anything is sent if it cannot be written', async ({ skyctl, home, world }) => {
    const { exit } = await skyctl(`volumes delete 3001 3002 --yes --journal ${join(home, 'none', 'done.ndjson')}`)
    expect({ exit, sent: world.requests('DELETE') }).toEqual({ exit: 12, sent: [] })
  })

  test('is not created by --dry-run or before a question is answered', async ({ skyctl, file }) => {
    const line = `volumes delete 3001 3002 --journal ${file}`
    expect((await skyctl(`${line} --dry-run`)).exit).toBe(0)
    expect((await skyctl(line)).exit).toBe(2)
    expect(existsSync(file)).toBe(false)
  })

  test.for(['--resend-unknown', '--resume x --journal y'])(
    'is not used with contradictory flags: %s',
    async (flags, { skyctl, world }) => {
      const { exit } = await skyctl(`${create} ${flags}`, { stdin: bodies('a') })
      expect({ exit, sent: world.requests() }).toEqual({ exit: 2, sent: [] })
    },
  )
})

describe('resume', () => {
  test('does the remaining targets, and prints the earlier results, too', async ({ begin, resume, cut, world }) => {
    const labels = ['a', 'b', 'c', 'd', 'e']
    for (const label of labels) world.volume({ label })
    const whole = await begin(`volumes delete ${labels.join(' ')} --json`)
    for (const label of labels.slice(2)) world.volume({ label })
    cut((lines) => lines.slice(0, 5))
    const before = world.requests('DELETE').length
    const { exit, stdout } = await resume(`volumes delete ${labels.join(' ')} --json`)
    expect({ exit, sent: world.requests('DELETE').length - before }).toEqual({ exit: 0, sent: 3 })
    const outcomes = (text: string) => json(text).map(({ label, ok }: { label: string; ok: boolean }) => [label, ok])
    expect(outcomes(stdout)).toEqual(outcomes(whole.stdout))
    expect(json(stdout).slice(0, 2)).toEqual(json(whole.stdout).slice(0, 2))
  })

  test('prints how much is done, and sends and records nothing if all is', async ({ begin, resume, lines, world }) => {
    const stdin = bodies('a', 'b')
    const first = await begin(`${create} -o csv`, { stdin })
    const before = world.requests().length
    const linesBefore = lines()
    const { exit, stdout, stderr } = await resume(`${create} -o csv`, { stdin })
    expect({ exit, stdout }).toEqual({ exit: 0, stdout: first.stdout })
    expect(stderr).toMatch(/^Resuming .*: 2 of 2 are done\n2 of 2 created\n$/)
    const more = world.requests().slice(before)
    expect(more.filter(({ path }) => path !== '/profile' && !path.startsWith('/regions'))).toEqual([])
    expect(lines()).toEqual(linesBefore)
  })

  test('reports a deleted target of a change as not found', async ({ begin, resume, cut, world }) => {
    const line = 'firewalls disable 4001 4005'
    await begin(line)
    cut(withoutDone(2))
    world.network.firewalls.delete(4005)
    const { exit, stderr } = await resume(line)
    expect({ exit, stderr }).toEqual({ exit: 9, stderr: expect.stringContaining('firewall 4005 not found') })
  })

  test.runIf(existsSync('/proc/self/fd'))('closes the journal at the end', async ({ begin, file }) => {
    await begin('volumes delete 3001')
    const { ino } = statSync(file)
    const open = readdirSync('/proc/self/fd').map((one) => statSync(`/proc/self/fd/${one}`, { throwIfNoEntry: false }))
    expect(open.filter((one) => one?.ino === ino && one.size === statSync(file).size)).toEqual([])
  })

  test('makes the journal readable by its owner only', async ({ begin, resume, file }) => {
    await begin('volumes delete 3001')
    chmodSync(file, 0o644)
    expect((await resume('volumes delete 3001')).exit).toBe(0)
    expect(statSync(file).mode & 0o777).toBe(0o600)
  })

  test('counts only targets that are done, not rejected ones', async ({ begin, resume, world }) => {
    world.volume({ label: 'a' })
    world.volume({ label: 'locked', tags: ['protected'] })
    await begin('volumes delete a locked')
    const { exit, stderr } = await resume('volumes delete a locked')
    expect(exit).toBe(9)
    expect(stderr).toMatch(/^Resuming .*: 1 of 2 are done\n/)
  })

  test('reads stdin from the journal if stdin is empty', async ({ begin, resume, cut, world }) => {
    const stdin = bodies('a', 'b', 'c')
    await begin(create, { stdin })
    cut((lines) => lines.slice(0, 3))
    for (const { id } of [...withLabel(world, 'b'), ...withLabel(world, 'c')]) world.volumes.delete(id)
    expect((await resume(create, { stdin: '' })).exit).toBe(0)
    expect(['a', 'b', 'c'].map((label) => withLabel(world, label).length)).toEqual([1, 1, 1])
  })

  test('retries a failed target', async ({ begin, resume, world }) => {
    const { id } = world.volume({ label: 'used', compute_id: 1001 })
    world.volume({ label: 'free' })
    expect((await begin('volumes delete free used')).exit).toBe(9)
    const used = world.volumes.get(id)
    if (used) world.volumes.put({ ...used, compute_id: null })
    expect((await resume('volumes delete free used')).exit).toBe(0)
    expect(world.volumes.get(id)).toBeUndefined()
  })

  test('waits for targets that were done before', async ({ begin, resume, world }) => {
    await begin(create, { stdin: bodies('a', 'b') })
    const { exit, stdout } = await resume(`${create} --wait --json`, { stdin: bodies('a', 'b') })
    expect({ exit, states: json(stdout).map(({ status }: { status: string }) => status) }).toEqual({
      exit: 0,
      states: ['active', 'active'],
    })
    expect(world.requests('POST')).toHaveLength(2)
  })

  test('prints the remaining request with --dry-run, and leaves the journal unchanged', async ({
    begin,
    resume,
    cut,
    file,
  }) => {
    await begin('volumes delete 3001 3002')
    cut((lines) => lines.slice(0, 3))
    const text = readFileSync(file, 'utf8')
    const { exit, stdout } = await resume('volumes delete 3001 3002 --dry-run --json')
    expect({ exit, stdout: json(stdout) }).toEqual({ exit: 0, stdout: { method: 'DELETE', path: '/volumes/3002' } })
    expect(readFileSync(file, 'utf8')).toBe(text)
  })

  interface ResumeCase {
    line: string
    create(world: World): number
    table(world: World): { get(id: number): object | undefined; put(record: never): unknown }
  }

  test.for<ResumeCase>([
    {
      line: 'firewalls disable',
      create: ({ network }) => network.firewall().id,
      table: ({ network }) => network.firewalls,
    },
    {
      line: 'firewalls enable',
      create: ({ network }) => network.firewall({ status: 'disabled' }).id,
      table: ({ network }) => network.firewalls,
    },
    {
      line: 'volumes detach',
      create: (world) => world.volume({ compute_id: 1001 }).id,
      table: ({ volumes }) => volumes,
    },
    {
      line: 'tokens revoke',
      create: (world) => {
        const text = world.token('*')
        return world.tokens.all().find(({ token }) => token === text)?.id ?? 0
      },
      table: ({ tokens }) => tokens,
    },
    {
      line: 'profile sshkeys delete',
      create: ({ profile }) => profile.sshkeys.add({ user: 1, label: 'key', ssh_key: 'ssh-ed25519 AAAA' }).id,
      table: ({ profile }) => profile.sshkeys,
    },
  ])('continues $line', async ({ line, create: createOne, table }, { begin, resume, cut, world }) => {
    const ids = [createOne(world), createOne(world), createOne(world)]
    const records = ids.map((id) => ({ ...table(world).get(id) }))
    const changeRequests = () =>
      world
        .requests()
        .filter(({ method }) => method !== 'GET')
        .map(({ path }) => path)
    expect(await begin(`${line} ${ids.join(' ')}`)).toMatchObject({ exit: 0 })
    const before = changeRequests()
    // Restores the state of a kill after the first target.
    cut((lines) => lines.slice(0, 3))
    for (const record of records.slice(1)) table(world).put(record as never)
    expect(await resume(`${line} ${ids.join(' ')} --concurrency 1`)).toMatchObject({ exit: 0 })
    expect(changeRequests().slice(before.length)).toEqual(before.slice(1))
  })

  test('continues ips rdns', async ({ begin, resume, cut, world }) => {
    const stdin = ndjson({ address: '192.0.2.31', rdns: null }, { address: '192.0.2.32', rdns: null })
    expect(await begin('ips rdns --body -', { stdin })).toMatchObject({ exit: 0 })
    cut((lines) => lines.slice(0, 3))
    expect(await resume('ips rdns --body -', { stdin })).toMatchObject({ exit: 0 })
    expect(world.requests('PUT').map(({ path }) => path.slice(-2))).toEqual(['31', '32', '32'])
  })
})

describe('a target without a recorded response', () => {
  const stdin = bodies('a', 'b', 'c')

  test('is adopted if it was certainly created by this run', async ({ begin, resume, cut, world }) => {
    await begin(create, { stdin })
    cut(withoutDone(2))
    const { exit, stdout } = await resume(`${create} --json`, { stdin })
    expect({ exit, ids: json(stdout).map(({ id }: { id: number }) => id) }).toEqual({
      exit: 0,
      ids: ['a', 'b', 'c'].flatMap((label) => withLabel(world, label).map(({ id }) => id)),
    })
    expect(world.requests('POST')).toHaveLength(3)
  })

  test('is unknown, and is not sent again, if nothing has its label', async ({ begin, resume, cut, lines, world }) => {
    await begin(create, { stdin })
    cut(withoutDone(2))
    for (const { id } of withLabel(world, 'b')) world.volumes.delete(id)
    for (let count = 0; count < 2; count += 1) {
      const { exit, stdout, stderr } = await resume(`${create} --json`, { stdin })
      expect({ exit, created: json(stdout).filter(({ ok }: { ok: boolean }) => ok).length }).toEqual({
        exit: 9,
        created: 2,
      })
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

  test('ends a command of a single target with exit code 11', async ({ begin, resume, cut, world }) => {
    const one = 'volumes create --label a --region us-east'
    await begin(one)
    cut(withoutDone(1))
    for (const { id } of withLabel(world, 'a')) world.volumes.delete(id)
    const { exit, stderr } = await resume(one)
    expect({ exit, sent: world.requests('POST').length }).toEqual({ exit: 11, sent: 1 })
    expect(stderr).toMatch(/an earlier run ended before the answer.*no volume has the label "a" now.*Check before/)
  })

  test('is sent again with --resend-unknown if nothing new has its label', async ({ begin, resume, cut, world }) => {
    await begin(create, { stdin })
    cut(withoutDone(2))
    for (const { id } of withLabel(world, 'b')) world.volumes.delete(id)
    expect((await resume(`${create} --resend-unknown`, { stdin })).exit).toBe(0)
    expect((await resume(`${create} --resend-unknown`, { stdin })).exit).toBe(0)
    expect(['a', 'b', 'c'].map((label) => withLabel(world, label).length)).toEqual([1, 1, 1])
  })

  test('is not sent again if the journal lacks the earlier owners of its label', async ({
    begin,
    resume,
    cut,
    world,
  }) => {
    await begin(create, { stdin })
    const withoutBefore = (line: string) => JSON.stringify({ ...json(line), before: undefined })
    cut((lines) => withoutDone(2)(lines).map((line) => (json(line).target === 2 ? withoutBefore(line) : line)))
    for (const { id } of withLabel(world, 'b')) world.volumes.delete(id)
    const { exit, stderr } = await resume(`${create} --resend-unknown --json`, { stdin })
    expect({ exit, sent: world.requests('POST').length }).toEqual({ exit: 9, sent: 3 })
    expect(json(stderr).error.failures).toMatchObject([{ target: 'line 2', error: { code: 'outcome_unknown' } }])
  })

  test.for(['', '--resend-unknown'])(
    'is unknown if a different object has its label %s',
    async (flags, { begin, resume, cut, world }) => {
      await begin(create, { stdin })
      cut(withoutDone(2))
      for (const { id } of withLabel(world, 'b')) world.volumes.delete(id)
      world.volume({ label: 'b', size: 500, region: 'us-east' })
      const { exit, stderr } = await resume(`${create} ${flags}`, { stdin })
      expect({ exit, sent: world.requests('POST').length }).toEqual({ exit: 9, sent: 3 })
      expect(stderr).toMatch(/volume "b" \(\d+\) has size 500, not 20/)
    },
  )

  test('is not confused with another line of the same label', async ({ begin, resume, cut, world }) => {
    const twins = bodies('twin', 'twin', 'twin')
    const line = `${create} --allow-duplicate`
    await begin(line, { stdin: twins })
    const [, second] = withLabel(world, 'twin')
    cut(withoutDone(2))
    expect((await resume(line, { stdin: twins })).exit).toBe(0)
    cut(withoutDone(2))
    world.volumes.delete(second?.id ?? 0)
    expect((await resume(line, { stdin: twins })).exit).toBe(9)
    expect(world.requests('POST')).toHaveLength(3)
  })

  test('is not confused with another open target of the same label', async ({ begin, resume, cut, world }) => {
    const twins = bodies('twin', 'twin')
    const line = `${create} --allow-duplicate --concurrency 1`
    await begin(`${create} --allow-duplicate`, { stdin: twins })
    const [, second] = withLabel(world, 'twin')
    // Both looked the label up before either was created.
    const withoutItems = (text: string) =>
      JSON.stringify({ ...json(text), before: { ...json(text).before, items: [] } })
    cut((lines) =>
      withoutDone(1)(withoutDone(2)(lines)).map((text) => (json(text).state === 'sending' ? withoutItems(text) : text)),
    )
    world.volumes.delete(second?.id ?? 0)
    expect((await resume(line, { stdin: twins })).exit).toBe(9)
    expect(world.requests('POST')).toHaveLength(2)
  })

  test('becomes an existing match with --if-absent', async ({ begin, resume, cut, world }) => {
    await begin(`${create} --if-absent`, { stdin })
    cut((lines) => lines.slice(0, 4))
    for (const { id } of [...withLabel(world, 'b'), ...withLabel(world, 'c')]) world.volumes.delete(id)
    const { id } = world.volume({ label: 'b', size: 20, region: 'us-east' })
    expect((await resume(`${create} --if-absent`, { stdin })).exit).toBe(0)
    expect(withLabel(world, 'b').map((volume) => volume.id)).toEqual([id])
    expect(withLabel(world, 'c')).toHaveLength(1)
  })

  test('is not sent again with --if-absent if nothing has its label', async ({ begin, resume, cut, world }) => {
    await begin(`${create} --if-absent`, { stdin })
    cut(withoutDone(2))
    for (const { id } of withLabel(world, 'b')) world.volumes.delete(id)
    const { exit, stderr } = await resume(`${create} --if-absent`, { stdin })
    expect({ exit, sent: world.requests('POST').length }).toEqual({ exit: 9, sent: 3 })
    expect(stderr).toContain('no volume has the label "b" now')
  })

  test('becomes any match with --if-absent, whoever created it', async ({ begin, resume, cut, world }) => {
    await begin(`${create} --if-absent`, { stdin })
    cut(withoutDone(2))
    for (const { id } of withLabel(world, 'b')) world.volumes.delete(id)
    const { id } = world.volume({ label: 'b', size: 20, region: 'us-east', created: '2020-01-01T00:00:00' })
    expect(await resume(`${create} --if-absent`, { stdin })).toMatchObject({
      exit: 0,
      stderr: expect.stringContaining(`volume "b" (${id}) already exists and matches`),
    })
    expect(world.requests('POST')).toHaveLength(3)
  })

  test('counts as deleted if it is gone', async ({ begin, resume, cut, lines, world }) => {
    for (const label of ['a', 'b']) world.volume({ label })
    await begin('volumes delete a b')
    cut(withoutDone(2))
    const { exit, stdout } = await resume('volumes delete a b --json')
    expect({ exit, succeeded: json(stdout).map(({ ok }: { ok: boolean }) => ok) }).toEqual({
      exit: 0,
      succeeded: [true, true],
    })
    // After a kill at any of these lines, the target must not be open again: another object may have its label by now.
    const states = lines()
      .map(json)
      .filter(({ target }) => target === 2)
      .map(({ state }) => state)
    expect(states).toEqual(['sending', 'sending', 'done'])
  })

  test('is done with --if-present if it did not exist, and a later object of its label stays', async ({
    begin,
    resume,
    world,
  }) => {
    world.volume({ label: 'a' })
    const line = 'volumes delete a gone --if-present --json'
    const first = await begin(line)
    const { id } = world.volume({ label: 'gone' })
    const { exit, stdout } = await resume(line)
    expect({ exit, stdout }).toEqual({ exit: 0, stdout: first.stdout })
    expect(world.volumes.get(id)).toBeDefined()
  })

  test('is not confused with a later object of its label', async ({ begin, resume, cut, world }) => {
    for (const label of ['a', 'b']) world.volume({ label })
    await begin('volumes delete a b')
    cut(withoutDone(2))
    const { id } = world.volume({ label: 'b' })
    expect((await resume('volumes delete a b')).exit).toBe(0)
    expect(world.volumes.get(id)).toBeDefined()
  })
})

describe('an incomplete journal', () => {
  const stdin = bodies('a', 'b', 'c')

  test('resumes correctly wherever its last line ends', async ({ skyctl, world, home, env }) => {
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

  test('with an incomplete first line counts as nothing sent', async ({ begin, resume, file, world }) => {
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

  test('is rejected if any line but the last is damaged', async ({ begin, resume, cut, world }) => {
    await begin('volumes delete 3001 3002')
    cut((lines) => lines.map((line, index) => (index === 2 ? line.slice(0, -5) : line)))
    const before = world.requests('DELETE').length
    const { exit, stderr } = await resume('volumes delete 3001 3002')
    expect({ exit, sent: world.requests('DELETE').length - before }).toEqual({ exit: 12, sent: 0 })
    expect(stderr).toContain('line 3 of')
  })
})

test('a byte order mark does not damage a journal', async ({ begin, resume, cut, file, lines, world }) => {
  await begin(create, { stdin: bodies('a', 'b') })
  for (const { id } of withLabel(world, 'b')) world.volumes.delete(id)
  cut((before) => before.filter((line) => json(line).target !== 2))
  writeFileSync(file, `\ufeff${readFileSync(file, 'utf8')}{"target": 2, "st`)
  expect(await resume(create)).toMatchObject({ exit: 0 })
  expect([withLabel(world, 'a').length, withLabel(world, 'b').length]).toEqual([1, 1])
  expect(lines().map((line) => json(line.replace('\ufeff', '')).state)).toEqual([
    undefined,
    ...['sending', 'done', 'sending', 'done'],
  ])
})

test('a journal that another process has taken over is not continued', async ({ skyctl, meanwhile, file, world }) => {
  const lock = `${file}.lock`
  await meanwhile({
    before: ({ method }) => {
      if (method !== 'POST') return
      writeFileSync(lock, readFileSync(lock, 'utf8').replace(/"mark":"\w+"/, '"mark":"0123456789abcdef"'))
    },
  })
  const line = `${create} --journal ${file} --concurrency 1`
  const { exit, stderr } = await skyctl(line, { stdin: bodies('a', 'b') })
  expect({ exit, created: [withLabel(world, 'a').length, withLabel(world, 'b').length] }).toEqual({
    exit: 9,
    created: [1, 0],
  })
  expect(stderr).toContain(`${file} was taken over by another process while this one was suspended`)
})

describe('resume rejects', () => {
  const stdin = bodies('a', 'b')

  test.for<string[]>([
    ['another command', 'volumes detach 3001 3002', '', 'the command is delete: DELETE /volumes/{volumeId}'],
    ['another target', 'volumes delete 3001 3003', '', 'the input differs'],
    ['fewer targets', 'volumes delete 3001', ''],
    ['another order', 'volumes delete 3002 3001', ''],
    ['other lines of stdin', 'volumes delete -', '3001\n3003\n'],
  ])('the journal of another run: %s', async ([, line = '', input, difference = ''], { begin, resume, cut, world }) => {
    await begin('volumes delete 3001 3002')
    cut((lines) => lines.slice(0, 3))
    const { exit, stderr } = await resume(line, { stdin: input })
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
  ])('the journal of another run with %s', async ([, line = '', input], { begin, resume, world }) => {
    await begin(create, { stdin })
    const { exit } = await resume(line, { stdin: input })
    expect({ exit, sent: world.requests('POST').length }).toEqual({ exit: 2, sent: 2 })
  })

  test('the journal of another account, but not of another token of the same user', async ({
    begin,
    resume,
    world,
  }) => {
    await begin('volumes delete 3001 3002')
    const [ours, other] = [world.token('*'), world.token('*', 2)]
    const { exit, stderr } = await resume('volumes delete 3001 3002', { env: { SKYCTL_TOKEN: other } })
    expect({ exit, stderr }).toEqual({
      exit: 6,
      stderr: expect.stringMatching(/the journal of user "owner" \(1\) at .*, but this is user "restricted" \(2\) at /),
    })
    expect((await resume('volumes delete 3001 3002', { env: { SKYCTL_TOKEN: ours } })).exit).toBe(0)
  })

  test.for(['mine, and no journal', '{"a":1}\n', 'a\nb\n'])('another file: %j', async (text, { resume, file }) => {
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
    const { exit, stderr } = await resume('volumes delete 3001')
    expect({ exit, text: readFileSync(file, 'utf8') }).toEqual({ exit: 2, text })
    expect(stderr).toContain('is not a skyctl journal')
  })

  test('a missing file or a symbolic link', async ({ skyctl, resume, file, begin }) => {
    expect((await resume('volumes delete 3001')).exit).toBe(12)
    expect((await begin('volumes delete 3001')).exit).toBe(0)
    symlinkSync(file, `${file}.link`)
    const linked = await skyctl(`volumes delete 3001 --yes --resume ${file}.link`)
    expect(linked.exit).toBe(12)
    // A file that could not be opened has no lock.
    expect([file, `${file}.link`].filter((path) => existsSync(`${path}.lock`))).toEqual([])
  })
})

test('two processes never continue one journal at once', async ({ skyctl, begin, cut, sandbox, file, meanwhile }) => {
  await begin('volumes delete 3001 3002')
  // Volume 3002 is deleted, but the journal has no response.
  cut((lines) => lines.slice(0, 3))
  const line = `volumes delete 3001 3002 --yes --resume ${file}`
  const seconds: number[] = []
  const proxy = await meanwhile({
    // While the first process runs, through this proxy, a second one starts.
    before: async ({ path }) => {
      if (path === '/volumes/3002') seconds.push((await skyctl(line)).exit)
    },
  })
  cut((lines) => lines.map((text) => text.replaceAll(sandbox.baseUrl, proxy.baseUrl)))
  const first = await skyctl(line)
  expect({ first: first.exit, seconds }).toEqual({ first: 9, seconds: [12] })
})
