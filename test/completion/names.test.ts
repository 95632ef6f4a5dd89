/** Names for Tab: the account that they belong to, and the time to read them again. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { namesReader } from '../../src/completion'
import { positionAfter } from '../../src/completion/position'
import type { CompletionTable } from '../../src/completion/table'
import { contextFolder, environmentFolder } from '../../src/rules/environment'
import { temporaryFolder } from '../support/temporary-folder'

const flag = (name: string) => ({ names: [name], description: '', values: '' })
const table: CompletionTable = {
  places: { '': { commands: [], flags: [], arguments: [{ values: 'volumes', many: true }] } },
  flags: [flag('--context'), flag('--base-url')],
  globals: [0, 1],
  fields: [],
}

/** Creates a cache folder, and a Tab that reads names in it. */
function open(env: Record<string, string> = { SKYCTL_CONTEXT: 'prod' }) {
  const cache = temporaryFolder()
  const asked: string[] = []
  const started: string[] = []
  const host = {
    env,
    cache,
    ask: (words: readonly string[]) => {
      asked.push(words.join(' '))
      return 'fresh\t9\n'
    },
    start: (words: readonly string[]) => void started.push(words.join(' ')),
  }
  const store = (path: string, text: string) => {
    const file = join(cache, 'names', path)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text, { mode: 0o600 })
    return file
  }
  const read = (line = '', kind = 'volumes', more: Record<string, string> = {}) => {
    const position = positionAfter(line.split(' '), table)
    const text = position && namesReader({ ...host, env: { ...env, ...more } })(kind, position)
    return text?.split('\n').slice(0, -1)
  }
  return { read, store, asked, started, cache }
}

describe('Tab reads the cached names', () => {
  test('of the context in the environment, and of that in the line instead', () => {
    const { read, store, asked } = open()
    store('prod/volumes', 'of-prod\t1\n')
    store('stage/volumes', 'of-stage\t1\n')
    expect(read()).toEqual(['of-prod\t1'])
    expect(read('--context stage')).toEqual(['of-stage\t1'])
    expect(read('--context=stage')).toEqual(['of-stage\t1'])
    expect(asked).toEqual([])
  })

  test.each(['acme corp', '..', '.current', '../prod', 'prod'])('of the context "%s", whatever its name', (name) => {
    const { read, store } = open({ SKYCTL_CONTEXT: name })
    store(`${contextFolder(name)}/volumes`, 'one\n')
    expect(read()).toEqual(['one'])
  })

  test('of the current context', () => {
    const { read, store } = open({})
    store('.current', 'acme%20corp\n')
    store('acme%20corp/volumes', 'of-acme\t1\n')
    expect(read()).toEqual(['of-acme\t1'])
  })

  test('of no folder outside of the cache', () => {
    const { read, store, asked } = open({})
    store('.current', '../names/prod\n')
    store('prod/volumes', 'of-prod\t1\n')
    expect(read()).toEqual(['fresh\t9'])
    expect(asked).toEqual(['completion values volumes --timeout 2s'])
  })

  test('of the account in the environment', () => {
    const account = { SKYCTL_BASE_URL: "https://api.example.net/it's/v4", SKYCTL_TOKEN: `${'t0 "$`\\'}ken-0123456789` }
    const { read, store } = open(account)
    const folder = environmentFolder(account.SKYCTL_BASE_URL, account.SKYCTL_TOKEN.slice(0, 16))
    store(`${folder}/volumes`, 'of-account\t1\n')
    store('prod/volumes', 'of-prod\t1\n')
    store('.current', 'prod\n')
    expect(read()).toEqual(['of-account\t1'])
    expect(read('', 'volumes', { SKYCTL_TOKEN: 'another' })).toEqual(['fresh\t9'])
    expect(read('--context prod')).toEqual(['of-prod\t1'])
  })

  test('of the account that a token or an address in the environment makes of a context', () => {
    const { read, store } = open({ SKYCTL_CONTEXT: 'prod' })
    store(`${environmentFolder('prod', 'secret')}/volumes`, 'of-token\n')
    store(`${environmentFolder('https://x/v4', 'prod')}/volumes`, 'of-address\n')
    expect(read('', 'volumes', { SKYCTL_TOKEN: 'secret' })).toEqual(['of-token'])
    expect(read('', 'volumes', { SKYCTL_BASE_URL: 'https://x/v4' })).toEqual(['of-address'])
  })

  test.each(['SKYCTL_TOKEN', 'SKYCTL_TOKEN_FILE', 'SKYCTL_BASE_URL'])(
    'of no context if %s names another account, but of the sandbox',
    (variable) => {
      const { read, store } = open()
      for (const name of ['prod', 'sandbox']) store(`${name}/volumes`, `of-${name}\n`)
      const other = { [variable]: 'https://example.net/v4' }
      expect(read('', 'volumes', other)).toEqual(['fresh\t9'])
      expect(read('', 'volumes', { ...other, SKYCTL_CONTEXT: 'sandbox' })).toEqual(['of-sandbox'])
    },
  )

  test('of contexts, also with --base-url, with which it reads nothing else', () => {
    const { read, store, asked } = open()
    store('.contexts', 'prod\n')
    store('prod/volumes', 'one\n')
    expect(read('--base-url https://example.net/v4', 'contexts')).toEqual(['prod'])
    expect(read('--base-url https://example.net/v4')).toEqual([])
    expect(read('--base-url=https://example.net/v4')).toEqual([])
    expect(asked).toEqual([])
  })
})

describe('Names are requested', () => {
  test('if none are cached, within 2 s', () => {
    const { read, asked, started } = open()
    expect(read()).toEqual(['fresh\t9'])
    expect(read('--context ../prod')).toEqual(['fresh\t9'])
    expect(asked).toEqual([
      'completion values volumes --timeout 2s',
      'completion values volumes --context ../prod --timeout 2s',
    ])
    expect(started).toEqual([])
  })

  test('in the background if they are rules, which take longer', () => {
    const { read, asked, started } = open()
    expect(read('', 'rules')).toEqual([])
    expect({ asked, started }).toEqual({ asked: [], started: ['completion values rules --timeout 30s'] })
  })

  test('in the background once after five minutes, while the old ones are offered', () => {
    const { read, store, asked, started } = open()
    const file = store('prod/volumes', 'old\n')
    const now = Date.now() / 1000
    utimesSync(file, now - 290, now - 290)
    expect(read()).toEqual(['old'])
    expect(started).toEqual([])
    utimesSync(file, now - 310, now - 310)
    expect(read()).toEqual(['old'])
    expect(read()).toEqual(['old'])
    expect({ asked, started }).toEqual({ asked: [], started: ['completion values volumes --timeout 30s'] })
    expect(statSync(file).mtimeMs).toBeGreaterThan(now * 1000 - 1000)
  })

  test.each(['.current', 'prod/volumes'])('at once if the cache has a FIFO: %s', (path) => {
    const { read, store, asked } = open({})
    for (const name of ['.current', 'prod/volumes']) store(name, 'prod\n')
    const file = store(path, '')
    rmSync(file)
    execFileSync('mkfifo', [file])
    expect(read()).toEqual(['fresh\t9'])
    expect(asked).toHaveLength(1)
  })
})
