/** `rules add` for several firewalls. */
import { describe, expect } from 'vitest'
import { ruleThat as rule, rulesOf } from './support/firewall-rules'
import { type Fixtures, test } from './support/skyctl'

const ssh = rule({ label: 'ssh' })
const flags = '--action accept --protocol tcp --port 443 --from 0.0.0.0/0 --label web --if-absent'

function arrange({ network }: Fixtures['world'], count = 3): string[] {
  return Array.from({ length: count }, (_, index) => {
    network.firewall({ id: 9100 + index, label: `edge-${index}`, rules: rulesOf([ssh]) as never })
    return `edge-${index}`
  })
}
const labels = ({ network }: Fixtures['world'], id: number) =>
  network.firewalls.get(id)?.rules.inbound.map(({ label }) => label)
const puts = (world: Fixtures['world']) => world.requests('PUT').map(({ path }) => path)

describe('rules add for several firewalls', () => {
  test.for([
    ['edge-0 edge-1 9102 inbound', undefined],
    ['edge-0 inbound edge-1 9102', undefined],
    ['- inbound', 'edge-0\nedge-1\n9102\n'],
    ['edge-0 - inbound', 'edge-1\n9102\n'],
  ] as const)('adds the rule to each, once however often it runs: %s', async ([words, stdin], { skyctl, world }) => {
    arrange(world)
    for (const summary of ['3 of 3 updated', 'none updated: 3 unchanged']) {
      const { exit, stderr } = await skyctl(`firewalls rules add ${words} ${flags}`, stdin ? { stdin } : {})
      expect({ exit, last: stderr.trimEnd().split('\n').at(-1) }).toEqual({ exit: 0, last: summary })
      for (const id of [9100, 9101, 9102]) expect(labels(world, id)).toEqual(['ssh', 'web'])
      expect(puts(world)).toHaveLength(3)
    }
  })

  test('reads the rules of all at once before it would ask', async ({ skyctl, world, meanwhile }) => {
    const names = arrange(world)
    const waiting: (() => void)[] = []
    await meanwhile({
      before({ method, path }) {
        if (method !== 'GET' || !path.endsWith('/rules') || waiting.length === names.length) return undefined
        // None is answered until all have arrived.
        return new Promise<void>((resolve) => {
          waiting.push(resolve)
          if (waiting.length === names.length) for (const go of waiting) go()
        })
      },
    })
    expect(await skyctl(`firewalls rules add ${names.join(' ')} inbound ${flags}`)).toMatchObject({ exit: 0 })
    for (const id of [9100, 9101, 9102]) expect(labels(world, id)).toEqual(['ssh', 'web'])
  })

  test('prints each as JSON in order, even if one failed: exit 9', async ({ skyctl, world }) => {
    arrange(world)
    const full = { ...rulesOf(Array.from({ length: 25 }, (_, index) => rule({ ports: String(index + 100) }))) }
    world.network.firewall({ id: 9105, label: 'full', rules: full as never })
    const line = `firewalls rules add edge-0 full edge-2 inbound ${flags} --json`
    const { exit, stdout, stderr } = await skyctl(line)
    expect({ exit, records: JSON.parse(stdout) }).toEqual({
      exit: 9,
      records: [
        { id: 9100, label: 'edge-0', ok: true, ...world.network.firewalls.get(9100)?.rules },
        { id: 9105, label: 'full', ok: false, error: expect.objectContaining({ code: 'refused' }) },
        { id: 9102, label: 'edge-2', ok: true, ...world.network.firewalls.get(9102)?.rules },
      ],
    })
    expect(JSON.parse(stderr.trimEnd().split('\n').at(-1) ?? '').error.code).toBe('some_failed')
    expect(labels(world, 9102)).toEqual(['ssh', 'web'])
  })

  test('prints the difference of each firewall with --dry-run, and sends nothing', async ({ skyctl, world }) => {
    arrange(world, 2)
    const { exit, stdout, stderr } = await skyctl(`firewalls rules add edge-0 edge-1 inbound ${flags} --dry-run`)
    expect({ exit, puts: puts(world), requests: stdout.match(/method: PUT/g) }).toEqual({
      exit: 0,
      puts: [],
      requests: ['method: PUT', 'method: PUT'],
    })
    for (const name of ['"edge-0" (9100)', '"edge-1" (9101)'])
      expect(stderr).toContain(`firewall ${name}:\nadded    inbound 2: ACCEPT TCP 443 "web" from 0.0.0.0/0\n`)
  })

  test('shows no difference if a firewall is not there: nothing will be changed', async ({ skyctl, world }) => {
    arrange(world)
    const { exit, stderr } = await skyctl(`firewalls rules add edge-0 inbound in ${flags}`)
    expect({ exit, puts: puts(world) }).toEqual({ exit: 9, puts: [] })
    expect(stderr).toContain('firewall "in" not found')
    expect(stderr).toContain('0 of 2 updated, 1 not tried')
    expect(stderr).not.toContain('added')
  })

  test('accepts --concurrency', async ({ skyctl, world }) => {
    const names = arrange(world, 12)
    const { exit, stderr } = await skyctl(`firewalls rules add ${names.join(' ')} inbound ${flags} --concurrency 3`)
    expect({ exit, stderr }).toEqual({ exit: 0, stderr: expect.stringContaining('12 of 12 updated\n') })
    expect(new Set(puts(world)).size).toBe(12)
  })

  test('does nothing if stdin is empty', async ({ skyctl, world }) => {
    expect(await skyctl(`firewalls rules add - inbound ${flags}`, { stdin: '' })).toMatchObject({
      exit: 0,
      stderr: 'Nothing to do: stdin names no firewall\n',
    })
    expect(puts(world)).toEqual([])
  })

  test.for([
    ['- inbound --body -', 'stdin cannot hold both'],
    ['edge-0 edge-1 inbound --if-match 0123456789ab', '--if-match works for one firewall only'],
    ['edge-0 edge-1', '"edge-1" is not a direction'],
  ])('rejects invalid combinations, and sends nothing: %s', async ([words, text], { skyctl, world }) => {
    arrange(world)
    const { exit, stderr } = await skyctl(`firewalls rules add ${words} ${flags}`, { stdin: '{}' })
    expect({ exit, stderr, puts: puts(world) }).toEqual({
      exit: 2,
      stderr: expect.stringContaining(text ?? ''),
      puts: [],
    })
  })
})
