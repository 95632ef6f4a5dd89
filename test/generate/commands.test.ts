/** What commands say of themselves, all of it: the files that are made of that, and the words that lead to them. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { words } from '../../src/commands/help/words'
import { generatedFiles } from '../../src/generate/files'

test('every file that is made from commands and catalogue is committed as it is made', async () => {
  const { committed } = await generatedFiles()
  expect(committed.size).toBeGreaterThan(40)
  for (const [path, text] of committed)
    expect(readFileSync(join(import.meta.dirname, '../..', path), 'utf8'), path).toBe(text)
})

test('every word that people bring along leads somewhere, and nowhere twice', () => {
  expect(Object.keys(words).length).toBeGreaterThan(100)
  for (const [word, lines] of Object.entries(words)) {
    expect([word, lines.length]).not.toEqual([word, 0])
    expect(new Set(lines).size).toBe(lines.length)
  }
})
