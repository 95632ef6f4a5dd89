/** Pipes and devices in the place of files: they are rejected at once, with their paths (reliability.md). */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect } from 'vitest'
import { test } from './support/account-files'

const fifo = (path: string) => void execFileSync('mkfifo', [path])

const odd: Readonly<Record<string, (path: string) => void>> = {
  'a FIFO': fifo,
  'a link to a FIFO': (path) => {
    fifo(`${path}.pipe`)
    symlinkSync(`${path}.pipe`, path)
  },
  'a link to /dev/zero': (path) => symlinkSync('/dev/zero', path),
  'a link to /dev/tty': (path) => symlinkSync('/dev/tty', path),
  'a folder': (path) => void mkdirSync(path),
}
const kinds = Object.keys(odd)
const make = (kind: string, path: string) => {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  odd[kind]?.(path)
}

const lines = [
  'volumes create --body FILE',
  'volumes create --resume FILE',
  'api PUT /profile/preferences --body FILE',
  'firewalls create --label web-2 --file FILE',
  'firewalls rules update web --file FILE',
  'firewalls rules add web inbound --body FILE',
  'firewalls test --file FILE --protocol tcp --port 22 --from 198.51.100.7',
  'profile sshkeys add --label k --file FILE',
  'profile update --authorized-keys-file FILE',
  'profile security-questions answer --body FILE',
  'audit --ignore FILE',
  'sandbox start --seed FILE',
  'sandbox start --state FILE',
]

describe.for(kinds)('%s', (kind) => {
  test.for(lines)('is rejected by %s', async (line, { skyctl, home, world }) => {
    const path = join(home, 'odd')
    make(kind, path)
    const { exit, stderr } = await skyctl(`${line.replace('FILE', path)} --yes`)
    expect({ exit, stderr }).toEqual({
      exit: 12,
      stderr: expect.stringMatching(/it is (not a regular file|a symbolic link)/),
    })
    expect(stderr).toContain(path)
    expect(world.requests().filter(({ method }) => method !== 'GET')).toEqual([])
  })

  test.for([
    ['sshkeys', 'sshkeys: { k: { file: odd } }'],
    ['firewalls', 'firewalls: { web: { rules: odd } }'],
  ] as const)(
    'is rejected if an account file refers to it for %s',
    async ([, text], { skyctl, file, home, problems, world }) => {
      make(kind, join(home, 'odd'))
      const { exit, stderr } = await skyctl(`plan ${file('a.yaml', text)}`)
      expect({ exit, problems: problems(stderr) }).toEqual({
        exit: 12,
        problems: [expect.stringMatching(/^a\.yaml:1: .*cannot read "odd": it is not a regular file/)],
      })
      expect(world.requests()).toEqual([])
    },
  )

  test('is rejected as a token file', async ({ skyctl, home, world }) => {
    const path = join(home, 'odd')
    make(kind, path)
    const { exit, stderr } = await skyctl('volumes list', { env: { SKYCTL_TOKEN: undefined, SKYCTL_TOKEN_FILE: path } })
    expect({ exit, stderr }).toEqual({
      exit: 12,
      stderr: expect.stringContaining(`cannot read "${path}": it is not a regular file`),
    })
    expect(world.requests()).toEqual([])
  })

  test('in the folder of watches is reported by every command, and stops none', async ({ skyctl, env }) => {
    const path = join(String(env.SKYCTL_STATE_DIR), 'watches/0123456789abcdef.ndjson')
    make(kind, path)
    const result = await skyctl('volumes list -q')
    expect(result).toMatchObject({ exit: 0, stderr: expect.stringContaining(`${path} is not private`) })
  })

  test('in the place of cached labels is skipped', async ({ skyctl, env }) => {
    const cache = String(env.XDG_CACHE_HOME)
    const create = 'volumes create --region us-east --label'
    await skyctl(`${create} one`)
    const names = (readdirSync(cache, { recursive: true }) as string[]).filter((path) => path.endsWith('/regions'))
    expect(names).toHaveLength(1)
    for (const name of names) {
      rmSync(join(cache, name))
      make(kind, join(cache, name))
    }
    expect(await skyctl(`${create} two`)).toMatchObject({ exit: 0 })
  })

  test.for(['.current', '.contexts', 'CONTEXT', 'CONTEXT/.user', 'CONTEXT/volumes'])(
    'in the place of cached names is skipped: %s',
    async (name, { skyctl, env, sandbox, home }) => {
      const { SKYCTL_TOKEN: token, SKYCTL_BASE_URL: url } = env
      const options = { env: { SKYCTL_TOKEN: '', SKYCTL_BASE_URL: '', SKYCTL_CONFIG_DIR: join(home, 'contexts') } }
      const run = (line: string) => skyctl(line, options)
      await skyctl(`auth login --context prod --base-url ${url} --with-token`, { ...options, stdin: token })
      await skyctl(['context', 'update', 'prod', '--token-command', `echo ${sandbox.ownerToken}`], options)
      for (const kind of ['volumes', 'contexts']) await run(`completion values ${kind}`)
      const path = join(String(env.XDG_CACHE_HOME), 'skyctl/names', name.replace('CONTEXT', 'prod'))
      expect(existsSync(path)).toBe(true)
      rmSync(path, { recursive: true })
      make(kind, path)
      for (const line of ['volumes list', 'volumes create --label x --region us-east', 'completion values volumes'])
        expect(await run(line)).toMatchObject({ exit: 0, stdout: expect.stringMatching(/./) })
    },
  )
})

describe.for(kinds.filter((kind) => kind !== 'a folder'))('%s as an account file', (kind) => {
  test.for(['plan', 'apply --yes'])(
    'is rejected by %s, alone and in a folder',
    async (words, { skyctl, home, world }) => {
      const path = join(home, 'account/odd.yaml')
      make(kind, path)
      for (const input of [path, dirname(path)]) {
        const result = await skyctl(`${words} ${input}`)
        expect(result).toEqual({
          exit: 12,
          stdout: '',
          stderr: `skyctl: cannot read "${path}": it is not a regular file\n`,
        })
      }
      expect(world.requests()).toEqual([])
    },
  )
})

const start = Date.UTC(2026, 0, 1)

test.for([8.64e15 + 1, -8.64e15 - 1, 1e300, Number.MAX_SAFE_INTEGER, 1.5, 'soon', null])(
  'a watcher record with the time %j is damaged, and stops no command',
  async (time, { skyctl, env }) => {
    const folder = join(String(env.SKYCTL_STATE_DIR), 'watches')
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    const record = {
      ...{ undoings: [], first: { pid: 1 } },
      outcome: { ok: true, texts: ['Closed it'], time },
    }
    const path = join(folder, '0123456789abcdef.ndjson')
    writeFileSync(path, JSON.stringify(record), { mode: 0o600 })
    expect(await skyctl('regions view us-east -q')).toEqual({ exit: 0, stdout: 'us-east\n', stderr: '' })
    writeFileSync(path, JSON.stringify({ ...record, outcome: { ...record.outcome, time: start } }))
    expect((await skyctl('regions view us-east -q')).stderr).toContain('at 2026-01-01 00:00 UTC: Closed it')
  },
)
