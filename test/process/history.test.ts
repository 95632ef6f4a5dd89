/** History of killed and concurrent processes. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished } from 'vitest'
import type { PastChange } from '../../src/catalogue/history'
import { bundleScript } from '../support/bundle'
import { type Lossy, lossyProxy } from '../support/lossy-proxy'
import { test as base } from '../support/process'

type KilledRun = (
  line: string,
  signal: 'SIGKILL' | 'SIGTERM',
  ...held: Parameters<Lossy['hold']>
) => Promise<{
  /** The service, whose answer or request may be lost. */
  SKYCTL_BASE_URL: string
}>

/** Kills a run at one of its requests, which the service then receives, unless it is lost. */
const test = base.extend<{ killedRun: KilledRun }>({
  killedRun: async ({ sandbox, start }, use) =>
    use(async (line, signal, ...held) => {
      const proxy = await lossyProxy(sandbox.baseUrl)
      onTestFinished(proxy.close)
      const { arrived, release, ended } = proxy.hold(...held)
      const env = { SKYCTL_BASE_URL: proxy.baseUrl }
      const running = start(line, { env })
      await arrived
      running.kill(signal)
      // After the first SIGTERM it waits for the answer.
      if (signal === 'SIGTERM') running.kill(signal)
      await running.end
      release()
      await ended
      return env
    }),
})

describe('A killed process', () => {
  test.for(['SIGKILL', 'SIGTERM'] as const)(
    'leaves a change with an unknown outcome and a next command: %s',
    async (signal, { skyctl, killedRun }) => {
      const line = 'volumes create --label new --region us-east --no-validate'
      await killedRun(line, signal, 'POST', '/volumes', 'request lost')
      const { stdout } = await skyctl('history --json')
      expect(JSON.parse(stdout)).toMatchObject([
        { outcome: 'unknown', label: 'new', next: 'skyctl volumes list --filter label=new', undo: null },
      ])
    },
  )

  test('has its creation completed by the run that resumes its journal and adopts the object', async ({
    world,
    skyctl,
    home,
    killedRun,
  }) => {
    const line = 'volumes create --label new --region us-east'
    const journal = join(home, 'journal')
    const env = await killedRun(`${line} --journal ${journal}`, 'SIGKILL', 'POST', '/volumes', 'none')
    const entries = async () => JSON.parse((await skyctl('history --json', { env })).stdout)
    expect(await entries()).toMatchObject([{ outcome: 'unknown', id: null }])
    expect(await skyctl(`${line} --resume ${journal}`, { env })).toMatchObject({ exit: 0 })
    const id = world.volumes.all().find(({ label }) => label === 'new')?.id
    expect(await entries()).toMatchObject([{ outcome: 'ok', id: String(id), next: null }])
  })

  test.for([
    ['deletion that was made', 'delete 7001 --yes', 'DELETE', '/volumes/7001', 'none'],
    ['deletion that was not made', 'delete 7001 --yes', 'DELETE', '/volumes/7001', 'request lost'],
    ['detachment that was made', 'detach 7002 --yes', 'POST', '/volumes/7002/detach', 'none'],
    ['detachment that was not made', 'detach 7002 --yes', 'POST', '/volumes/7002/detach', 'request lost'],
  ] as const)(
    'has its change completed by the run that resumes its journal: a %s',
    async ([, verb, method, path, fate], { world, skyctl, home, killedRun }) => {
      world.volume({ id: 7001 })
      world.volume({ id: 7002, region: 'us-east', compute_id: 1001 })
      const journal = join(home, 'journal')
      const env = await killedRun(`volumes ${verb} --journal ${journal}`, 'SIGKILL', method, path, fate)
      const entries = async () => JSON.parse((await skyctl('history --json', { env })).stdout)
      expect(await entries()).toMatchObject([{ outcome: 'unknown' }])
      expect(await skyctl(`volumes ${verb} --resume ${journal}`, { env })).toMatchObject({ exit: 0 })
      expect(await entries()).toMatchObject([{ outcome: 'ok', next: null }])
    },
  )

  test('keeps its entry if another machine resumes its journal, which records the change, too', async ({
    world,
    skyctl,
    home,
    killedRun,
  }) => {
    world.volume({ id: 7001 })
    const journal = join(home, 'journal')
    const line = `volumes delete 7001 --yes --journal ${journal}`
    const env = await killedRun(line, 'SIGKILL', 'DELETE', '/volumes/7001', 'request lost')
    const other = { ...env, SKYCTL_STATE_DIR: join(home, 'other') }
    expect(await skyctl(`volumes delete 7001 --yes --resume ${journal}`, { env: other })).toMatchObject({ exit: 0 })
    const outcomes = async (at: Record<string, string>) =>
      JSON.parse((await skyctl('history --json', { env: at })).stdout).map(({ outcome }: PastChange) => outcome)
    expect([await outcomes(env), await outcomes(other)]).toEqual([['unknown'], ['ok']])
  })
})

