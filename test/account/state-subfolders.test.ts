/** Folders below the state folder, and messages if they cannot be created. */
import { chmodSync, existsSync, mkdirSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Account } from '../../src/account/account'
import { lockName, oneAtATime, openStateFolder } from '../../src/account/state-subfolders'
import { Problem } from '../../src/errors'
import { temporaryFolder } from '../support/temporary-folder'

/** An account with a file instead of its state folder. */
function accountWithFile(): Account {
  const folder = temporaryFolder()
  const state = join(folder, 'state')
  writeFileSync(state, '')
  return { local: { paths: { state } }, reporter: { warn: async () => {} } } as unknown as Account
}

const failure = (name: string) =>
  openStateFolder(name, accountWithFile()).then(
    () => undefined,
    (error: unknown) => error,
  )

test('The error for a folder names the purpose of its files', async () => {
  const error = await failure('drafts')
  expect(error).toBeInstanceOf(Problem)
  expect(error).toMatchObject({
    message: expect.stringMatching(/; skyctl keeps edited text there until it is sent$/),
    details: { hint: expect.stringMatching(/^Replace it with a folder of your own/) },
  })
})

test('The error for a folder has a hint to use another state folder', async () => {
  const { local, ...rest } = accountWithFile()
  const paths = { ...local.paths, state: join(local.paths.state, 'below a file') }
  const account = { ...rest, local: { ...local, paths } }
  await expect(openStateFolder('history', account)).rejects.toMatchObject({
    code: 'local',
    details: { hint: 'Set SKYCTL_STATE_DIR to a writable folder' },
  })
})

test('The error for an internal folder has only the cause', async () => {
  const error = await failure('locks')
  expect(error).toBeInstanceOf(Problem)
  expect(error).toMatchObject({ message: expect.not.stringMatching(/;/) })
})

test('Work runs without a lock if none can be created, with a warning', async () => {
  const warnings: string[] = []
  const account = accountWithFile()
  account.reporter.warn = async (text) => void warnings.push(text)
  expect(await oneAtATime('change-x', account, async () => 'done')).toBe('done')
  expect(warnings).toEqual([expect.stringMatching(/^another skyctl may change the same object meanwhile: /)])
})

test('A lock is for one object of one service', async () => {
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

test('Nothing is stored in a folder that others can write to', async () => {
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

test('Old temporary files of killed processes are deleted from a folder that is opened', async () => {
  const state = join(temporaryFolder(), 'state')
  mkdirSync(join(state, 'history'), { recursive: true, mode: 0o700 })
  const temporary = join(state, 'history', '1.ndjson.0123456789abcdef.tmp')
  writeFileSync(temporary, '')
  utimesSync(temporary, 0, 0)
  const account = { local: { paths: { state } }, reporter: { warn: async () => {} } } as unknown as Account
  await openStateFolder('history', account)
  expect(existsSync(temporary)).toBe(false)
})
