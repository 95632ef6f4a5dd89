/** Folders below the state folder: what is said where they cannot be had. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openStateFolder } from '../../src/engine/state-folder'
import { Problem } from '../../src/errors'
import type { Session } from '../../src/session'

/** Where a file stands in the place of the folder. */
function blocked(): Session {
  const folder = mkdtempSync(join(tmpdir(), 'skyctl-test-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const state = join(folder, 'state')
  writeFileSync(state, '')
  return { paths: { state }, warn: async () => {} } as unknown as Session
}

const failure = (name: string) =>
  openStateFolder(name, blocked()).then(
    () => undefined,
    (error: unknown) => error,
  )

test('a folder that cannot be made says what would be kept there', async () => {
  const error = await failure('drafts')
  expect(error).toBeInstanceOf(Problem)
  expect(error).toMatchObject({ message: expect.stringMatching(/; what is edited is kept there until it is sent$/) })
})

test('one that is for nothing that a person knows of says no more than why', async () => {
  const error = await failure('locks')
  expect(error).toBeInstanceOf(Problem)
  expect(error).toMatchObject({ message: expect.not.stringMatching(/;/) })
})
