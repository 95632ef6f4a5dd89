/**
 * Repeated flags: a flag with one value that is set twice is a usage error that names both values (interface.md,
 * Grammar).
 */
import { expect } from 'vitest'
import { test } from './support/skyctl'

test.for<[line: string, message: string]>([
  [
    'tokens create --label a --expiry 90d --expiry never',
    '--expiry takes one value and is set twice: "90d" and "never"',
  ],
  ['tokens create --label a --label a', '--label takes one value and is set twice: "a" and "a"'],
  ['volumes attach 3001 --compute-id 1 --compute_id 2', '--compute-id takes one value and is set twice: "1" and "2"'],
  ['volumes attach 3001 --compute-id=1 --compute-id=2', '--compute-id takes one value and is set twice: "1" and "2"'],
  ['firewalls rules update 4001 --file a --body b', '--file takes one value and is set twice: "a" and "b"'],
  [
    'firewalls devices add 4001 --balancer-id 1 --balancer-id 2',
    '--balancer-id takes one value and is set twice: "1" and "2"',
  ],
  ['volumes list --limit 1 --limit 2', '--limit takes one value and is set twice: "1" and "2"'],
  ['--context a volumes list --context b', '--context takes one value and is set twice: "a" and "b"'],
  ['volumes --context a list --context b', '--context takes one value and is set twice: "a" and "b"'],
  ['--timeout 1m volumes list --timeout 2m', '--timeout takes one value and is set twice: "1m" and "2m"'],
  ['volumes list --retries 1 --retries 2', '--retries takes one value and is set twice: "1" and "2"'],
  ['volumes list -o table --output csv', '--output takes one value and is set twice: "table" and "csv"'],
  ['-qo table volumes list -ocsv', '--output takes one value and is set twice: "table" and "csv"'],
  [
    'volumes attach 3001 --compute-id 1001 --persist-across-boots --no-persist-across-boots',
    '--persist-across-boots and --no-persist-across-boots contradict each other',
  ],
  [
    'volumes attach 3001 --compute-id 1001 --no_persist_across_boots --persist_across_boots',
    '--no-persist-across-boots and --persist-across-boots contradict each other',
  ],
  ['volumes update 3001 --tag a --no-tags', '--tag and --no-tags contradict each other'],
  ['volumes update 3001 --no-tags --tags a', '--no-tags and --tag contradict each other'],
  [
    'profile update --no-authorized-keys --authorized-key a',
    '--no-authorized-keys and --authorized-key contradict each other',
  ],
  ['context update work --keep-open tcp/22 --no-keep-open', '--keep-open and --no-keep-open contradict each other'],
])('a flag with one value must not be set twice: %s', async ([line, message], { skyctl, world }) => {
  const { exit, stdout, stderr } = await skyctl(line)
  expect({ exit, stdout, stderr, sent: world.requests() }).toEqual({
    exit: 2,
    stdout: '',
    stderr: `skyctl: ${message}. Keep one of them\n`,
    sent: [],
  })
})

test('a repeated flag is a "usage" error in JSON', async ({ skyctl }) => {
  const { exit, stderr } = await skyctl('--json volumes list --limit 1 --limit 2')
  expect({ exit, error: JSON.parse(stderr).error }).toMatchObject({
    exit: 2,
    error: { code: 'usage', exit_code: 2, message: '--limit takes one value and is set twice: "1" and "2"' },
  })
})

test.for([
  'volumes list -q --quiet',
  'volumes list --quiet -qq',
  'volumes list --json --json -o json',
  '-y volumes list --yes',
  'volumes update 3001 --tag a --tags b --dry-run --dry_run',
  'volumes list --filter size>=1 --filter size<=9 --columns id --format label --sort id --sort label',
])('a list flag and equivalent flags may be repeated: %s', async (line, { skyctl }) => {
  expect(await skyctl(line)).toMatchObject({ exit: 0 })
})

test('a repeated code or private key is not quoted', async ({ skyctl, world }) => {
  const key = '-----BEGIN OPENSSH PRIVATE KEY-----'
  for (const argv of [
    ['profile', 'tfa', 'confirm', '--tfa-code', '123456', '--tfa-code', '654321'],
    ['profile', 'sshkeys', 'add', '--label', 'a', '--ssh-key', key, '--ssh-key', key],
  ]) {
    const { exit, stderr } = await skyctl(argv)
    expect({ exit, sent: world.requests() }).toEqual({ exit: 2, sent: [] })
    expect(stderr).toContain('is set twice: [redacted] and [redacted]')
  }
})

test('words after -- may repeat flags', async ({ skyctl }) => {
  const { stderr } = await skyctl('firewalls open 4001 --port 22 --from 192.0.2.1 --dry-run -- echo --port 1 --port 2')
  expect(stderr).not.toContain('set twice')
})

test('help marks repeatable flags', async ({ skyctl }) => {
  const { stdout } = await skyctl('volumes update --help')
  expect(stdout.replaceAll(/\s+/g, ' ')).toContain(
    '--add-tag <text> Add a tag to the current ones (repeatable, or a,b)',
  )
})
