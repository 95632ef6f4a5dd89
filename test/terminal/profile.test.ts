/** What the account's commands ask before they cut something off, and Ctrl-C there. */
import { describe, expect } from 'vitest'
import { interruptAfter, step } from '../flows/steps'
import type { World } from '../support/sandbox'
import { keys, test } from '../support/terminal'

const change = ({ users }: World, changes: object) => {
  for (const user of users.all()) users.put({ ...user, ...changes })
}
const onlyKeys = (world: World) => change(world, { shell_auth_method: 'keys_only' })
const sent = (world: World) => world.requests().filter(({ method }) => method !== 'GET')

const guards: { line: string; said: RegExp; arrange?: (world: World) => void }[] = [
  {
    line: 'tokens revoke owner --even-if-current',
    said: /whatever uses it is refused at once, and you are signed out/,
  },
  { line: 'tokens rotate owner', said: /Clients that still use the old token will be refused\. Replace token "owner"/ },
  { line: 'profile tfa disable', said: /logins then need the password only/ },
  { line: 'profile update --no-two-factor-auth', said: /logins then need the password only/ },
  { line: 'profile update --restricted', said: /Restrict yourself: what was not granted to you is forbidden at once/ },
  { line: 'profile phone delete', said: /Remove the verified phone number/ },
  { line: 'profile devices revoke 1', said: /its browser must log in again, also if it is the one you use now/ },
  { line: 'profile apps revoke backups', said: /its token expires, and it can no longer access the account/ },
  {
    line: 'profile sshkeys delete laptop desktop office laptop-again',
    said: /No key is left then, and the remote shell takes keys only/,
    arrange: onlyKeys,
  },
]

describe.for(guards)('$line', ({ line, said, arrange }) => {
  test('says what it cuts off, and does nothing without a yes or after Ctrl-C', async ({
    terminal,
    shellTerminal,
    world,
  }) => {
    arrange?.(world)
    const { until, type, end } = terminal(line, { columns: 200 })
    expect((await until('(y/N)')).join('')).toMatch(said)
    type(keys.enter)
    expect(await end).toMatchObject({ exit: 6 })
    const { exit, screen } = await interruptAfter(shellTerminal, `skyctl ${line}`, [step('(y/N)')])
    expect({ exit, last: screen.at(-1) }).toEqual({ exit: 130, last: 'skyctl: interrupted at a prompt' })
    expect(sent(world)).toEqual([])
  })
})

test.for([
  ['another key is left', 'profile sshkeys delete laptop', 'keys_only'],
  ['a password will do', 'profile sshkeys delete laptop desktop office laptop-again', 'password_keys'],
])('profile sshkeys delete does not warn where %s', async ([, line = '', method], { terminal, world }) => {
  change(world, { shell_auth_method: method })
  expect((await terminal(line, { columns: 200 }).until('(y/N)')).join('')).not.toContain('No key is left')
})
