/** What people have in their fingers from other command lines of this family, as interface.md promises it. */
import { describe, expect } from 'vitest'
import { loadTree, withDescendants } from '../src/generate/tree'
import { program } from '../src/program'
import { test } from './support/skyctl'

describe('the same is meant by', () => {
  test.for<[typed: string, meant: string]>([
    ['volumes list --format id,label', 'volumes list --columns id,label'],
    ['volumes view 3001 --format label --json', 'volumes view 3001 --columns label --json'],
    ['volumes list --page_size 25 --no_headers', 'volumes list --page-size 25 --no-headers'],
    ['volumes list --color never --max_wait 5s', 'volumes list --color never --max-wait 5s'],
    ['volumes update 3001 --tags a,b --dry-run', 'volumes update 3001 --tag a --tag b --dry-run'],
    ['volumes attach 3002 --compute_id 1001 --dry_run', 'volumes attach 3002 --compute-id 1001 --dry-run'],
    [
      'volumes attach 3002 --compute-id 1001 --no_persist_across_boots --dry-run',
      'volumes attach 3002 --compute-id 1001 --no-persist-across-boots --dry-run',
    ],
    [
      'profile update --authorized_keys "ssh-ed25519 AAAA" --dry-run',
      'profile update --authorized-key "ssh-ed25519 AAAA" --dry-run',
    ],
    [
      'tokens create --label a --scopes volumes:read_only --dry-run',
      'tokens create --label a --scope volumes:read_only --dry-run',
    ],
    ['ips list --skip_ipv6_rdns', 'ips list --skip-ipv6-rdns'],
  ])('%s, and %s', async ([typed, meant], { skyctl }) => {
    const [one, other] = [await skyctl(typed), await skyctl(meant)]
    expect(other).toMatchObject({ exit: 0, stdout: expect.stringMatching(/./) })
    expect(one).toEqual(other)
  })
})

/** interface.md, Grammar. */
const verbs: Readonly<Record<string, readonly string[]>> = {
  list: ['ls'],
  view: ['get', 'show', 'describe'],
  create: ['add'],
  update: ['set'],
  delete: ['rm', 'remove'],
}
const commands = withDescendants(await loadTree(program))
const named = commands.flatMap(({ words }) =>
  (verbs[words.at(-1) ?? ''] ?? []).map(
    (alias) => [[...words.slice(0, -1), alias].join(' '), words.join(' ')] as const,
  ),
)
const groups = commands.flatMap(({ words }) => {
  const [group = '', ...more] = words
  return more.length === 1 && group.endsWith('s')
    ? [[`${group.replace(/s$/, '')} ${more}`, words.join(' ')] as const]
    : []
})

test.for([...named, ...groups])('%s is %s', async ([typed, meant], { skyctl }) => {
  const [one, other] = [await skyctl(`${typed} --help`), await skyctl(`${meant} --help`)]
  expect(other).toMatchObject({ exit: 0, stdout: expect.stringContaining(`skyctl ${meant}`) })
  expect(one).toEqual(other)
})
