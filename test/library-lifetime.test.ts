/** The life of a library's account: signals, warnings of the program, many waits at once, and the end. */
import { describe, expect } from 'vitest'
import { openAccount, type Problem } from '../src/library'
import { failureOf, test } from './support/library'
import type { Fixtures } from './support/skyctl'

const body = { label: 'data', region: 'us-east' }

/** Resolves when a program has requested a volume that it created: then it waits. */
const waits = (world: Fixtures['world']) =>
  expect
    .poll(() => {
      const volume = world.volumes.all().find(({ label }) => label === 'data')
      return world.requests('GET').some(({ path }) => path === `/volumes/${volume?.id}`)
    })
    .toBe(true)

describe('a signal', () => {
  test('that is aborted while a creation waits leaves a problem with the created volume', async ({
    library,
    world,
  }) => {
    world.transitionMs = 600_000
    const stop = new AbortController()
    const creation = library({ signal: stop.signal }).call('volumes.create', body, { wait: true })
    const failure = creation.catch((error: Problem) => error)
    await waits(world)
    const reason = new Error('enough')
    stop.abort(reason)
    const problem = (await failure) as Problem
    const { id } = world.volumes.all().find(({ label }) => label === 'data') ?? {}
    expect(problem).toMatchObject({
      name: 'Problem',
      code: 'interrupted',
      message: expect.stringMatching(/^aborted: enough while waiting for volume /),
      details: { created: { kind: 'volume', id, label: 'data' }, answer: { id }, retryable: false },
    })
    expect(problem.details.hint).toContain(`skyctl volumes wait ${id} --for active`)
  })

  test('that is aborted already prevents all requests', async ({ library, world }) => {
    const { outcome } = library({ signal: AbortSignal.abort(new Error('enough')) })
    expect(await outcome('volumes.create', body)).toMatchObject({ code: 'interrupted', message: 'aborted: enough' })
    expect(world.requests()).toEqual([])
    const usual = library({ signal: AbortSignal.abort() })
    expect(await usual.outcome('volumes.create', body)).toMatchObject({ message: 'aborted' })
  })
})

describe('a closed account', () => {
  test('refuses every method and request, and sends nothing', async ({ env, world }) => {
    const account = openAccount({ env })
    const view = Reflect.get(Object(account.profile), 'view')
    await view()
    await account.close()
    await account.close()
    const before = world.requests().length
    const methods = [view, account.user, () => account.request({ method: 'GET', path: '/profile' })]
    for (const method of methods) {
      const error: Problem = await method().catch((reason: unknown) => reason)
      expect({ ...failureOf(error), retryable: error.details.retryable ?? false }).toEqual({
        code: 'usage',
        message: 'the account is closed',
        hint: 'Open another one with openAccount()',
        retryable: false,
      })
    }
    expect(world.requests()).toHaveLength(before)
  })

  test('ends its waits, with what they created', async ({ env, world }) => {
    world.transitionMs = 600_000
    const account = openAccount({ env })
    const create = Reflect.get(Object(account.volumes), 'create')
    const failure = create(body, { wait: true }).catch((error: unknown) => error)
    await waits(world)
    await account.close()
    expect(await failure).toMatchObject({ code: 'usage', details: { created: { kind: 'volume', label: 'data' } } })
  })
})

describe('a warning that the program fails to take', () => {
  test.for([
    [
      'throws',
      () => {
        throw new Error('no log')
      },
    ],
    ['rejects', () => Promise.reject(new Error('no log'))],
    ['never ends', () => new Promise(() => {})],
  ] as const)('loses no creation whose answer was lost: it %s', async ([, onWarning], { library, lossy, world }) => {
    lossy.lose('POST', '/volumes', 'answer lost')
    const warnings: string[] = []
    const { outcome } = library({
      onWarning(text) {
        warnings.push(text)
        return onWarning()
      },
    })
    expect(await outcome('volumes.create', body)).toBe('done')
    expect(warnings).toEqual([expect.stringMatching(/^the answer was lost, but volume "data" \(\d+\) was created$/)])
    expect(world.volumes.all().filter(({ label }) => label === 'data')).toHaveLength(1)
  })
})

test('many waits at once cause no warning of a leak', async ({ library, world }) => {
  world.transitionMs = 600_000
  const warnings: string[] = []
  const note = ({ name }: Error) => warnings.push(name)
  process.on('warning', note)
  const stop = new AbortController()
  const { outcome } = library({ signal: stop.signal })
  const labels = Array.from({ length: 14 }, (_, at) => `many-${at}`)
  const creations = labels.map((label) => outcome('volumes.create', { ...body, label }, { wait: true }))
  await expect.poll(() => world.requests('POST').length).toBe(labels.length)
  await expect.poll(() => world.requests('GET').some(({ path }) => path.startsWith('/volumes?'))).toBe(true)
  await new Promise((resolve) => setImmediate(resolve))
  stop.abort()
  for (const one of await Promise.all(creations)) expect(one).toMatchObject({ code: 'interrupted' })
  process.off('warning', note)
  expect(warnings).toEqual([])
})
