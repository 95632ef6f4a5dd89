/**
 * A reader that goes away never ends a write (interface.md, Safety): whatever is said is dropped, the work goes on to its
 * end, and the exit code tells of that. Every kind of change, with each stream gone at once or after its first text.
 */
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { openTestSandbox, type TestSandbox } from './support/sandbox'
import { test as base, type Failing, type Options } from './support/skyctl'

const key = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIBYkTw1mRkPLs3AWdWp0tE0vPc0tVUiyy5zRVrkwGyLc me'

/** The lines, and how many requests that change something each of them is. */
const changes: readonly (readonly [requests: number, line: string])[] = [
  [1, 'volumes create --label new --region us-east --tag a'],
  [1, 'volumes create --label new --region us-east --wait'],
  [1, 'volumes update 3002 --label renamed'],
  [1, 'volumes clone 3002 --label copy'],
  [1, 'volumes attach 3002 --compute-id 1001 --wait'],
  [1, 'volumes resize 3002 --size 60 --debug'],
  [3, 'volumes delete 3002 3004 3005 --yes'],
  [3, 'volumes delete 3002 3004 3005 --yes --concurrency 1'],
  [1, 'firewalls create --label new --inbound-policy DROP --outbound-policy ACCEPT'],
  [2, 'firewalls disable web database --yes'],
  [2, 'firewalls delete spare web-strict --yes'],
  [1, 'firewalls devices add spare --compute-id 1009'],
  [1, 'firewalls rules add spare inbound --action ACCEPT --protocol TCP --ports 22 --ipv4 198.51.100.7/32 --label ssh'],
  [1, 'ips allocate --compute-id 1001 --public'],
  [1, 'ips rdns 192.0.2.11 --reset --yes'],
  [1, 'ipv6 ranges create --prefix-length 64 --compute-id 1010'],
  [1, 'ipv6 ranges delete 2001:db8:114:100::/64 --yes'],
  [1, 'profile update --timezone Europe/Berlin'],
  [2, 'profile apps revoke 1 2 --yes'],
  [2, 'profile sshkeys delete laptop desktop --yes'],
  [1, `profile sshkeys add --label new --ssh-key "${key}"`],
  [1, 'profile preferences set --body -'],
  [2, 'tokens revoke 4 5 --yes'],
  [1, 'api DELETE /volumes/3002 --yes'],
]

const gone = (from: number): Failing => ({ code: 'EPIPE', from })
const full = (from: number): Failing => ({ code: 'ENOSPC', from })

const closings: Readonly<Record<string, NonNullable<Options['fails']>>> = {
  'nobody reads stderr': { stderr: gone(0) },
  'the reader of stderr leaves after the first line': { stderr: gone(1) },
  'nobody reads stdout': { stdout: gone(0) },
  'nobody reads either': { stdout: gone(0), stderr: gone(0) },
  'stderr is a full disk': { stderr: full(0) },
  'stdout is a full disk': { stdout: full(0) },
  'stdout is full after the first text': { stdout: full(1) },
}

interface Runs {
  /** Runs a line on a sandbox of its own, in a home of its own. */
  onFresh(line: string, options?: Options): Promise<{ exit: number; stdout: string; stderr: string; sent: string[] }>
}

const test = base.extend<Runs>({
  onFresh: async ({ skyctl, clock, home }, use) => {
    const opened: TestSandbox[] = []
    await use(async (line, options = {}) => {
      const sandbox = await openTestSandbox({ clock })
      opened.push(sandbox)
      const place = join(home, String(opened.length))
      const ended = await skyctl(line, {
        stdin: '{"theme": "dark"}',
        ...options,
        env: { SKYCTL_BASE_URL: sandbox.baseUrl, SKYCTL_TOKEN: sandbox.ownerToken, SKYCTL_STATE_DIR: place },
      })
      const sent = sandbox.world.requests().filter(({ method }) => method !== 'GET')
      return { ...ended, sent: sent.map(({ method, path }) => `${method} ${path}`).sort() }
    })
    await Promise.all(opened.map((sandbox) => sandbox.close()))
  },
})

describe.for(Object.entries(closings))('Where %s', ([, fails]) => {
  test.for(changes)('a change of %i requests is made to its end: %s', async ([requests, line], { onFresh }) => {
    const open = await onFresh(line)
    expect(open).toMatchObject({ exit: 0 })
    expect(open.sent).toHaveLength(requests)
    const closed = await onFresh(line, { fails })
    expect(closed.sent).toEqual(open.sent)
    // What was to be printed, and could not be stored, is a failure; that nobody wanted it is none.
    const lost = fails.stdout?.code === 'ENOSPC' && open.stdout !== '' && closed.stdout !== open.stdout
    expect(closed.exit).toBe(lost ? 12 : 0)
  })
})

describe('What the service shows once, and nobody reads,', () => {
  const unread = (home: string) => {
    const folder = join(home, '1', 'unread')
    return readdirSync(folder).map((name) => join(folder, name))
  }

  test.for([
    ['nobody reads it', { stdout: gone(0) }],
    ['the disk is full', { stdout: full(0) }],
  ] as const)(
    'is kept in a file for its owner, which the last line names: %s',
    async ([, fails], { onFresh, home }) => {
      const { exit, stderr } = await onFresh('tokens create --label ci', { fails })
      expect(exit).toBe(12)
      const [file = ''] = unread(home)
      expect(stderr.trimEnd().split('\n').at(-1)).toContain(`the text of token "ci" (13) is in "${file}"`)
      expect(statSync(file).mode & 0o777).toBe(0o600)
      expect(readFileSync(file, 'utf8')).toMatch(/^facade[0-9a-f]{58}\n$/)
    },
  )

  test('is told as JSON with what was created', async ({ onFresh }) => {
    const { stderr } = await onFresh('tokens create --label ci --json', { fails: { stdout: gone(0) } })
    expect(JSON.parse(stderr)).toMatchObject({
      error: { code: 'local', retryable: false, created: { kind: 'token', id: 13, label: 'ci' } },
    })
  })

  test('is revoked where it could not be kept either', async ({ onFresh, home }) => {
    writeFileSync(join(home, '1'), 'no folder')
    const { exit, stderr, sent } = await onFresh('tokens create --label ci', { fails: { stdout: gone(0) } })
    expect(exit).toBe(12)
    expect(stderr).toContain('token "ci" (13) was created, but nobody knows its text; it is revoked')
    expect(sent).toEqual(['DELETE /profile/tokens/13', 'POST /profile/tokens'])
  })
})
