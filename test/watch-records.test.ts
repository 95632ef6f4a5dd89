/** What the next command tells of changes that a process in the background was to undo (state.md, Guards around firewalls). */
import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { type ProcessName, self } from '../src/files/process-id'
import { ruleSet, ssh, web } from './support/firewall-rules'
import { test as base } from './support/skyctl'

/** No process of this machine has this number: the kernel gives none above 4 million (proc(5), pid_max). */
const ended = (): ProcessName => ({ ...self(), pid: 5_000_000 })
const running = (): ProcessName => self()
/** Nobody here can tell whether it runs, as where the state folder is shared. */
const elsewhere = (): ProcessName => ({ pid: 5_000_000, host: 'another', boot: 'another' })

interface Watched {
  watcher: ProcessName
  watch: Record<string, unknown>
  outcome: object
}

const opening = {
  kind: 'close',
  firewallId: 9100,
  name: 'firewall "gate" (9100)',
  mark: 'a',
  passage: 'tcp/22 from all',
}
const change = {
  kind: 'restore',
  firewallId: 9101,
  name: 'firewall "wall" (9101)',
  before: ruleSet(ssh),
  written: ruleSet(web),
}

const test = base.extend<{
  /** Writes the record of a watch whose processes have both ended. */
  record(parts: Partial<Watched>, name?: string): void
  records(): string[]
  /** What a command that asks nothing says first. */
  told(): Promise<string>
}>({
  record: async ({ env }, use) => {
    const folder = join(String(env.SKYCTL_STATE_DIR), 'watches')
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    await use(({ watcher = ended(), watch, outcome }, name = '0123456789abcdef') => {
      const usual = { id: name, service: 'sandbox', account: '', undoings: [opening], stage: 'written' }
      const all = { ...usual, deadline: null, attached: true, first: ended(), ...watch }
      const text = JSON.stringify({ watch: all, watcher, ...(outcome && { outcome }) })
      writeFileSync(join(folder, `${name}.json`), text, { mode: 0o600 })
    })
  },
  records: async ({ env }, use) => use(() => readdirSync(join(String(env.SKYCTL_STATE_DIR), 'watches'))),
  told: async ({ skyctl }, use) => use(async () => (await skyctl('regions view us-east -q')).stderr),
})

const killed = 'skyctl: warning: the background process was killed before it could undo the change: '