/** Runs a script in concurrent processes, each with one of the arguments. */
async function runWith(all: readonly string[], script: string): Promise<void> {
  const ends = all.map(async (argument) => {
    const child = spawn(process.execPath, [script, argument], { stdio: 'inherit' })
    return (await once(child, 'exit'))[0]
  })
  expect(new Set(await Promise.all(ends))).toEqual(new Set([0]))
}

describe('16 concurrent processes', () => {
  test('lose no entry', async ({ world, shell, skyctl, env }) => {
    const ids = Array.from({ length: 48 }, (_, index) => 7001 + index)
    for (const id of ids) world.volume({ id, label: `v${id}` })
    const lines = Array.from({ length: 16 }, (_, index) => ids.slice(index * 3, index * 3 + 3).join(' '))
    const { exit } = await shell(`${lines.map((line) => `skyctl volumes delete ${line} --yes -q &`).join(' ')} wait`)
    expect({ exit, left: world.volumes.all().filter(({ id }) => ids.includes(id)) }).toEqual({ exit: 0, left: [] })
    const past: PastChange[] = JSON.parse((await skyctl('history --json', { env })).stdout)
    expect(past.map(({ id }) => Number(id)).sort()).toEqual(ids)
    expect(past.filter(({ outcome }) => outcome !== 'ok')).toEqual([])
    expect(past.map(({ number }) => number)).toEqual(ids.map((_, index) => ids.length - index))
  })

  test('lose no line and repeat no number while files fill up', async ({ home, skyctl }) => {
    const folder = join(home, 'state/history')
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    const script = await bundleScript(
      home,
      `
      import { LedgerWriter } from './account/ledger/writer'
      const [own] = process.argv.slice(2)
      const writer = new LedgerWriter(${JSON.stringify(folder)})
      const append = (line) => writer.append(JSON.stringify(line), () => {})
      const start = { time: '2026-01-15T12:00:00.000Z', context: null, service: 'sandbox', command: 'x' }
      const work = async () => {
        for (let count = 0; count < 200; count += 1) {
          const entry = own.padStart(8, '0') + String(count).padStart(8, '0')
          await append({ entry, ...start, method: 'PUT', path: '/volumes/1', label: 'l'.repeat(100) })
          await append({ entry, ended: start.time, outcome: 'ok', id: Number(own) * 1000 + count })
        }
      }
      void work()
    `,
    )
    await runWith(
      Array.from({ length: 16 }, (_, own) => String(own + 1)),
      script,
    )
    const past: PastChange[] = JSON.parse((await skyctl('history --json')).stdout)
    expect(readdirSync(folder).length).toBeGreaterThan(3)
    expect(past).toHaveLength(16 * 200)
    expect(past.filter(({ outcome }) => outcome !== 'ok')).toEqual([])
    expect(new Set(past.map(({ number }) => number)).size).toBe(past.length)
    for (const name of readdirSync(folder)) expect(readFileSync(join(folder, name)).length).toBeLessThan(140 * 1024)
  })

  test('lose none of the last twenty backups of a firewall while files leave', async ({ home }) => {
    const folder = join(home, 'state/history')
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    const script = await bundleScript(
      home,
      `
      import { LedgerWriter } from './account/ledger/writer'
      const [own] = process.argv.slice(2)
      const writer = new LedgerWriter(${JSON.stringify(folder)})
      const work = async () => {
        for (let count = 0; count < 1_000; count += 1) {
          const entry = { id: own + ' ' + count, group: 'rules ' + own, account: 'lab', before: 'x'.repeat(600) }
          if (count < 100) await writer.append(JSON.stringify(entry), () => {})
          await writer.append(JSON.stringify({ entry: 'x'.repeat(600) }), () => {})
        }
      }
      void work()
    `,
    )
    const processes = ['1', '2', '3', '4', '5', '6', '7', '8', '9']
    await runWith(processes, script)
    const names = readdirSync(folder).sort((one, other) => Number.parseInt(one, 10) - Number.parseInt(other, 10))
    expect(names.slice(0, 2)).toEqual(['0.ndjson', expect.not.stringMatching(/^1\.ndjson$/)])
    const text = names.map((name) => readFileSync(join(folder, name), 'utf8')).join('')
    for (const own of processes) {
      const counts = [...text.matchAll(new RegExp(`"id":"${own} (\\d+)"`, 'g'))].map(([, count]) => Number(count))
      expect(counts.slice(-20)).toEqual(Array.from({ length: 20 }, (_, index) => 80 + index))
    }
  })
})
