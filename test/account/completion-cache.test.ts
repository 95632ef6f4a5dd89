/** Cache of the names for completion: its folders, its order and its age. */
import { existsSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Account } from '../../src/account/account'
import {
  cacheListedNames,
  cacheNames,
  dropCachedKind,
  dropCachedNames,
  nameLines,
  readCachedNames,
} from '../../src/account/name-cache'
import { Problem } from '../../src/errors'
import { environmentFolder } from '../../src/rules/environment'
import { temporaryFolder } from '../support/temporary-folder'

const context = (name: string, from = 'context') => ({ name, from })
const own = { sandbox: false, baseUrlFrom: 'context', secret: { from: 'context' }, context: context('work') }

function accountOf(credential: object | Error = own, env: Record<string, string> = {}) {
  const cache = temporaryFolder()
  const account = {
    local: { env, paths: { cache }, secrets: { inData: (text: string) => text.replaceAll('geheim', '***') } },
    access: {
      async credential() {
        if (credential instanceof Error) throw credential
        return credential
      },
    },
  } as unknown as Account
  const folder = join(cache, 'names')
  const text = (path: string) => readFileSync(join(folder, path), 'utf8')
  const files = () => (existsSync(folder) ? readdirSync(folder, { recursive: true }).map(String).sort() : [])
  return { account, folder, text, files }
}

const web = { name: 'web', note: '1' }

describe('Cached names', () => {
  test('are lines in the order of their bytes, without names with invisible characters', () => {
    expect(nameLines([{ name: 'é' }, { name: 'b', note: '2' }, { name: 'a' }, { name: 'Z', note: '' }])).toBe(
      'Z\na\nb\t2\né\n',
    )
    expect(nameLines([{ name: '' }, { name: 'a\u001b' }, { name: 'b', note: 'x\n' }, { name: 'a\tb' }])).toBe('')
  })

  test('are read without their notes and without secrets', async () => {
    const { account, text, files } = accountOf()
    await cacheNames('volumes', [web, { name: 'geheim' }, { name: 'db' }], account)
    expect((await readCachedNames('volumes', account))?.sort()).toEqual(['***', 'db', 'web'])
    expect(text('work/volumes')).not.toContain('geheim')
    expect(files()).toEqual(['.current', 'work', 'work/volumes'])
    expect(statSync(join(account.local.paths.cache, 'names/work/volumes')).mode & 0o777).toBe(0o600)
  })

  test('are undefined if never stored, and can be an empty list', async () => {
    const { account } = accountOf()
    expect(await readCachedNames('volumes', account)).toBeUndefined()
    await cacheNames('volumes', [], account)
    expect(await readCachedNames('volumes', account)).toEqual([])
  })

  test('are deleted for one kind or for all', async () => {
    const { account, files } = accountOf()
    for (const kind of ['volumes', 'tokens'] as const) await cacheNames(kind, [web], account)
    await dropCachedKind('volumes', account)
    await dropCachedKind('apps', account)
    expect(files()).toEqual(['.current', 'work', 'work/tokens'])
    await dropCachedNames(account)
    expect(files()).toEqual([])
  })

  test('replace temporary files of killed processes', async () => {
    const { account, folder, files } = accountOf()
    await cacheNames('volumes', [web], account)
    const temporary = join(folder, 'work/volumes.0123456789abcdef.tmp')
    writeFileSync(temporary, '')
    utimesSync(temporary, 0, 0)
    await cacheNames('tokens', [web], account)
    expect(files()).toEqual(['.current', 'work', 'work/tokens', 'work/volumes'])
  })

  test('are not stored if a file has the name of their folder, which is not a failure', async () => {
    const { account, folder } = accountOf()
    writeFileSync(folder, 'mine')
    await cacheNames('volumes', [web], account)
    await cacheListedNames('volumes', [web], account)
    await dropCachedKind('volumes', account)
    expect(readFileSync(folder, 'utf8')).toBe('mine')
  })
})

describe('Names of a list command', () => {
  test('are added to the cached names without changing their age', async () => {
    const { account, folder, text } = accountOf()
    await cacheNames('volumes', [web, { name: 'db', note: '2' }, { name: 'old', note: '3' }], account)
    utimesSync(join(folder, 'work/volumes'), 1000, 1000)
    const listed = Object.entries({ new: '3', web: '9' }).map(([name, note]) => ({ name, note }))
    await cacheListedNames('volumes', listed, account)
    expect(text('work/volumes')).toBe('db\t2\nnew\t3\nweb\t9\n')
    expect(statSync(join(folder, 'work/volumes')).mtimeMs).toBe(1_000_000)
  })

  test('count as old without cached names; an empty list is not stored', async () => {
    const { account, folder, files } = accountOf()
    await cacheListedNames('volumes', [], account)
    expect(files()).toEqual([])
    await cacheListedNames('volumes', [web], account)
    expect(await readCachedNames('volumes', account)).toEqual(['web'])
    expect(statSync(join(folder, 'work/volumes')).mtimeMs).toBe(0)
  })
})

