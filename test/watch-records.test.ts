/**
 * Reports about changes that a background process should undo, printed by the next command (state.md, Guards around
 * firewalls).
 */
import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { type ProcessName, self } from '../src/files/process-id'
import { ruleSet, ssh, web } from './support/firewall-rules'
import { test as base } from './support/skyctl'

/** Returns an ended process: the kernel assigns no pid above 4 million (proc(5), pid_max). */
const endedProcess = (): ProcessName => ({ ...self(), pid: 5_000_000 })
const runningProcess = (): ProcessName => self()
/** Returns a process on another machine with the same state folder, which cannot be checked. */
const remoteProcess = (): ProcessName => ({ pid: 5_000_000, host: 'another', boot: 'another' })

/** Fields of the file of a watch. */
type Fields = Record<string, unknown>

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
  /** Writes the file of a watch; by default both its processes have ended. */
  record(fields: Fields, name?: string): void
  records(): string[]
  /** Returns the stderr of a command that prints reports first. */
  reports(): Promise<string>
}>({
  record: async ({ env }, use) => {
    const folder = join(String(env.SKYCTL_STATE_DIR), 'watches')
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    await use((fields, name = '0123456789abcdef') => {
      const account = { service: 'https://elsewhere.example.net/v4', context: null }
      const processes = { attached: true, first: endedProcess(), watcher: endedProcess() }
      const watch = { ...account, ...processes, undoings: [opening], stage: 'written', deadline: null, ...fields }
      writeFileSync(join(folder, `${name}.ndjson`), JSON.stringify(watch), { mode: 0o600 })
    })
  },
  records: async ({ env }, use) => use(() => readdirSync(join(String(env.SKYCTL_STATE_DIR), 'watches'))),
  reports: async ({ skyctl }, use) => use(async () => (await skyctl('regions view us-east -q')).stderr),
})

const killed = 'skyctl: warning: the background process was killed before it could undo the change: '

describe('a change that a watcher should undo', () => {
  test.for<[what: string, fields: () => Fields]>([
    ['its watcher runs', () => ({ watcher: runningProcess(), attached: false })],
    ['its watcher may run on another machine', () => ({ watcher: remoteProcess() })],
    ['its first process runs, which starts another watcher', () => ({ first: runningProcess() })],
    ['its first process may run on another machine', () => ({ first: remoteProcess() })],
  ])('is left to its processes without a report if %s', async ([, fields], { record, records, reports }) => {
    record(fields())
    expect({ reports: await reports(), records: records().length }).toEqual({ reports: '', records: 1 })
  })

  test('is skipped with a warning if its record is not private; others are reported', async ({
    record,
    records,
    reports,
    env,
  }) => {
    record({})
    symlinkSync('0123456789abcdef.ndjson', join(String(env.SKYCTL_STATE_DIR), 'watches', '1123456789abcdef.ndjson'))
    const [skipped, report] = (await reports()).split('\n').toSorted((a, b) => Number(a > b))
    expect(report).toMatch(
      /^skyctl: warning: the background process was killed before it could undo the change: tcp\/22 from all is open at /,
    )
    expect(skipped).toMatch(
      /^skyctl: warning: skipped a record of a change to undo: \S+\/1123456789abcdef\.ndjson is not private: /,
    )
    expect(records()).toEqual(['1123456789abcdef.ndjson'])
  })

  test('does not stop a command if the records cannot be read', async ({ skyctl, env }) => {
    writeFileSync(join(String(env.SKYCTL_STATE_DIR), 'watches'), '')
    expect(await skyctl('regions view us-east -q')).toMatchObject({ exit: 0, stdout: 'us-east\n' })
    expect(await skyctl('firewalls close')).toMatchObject({ exit: 0, stderr: 'No temporary openings\n' })
  })

  test('is reported once if its watcher has ended and nobody else undoes it', async ({ record, records, reports }) => {
    record({ attached: false, first: runningProcess() })
    const text = `${killed}tcp/22 from all is open at firewall "gate" (9100). Run: skyctl firewalls close 9100\n`
    expect({ reports: await reports(), records: records(), again: await reports() }).toEqual({
      reports: text,
      records: [],
      again: '',
    })
  })

  test('is reported as possible if its response was not recorded', async ({ record, reports }) => {
    record({ stage: 'writing', undoings: [opening, change], context: 'prod' })
    expect(await reports()).toBe(
      `${killed}tcp/22 from all may be open at firewall "gate" (9100). Run: skyctl firewalls close 9100 --context prod\n` +
        `${killed}the unconfirmed change to the rules of firewall "wall" (9101) may be in effect. Run: skyctl firewalls rules undo 9101 --context prod\n`,
    )
  })

  test('is reported as current if rules were written and not confirmed', async ({ record, reports }) => {
    record({ undoings: [change] })
    expect(await reports()).toBe(
      `${killed}the unconfirmed change to the rules of firewall "wall" (9101) is in effect. Run: skyctl firewalls rules undo 9101\n`,
    )
  })

  test('is dropped without a report if nothing was sent', async ({ record, records, reports }) => {
    record({ stage: 'nothing' })
    expect({ reports: await reports(), records: records() }).toEqual({ reports: '', records: [] })
  })

  test('is reported to its user, and to no other user at the same address', async ({
    record,
    records,
    reports,
    skyctl,
    sandbox,
    world,
  }) => {
    const outcome = { ok: true, texts: ['closed'], time: 0 }
    record({ service: sandbox.baseUrl, user: { uid: 1, username: 'owner' }, outcome })
    const other = { SKYCTL_TOKEN: world.token('*', 2) }
    expect((await skyctl('regions view us-east -q', { env: other })).stderr).toBe('')
    expect(records()).toHaveLength(1)
    expect({ reports: await reports(), records: records() }).toEqual({
      reports: 'Since the last command, at 1970-01-01 00:00 UTC: closed\n',
      records: [],
    })
  })

  test('is closed by firewalls close of its user, and of no other user at the same address', async ({
    record,
    skyctl,
    sandbox,
    world,
  }) => {
    const { id } = world.network.firewall({ label: 'gate' })
    const first = runningProcess()
    const undoings = [{ ...opening, firewallId: id }]
    record({ service: sandbox.baseUrl, user: { uid: 1, username: 'owner' }, undoings, first })
    const read = () => world.requests('GET').filter(({ path }) => path.startsWith('/networking/firewalls')).length
    const other = { SKYCTL_TOKEN: world.token('*', 2) }
    expect(await skyctl('firewalls close --yes', { env: other })).toMatchObject({ exit: 0 })
    expect(read()).toBe(0)
    expect(await skyctl('firewalls close --yes')).toMatchObject({ exit: 0 })
    expect(read()).toBeGreaterThan(0)
  })

  test('is reported with its outcome, by time, with present openings last', async ({ record, records, reports }) => {
    const at = (minute: number) => Date.UTC(2026, 0, 1, 12, minute)
    record({}, '0000000000000001')
    record({ outcome: { ok: true, texts: ['second'], time: at(2) } }, '0000000000000002')
    record({ outcome: { ok: false, texts: ['first', 'and more'], next: 'skyctl volumes list', time: at(1) } })
    expect((await reports()).split('\n')).toEqual([
      'skyctl: warning: Since the last command, at 2026-01-01 12:01 UTC: first; and more. Run: skyctl volumes list',
      'Since the last command, at 2026-01-01 12:02 UTC: second',
      `${killed}tcp/22 from all is open at firewall "gate" (9100). Run: skyctl firewalls close 9100`,
      '',
    ])
    expect(records()).toEqual([])
  })
})
