/** `history` has an entry for each request that changes something, whatever its outcome, and no secrets. */
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { LedgerWriter } from '../src/account/ledger/writer'
import { catalogue } from '../src/catalogue'
import type { PastChange } from '../src/catalogue/history'
import { changeKinds } from '../src/commands/history/kinds'
import { filesBelow } from './support/canary'
import type { Loss } from './support/lossy-proxy'
import { commands, samples } from './support/samples'
import { test as base } from './support/skyctl'

interface Fixtures {
  /** Returns the output of `history list --json`, newest first. */
  entries(flags?: string): Promise<PastChange[]>
  /** Returns the text of all history files. */
  historyText(): string
}

const test = base.extend<Fixtures>({
  entries: async ({ skyctl }, use) =>
    use(async (flags = '') => JSON.parse((await skyctl(`history list --json ${flags}`)).stdout)),
  historyText: async ({ home }, use) =>
    use(() => {
      const folder = join(home, 'state/history')
      const names = existsSync(folder) ? readdirSync(folder) : []
      return names.map((name) => readFileSync(join(folder, name), 'utf8')).join('')
    }),
})

describe('the history', () => {
  const changing = commands.filter(({ path, command }) => {
    return samples[path] && command.operations?.some(({ method }) => method !== 'GET') && path !== 'history undo'
  })

  test.for(changing)(
    'has the requests of $path that change something, and no other',
    async ({ path }, { entries, skyctl, sandbox, world, env, home, clock }) => {
      const sample = samples[path]
      await sample?.arrange?.({ skyctl, sandbox, world, env, home, clock })
      await skyctl('history clear --yes')
      const before = world.requests().length
      const { exit } = await skyctl(`${path} ${sample?.line}`, { stdin: sample?.stdin })
      const sent = world.requests().slice(before)
      const writes = sent.filter(({ method }) => method !== 'GET')
      expect(exit).toBe(0)
      expect(writes.length).toBeGreaterThan(0)
      const recorded = await entries()
      expect(recorded.map(({ method, path }) => `${method} ${path}`).sort()).toEqual(
        writes.map(({ method, path }) => `${method} ${path.split('?')[0]}`).sort(),
      )
      for (const { outcome, kind, command, undo, no_undo, next } of recorded) {
        expect({ outcome, next, command: command.startsWith(path) }).toEqual({
          outcome: 'ok',
          next: null,
          command: true,
        })
        expect(kind).not.toBeNull()
        expect([undo, no_undo].filter((text) => text === null)).toHaveLength(1)
      }
    },
  )

  test.for(
    commands.filter(({ path, command }) => samples[path] && command.flags.some(({ name }) => name === 'dry-run')),
  )(
    'has no request of $path with --dry-run',
    async ({ path }, { entries, skyctl, sandbox, world, env, home, clock }) => {
      const sample = samples[path]
      await sample?.arrange?.({ skyctl, sandbox, world, env, home, clock })
      await skyctl('history clear --yes')
      if (path === 'history undo') return
      await skyctl(`${path} ${sample?.line} --dry-run`, { stdin: sample?.stdin })
      expect(await entries()).toEqual([])
    },
  )

  test('has a kind for each operation that changes something', () => {
    const operations = Object.values(catalogue)
      .flatMap((group) => Object.values(group))
      .filter(({ method }) => method !== 'GET')
    const covered = new Set(changeKinds.map(({ action }) => action.operation))
    expect(operations.filter((operation) => !covered.has(operation)).map(({ path }) => path)).toEqual([])
    expect(changeKinds).toHaveLength(operations.length)
  })
})

