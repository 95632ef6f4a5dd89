/**
 * A service that says again whatever secret it was sent, in every place where it can: none of it comes out, whatever
 * the format and however much is told. What signs in is hidden in what is printed as well; the rest may be data there.
 */
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { canary, filesBelow, places, plantCanary, type Run } from './support/canary'
import { type Echoing, openEchoing, type Place } from './support/echoing'
import { twoOf } from './support/fast-check'
import { commands, samples } from './support/samples'
import { test as base } from './support/skyctl'

interface Way {
  place: Place
  flags: string
  columns?: number
}

interface Answered {
  run: Run
  service: Echoing
}

const test = base.extend<{ echoed(path: string, way: Way): Promise<Answered> }>({
  /** Runs a command's sample on such a service, with the canary as its token. */
  echoed: async ({ skyctl, sandbox, world, env, home, clock }, use) => {
    const opened: Echoing[] = []
    await use(async (path, { place, flags, columns }) => {
      const sample = samples[path]
      plantCanary(world)
      await sample?.arrange?.({ skyctl, sandbox, world, env, home, clock })
      const service = await openEchoing(sandbox.baseUrl, place)
      opened.push(service)
      const line = `${path} ${sample?.line} ${flags.replace('FILE', join(home, 'debug.log'))}`
      const result = await skyctl(line.replaceAll(sandbox.baseUrl, service.baseUrl), {
        env: { SKYCTL_TOKEN: canary, SKYCTL_BASE_URL: service.baseUrl },
        stdin: sample?.stdin?.replace('TOKEN', canary),
        ...(columns !== undefined && { columns }),
      })
      const files = filesBelow(home).filter((file) => /^debug\.log$|\bnames\b/.test(file.path))
      return { run: { ...result, files }, service }
    })
    for (const service of opened) await service.close()
  },
})

const ways: readonly Way[] = [
  { place: 'labels', flags: '--json --debug' },
  { place: 'labels', flags: '-v', columns: 80 },
  { place: 'texts', flags: '-o yaml --debug --debug-file FILE' },
  { place: 'errors', flags: '' },
  { place: 'errors', flags: '--json --debug -v' },
  { place: 'warnings', flags: '-o csv --debug-file FILE' },
]

/** Each command has two of the ways; RUNS=1 tries all. */
const inTurn = commands.filter(({ path }) => samples[path]).map(({ path }, turn) => ({ path, turn }))

describe.for(inTurn)('$path', ({ path, turn }) => {
  test.for(twoOf(ways, turn))('shows nothing that $place say again: $flags', async (way, { echoed }) => {
    const { run, service } = await echoed(path, way)
    // Of one that was cut there is still the beginning.
    expect(places(canary.slice(0, 32), run)).toEqual([])
    for (const secret of service.heard) {
      expect({ secret, places: places(secret, run).filter((one) => one !== 'stdout') }).toEqual({ secret, places: [] })
    }
  })
})

test.for<[Way, string[]]>([
  [{ place: 'labels', flags: '--json --debug' }, ['stdout', 'stderr']],
  [{ place: 'labels', flags: '-o csv' }, ['stdout']],
  [{ place: 'labels', flags: '', columns: 120 }, ['stdout']],
  [{ place: 'errors', flags: '' }, ['stderr']],
  [{ place: 'errors', flags: '--json' }, ['stderr']],
  [{ place: 'warnings', flags: '--debug-file FILE' }, ['stderr', 'debug.log']],
])('What was hidden is said to be: %j', async ([way, where], { echoed }) => {
  // The errors begin with the second answer.
  const { run, service } = await echoed(way.place === 'errors' ? 'tokens rotate' : 'volumes list', way)
  expect(service.heard.has(canary)).toBe(true)
  expect(places('[redacted]', run)).toEqual(where)
})
