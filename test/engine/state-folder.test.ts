/** Folders below the state folder: what is said where they cannot be had. */
import { chmodSync, existsSync, mkdirSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Account } from '../../src/account/account'
import { lockName, oneAtATime, openStateFolder } from '../../src/account/state-folder'
import { Problem } from '../../src/errors'
import { temporaryFolder } from '../support/temporary-folder'

/** Where a file stands in the place of the folder. */
function blocked(): Account {
  const folder = temporaryFolder()
  const state = join(folder, 'state')
  writeFileSync(state, '')
  return { local: { paths: { state } }, reporter: { warn: async () => {} } } as unknown as Account
}

const failure = (name: string) =>
  openStateFolder(name, blocked()).then(
    () => undefined,
    (error: unknown) => error,
  )

test('a folder that cannot be made says what would be kept there', async () => {
  const error = await failure('drafts')
  expect(error).toBeInstanceOf(Problem)
  expect(error).toMatchObject({
    message: expect.stringMatching(/; skyctl keeps edited text there until it is sent$/),
    details: { hint: expect.stringMatching(/^Replace it with a folder of your own/) },
  })
})

test('one whose problem has no hint of its own can be had elsewhere', async () => {
  const { local, ...rest } = blocked()
  const paths = { ...local.paths, state: join(local.paths.state, 'below a file') }
  const account = { ...rest, local: { ...local, paths } }
  await expect(openStateFolder('history', account)).rejects.toMatchObject({
    code: 'local',
    details: { hint: 'Set SKYCTL_STATE_DIR to a writable folder' },
  })
})

test('one that is for nothing that a person knows of says no more than why', async () => {
  const error = await failure('locks')
  expect(error).toBeInstanceOf(Problem)
  expect(error).toMatchObject({ message: expect.not.stringMatching(/;/) })
})

test('where no lock can be kept the work is done all the same, and it is said that nobody waits for it', async () => {
  const warnings: string[] = []
  const account = blocked()
  account.reporter.warn = async (text) => void warnings.push(text)
  expect(await oneAtATime('change-x', account, async () => 'done')).toBe('done')
  expect(warnings).toEqual([expect.stringMatching(/^another skyctl may change the same object meanwhile: /)])
})

test('a lock is for the same thing of the same service', async () => {
  const at = (baseUrl: string, sandbox = false) =>
    ({ access: { signedIn: async () => ({ baseUrl }), credential: async () => ({ sandbox }) } }) as unknown as Account
  const name = (account: Account, id = 1) => lockName('change', ['volume', id], account)
  const one = await name(at('https://api.example.net/v4'))
  expect(await name(at('https://api.example.net/v4/'))).toBe(one)
  expect(await name(at('https://other.example.net/v4'))).not.toBe(one)
  expect(await name(at('https://api.example.net/v4'), 2)).not.toBe(one)
  // The embedded sandbox has another port in each run.
  expect(await name(at('http://127.0.0.1:1/v4', true))).toBe(await name(at('http://127.0.0.1:2/v4', true)))
})

test('nothing is kept below a folder that others can write to', async () => {
  const state = join(temporaryFolder(), 'state')
  mkdirSync(state)
  chmodSync(state, 0o777)
  const account = { local: { paths: { state } }, reporter: { warn: async () => {} } } as unknown as Account
  await expect(openStateFolder('history', account)).rejects.toMatchObject({
    code: 'local',
    message: expect.stringContaining(`${state} is not private: others can write to it`),
  })
  expect(existsSync(join(state, 'history'))).toBe(false)
})

test('what a killed process left long ago is removed from a folder that is opened', async () => {
  const state = join(temporaryFolder(), 'state')
  mkdirSync(join(state, 'history'), { recursive: true, mode: 0o700 })
  const left = join(state, 'history', '1.ndjson.0123456789abcdef.tmp')
  writeFileSync(left, '')
  utimesSync(left, 0, 0)
  const account = { local: { paths: { state } }, reporter: { warn: async () => {} } } as unknown as Account
  await openStateFolder('history', account)
  expect(existsSync(left)).toBe(false)
})