describe('a history entry', () => {
  test('has time, account, command, object and outcome', async ({ skyctl, world, entries, env }) => {
    world.volume({ id: 7001, label: 'data' })
    await skyctl('volumes update data --label archive')
    expect(await entries()).toEqual([
      {
        number: 1,
        time: '2026-01-15T12:00:00',
        context: null,
        service: env.SKYCTL_BASE_URL,
        uid: 1,
        username: 'owner',
        command: 'volumes update',
        apply: null,
        undoes: null,
        method: 'PUT',
        path: '/volumes/7001',
        kind: 'volume',
        id: '7001',
        label: 'archive',
        outcome: 'ok',
        code: null,
        status: 200,
        request_ids: [],
        next: null,
        undo: 'skyctl history undo 1',
        no_undo: null,
      },
    ])
  })

  test('has the request id of the service', async ({ skyctl, meanwhile, entries }) => {
    await meanwhile({ headers: { 'x-request-id': 'req-4711' } })
    await skyctl('volumes create --label new --region us-east')
    expect(await entries()).toMatchObject([{ kind: 'volume', label: 'new', request_ids: ['req-4711'] }])
  })

  test('names the context, by which a list can be filtered', async ({ skyctl, entries, sandbox, env }) => {
    const signedOut = { ...env, SKYCTL_TOKEN: undefined, SKYCTL_BASE_URL: undefined }
    const login = `auth login --context prod --with-token --base-url ${sandbox.baseUrl}`
    await skyctl(login, { env: signedOut, stdin: sandbox.ownerToken })
    await skyctl('volumes create --label ours --region us-east', { env: signedOut })
    await skyctl('volumes create --label theirs --region us-east')
    expect((await entries()).map(({ context, label }) => [context, label])).toEqual([
      [null, 'theirs'],
      ['prod', 'ours'],
    ])
    expect(await entries('--context prod')).toMatchObject([{ label: 'ours', no_undo: expect.stringMatching(/\d$/) }])
  })

  test.for([
    ['one service and one context', ['prod', 'a'], ['prod', 'a'], ''],
    ['contexts of different services', ['prod', 'a'], ['test', 'b'], 'CONTEXT'],
    ['contexts of one service', ['prod', 'a'], ['test', 'a'], 'CONTEXT'],
    ['services of SKYCTL_BASE_URL', [null, 'a'], [null, 'b'], 'SERVICE'],
    ['SKYCTL_BASE_URL and a context', [null, 'a'], ['prod', 'b'], 'SERVICE'],
    ['services of a context that was changed', ['prod', 'a'], ['prod', 'b'], 'SERVICE'],
    ['a watcher without a context at the same service', [null, 'a'], ['prod', 'a'], ''],
  ] as const)(
    'says where its change was made only if the list has several: %s',
    async ([, one, other, expected], { skyctl, home, historyText }) => {
      await skyctl('volumes create --label new --region us-east')
      const entry = JSON.parse(historyText().trim().split('\n')[0] ?? '')
      const entries = [one, other].map(([context, service], index) => ({
        ...entry,
        entry: `e${index}`,
        context,
        service,
      }))
      const lines = entries.map((line) => `${JSON.stringify(line)}\n`).join('')
      writeFileSync(join(home, 'state/history/1.ndjson'), lines)
      const [heading = '', ...rows] = (await skyctl('history list')).stdout.trimEnd().split('\n')
      expect(rows).toHaveLength(2)
      expect(heading.match(/CONTEXT|SERVICE/g)?.join() ?? '').toBe(expected)
      if (expected === 'SERVICE') expect(rows.map((row) => row.at(-1))).toEqual([other[1], one[1]])
      expect((await skyctl('history list -o csv')).stdout).toMatch(/^number,time,context,.*,outcome,service\n/)
    },
  )

  test('of a plan step names the command of that step', async ({ skyctl, entries }) => {
    await skyctl('apply - --yes', { stdin: 'volumes: { new: { region: us-east } }' })
    expect(await entries()).toMatchObject([{ command: 'apply: volumes create', label: 'new', outcome: 'ok' }])
  })

  test('of a failure has its error code', async ({ skyctl, entries }) => {
    await skyctl('volumes delete 999999 --yes --force')
    expect(await entries()).toMatchObject([
      { outcome: 'failed', code: 'not_found', status: 404, next: null, undo: null, no_undo: null },
    ])
    const { stdout } = await skyctl('history')
    expect(stdout).toContain('failed: not_found')
  })

  test('is on disk before its request is sent', async ({ skyctl, meanwhile, historyText }) => {
    const texts: string[] = []
    await meanwhile({ before: ({ method }) => void (method === 'POST' && texts.push(historyText())) })
    await skyctl('volumes create --label new --region us-east')
    expect(texts.map((text) => JSON.parse(text))).toMatchObject([{ path: '/volumes', label: 'new' }])
  })

  test('is readable by its owner only', async ({ skyctl, home }) => {
    await skyctl('volumes create --label new --region us-east')
    const modes = ['state', 'state/history', 'state/history/1.ndjson'].map(
      (path) => statSync(join(home, path)).mode & 0o777,
    )
    expect(modes).toEqual([0o700, 0o700, 0o600])
  })
})

