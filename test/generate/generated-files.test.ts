/** Files generated from the commands and the catalogue, and the outline of the program. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

import { generatedFiles, outlineOf } from '../../src/generate/files'

test('Every generated file is committed in its current form', async () => {
  const { committed } = await generatedFiles()
  expect(committed.size).toBeGreaterThan(40)
  for (const [path, text] of committed)
    expect(readFileSync(join(import.meta.dirname, '../..', path), 'utf8'), path).toBe(text)
})

test('The outline of the program has groups and commands with their aliases', async () => {
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
