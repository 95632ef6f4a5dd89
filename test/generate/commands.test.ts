/** What commands say of themselves, all of it: the files that are made of that, and the words that lead to them. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { words } from '../../src/commands/help/words'
import { generatedFiles, outlineOf } from '../../src/generate/files'

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

test('the outline of the program names groups and commands with the aliases that may be typed for them', async () => {
  const run = async () => {}
  const volumes = {
    name: 'volumes',
    aliases: ['volume'],
    summary: 'Manage volumes',
    commands: {
      list: async () => ({ name: 'list', aliases: ['ls', 'all'], summary: 'List volumes', flags: [], run }),
      view: async () => ({ name: 'view', summary: 'Show a volume', flags: [], run }),
    },
  }
  const entries = [{ name: 'volumes', summary: 'Manage volumes', load: async () => volumes }]
  expect(await outlineOf({ name: 'skyctl', description: '', version: '1.2.3', epilogue: '', entries })).toEqual({
    volumes: {
      name: 'volumes',
      aliases: ['volume'],
      summary: 'Manage volumes',
      commands: [
        { name: 'list', aliases: ['ls', 'all'], summary: 'List volumes' },
        { name: 'view', summary: 'Show a volume' },
      ],
    },
  })
})