describe('an unknown outcome', () => {
  test.for([
    { line: 'volumes resize 7001 --size 40', method: 'POST', path: '/volumes/7001/resize', fate: 'request lost' },
    { line: 'ips allocate --compute-id 9002 --public', method: 'POST', path: '/networking/ips', fate: 'answer lost' },
    { line: 'volumes update 7001 --label x --retries 0', method: 'PUT', path: '/volumes/7001', fate: 'request lost' },
    { line: 'volumes update 7001 --label x --retries 0', method: 'PUT', path: '/volumes/7001', fate: 'unavailable' },
    { line: 'api POST /volumes/7001/detach', method: 'POST', path: '/volumes/7001/detach', fate: 'answer lost' },
  ] as const)(
    'of $line ($fate) names the command that checks it',
    async ({ line, method, path, fate }, { skyctl, world, lossy, entries }) => {
      world.volume({ id: 7001, label: 'data' })
      world.compute({ id: 9002 })
      world.network.firewall({ id: 9100, label: 'edge' })
      for (let times = 0; times < 3; times += 1) lossy.lose(method, path, fate)
      const { exit } = await skyctl(`${line} --yes`)
      expect(exit).not.toBe(0)
      const [last] = await entries()
      expect(last).toMatchObject({ outcome: 'unknown', undo: null, no_undo: null })
      expect(last?.next).toMatch(/^skyctl (volumes view 7001|ips list)$/)
    },
  )

  test.for([
    ['a read', 'volumes resize 7001 --size 40', 'POST', '/volumes/7001/resize', 'answer lost'],
    ['a read', 'volumes update 7001 --label other --retries 0', 'PUT', '/volumes/7001', 'done, then 503'],
    ['a read', 'volumes delete 7001 --retries 0', 'DELETE', '/volumes/7001', 'done, then 503'],
    ['a retry', 'volumes delete 7001', 'DELETE', '/volumes/7001', 'answer lost'],
  ] as const)('is resolved by %s: %s', async ([, line, method, path, fate], { skyctl, world, lossy, entries }) => {
    world.volume({ id: 7001, label: 'data', size: 20 })
    lossy.lose(method, path, fate)
    expect((await skyctl(`${line} --yes`)).exit).toBe(0)
    expect(await entries()).toMatchObject([{ outcome: 'ok', kind: 'volume', id: '7001' }])
  })

  test.for([
    ['volumes update 7001 --add-tag new', '/volumes/7001'],
    ['firewalls rules update 9100 --inbound-policy drop', '/networking/firewalls/9100/rules'],
    ['profile preferences set --body -', '/profile/preferences'],
  ] as const)(
    'is resolved by the read that shows the change, which can be undone: %s',
    async ([line, path], { skyctl, world, lossy, entries }) => {
      world.volume({ id: 7001, label: 'data', tags: ['old'] })
      world.network.firewall({ id: 9100, label: 'edge' })
      lossy.lose('PUT', path, 'answer lost')
      expect((await skyctl(`${line} --yes`, { stdin: '{"theme":"dark"}' })).exit).toBe(0)
      expect(await entries()).toMatchObject([{ outcome: 'ok', undo: 'skyctl history undo 1' }])
      expect((await skyctl('history undo 1 --yes')).exit).toBe(0)
      expect(world.volumes.get(7001)?.tags).toEqual(['old'])
    },
  )

  test('is resolved by a read after two lost answers', async ({ skyctl, world, lossy, entries }) => {
    world.volume({ id: 7001, label: 'data' })
    lossy.lose('PUT', '/volumes/7001', 'request lost')
    lossy.lose('PUT', '/volumes/7001', 'answer lost')
    expect((await skyctl('volumes update 7001 --add-tag new --yes')).exit).toBe(0)
    expect((await entries()).map(({ outcome }) => outcome)).toEqual(['ok', 'unknown'])
  })

  test.for([
    ['rate limit', (outgoing) => void outgoing.writeHead(429, { 'retry-after': '86400' }).end()],
    ['maintenance', (outgoing) => void outgoing.writeHead(503, { 'x-maintenance-mode': '1' }).end()],
  ] as [string, Loss['reply']][])(
    'remains if a %s follows the lost response',
    async ([, reply], { skyctl, world, lossy, entries }) => {
      world.volume({ id: 7001, label: 'data' })
      lossy.lose('DELETE', '/volumes/7001', 'request lost')
      lossy.lose('DELETE', '/volumes/7001', { done: false, reply })
      await skyctl('volumes delete 7001 --yes')
      expect(await entries()).toMatchObject([{ outcome: 'unknown', kind: 'volume', id: '7001' }])
    },
  )

  test.for([429, 401, 403])(
    'remains if the second request of a resize is answered with %i',
    async (status, { skyctl, world, lossy, entries }) => {
      world.volume({ id: 7001, label: 'data', size: 20 })
      const reply: Loss['reply'] = (outgoing) =>
        void outgoing
          .writeHead(status, { 'content-type': 'application/json', 'retry-after': '86400' })
          .end('{"errors":[{"reason":"Unauthorized"}]}')
      lossy.lose('POST', '/volumes/7001/resize', 'request lost')
      lossy.lose('POST', '/volumes/7001/resize', { done: false, reply })
      expect((await skyctl('volumes resize 7001 --size 40 --yes')).exit).toBe(11)
      expect(await entries()).toMatchObject([{ outcome: 'unknown', kind: 'volume', id: '7001' }])
    },
  )

  test('of rules keeps the backup for an undo if only the second request is not allowed', async ({
    skyctl,
    world,
    lossy,
  }) => {
    const arranged = world.network.firewall({ id: 9100, label: 'edge' })
    const path = '/networking/firewalls/9100/rules'
    const forbidden: Loss['reply'] = (outgoing) =>
      void outgoing.writeHead(403, { 'content-type': 'application/json' }).end('{"errors":[{"reason":"Unauthorized"}]}')
    lossy.lose('PUT', path, 'request lost')
    lossy.lose('PUT', path, { done: false, reply: forbidden })
    expect((await skyctl('firewalls rules update 9100 --inbound-policy drop --yes')).exit).toBe(11)
    // The first request arrives late.
    const { rules } = arranged
    world.network.firewall({ id: 9100, label: 'edge', rules: { ...rules, inbound_policy: 'DROP' } })
    expect((await skyctl('history undo 1 --yes --force')).exit).toBe(0)
    expect(world.network.firewalls.get(9100)?.rules.inbound_policy).toBe('ACCEPT')
  })

  test('is followed in history by the command that checks it', async ({ skyctl, meanwhile, entries }) => {
    let lost = false
    await meanwhile({
      before({ method }) {
        lost ||= method === 'POST'
        return lost && 'drop'
      },
    })
    expect((await skyctl('volumes create --label new --region us-east')).exit).toBe(11)
    expect(await entries()).toMatchObject([{ outcome: 'unknown', label: 'new', id: null }])
    const { stderr } = await skyctl('history')
    expect(stderr).toBe('Check whether change 1 was done: skyctl volumes list --filter label=new\n')
  })

  test('is undone only with --force', async ({ skyctl, world, lossy }) => {
    world.volume({ id: 7001, label: 'data' })
    lossy.lose('PUT', '/volumes/7001', 'answer lost')
    // The history reads the volume before the change; after the lost response, skyctl reads it again.
    lossy.pass('GET', '/volumes/7001')
    lossy.lose('GET', '/volumes/7001', 'request lost')
    expect((await skyctl('volumes update 7001 --label other --retries 0')).exit).toBe(11)
    const unforced = await skyctl('history undo 1 --yes')
    expect({ exit: unforced.exit, label: world.volumes.get(7001)?.label }).toEqual({ exit: 6, label: 'other' })
    expect(unforced.stderr).toContain('the outcome of change 1 is unknown')
    const { exit } = await skyctl('history undo 1 --yes --force')
    expect({ exit, label: world.volumes.get(7001)?.label }).toEqual({ exit: 0, label: 'data' })
  })
})

