/** A watcher and the file that it shares with the process whose changes it undoes (state.md, Guards around firewalls). */
import { appendFileSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { startWatcher } from '../../src/commands/firewalls/watch/start'
import { watchIn } from '../../src/commands/firewalls/watch/watch'
import { WatchFile } from '../../src/commands/firewalls/watch/watch-file'
import type { Session } from '../../src/engine/session'
import { self, sinceBoot } from '../../src/files/process-id'
import { systemClock } from '../../src/platform/system'
import { KnownSecrets } from '../../src/rules/secrets'
import { test as base } from '../support/skyctl'

const foreign = {
  SKYCTL_BASE_URL: 'https://elsewhere.example.net/v4',
  SKYCTL_TOKEN: 'foreign-token',
  SKYCTL_TOKEN_FILE: '/foreign/token',
  SKYCTL_CONTEXT: 'foreign',
  SKYCTL_DEBUG_FILE: '/foreign/debug',
}
const sandbox = { sandbox: true, context: { name: 'sandbox', from: 'flag' } }
const own = { baseUrl: 'https://api.example.net/v4', token: 'own-token' }
const account = { sandbox: false, baseUrl: own.baseUrl, baseUrlFrom: 'environment', secret: { from: 'environment' } }

interface Start {
  words: readonly string[]
  env: object
  exits(): void
}

const test = base.extend<{
  state: string
  /** Starts a watcher without a process: its starts are recorded, and this process acts for it. */
  started(
    credential?: object,
  ): Promise<{ watcher: Awaited<ReturnType<typeof startWatcher>>; starts: Start[]; file: WatchFile }>
}>({
  state: async ({ home }, use) => use(join(home, 'state')),
  started: async ({ state }, use) =>
    use(async (credential = sandbox) => {
      const starts: Start[] = []
      const opened: WatchFile[] = []
      const detach = (words: readonly string[], env: object, exits: () => void) => {
        starts.push({ words, env, exits })
        const file = WatchFile.open(words[2] ?? '')
        opened.push(file)
        void file.append({ watcher: self() })
      }
      const ui = { warn: async () => {}, status: async () => {}, progress: async () => ({ done() {} }) }
      const session = {
        ...{ env: { HOME: '/home/me', ...foreign }, clock: systemClock, ui, signal: new AbortController().signal },
        host: async () => ({ detach }),
        account: {
          local: { paths: { state }, secrets: new KnownSecrets() },
          reporter: ui,
          access: { credential: async () => credential, signedIn: async () => own },
          client: () => Promise.reject(new Error('no service')),
        },
      } as unknown as Session
      const watcher = await startWatcher({ undoings: [], deadline: null, stage: 'nothing' }, session)
      const [file] = opened
      if (!file) throw new Error('no watcher was started')
      return { watcher, starts, file }
    }),
})

describe('A watcher', () => {
  test('of a sandbox run gets no base URL and no token, even if the environment has them', async ({ started }) => {
    const { starts } = await started()
    expect(starts.map(({ env }) => env)).toEqual([{ HOME: '/home/me', SKYCTL_CONTEXT: 'sandbox' }])
  })

  test('of an account gets the base URL and the token of its process, and no context or token file', async ({
    started,
  }) => {
    const { starts } = await started(account)
    const { baseUrl: SKYCTL_BASE_URL, token: SKYCTL_TOKEN } = own
    expect(starts.map(({ env }) => env)).toEqual([{ HOME: '/home/me', SKYCTL_BASE_URL, SKYCTL_TOKEN }])
  })

  test('is started with a private file, which has no secret', async ({ started, state }) => {
    const { starts } = await started(account)
    const [name = ''] = readdirSync(join(state, 'watches'))
    const path = join(state, 'watches', name)
    expect(starts.map(({ words }) => words)).toEqual([['firewalls', 'watch', path]])
    expect((statSync(path).mode & 0o777).toString(8)).toBe('600')
    expect(readFileSync(path, 'utf8')).not.toContain(own.token)
  })

  test('that exits is started again, but not after its outcome', async ({ started }) => {
    const { starts, file } = await started()
    starts[0]?.exits()
    expect(starts).toHaveLength(2)
    await file.append({ outcome: { ok: true, texts: [], time: 0 } })
    starts[1]?.exits()
    expect(starts).toHaveLength(2)
  })
})

describe('The first of both processes in the file decides', () => {
  test('the change is kept: a later undo changes nothing', async ({ started, state }) => {
    const { watcher, file } = await started()
    expect(await watcher.keep()).toBeUndefined()
    expect((await file.append({ decision: 'undo' })).decision).toBe('keep')
    expect({ isGone: file.isGone(), files: readdirSync(join(state, 'watches')) }).toEqual({ isGone: true, files: [] })
  })

  test('it is undone: keeping it resolves to the outcome, and no further write starts', async ({ started }) => {
    const { watcher, file } = await started()
    await file.append({ decision: 'undo' })
    await expect(watcher.watch({ stage: 'writing' })).rejects.toMatchObject({ code: 'refused' })
    const outcome = { ok: true, texts: ['Restored'], time: 0 } as const
    const keeping = watcher.keep()
    await file.append({ outcome })
    expect(await keeping).toEqual(outcome)
  })

  test('a change whose time is over is not kept, although no watcher has noticed it yet', async ({ started }) => {
    const { watcher, file } = await started()
    const deadline = { sinceBoot: sinceBoot() - 1, time: 0, boot: self().boot }
    await watcher.watch({ stage: 'written', deadline })
    const keeping = watcher.keep()
    const outcome = { ok: true, texts: ['Restored'], time: 0 } as const
    await file.append({ outcome })
    expect({ outcome: await keeping, decision: file.read().decision }).toEqual({ outcome, decision: undefined })
  })

  test('a watcher that runs stays the one; one that has ended is replaced', () => {
    const lines = (...watchers: object[]) =>
      [{ undoings: [], first: self() }, ...watchers.map((watcher) => ({ watcher }))]
        .map((line) => JSON.stringify(line))
        .join('\n')
    const ended = { ...self(), pid: 5_000_000 }
    expect(watchIn(lines(self(), ended))).toMatchObject({ watcher: self() })
    expect(watchIn(lines(ended, self()))).toMatchObject({ watcher: self() })
  })
})

test('A line that a killed process has cut off hides no other line', async ({ started }) => {
  const { file } = await started()
  appendFileSync(file.path, '\n{"stage":"wri')
  expect(await file.append({ stage: 'written' })).toMatchObject({ stage: 'written', attached: true })
})