describe('A change that is to be undone in the background', () => {
  test.for<[what: string, parts: () => Partial<Watched>]>([
    ['its watcher runs', () => ({ watcher: running(), watch: { attached: false } })],
    ['its watcher may run on another machine', () => ({ watcher: elsewhere() })],
    ['its first process runs, which starts another watcher', () => ({ watch: { first: running() } })],
    ['its first process may run on another machine', () => ({ watch: { first: elsewhere() } })],
  ])('is left to its processes, and not told, where %s', async ([, parts], { record, records, told }) => {
    record(parts())
    expect({ told: await told(), records: records().length }).toEqual({ told: '', records: 1 })
  })

  test('is named as skipped if its record is not private; others are told', async ({ record, records, told, env }) => {
    record({})
    symlinkSync('0123456789abcdef.json', join(String(env.SKYCTL_STATE_DIR), 'watches', '1123456789abcdef.json'))
    const [skipped, left] = (await told()).split('\n').toSorted((a, b) => Number(a > b))
    expect(left).toMatch(
      /^skyctl: warning: the background process was killed before it could undo the change: tcp\/22 from all is open at /,
    )
    expect(skipped).toMatch(
      /^skyctl: warning: skipped a record of a change to undo: \S+\/1123456789abcdef\.json is not private: /,
    )
    expect(records()).toEqual(['1123456789abcdef.json'])
  })

  test('keeps no command from its work where what is to be told cannot be looked at', async ({ skyctl, env }) => {
    writeFileSync(join(String(env.SKYCTL_STATE_DIR), 'watches'), '')
    expect(await skyctl('regions view us-east -q')).toMatchObject({ exit: 0, stdout: 'us-east\n' })
    expect(await skyctl('firewalls close')).toMatchObject({ exit: 0, stderr: 'No temporary openings\n' })
  })

  test('is told once where its watcher has ended and nobody else undoes it', async ({ record, records, told }) => {
    record({ watch: { attached: false, first: running() } })
    const text = `${killed}tcp/22 from all is open at firewall "gate" (9100). Run: skyctl firewalls close 9100\n`
    expect({ told: await told(), records: records(), again: await told() }).toEqual({
      told: text,
      records: [],
      again: '',
    })
  })

  test('is told as possible where its answer was not there yet', async ({ record, told }) => {
    record({ watch: { stage: 'writing', undoings: [opening, change], account: ' --context prod' } })
    expect(await told()).toBe(
      `${killed}tcp/22 from all may be open at firewall "gate" (9100). Run: skyctl firewalls close 9100 --context prod\n` +
        `${killed}the unconfirmed change to the rules of firewall "wall" (9101) may be in effect. Run: skyctl firewalls rules undo 9101 --context prod\n`,
    )
  })

  test('is told as standing where rules were written and not confirmed', async ({ record, told }) => {
    record({ watch: { undoings: [change] } })
    expect(await told()).toBe(
      `${killed}the unconfirmed change to the rules of firewall "wall" (9101) is in effect. Run: skyctl firewalls rules undo 9101\n`,
    )
  })

  test('is not told, and forgotten, where nothing was sent', async ({ record, records, told }) => {
    record({ watch: { stage: 'nothing' } })
    expect({ told: await told(), records: records() }).toEqual({ told: '', records: [] })
  })

  test('is told to its user, and to no other of the same address', async ({
    record,
    records,
    told,
    skyctl,
    sandbox,
    world,
  }) => {
    const outcome = { ok: true, texts: ['closed'], time: 0 }
    record({ watch: { service: sandbox.baseUrl, user: { uid: 1, username: 'owner' } }, outcome })
    const other = { SKYCTL_TOKEN: world.token('*', 2) }
    expect((await skyctl('regions view us-east -q', { env: other })).stderr).toBe('')
    expect(records()).toHaveLength(1)
    expect({ told: await told(), records: records() }).toEqual({
      told: 'Since the last command, at 1970-01-01 00:00 UTC: closed\n',
      records: [],
    })
  })

  test('is closed without a name by its user, and by no other of the same address', async ({
    record,
    skyctl,
    sandbox,
    world,
  }) => {
    const { id } = world.network.firewall({ label: 'gate' })
    const first = running()
    const undoings = [{ ...opening, firewallId: id }]
    record({ watch: { service: sandbox.baseUrl, user: { uid: 1, username: 'owner' }, undoings, first } })
    const read = () => world.requests('GET').filter(({ path }) => path.startsWith('/networking/firewalls')).length
    const other = { SKYCTL_TOKEN: world.token('*', 2) }
    expect(await skyctl('firewalls close --yes', { env: other })).toMatchObject({ exit: 0 })
    expect(read()).toBe(0)
    expect(await skyctl('firewalls close --yes')).toMatchObject({ exit: 0 })
    expect(read()).toBeGreaterThan(0)
  })

  test('is told with what became of it, by time, what is open now last', async ({ record, records, told }) => {
    const at = (minute: number) => Date.UTC(2026, 0, 1, 12, minute)
    record({}, '0000000000000001')
    record({ outcome: { ok: true, texts: ['second'], time: at(2) } }, '0000000000000002')
    record({ outcome: { ok: false, texts: ['first', 'and more'], next: 'skyctl volumes list', time: at(1) } })
    expect((await told()).split('\n')).toEqual([
      'skyctl: warning: Since the last command, at 2026-01-01 12:01 UTC: first; and more. Run: skyctl volumes list',
      'Since the last command, at 2026-01-01 12:02 UTC: second',
      `${killed}tcp/22 from all is open at firewall "gate" (9100). Run: skyctl firewalls close 9100`,
      '',
    ])
    expect(records()).toEqual([])
  })
})
