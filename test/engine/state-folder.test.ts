/** Folders below the state folder: what is said where they cannot be had. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openStateFolder } from '../../src/engine/state-folder'
import { Problem } from '../../src/errors'
import type { Session } from '../../src/session'
import { temporaryFolder } from '../support/temporary-folder'

/** Where a file stands in the place of the folder. */
function blocked(): Session {
  const folder = temporaryFolder()
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