describe('the history files', () => {
  const create = 'volumes create --label new --region us-east'

  test('are not written with SKYCTL_HISTORY=0, which must be yes or no', async ({ skyctl, home, world }) => {
    const { exit } = await skyctl(create, { env: { SKYCTL_HISTORY: '0' } })
    expect({ exit, exists: existsSync(join(home, 'state/history')) }).toEqual({ exit: 0, exists: false })
    const invalid = await skyctl(create, { env: { SKYCTL_HISTORY: 'maybe' } })
    expect({ exit: invalid.exit, sent: world.requests('POST').length }).toEqual({ exit: 2, sent: 1 })
  })

  test.for([
    { what: 'a file', put: (path: string) => writeFileSync(path, '') },
    { what: 'a link', put: (path: string) => symlinkSync('/tmp', path) },
  ])('do not stop the change if $what is in their place: one warning', async ({ put }, { skyctl, home }) => {
    mkdirSync(join(home, 'state'), { recursive: true, mode: 0o700 })
    put(join(home, 'state/history'))
    const { exit, stderr } = await skyctl(create)
    expect({ exit, lines: stderr.trimEnd().split('\n') }).toEqual({
      exit: 0,
      lines: [
        expect.stringMatching(
          /^skyctl: warning: the history is not recorded: .*\/state\/history .*keeps the history there\. .*SKYCTL_STATE_DIR/,
        ),
        expect.stringMatching(/^Created volume "new" /),
      ],
    })
    expect((await skyctl('history')).exit).toBe(12)
  })

  test('do not stop the change if no line can be added: one warning', async ({ skyctl, home }) => {
    mkdirSync(join(home, 'state/history/1.ndjson'), { recursive: true, mode: 0o700 })
    const { exit, stderr } = await skyctl('volumes detach data-1 data-2 --yes --concurrency 1')
    expect({ exit, warnings: stderr.match(/the history is not recorded: .*/g) }).toEqual({
      exit: 0,
      warnings: [expect.stringContaining(join(home, 'state/history/1.ndjson'))],
    })
  })

  test('have a plain error if their folder is deleted while skyctl runs', async ({ home }) => {
    const folder = join(home, 'none')
    await expect(new LedgerWriter(folder).append('{}', () => {})).rejects.toThrow(
      `cannot read ${folder}: no such file or directory`,
    )
  })

  test('have numbers as names; other files in their folder are ignored', async ({ skyctl, home, entries }) => {
    await skyctl(create)
    for (const name of ['01.ndjson', '2.ndjson.old', 'notes']) writeFileSync(join(home, 'state/history', name), '')
    await skyctl(`${create} --allow-duplicate`)
    expect((await entries()).map(({ number }) => number)).toEqual([2, 1])
  })

  test('do not stop the change if there is no home folder', async ({ skyctl }) => {
    const { exit, stderr } = await skyctl(create, { env: { SKYCTL_STATE_DIR: undefined, HOME: '' }, homedir: () => '' })
    expect({ exit, lines: stderr.split('\n').length }).toEqual({ exit: 0, lines: 2 })
  })

  test('lose only an incomplete line', async ({ skyctl, home, entries }) => {
    await skyctl(create)
    appendFileSync(join(home, 'state/history/1.ndjson'), '\n{"entry":"torn","time":"2026-')
    await skyctl(`${create} --allow-duplicate`)
    const undated = { entry: 'x', time: 'once', context: null, service: 'a', command: 'b', method: 'PUT', path: '/' }
    appendFileSync(join(home, 'state/history/1.ndjson'), `${JSON.stringify(undated)}\n`)
    appendFileSync(join(home, 'state/history/1.ndjson'), 'what is this\n\u0000\n[]\n')
    expect((await entries()).map(({ number, outcome }) => [number, outcome])).toEqual([
      [2, 'ok'],
      [1, 'ok'],
    ])
  })

  test('have a limit: the oldest are removed, and no number is used twice', async ({ skyctl, home, entries }) => {
    const folder = join(home, 'state/history')
    await skyctl(create)
    const begun = { time: '2026-01-15T12:00:00.000Z', context: null, service: 'sandbox', command: 'x', method: 'PUT' }
    const writer = new LedgerWriter(folder)
    for (let entry = 0; entry < 16_000; entry += 1) {
      const change = { entry: `${entry}`.padStart(16, '0'), ...begun, path: '/volumes/1', label: 'l'.repeat(150) }
      await writer.append(JSON.stringify(change), () => {})
    }
    writer.close()
    await skyctl(`${create} --allow-duplicate`)
    const names = readdirSync(folder)
    const bytes = names.map((name) => statSync(join(folder, name)).size)
    expect(names.length).toBeLessThanOrEqual(32)
    expect(Math.max(...bytes)).toBeLessThan(129 * 1024)
    const recorded = await entries('--limit 12000')
    expect(recorded[0]).toMatchObject({ label: 'new', outcome: 'ok' })
    expect(recorded.length).toBeGreaterThan(2000)
    expect(new Set(recorded.map(({ number }) => number)).size).toBe(recorded.length)
    expect(recorded.map(({ number }) => number)).toEqual(recorded.map(({ number }) => number).sort((a, b) => b - a))
  })

  test.runIf(existsSync('/proc/self/fd'))('are closed after use', async ({ skyctl, historyText }) => {
    const open = () => readdirSync('/proc/self/fd').filter((file) => nameOf(file)?.includes('/history/'))
    await skyctl(create)
    expect(historyText()).not.toBe('')
    expect(open()).toEqual([])
  })

  test('are not created by history clear', async ({ skyctl, home }) => {
    expect((await skyctl('history clear --yes')).exit).toBe(0)
    expect(readdirSync(join(home, 'state/history'))).toEqual([])
  })

  test('are removed by history clear if confirmed, and numbers continue', async ({ skyctl, entries }) => {
    await skyctl(create)
    const { exit, stderr } = await skyctl('history clear')
    expect({ exit, stderr, count: (await entries()).length }).toEqual({
      exit: 2,
      stderr: expect.stringMatching(/Remove the history of 1 change\? This must be confirmed.*--yes/),
      count: 1,
    })
    expect((await skyctl('history clear --yes')).exit).toBe(0)
    expect(await entries()).toEqual([])
    await skyctl(`${create} --allow-duplicate`)
    const [only, ...others] = await entries()
    expect(others).toEqual([])
    expect(only?.number).toBeGreaterThan(1)
  })

  test('have no request body and nothing that looks like a secret', async ({
    skyctl,
    world,
    home,
    historyText,
    env,
  }) => {
    const set = 'profile preferences set --body -'
    await skyctl(set, { stdin: '{"api_token": "Wn4dLb93fWn4dLb93f", "theme": "dark"}' })
    await skyctl(set, { stdin: '{"theme": "written-by-us"}' })
    world.volume({ id: 7001, label: env.SKYCTL_TOKEN ?? '' })
    await skyctl('volumes update 7001 --label plain')
    await skyctl(`api PUT /volumes/7001?token=Wn4dLb93fWn4dLb93f --body -`, { stdin: '{"label": "by-api"}' })
    const text = historyText()
    for (const secret of ['Wn4dLb93fWn4dLb93f', 'written-by-us', env.SKYCTL_TOKEN ?? '']) {
      expect(filesBelow(home).filter(({ path, text }) => path.includes('history') && text.includes(secret))).toEqual([])
    }
    // The history records only the empty preferences before the first change.
    expect(text.match(/"before"/g)).toHaveLength(1)
    const { stderr, exit } = await skyctl('history undo 2 --yes')
    expect({ exit, stderr }).toMatchObject({ exit: 6, stderr: expect.stringContaining('was not kept') })
  })
})