test('Names belong to one user if a command prints the token', async () => {
  const { account, text } = accountOf({ ...own, secret: { from: 'context', command: ['pass', 'show', 'token'] } })
  let user = { uid: 1, username: 'ada' }
  const withUser = { ...account, client: async () => ({ call: async () => user }) } as unknown as Account
  await cacheListedNames('volumes', [web], withUser)
  await cacheListedNames('volumes', [{ name: 'db', note: '2' }], withUser)
  expect(text('work/volumes')).toBe('db\t2\nweb\t1\n')
  user = { uid: 2, username: 'bob' }
  await cacheListedNames('volumes', [{ name: 'his', note: '3' }], withUser)
  expect(text('work/volumes')).toBe('his\t3\n')
})

describe('The folder of an account', () => {
  const env = { SKYCTL_BASE_URL: 'https://api.example.net/v4', SKYCTL_TOKEN: '0123456789abcdefGEHEIM' }
  const ofToken = environmentFolder('work', '0123456789abcdef')
  const ofBoth = environmentFolder(env.SKYCTL_BASE_URL, '0123456789abcdef')

  const inFolder = (folder: string) => [folder, `${folder}/volumes`]
  const fromEnvironment = { from: 'environment' }

  test.for<[string, object | Error, string[]]>([
    ['named after the current context', own, ['.current', ...inFolder('work')]],
    ['named after the context of --context', { ...own, context: context('other', 'flag') }, inFolder('other')],
    ['named after the sandbox', { sandbox: true, context: context('sandbox', 'flag') }, inFolder('sandbox')],
    ['escaped so that it is not a path', { ...own, context: context('../x', 'flag') }, inFolder('%2E.%2Fx')],
    [
      'separate for an address of the environment',
      { ...own, baseUrlFrom: 'environment', context: context('work', 'flag') },
      inFolder(`${environmentFolder(env.SKYCTL_BASE_URL, 'work')}`),
    ],
    [
      'separate for a token of the environment',
      { ...own, secret: fromEnvironment, context: context('work', 'flag') },
      inFolder(`${ofToken}`),
    ],
    [
      'separate for address and token of the environment',
      { sandbox: false, baseUrlFrom: 'environment', secret: fromEnvironment },
      inFolder(`${ofBoth}`),
    ],
    ['missing for an address of a flag', { ...own, baseUrlFrom: 'flag' }, []],
    ['missing without a token', { ...own, secret: new Problem('not_signed_in', 'x') }, []],
    ['missing if the account is unknown', new Problem('local', 'x'), []],
  ])('is %s', async ([, credential, files]) => {
    const cache = accountOf(credential, env)
    await cacheNames('volumes', [web], cache.account)
    expect(cache.files()).toEqual(files)
    expect(await readCachedNames('volumes', cache.account)).toEqual(files.length > 0 ? ['web'] : undefined)
    await dropCachedKind('volumes', cache.account)
    expect(await readCachedNames('volumes', cache.account)).toBeUndefined()
  })

  test('is stored as the current one, except for names of contexts', async () => {
    const { account, text, files } = accountOf()
    await cacheNames('contexts', [{ name: 'work' }], account)
    expect(files()).toEqual(['.contexts'])
    await cacheNames('volumes', [web], account)
    expect(text('.current')).toBe('work\n')
  })

  test('of the environment is a hash of address and user; undefined if a shell cannot compute it', () => {
    const number = [...'a b'].reduce((sum, char) => (sum * 257 + char.charCodeAt(0)) % 17_592_186_044_399, 0)
    expect(environmentFolder('a', 'b')).toBe(`.env-${number}`)
    expect(environmentFolder('a', 'c')).not.toBe(`.env-${number}`)
    for (const [place, user] of [
      ['', 'b'],
      ['a', ''],
      [undefined, 'b'],
      ['a', undefined],
      ['é', 'b'],
      ['a', 'b\n'],
      ['\ta', 'b'],
    ] as const)
      expect(environmentFolder(place, user)).toBeUndefined()
  })
})
