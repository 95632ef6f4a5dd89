/** Questions before commands of the profile that remove access, and Ctrl-C there. */
import { describe, expect } from 'vitest'
import { interruptAfter, step } from '../flows/steps'
import type { World } from '../support/sandbox'
import { keys, test } from '../support/terminal'

const change = ({ users }: World, changes: object) => {
  for (const user of users.all()) users.put({ ...user, ...changes })
}
const onlyKeys = (world: World) => change(world, { shell_auth_method: 'keys_only' })
const sent = (world: World) => world.requests().filter(({ method }) => method !== 'GET')

const guards: { line: string; question: RegExp; arrange?: (world: World) => void }[] = [
  {
    line: 'tokens revoke owner --force',
    question: /Clients that use it will be rejected at once, and you will be signed out\. Revoke token/,
  },
  {
    line: 'tokens rotate owner',
    question:
      /Clients that still use the old token will be rejected\. The new token will be shown here, once.*Replace token "owner"/,
  },
  {
    line: 'profile tfa disable',
    question: /Logins will need the password only\. Switch two-factor authentication off\?/,
    arrange: (world) => change(world, { two_factor_auth: true }),
  },
  {
    line: 'profile update --no-two-factor-auth',
    question: /Logins will need the password only\. Switch two-factor authentication off\?/,
  },
  {
    line: 'profile update --restricted',
    question: /lose all access without a grant, also to this command\. Restrict yourself\?/,
  },
  { line: 'profile phone delete', question: /Remove the verified phone number/ },
  {
    line: 'profile devices revoke 1',
    question: /Its browser must log in again, even if you use it now\. Revoke device/,
  },
  { line: 'profile apps revoke backups', question: /It will lose access to the account at once\. Revoke app/ },
  {
    line: 'profile sshkeys delete laptop desktop office laptop-again',
    question: /No key will remain, and the remote shell accepts only keys\. Instances keep their copies\. Delete/,
    arrange: onlyKeys,
  },
]

describe.for(guards)('$line', ({ line, question, arrange }) => {
  test('names the consequence, and changes nothing without a yes', async ({ terminal, shellTerminal, world }) => {
    arrange?.(world)
    const { until, type, end } = terminal(line, { columns: 200 })
    expect((await until('(y/N)')).join('')).toMatch(question)
    type(keys.enter)
    expect(await end).toMatchObject({ exit: 6 })
    const { exit, screen } = await interruptAfter(shellTerminal, `skyctl ${line}`, [step('(y/N)')])
    expect({ exit, last: screen.at(-1) }).toEqual({ exit: 130, last: 'skyctl: interrupted at a prompt' })
    expect(sent(world)).toEqual([])
  })
})

test.for([
  ['another key remains', 'profile sshkeys delete laptop', 'keys_only'],
  ['a password works', 'profile sshkeys delete laptop desktop office laptop-again', 'password_keys'],
])('profile sshkeys delete does not warn if %s', async ([, line = '', method], { terminal, world }) => {
  change(world, { shell_auth_method: method })
  expect((await terminal(line, { columns: 200 }).until('(y/N)')).join('')).not.toContain('No key will remain')
})

test('tokens revoke with several tokens warns above the question that the current one stays', async ({
  terminal,
  world,
}) => {
  const { until, type, end } = terminal('tokens revoke owner deploy', { columns: 200 })
  const [heading, reason = '', question] = await until('(y/N)')
  expect({ heading, question }).toEqual({
    heading: '1 of 2 will not be revoked:',
    question: '? Clients that use it will be rejected at once. Revoke token "deploy" (9)? (y/N)',
  })
  expect(reason).toMatch(
    /^ {2}token "owner" \(\d+\) is the current token: without it you are signed out\. Replace it with/,
  )
  type(`y${keys.enter}`)
  expect(await end).toMatchObject({ exit: 9 })
  expect(sent(world).map(({ path }) => path)).toEqual(['/profile/tokens/9'])
})