describe('skyctl history', () => {
  test('prints the list, takes its flags, and suggests subcommands', async ({ skyctl }) => {
    await skyctl('volumes create --label new --region us-east')
    expect((await skyctl('history')).stdout).toBe((await skyctl('history list')).stdout)
    expect((await skyctl('history --limit 0 --json')).stdout).toBe('[]\n')
    expect((await skyctl('history -q')).stdout).toBe('1\n')
    const { exit, stderr } = await skyctl('history lst')
    expect({ exit, stderr }).toMatchObject({ exit: 2, stderr: expect.stringContaining('list') })
  })

  test.for([
    { filter: 'time<1h', count: 2 },
    { filter: 'time>1h', count: 0 },
    { filter: 'outcome=failed', count: 1 },
    { filter: 'kind=volume', count: 2 },
    { filter: 'id=999999', count: 1 },
  ])('filters by $filter', async ({ filter, count }, { skyctl, entries }) => {
    await skyctl('volumes create --label new --region us-east')
    await skyctl('volumes delete 999999 --yes --force')
    expect(await entries(`--filter '${filter}'`)).toHaveLength(count)
  })

  test.for(['table', 'json', 'ndjson', 'yaml', 'csv', 'tsv'])(
    'prints %s, also for an empty history',
    async (format, { skyctl }) => {
      expect((await skyctl(`history -o ${format}`)).exit).toBe(0)
      await skyctl('volumes create --label new --region us-east')
      const { exit, stdout } = await skyctl(`history -o ${format}`)
      expect({ exit, stdout }).toMatchObject({ exit: 0, stdout: expect.stringContaining('new') })
    },
  )

  test('shows the values before a change', async ({ skyctl, world }) => {
    world.volume({ id: 7001, label: 'data', tags: ['a'] })
    await skyctl('volumes update 7001 --label other')
    const { stdout } = await skyctl('history view 1 --json')
    expect(JSON.parse(stdout)).toMatchObject({ number: 1, label: 'other', before: { label: 'data' } })
  })

  test.for([
    { number: '9', exit: 5 },
    { number: 'x', exit: 2 },
    { number: '0', exit: 2 },
  ])('rejects the number of no change: $number', async ({ number, exit }, { skyctl }) => {
    expect((await skyctl(`history view ${number}`)).exit).toBe(exit)
    expect((await skyctl(`history undo ${number} --yes`)).exit).toBe(exit)
  })

  test('escapes labels of the service', async ({ skyctl, world }) => {
    world.volume({ id: 7001, label: 'a\u001b[31mb\u202ec' })
    await skyctl('volumes update 7001 --tag x')
    const { stdout } = await skyctl('history', { columns: 100 })
    expect(stdout).toContain('volume')
    expect(stdout).not.toMatch(/\u001b\[31m|\u202e/)
  })
})

describe('requests that only the history needs', () => {
  const gets = (world: { requests(method?: string): { path: string }[] }) =>
    world.requests('GET').map(({ path }) => path)

  test('are one for an object named by id, and none with SKYCTL_HISTORY=0', async ({ skyctl, world }) => {
    world.network.firewall({ id: 9100, label: 'edge' })
    await skyctl('firewalls update 9100 --label door')
    expect(gets(world)).toEqual(['/networking/firewalls/9100'])
    await skyctl('firewalls update 9100 --label gate', { env: { SKYCTL_HISTORY: '0' } })
    expect(gets(world)).toHaveLength(1)
  })

  test('are none for several objects or an object that was read already', async ({ skyctl, world, env }) => {
    for (const id of [7001, 7002, 7003]) world.volume({ id, label: `v${id}` })
    world.network.firewall({ id: 9100, label: 'edge' })
    const off = { env: { ...env, SKYCTL_HISTORY: '0', SKYCTL_STATE_DIR: `${env.SKYCTL_STATE_DIR}2` } }
    for (const line of ['firewalls disable 9100', 'volumes update v7003 --tag x', 'firewalls update edge --tag y']) {
      const before = gets(world).length
      await skyctl(`${line} --yes`)
      const expected = gets(world).length - before
      world.network.firewall({ id: 9100, label: 'edge' })
      await skyctl(`${line} --yes`, off)
      expect({ line, gets: gets(world).length - before - expected }).toEqual({ line, gets: expected })
    }
    const before = gets(world).length
    await skyctl('volumes delete 7001 7002 7003 --yes --force')
    // Each target is looked up before the first is deleted.
    expect(gets(world)).toHaveLength(before + 3)
  })

  test('may fail without stopping the change', async ({ skyctl, world, lossy }) => {
    world.network.firewall({ id: 9100, label: 'edge' })
    for (let times = 0; times < 3; times += 1) lossy.lose('GET', '/networking/firewalls/9100', 'unavailable')
    const { exit } = await skyctl('firewalls update 9100 --tag a')
    expect({ exit, tags: world.network.firewalls.get(9100)?.tags }).toEqual({ exit: 0, tags: ['a'] })
  })
})

/** Returns the path of an open file of this process; undefined if it was just closed. */
function nameOf(file: string): string | undefined {
  try {
    return readlinkSync(`/proc/self/fd/${file}`)
  } catch {
    return undefined
  }
}
