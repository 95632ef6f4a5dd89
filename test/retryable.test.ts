/** `retryable` is true only if running the same line again cannot do anything twice (interface.md, Errors). */
import { describe, expect } from 'vitest'
import type { Operation } from '../src/catalogue/operation'
import { faultServer, silence } from './support/fault-server'
import { badGateway } from './support/lossy-proxy'
import { commands, samples } from './support/samples'
import { test } from './support/skyctl'

interface ChangeCase {
  path: string
  operations: readonly Operation[]
  /** Number of changes before the service becomes unavailable. */
  count: number
}

/** Excludes openings, which a background process closes later. */
const isExcluded = (path: string) => path === 'firewalls open' || !samples[path]

const cases: readonly ChangeCase[] = commands.flatMap(({ path, command: { operations = [] } }) => {
  const isChange = operations.some(({ method }) => method !== 'GET')
  return isChange && !isExcluded(path) ? [1, 2].map((count) => ({ path, operations, count })) : []
})

const lastError = (stderr: string) => JSON.parse(stderr.trimEnd().split('\n').at(-1) ?? '').error

describe('an outage after change', () => {
  test.for(cases)(
    '$count of "$path" is retryable only if another run repeats nothing',
    async ({ path, operations, count }, { skyctl, sandbox, world, env, home, clock, meanwhile }) => {
      await samples[path]?.arrange?.({ skyctl, sandbox, world, env, home, clock })
      const changes: string[] = []
      await meanwhile({
        before: () => (changes.length >= count ? 'drop' : undefined),
        after: ({ method }) => void (method !== 'GET' && changes.push(method)),
      })
      const { line = '', stdin = '' } = samples[path] ?? {}
      const { exit, stderr } = await skyctl(`${path} ${line} --yes --json --retries 0`, {
        stdin: stdin.replace('TOKEN', sandbox.ownerToken),
      })
      const sent = operations.filter(({ method }) => changes.includes(method))
      if (exit !== 0 && sent.some(({ idempotency }) => idempotency !== 'idempotent'))
        expect(lastError(stderr)).toMatchObject({ retryable: false })
    },
  )
})

test('a read that timed out is retryable', async ({ skyctl }) => {
  const { env } = await faultServer(silence)
  const { exit, stderr } = await skyctl('volumes list --json --timeout 200ms --retries 0', { env })
  expect({ exit, error: lastError(stderr) }).toMatchObject({ exit: 8, error: { code: 'unavailable', retryable: true } })
})

test.for([
  'volumes update 9001 --label other',
  'volumes delete 9001',
  'volumes resize 9001 --size 40',
  'volumes clone 9001 --label other',
])('a write with a 502 may have been done, and is not retryable: %s', async (line, { skyctl, lossy, world }) => {
  world.volume({ id: 9001, size: 20 })
  for (const method of ['PUT', 'DELETE', 'POST', 'POST']) {
    lossy.lose(method, /^\/volumes\/9001/, { done: false, reply: badGateway })
  }
  const { exit, stderr } = await skyctl(`${line} --yes --json --retries 0`)
  expect({ exit, error: lastError(stderr) }).toMatchObject({
    exit: 11,
    error: { code: 'outcome_unknown', retryable: false },
  })
})
