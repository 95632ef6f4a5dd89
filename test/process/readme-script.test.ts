/** The script of docs/scripting.md, which never creates a second volume. */
import { chmodSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { controlHeader } from '../../src/sandbox/control'
import { test as base } from '../support/in-process-shell'
import { unreachableUrl } from '../support/nonexistent'
import type { ProcessResult } from '../support/process'

const page = readFileSync(join(import.meta.dirname, '../..', 'docs/scripting.md'), 'utf8')
const [, script = ''] = /```sh\n(#!\/bin\/sh\n.*?)```/s.exec(page) ?? []

interface Provision {
  provision(env?: Record<string, string>): Promise<ProcessResult>
  /** Volumes with the label of the script. */
  volumes(): { size: number; compute_id: number | null; region: string }[]
}

const test = base.extend<Provision>({
  provision: async ({ home, shell, world }, use) => {
    // The clock of the sandbox is stopped, while other processes wait.
    world.transitionMs = 0
    const file = join(home, 'provision.sh')
    writeFileSync(file, script)
    chmodSync(file, 0o700)
    await use((env = {}) => shell(file, { env }))
  },
  volumes: async ({ world }, use) => use(() => world.volumes.all().filter(({ label }) => label === 'data')),
})

/** Makes the next requests fail with 503. */
async function failNext({ baseUrl }: { baseUrl: string }, count: number): Promise<void> {
  const answer = await fetch(new URL('/sandbox/control', baseUrl), {
    method: 'PUT',
    headers: { [controlHeader.name]: controlHeader.value, 'content-type': 'application/json' },
    body: JSON.stringify({ fail: [{ status: 503, count }] }),
  })
  expect(answer.status).toBe(200)
}

const expected = { size: 40, region: 'us-east', compute_id: 1001 }

describe('The script of docs/scripting.md', () => {
  test('creates and attaches the volume, and changes nothing in the second run', async ({
    provision,
    volumes,
    world,
  }) => {
    expect(await provision()).toMatchObject({ exit: 0 })
    expect(volumes()).toEqual([expect.objectContaining(expected)])
    const sent = world.requests('POST').length
    expect(await provision()).toMatchObject({ exit: 0 })
    expect(volumes()).toHaveLength(1)
    expect(world.requests('POST')).toHaveLength(sent)
  })

  test('works with the context "sandbox", as in its job', async ({ provision, shell }) => {
    const env = { SKYCTL_CONTEXT: 'sandbox', SKYCTL_TOKEN: '', SKYCTL_BASE_URL: '' }
    for (const _ of [1, 2]) expect(await provision(env)).toMatchObject({ exit: 0 })
    const { stdout } = await shell('skyctl volumes list --filter label=data --columns size,compute_id -o tsv', { env })
    expect(stdout).toBe('size\tcompute_id\n40\t1001\n')
  })

  test('attaches an existing volume', async ({ provision, volumes, world }) => {
    world.volume({ label: 'data', size: 40, region: 'us-east' })
    expect(await provision()).toMatchObject({ exit: 0 })
    expect(volumes()).toEqual([expect.objectContaining(expected)])
  })

  test('creates one volume if it runs twice at once', async ({ provision, volumes }) => {
    const runs = await Promise.all([provision(), provision()])
    expect(runs).toMatchObject([{ exit: 0 }, { exit: 0 }])
    expect(volumes()).toEqual([expect.objectContaining(expected)])
  })

  test('leaves one volume if it runs on two machines at once', async ({ provision, volumes, home }) => {
    const runs = ['one', 'two'].map((name) => provision({ SKYCTL_STATE_DIR: join(home, name) }))
    const exits = (await Promise.all(runs)).map(({ exit }) => exit)
    expect(volumes()).toHaveLength(1)
    // One run may fail with exit code 6; the next run succeeds.
    expect(exits.filter((exit) => exit !== 0 && exit !== 6)).toEqual([])
    expect(await provision()).toMatchObject({ exit: 0 })
    expect(volumes()).toEqual([expect.objectContaining(expected)])
  })

  test.for([
    ['three 503 responses', 8, { failures: 3 }],
    ['an expired token', 3, { env: { SKYCTL_TOKEN: 'f'.repeat(64) } }],
    ['no network', 8, { env: { SKYCTL_BASE_URL: `${unreachableUrl}/v4` } }],
  ] as const)(
    'fails and creates nothing after %s: exit code %i',
    async ([, exit, fault], { provision, volumes, world, sandbox }) => {
      world.volume({ label: 'data', size: 40, region: 'us-east' })
      if ('failures' in fault) await failNext(sandbox, fault.failures)
      const ended = await provision('env' in fault ? fault.env : {})
      expect(ended).toMatchObject({ exit, stderr: expect.stringMatching(/^skyctl: /m) })
      expect(volumes()).toHaveLength(1)
      expect(world.requests('POST')).toEqual([])
    },
  )

  test('fails with exit code 6 and names both volumes with the label', async ({ provision, volumes, world }) => {
    const ids = [1, 2].map(() => world.volume({ label: 'data', size: 40, region: 'us-east' }).id)
    const { exit, stderr } = await provision()
    expect({ exit, volumes: volumes().length }).toEqual({ exit: 6, volumes: 2 })
    for (const id of ids) expect(stderr).toContain(`id:${id}`)
  })

  test('fails with exit code 6 if the volume has another size', async ({ provision, volumes, world }) => {
    world.volume({ label: 'data', size: 20, region: 'us-east' })
    expect(await provision()).toMatchObject({ exit: 6, stderr: expect.stringContaining('has size 20, not 40') })
    expect(volumes()).toHaveLength(1)
  })
})
