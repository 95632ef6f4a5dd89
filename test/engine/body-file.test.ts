/** What a body may be: so many bytes, and not one more (interface.md, Input). */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readText } from '../../src/engine/body-file'
import type { Session } from '../../src/session'
import { temporaryFolder } from '../support/temporary-folder'

const reading = (stdin: string) => ({ ui: { readStdin: async () => stdin } }) as unknown as Session

function fileOf(text: string): string {
  const folder = temporaryFolder()
  const path = join(folder, 'body.json')
  writeFileSync(path, text)
  return path
}

test.for(['1234', 'äö'])('a text of as many bytes as it may have is read: %s', async (text) => {
  expect(await readText('-', reading(text), 4)).toBe(text)
  expect(await readText(fileOf(text), reading(''), 4)).toBe(text)
})

test.for(['12345', 'äöü'])('a text of more bytes is refused, whatever its characters are: %s', async (text) => {
  await expect(readText('-', reading(text), 4)).rejects.toMatchObject({ code: 'too_large' })
  await expect(readText(fileOf(text), reading(''), 4)).rejects.toMatchObject({ code: 'too_large' })
})
