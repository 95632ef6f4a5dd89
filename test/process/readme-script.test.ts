/** The script of docs/scripting.md: however it is run, and whatever fails, there is never a second volume. */
import { chmodSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { controlHeader } from '../../src/sandbox/control'
import { test as base } from '../support/here'
import { deadEnd } from '../support/nowhere'
import type { Ended } from '../support/process'

const page = readFileSync(join(import.meta.dirname, '../..', 'docs/scripting.md'), 'utf8')
const [, script = ''] = /```sh\n(#!\/bin\/sh\n.*?)```/s.exec(page) ?? []

interface Provision {
  provision(env?: Record<string, string>): Promise<Ended>
  /** The volumes that the script is about. */
  volumes(): { size: number; compute_id: number | null; region: string }[]
}

const test = base.extend<Provision>({
  provision: async ({ home, shell, world }, use) => {
    // Its clock stands still while other processes wait.
    world.transitionMs = 0
    const file = join(home, 'provision.sh')
    writeFileSync(file, script)
    chmodSync(file, 0o700)
    await use((env = {}) => shell(file, { env }))
  },
  volumes: async ({ world }, use) => use(() => world.volumes.all().filter(({ label }) => label === 'data')),
})

/** Lets the next requests fail with 503. */
async function fail({ baseUrl }: { baseUrl: string }, count: number): Promise<void> {
  const answer = await fetch(new URL('/sandbox/control', baseUrl), {
    method: 'PUT',
    headers: { [controlHeader.name]: controlHeader.value, 'content-type': 'application/json' },
    body: JSON.stringify({ fail: [{ status: 503, count }] }),
  })
  expect(answer.status).toBe(200)
}

const wanted = { size: 40, region: 'us-east', compute_id: 1001 }

describe('the script of docs/scripting.md', () => {
  test('makes the volume and attaches it, and then changes nothing', async ({ provision, volumes, world }) => {
    expect(await provision()).toMatchObject({ exit: 0 })
    expect(volumes()).toEqual([expect.objectContaining(wanted)])
    const sent = world.requests('POST').length
    expect(await provision()).toMatchObject({ exit: 0 })
    expect(volumes()).toHaveLength(1)
    expect(world.requests('POST')).toHaveLength(sent)
  })

  test('does so against the context "sandbox", as its job has it', async ({ provision, shell }) => {
    const env = { SKYCTL_CONTEXT: 'sandbox', SKYCTL_TOKEN: '', SKYCTL_BASE_URL: '' }
    for (const _ of [1, 2]) expect(await provision(env)).toMatchObject({ exit: 0 })
    const { stdout } = await shell('skyctl volumes list --filter label=data --columns size,compute_id -o tsv', { env })
    expect(stdout).toBe('size\tcompute_id\n40\t1001\n')
  })

  test('attaches a volume that is there', async ({ provision, volumes, world }) => {
    world.volume({ label: 'data', size: 40, region: 'us-east' })
    expect(await provision()).toMatchObject({ exit: 0 })
    expect(volumes()).toEqual([expect.objectContaining(wanted)])
  })

  test('run twice at once, makes one volume', async ({ provision, volumes }) => {
    const runs = await Promise.all([provision(), provision()])
    expect(runs).toMatchObject([{ exit: 0 }, { exit: 0 }])
    expect(volumes()).toEqual([expect.objectContaining(wanted)])
  })

  test('run twice at once on two machines, leaves one volume', async ({ provision, volumes, home }) => {
    const runs = ['one', 'two'].map((name) => provision({ SKYCTL_STATE_DIR: join(home, name) }))
    const exits = (await Promise.all(runs)).map(({ exit }) => exit)
    expect(volumes()).toHaveLength(1)
    // One may have to give way (6); run again, it finds all as it shall be.
    expect(exits.filter((exit) => exit !== 0 && exit !== 6)).toEqual([])
    expect(await provision()).toMatchObject({ exit: 0 })
    expect(volumes()).toEqual([expect.objectContaining(wanted)])
  })

  test.for([
    ['three answers of 503', 8, { failures: 3 }],
    ['an expired token', 3, { env: { SKYCTL_TOKEN: 'f'.repeat(64) } }],
    ['no network', 8, { env: { SKYCTL_BASE_URL: `${deadEnd}/v4` } }],
  ] as const)(
    'with %s ends with %i and makes none, though one is there',
    async ([, exit, fault], { provision, volumes, world, sandbox }) => {
      world.volume({ label: 'data', size: 40, region: 'us-east' })
      if ('failures' in fault) await fail(sandbox, fault.failures)
      const ended = await provision('env' in fault ? fault.env : {})
      expect(ended).toMatchObject({ exit, stderr: expect.stringMatching(/^skyctl: /m) })
      expect(volumes()).toHaveLength(1)
      expect(world.requests('POST')).toEqual([])
    },
  )

  test('with two volumes of the label ends with 6 and names both', async ({ provision, volumes, world }) => {
    const ids = [1, 2].map(() => world.volume({ label: 'data', size: 40, region: 'us-east' }).id)
    const { exit, stderr } = await provision()
    expect({ exit, volumes: volumes().length }).toEqual({ exit: 6, volumes: 2 })
    for (const id of ids) expect(stderr).toContain(`id:${id}`)
  })

  test('with a volume of another size ends with 6', async ({ provision, volumes, world }) => {
    world.volume({ label: 'data', size: 20, region: 'us-east' })
    expect(await provision()).toMatchObject({ exit: 6, stderr: expect.stringContaining('has size 20, not 40') })
    expect(volumes()).toHaveLength(1)
  })
})
