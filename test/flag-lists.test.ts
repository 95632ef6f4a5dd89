/** Flags with a list are repeated or have commas. */
import { expect } from 'vitest'
import { test } from './support/skyctl'

test.for<[flags: string[], tags: string[]]>([
  [
    ['--tag', 'a', '--tag', 'b'],
    ['a', 'b'],
  ],
  [
    ['--tag', 'a,b', '--tag=c'],
    ['a', 'b', 'c'],
  ],
  [
    ['--tag', ' a , b '],
    ['a', 'b'],
  ],
  [
    ['--tag', 'a,,b,'],
    ['a', 'b'],
  ],
  [['--tag', ',a b'], ['a b']],
])('%j gives %j: empty items between commas are skipped', async ([flags, tags], { skyctl }) => {
  const { exit, stdout } = await skyctl(['volumes', 'update', '3001', ...flags, '--dry-run', '--json'])
  expect({ exit, body: JSON.parse(stdout).body }).toEqual({ exit: 0, body: { tags } })
})

test.for<[line: string, flag: string, text: string]>([
  ['volumes update 3001', '--tag', ''],
  ['volumes update 3001', '--tag', ' , '],
  ['volumes update 3001 --tag a', '--tag', ''],
  ['volumes update 3001', '--add-tag', ''],
  ['profile update', '--authorized-key', ''],
  ['firewalls create --label web-2', '--compute-id', ''],
  ['volumes list', '--columns', ','],
  ['volumes list', '--sort', ''],
  ['volumes list', '--filter', ''],
])('%s %s %j is rejected, as for an unset variable', async ([line, flag, text], { skyctl, world }) => {
  for (const words of [[flag, text], [`${flag}=${text}`]]) {
    const { exit, stdout, stderr } = await skyctl([...line.split(' '), ...words])
    expect({ exit, stdout, sent: world.requests() }).toEqual({ exit: 2, stdout: '', sent: [] })
    expect(stderr).toMatch(`skyctl: ${flag}: "${text}" is empty. `)
  }
})

test('a list is emptied by its own flag', async ({ skyctl }) => {
  const { stdout } = await skyctl('volumes update 3001 --no-tags --dry-run --json')
  expect(JSON.parse(stdout).body).toEqual({ tags: [] })
})
