/** How contexts are written and mended: nobody else sees them, also not while they are drafted. */
import fs, {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import type { Options } from 'conf'
import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { changeConfig, readConfig } from '../../src/config/store'
import { tryLock } from '../../src/files/lock'
import { whileWatched } from '../files/watched'

/** The folders in which the library has drafted. */
const drafts: { folder: string; mode: number }[] = []
let isDiskFull = false

vi.mock('conf', async (original) => {
  const { default: Conf } = await original<typeof import('conf')>()
  class Watched extends Conf<Record<string, unknown>> {
    constructor(options: Options<Record<string, unknown>>) {
      const folder = String(options.cwd)
      drafts.push({ folder, mode: statSync(folder).mode & 0o777 })
      super(options)
    }

    override get store() {
      return super.store
    }

    override set store(value) {
      super.store = value
      if (isDiskFull) writeFileSync(this.path, '{"contexts":{}}')
    }
  }
  return { default: Watched }
})
vi.hoisted(() => vi.resetModules())
afterAll(() => {
  vi.doUnmock('conf')
  vi.resetModules()
})

let above: string
beforeEach(() => {
  above = mkdtempSync(join(tmpdir(), 'skyctl-store-'))
  drafts.length = 0
  isDiskFull = false
})
afterEach(() => rmSync(above, { recursive: true }))

function store() {
  const config = join(above, 'skyctl')
  const paths = { config, file: join(config, 'contexts.json'), state: config, cache: config }
  const told: string[] = []
  const warn = (text: string) => void told.push(text)
  const add = (name: string) =>
    changeConfig(paths, ({ contexts }) => void contexts.set(name, { base_url: 'https://api.example.net/v4' }), { warn })
  const names = () => [...readConfig(paths, { warn }).contexts.keys()]
  const present = () => readdirSync(config).sort()
  return { ...paths, told, add, names, present }
}

describe('a change of the contexts', () => {
  test('is drafted where nobody else may look, and nothing of the draft is left', async () => {
    const { add, names, present, file } = store()
    await add('prod')
    expect(drafts).toEqual([{ folder: expect.stringContaining(file), mode: 0o700 }])
    expect(existsSync(drafts[0]?.folder ?? '')).toBe(false)
    expect(names()).toEqual(['prod'])
    expect(present()).toEqual(['contexts.json', 'contexts.json.bak'])
    expect([statSync(file).mode & 0o777, statSync(`${file}.bak`).mode & 0o777]).toEqual([0o600, 0o600])
  })

  test('that throws leaves everything as it was, and the next one need not wait', async () => {
    const { add, names, present, file, told, ...rest } = store()
    await add('prod')
    const before = readFileSync(file, 'utf8')
    const failing = () => {
      throw new Error('no')
    }
    await expect(changeConfig({ ...rest, file }, failing, { warn: failing })).rejects.toThrow('no')
    expect([readFileSync(file, 'utf8'), present()]).toEqual([before, ['contexts.json', 'contexts.json.bak']])
    await add('other')
    expect([names(), told]).toEqual([['prod', 'other'], []])
  })

  test('of which the library writes less than it was given is a problem, and changes nothing', async () => {
    const { add, names, file, present } = store()
    await add('prod')
    isDiskFull = true
    await expect(add('other')).rejects.toMatchObject({
      code: 'local',
      message: `cannot write ${file}: its draft is incomplete`,
    })
    expect([names(), present()]).toEqual([['prod'], ['contexts.json', 'contexts.json.bak']])
  })

  test('of a damaged file begins with what its backup holds', async () => {
    const { add, names, present, file, told } = store()
    await add('prod')
    writeFileSync(file, '{')
    await add('other')
    expect(names()).toEqual(['prod', 'other'])
    const aside = present().find((name) => name.startsWith('contexts.json.corrupt-')) ?? ''
    expect(readFileSync(join(above, 'skyctl', aside), 'utf8')).toBe('{')
    expect(told).toEqual([
      `${file} is damaged: its backup is used`,
      `the damaged file is kept as ${join(above, 'skyctl', aside)}`,
    ])
  })
})

test('a change removes the token drafts that a killed process left beside the file', async () => {
  const { add, config, present } = store()
  await add('prod')
  writeFileSync(join(config, `contexts.json.${'0'.repeat(16)}.tmp`), 'half a token')
  await add('other')
  expect(present()).toEqual(['contexts.json', 'contexts.json.bak'])
})

test('a change writes the backup again, with what the file holds now', async () => {
  const { add, file } = store()
  await add('prod')
  await add('other')
  expect(readFileSync(`${file}.bak`, 'utf8')).toBe(readFileSync(file, 'utf8'))
})

describe('contexts that are read', () => {
  test('are none where nothing was stored, and no folder is made', () => {
    const { names, config, told } = store()
    expect([names(), existsSync(config), told]).toEqual([[], false, []])
  })

  test('leave no trace: no lock is taken for them', async () => {
    const { add, names, config } = store()
    await add('prod')
    const longAgo = new Date(2020, 0, 1)
    utimesSync(config, longAgo, longAgo)
    expect(names()).toEqual(['prod'])
    expect(statSync(config).mtime).toEqual(longAgo)
  })

  test('are those of the backup where the file is damaged, and both are as they should be afterwards', async () => {
    const { add, names, file, told } = store()
    await add('prod')
    writeFileSync(file, 'x')
    expect(names()).toEqual(['prod'])
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({
      contexts: { prod: { base_url: 'https://api.example.net/v4' } },
    })
    expect(told).toHaveLength(2)
    expect(names()).toEqual(['prod'])
    expect(told).toHaveLength(2)
  })

  test('are those that another process has written since, and its file is not taken for the damaged one', async () => {
    const { add, names, present, file, told } = store()
    await add('prod')
    const backup = readFileSync(file, 'utf8')
    writeFileSync(file, 'x')
    const { openSync } = fs
    const repairedMeanwhile = () =>
      vi.spyOn(fs, 'openSync').mockImplementation((path, ...rest) => {
        if (path === `${file}.lock`) writeFileSync(file, backup.replace('prod', 'later'))
        return openSync(path, ...rest)
      })
    expect(whileWatched(repairedMeanwhile, names)).toEqual(['later'])
    expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ contexts: { later: {} } })
    expect([present(), told]).toEqual([['contexts.json', 'contexts.json.bak'], []])
  })

  test('are repaired without a lock that stays, so that the next change need not wait', async () => {
    const { add, names, present, file } = store()
    await add('prod')
    writeFileSync(file, 'x')
    names()
    expect(present()).not.toContain('contexts.json.lock')
    await add('other')
    expect(names()).toEqual(['prod', 'other'])
  })

  test('are those of the backup while another process writes, and the file is left to that', async () => {
    const { add, names, file, told } = store()
    await add('prod')
    writeFileSync(file, 'x')
    const lock = tryLock(`${file}.lock`)
    expect(names()).toEqual(['prod'])
    expect([readFileSync(file, 'utf8'), told]).toEqual(['x', [`${file} is damaged: its backup is used`]])
    lock?.release()
    expect(names()).toEqual(['prod'])
    expect(readFileSync(file, 'utf8')).not.toBe('x')
  })

  test('are none where the backup is damaged as well, or is not there', async () => {
    for (const spoil of [(path: string) => writeFileSync(path, 'x'), (path: string) => rmSync(path)]) {
      const { add, names, file, told } = store()
      await add('prod')
      writeFileSync(file, 'x')
      spoil(`${file}.bak`)
      expect(names()).toEqual([])
      expect(told[0]).toBe(`${file} is damaged: it has no backup, so no context is known`)
      rmSync(join(above, 'skyctl'), { recursive: true })
    }
  })

  test('are read without what a killed process left beside them, which is removed', async () => {
    const { add, names, present } = store()
    await add('prod')
    const left = basename(drafts[0]?.folder ?? '')
    writeFileSync(join(above, 'skyctl', left), 'half')
    expect(names()).toEqual(['prod'])
    expect(present()).toEqual(['contexts.json', 'contexts.json.bak'])
  })
})
