/** Recovery of lost answers by the kind of object that the operation creates. */
import { PassThrough } from 'node:stream'
import { describe, expect } from 'vitest'
import type { Account } from '../../src/account/account'
import { send } from '../../src/account/change'
import { volumeResource } from '../../src/account/resources/volume'
import { catalogue } from '../../src/catalogue'
import { volumes } from '../../src/catalogue/volumes'
import { RunSession } from '../../src/cli/run-session'
import { program } from '../../src/commands/index'
import { changeCommand } from '../../src/engine/change-command'
import { Problem } from '../../src/errors'
import { KnownSecrets } from '../../src/rules/secrets'
import { lossyProxy } from '../support/lossy-proxy'
import { missingHome } from '../support/nonexistent'
import { test } from '../support/skyctl'

/** A fictitious operation with the path of a clone, which does not create a volume. */
const { creates: _volume, ...cloning } = volumes.clone
const copy = changeCommand({
  name: 'copy',
  action: { operation: cloning, resource: volumeResource, undo: { by: 'hand', advice: 'Delete it' } },
  done: () => 'Copied',
})

describe('An operation that does not create its own kind of object', () => {
  test('never adopts a new object of that kind after a lost answer', async ({ sandbox, world, clock, env }) => {
    const proxy = await lossyProxy(sandbox.baseUrl)
    const { id } = world.volume({ label: 'source' })
    proxy.lose('POST', `/volumes/${id}/clone`, 'answer lost')
    const io = {
      argv: [],
      env: { ...env, SKYCTL_BASE_URL: proxy.baseUrl },
      stdin: new PassThrough(),
      stdout: new PassThrough(),
      stderr: new PassThrough(),
      platform: 'linux' as const,
      homedir: () => missingHome,
      clock,
      random: () => 0.5,
      onSignal: () => () => {},
      catchSignals: () => () => {},
      program: [],
      loadAll() {},
    }
    const flags = { label: 'new' }
    const session = await RunSession.open(io, flags, {
      signal: new AbortController().signal,
      secrets: new KnownSecrets(),
    })
    const running = copy.run({ arguments: [String(id)], flags, program }, session)
    await expect(running).rejects.toMatchObject({ code: 'outcome_unknown' })
    await session.close()
    await proxy.close()
    expect(world.volumes.all().filter(({ label }) => label === 'new')).toHaveLength(1)
  })
})

test.for([true, false])(
  'A lost answer is recovered unless the command was interrupted (interrupted: %s)',
  async (interrupted) => {
    const lost = new Problem('outcome_unknown', 'the connection was lost')
    const account = {
      signal: interrupted ? AbortSignal.abort() : new AbortController().signal,
      client: async () => ({ call: () => Promise.reject(lost) }),
      changeLog: async () => undefined,
    } as unknown as Account
    let recoveries = 0
    const recover = async () => {
      recoveries += 1
      throw lost
    }
    const change = { operation: volumes.create, body: { label: 'new' }, recover, done: () => 'Created' }
    await expect(send(change, account)).rejects.toBe(lost)
    expect(recoveries).toBe(interrupted ? 0 : 1)
  },
)

test('Every operation that is never repeated names the kind that it creates, with known exceptions', () => {
  const exceptions = Object.values(catalogue)
    .flatMap((group) => Object.values(group))
    .filter(({ idempotency, creates }) => idempotency === 'never' && creates === undefined)
    .map(({ method, path }) => `${method} ${path}`)
  expect(exceptions.sort()).toEqual([
    'POST /profile/phone-number',
    'POST /profile/phone-number/verify',
    'POST /profile/tfa-enable',
    'POST /profile/tfa-enable-confirm',
  ])
})
