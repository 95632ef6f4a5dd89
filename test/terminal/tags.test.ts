/** Tags that `--tag` replaces. */
import { expect } from 'vitest'
import type { World } from '../support/sandbox'
import { test } from '../support/terminal'

test.for([
  ['volumes update 7001 --tag c', true],
  ['volumes update 7001 --tag a --tag b --tag c', false],
  ['volumes update 7001 --add-tag c', false],
] as const)('"%s" on a terminal names tags that it leaves out: %s', async ([line, isNamed], { terminal, world }) => {
  world.volume({ id: 7001, label: 'data', tags: ['a', 'b'] })
  const { exit, screen } = await terminal(line, { columns: 120 }).end
  expect({ exit, isNamed: screen.includes('--tag replaces the tags a, b; --add-tag keeps them') }).toEqual({
    exit: 0,
    isNamed,
  })
})

const requestsOf = (world: World) => world.requests().map(({ method, path }) => `${method} ${path}`)

test.for([
  ['volumes update 3001', '/volumes/3001'],
  ['firewalls update 4001', '/networking/firewalls/4001'],
] as const)(
  '"%s --tag" names them in a pipe, too, without another request',
  async ([line, path], { skyctl, world }) => {
    const note = '--tag replaces the tags production; --add-tag keeps them\n'
    const before = requestsOf(world).length
    const { exit, stdout, stderr } = await skyctl(`${line} --tag c`)
    expect({ exit, isNamed: stderr.includes(note), isOnStdout: stdout.includes(note) }).toEqual({
      exit: 0,
      isNamed: true,
      isOnStdout: false,
    })
    expect(requestsOf(world).slice(before)).toEqual([`GET ${path}`, `PUT ${path}`])
    expect((await skyctl(`${line} --tag d --quiet`)).stderr).toBe('')
    expect((await skyctl(`${line} --tag d --tag e`)).stderr).not.toContain('--tag replaces')
    expect((await skyctl(`${line} --tag f --json`)).stderr).toBe('')
  },
)
