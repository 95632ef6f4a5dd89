/** Size limit of a body from a file or stdin (interface.md, Input). */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readText } from '../../src/engine/body-file'
import type { Session } from '../../src/engine/session'
import { temporaryFolder } from '../support/temporary-folder'

const reading = (stdin: string) => ({ ui: { readStdin: async () => stdin } }) as unknown as Session

function fileOf(text: string): string {
  const folder = temporaryFolder()
  const path = join(folder, 'body.json')
  writeFileSync(path, text)
  return path
}

test.for(['1234', 'äö'])('A text of the maximum size is read: %s', async (text) => {
  expect(await readText('-', reading(text), 4)).toBe(text)
  expect(await readText(fileOf(text), reading(''), 4)).toBe(text)
})

test.for(['12345', 'äöü'])('A text with more bytes is rejected: %s', async (text) => {
  await expect(readText('-', reading(text), 4)).rejects.toMatchObject({ code: 'too_large' })
  await expect(readText(fileOf(text), reading(''), 4)).rejects.toMatchObject({ code: 'too_large' })
})
