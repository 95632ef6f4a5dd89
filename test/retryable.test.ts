/** `retryable` is true only where the same line, run again, can do nothing twice (interface.md, Errors). */
import { describe, expect } from 'vitest'
import type { Operation } from '../src/catalogue/operation'
import { faultServer, silence } from './support/fault-server'
import { badGateway } from './support/lossy'
import { commands, samples } from './support/samples'
import { test } from './support/skyctl'

interface Changing {
  path: string
  operations: readonly Operation[]
  /** How many changes are made before the service is gone. */
  made: number
}

/** An opening is closed by a process of its own, for as long as that takes. */
const isElsewhere = (path: string) => path === 'firewalls open' || !samples[path]

const cases: readonly Changing[] = commands.flatMap(({ path, command: { operations = [] } }) => {
  const isChange = operations.some(({ method }) => method !== 'GET')
  return isChange && !isElsewhere(path) ? [1, 2].map((made) => ({ path, operations, made })) : []
})

const lastError = (stderr: string) => JSON.parse(stderr.trimEnd().split('\n').at(-1) ?? '').error

describe('A service that is gone after change', () => {
  test.for(cases)(
    '$made of "$path" lets the line be run again only where that repeats nothing',
    async ({ path, operations, made }, { skyctl, sandbox, world, env, home, clock, meanwhile }) => {
      await samples[path]?.arrange?.({ skyctl, sandbox, world, env, home, clock })
      const changes: string[] = []
      await meanwhile({
        before: () => (changes.length >= made ? 'drop' : undefined),
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

test('A read that timed out may be run again', async ({ skyctl }) => {
  const { env } = await faultServer(silence)
  const { exit, stderr } = await skyctl('volumes list --json --timeout 200ms --retries 0', { env })
  expect({ exit, error: lastError(stderr) }).toMatchObject({ exit: 8, error: { code: 'unavailable', retryable: true } })
})

test.for([
  'volumes update 9001 --label other',
  'volumes delete 9001',
  'volumes resize 9001 --size 40',
  'volumes clone 9001 --label other',
])(
  'A write that a gateway answers with 502 may have been done, and is not retryable: %s',
  async (line, { skyctl, lossy, world }) => {
    world.volume({ id: 9001, size: 20 })
    for (const method of ['PUT', 'DELETE', 'POST', 'POST']) {
      lossy.lose(method, /^\/volumes\/9001/, { done: false, reply: badGateway })
    }
    const { exit, stderr } = await skyctl(`${line} --yes --json --retries 0`)
    expect({ exit, error: lastError(stderr) }).toMatchObject({
      exit: 11,
      error: { code: 'outcome_unknown', retryable: false },
    })
  },
)
