/** Flags that hold a list: "Lists repeat or take commas" (interface.md, Grammar). */
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
])('%j name %j: what is between two commas is an item where it is something', async ([flags, tags], { skyctl }) => {
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
])('%s %s %j: what a variable leaves that is not set names nothing', async ([line, flag, text], { skyctl, world }) => {
  for (const typed of [[flag, text], [`${flag}=${text}`]]) {
    const { exit, stdout, stderr } = await skyctl([...line.split(' '), ...typed])
    expect({ exit, stdout, sent: world.requests() }).toEqual({ exit: 2, stdout: '', sent: [] })
    expect(stderr).toMatch(`skyctl: ${flag}: "${text}" is empty. `)
  }
})

test('a list is emptied by its own flag', async ({ skyctl }) => {
  const { stdout } = await skyctl('volumes update 3001 --no-tags --dry-run --json')
  expect(JSON.parse(stdout).body).toEqual({ tags: [] })
})
