/**
 * A service that returns every secret it was sent, at all possible places: none is printed, in any format and at any
 * verbosity. Sign-in secrets are redacted on stdout, too; other secrets may be data there.
 */
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { canary, filesBelow, places, plantCanary, type Run } from './support/canary'
import { twoOf } from './support/fast-check'
import { commands, samples } from './support/samples'
import { type EchoPlace, type EchoService, openEchoService } from './support/secret-echo-service'
import { test as base } from './support/skyctl'

interface Variant {
  place: EchoPlace
  flags: string
  columns?: number
}

interface EchoResult {
  run: Run
  service: EchoService
}

const test = base.extend<{ runEchoed(path: string, variant: Variant): Promise<EchoResult> }>({
  /** Runs a command's sample on such a service, with the canary as its token. */
  runEchoed: async ({ skyctl, sandbox, world, env, home, clock }, use) => {
    const services: EchoService[] = []
    await use(async (path, { place, flags, columns }) => {
      const sample = samples[path]
      plantCanary(world)
      await sample?.arrange?.({ skyctl, sandbox, world, env, home, clock })
      const service = await openEchoService(sandbox.baseUrl, place)
      services.push(service)
      const line = `${path} ${sample?.line} ${flags.replace('FILE', join(home, 'debug.log'))}`
      const result = await skyctl(line.replaceAll(sandbox.baseUrl, service.baseUrl), {
        env: { SKYCTL_TOKEN: canary, SKYCTL_BASE_URL: service.baseUrl },
        stdin: sample?.stdin?.replace('TOKEN', canary),
        ...(columns !== undefined && { columns }),
      })
      const files = filesBelow(home).filter((file) => /^debug\.log$|\bnames\b/.test(file.path))
      return { run: { ...result, files }, service }
    })
    for (const service of services) await service.close()
  },
})

const variants: readonly Variant[] = [
  { place: 'labels', flags: '--json --debug' },
  { place: 'labels', flags: '-v', columns: 80 },
  { place: 'texts', flags: '-o yaml --debug --debug-file FILE' },
  { place: 'errors', flags: '' },
  { place: 'errors', flags: '--json --debug -v' },
  { place: 'warnings', flags: '-o csv --debug-file FILE' },
]

/** Tries two variants with each command, and all with RUNS=1. */
const numbered = commands.filter(({ path }) => samples[path]).map(({ path }, turn) => ({ path, turn }))

describe.for(numbered)('$path', ({ path, turn }) => {
  test.for(twoOf(variants, turn))('prints no secret that $place return: $flags', async (variant, { runEchoed }) => {
    const { run, service } = await runEchoed(path, variant)
    // A cut canary would still have its beginning.
    expect(places(canary.slice(0, 32), run)).toEqual([])
    for (const secret of service.secrets) {
      expect({ secret, places: places(secret, run).filter((one) => one !== 'stdout') }).toEqual({ secret, places: [] })
    }
  })
})

test.for<[Variant, string[]]>([
  [{ place: 'labels', flags: '--json --debug' }, ['stdout', 'stderr']],
  [{ place: 'labels', flags: '-o csv' }, ['stdout']],
  [{ place: 'labels', flags: '', columns: 120 }, ['stdout']],
  [{ place: 'errors', flags: '' }, ['stderr']],
  [{ place: 'errors', flags: '--json' }, ['stderr']],
  [{ place: 'warnings', flags: '--debug-file FILE' }, ['stderr', 'debug.log']],
])('a redacted secret leaves a marker: %j', async ([variant, where], { runEchoed }) => {
  // This service returns errors from the second response on.
  const { run, service } = await runEchoed(variant.place === 'errors' ? 'tokens rotate' : 'volumes list', variant)
  expect(service.secrets.has(canary)).toBe(true)
  expect(places('[redacted]', run)).toEqual(where)
})
