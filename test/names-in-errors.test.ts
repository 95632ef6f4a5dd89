/** Names in error messages: the flag or argument of the command line, or the path in the file that has the value. */
import { describe, expect } from 'vitest'
import { program } from '../src/commands/index'
import { loadTree, withDescendants } from '../src/engine/command-nodes'
import { test } from './support/skyctl'

const commands = withDescendants(await loadTree(program)).flatMap(({ words, command }) =>
  command?.operations?.some(({ body }) => body) ? [[words.join(' '), command] as const] : [],
)

/** Answers are secrets, so only a file can have them. */
const fileOnly = 'security_questions'

describe('an error names the flag or argument', () => {
  test.for(commands)('%s without flags names only fields that can be typed', async ([line, command], { skyctl }) => {
    const targets = (command.arguments ?? []).map(({ optional }) => (optional ? '' : '1'))
    const { stderr } = await skyctl(`${line} ${targets.join(' ')}`)
    const required = [...stderr.matchAll(/(\S+) is required/g)].map(([, name]) => name)
    const typeable = new RegExp(`^(--[a-z-]+|[A-Z_=]+|${fileOnly})$`)
    expect(required.filter((name) => !typeable.test(name ?? ''))).toEqual([])
  })

  test.for([
    ['volumes create', '--label is required; --region or --compute-id: must provide a region or a Compute ID'],
    ['volumes create --label a --region us-east --size 0', '--size: must be 1 or greater'],
    ['volumes attach 1 --compute-id 1 --config-id 0', '--config-id: must be 1 or greater'],
    ['firewalls create --label web', '--inbound-policy is required; --outbound-policy is required'],
    ['firewalls create --label web --inbound-policy maybe --outbound-policy drop', '--inbound-policy: must be one of'],
    ['firewalls rules add 1 inbound', '--action is required; --protocol is required; --from is required'],
    ['firewalls rules update 1 --inbound-policy maybe', '--inbound-policy: must be one of: ACCEPT, DROP'],
    ['ips assign 192.0.2.7=1 nope=1 --region us-east', 'value 2 of ADDRESS=INSTANCE: must be an IPv4 address'],
    ['ipv6 ranges create --prefix-length 64', '--compute-id: must provide --compute-id or --route-target'],
    ['profile phone send', '--iso-code is required; --phone-number is required'],
    ['profile sshkeys add --label a', '--file or --ssh-key is required'],
    ['tokens create --label a --scope volumes', '--scope: "volumes" is not a scope'],
    ['tokens create --label a --expiry soon', '--expiry: "soon" must be a time'],
    ['firewalls test 1 --protocol tcp --port 0 --from 192.0.2.1', '--port: "0" is not a port'],
  ])('%s: %s', async ([line = '', message], { skyctl, world }) => {
    const { exit, stderr } = await skyctl(line)
    expect({ exit, sent: world.requests() }).toEqual({ exit: 2, sent: [] })
    expect(stderr).toContain(`skyctl: ${message}`)
  })
})

describe('an error in a file names the path in the file', () => {
  test.for([
    ['volumes create --body -', { label: '' }, 'label: must be 1-32 characters'],
    ['volumes create --body -', {}, 'label is required'],
    ['volumes create --body -', {}, 'Set --label'],
    ['volumes create --size 0 --body -', { label: 'a', region: 'us-east' }, '--size: must be 1 or greater'],
    ['firewalls create --label web --file -', { inbound_policy: 'maybe' }, 'rules.inbound_policy: must be one of'],
    ['firewalls create --label web --file -', { inbound_policy: 'drop' }, 'Set --outbound-policy'],
    ['firewalls create --label web --file -', { inbound: [{}] }, 'rules.inbound[0].action is required'],
    ['firewalls rules add 1 inbound --body -', { action: 'maybe' }, 'action: must be one of: ACCEPT, DROP'],
  ] as const)('%s with %j: %s', async ([line, body, message], { skyctl }) => {
    const { exit, stderr } = await skyctl(line, { stdin: JSON.stringify(body) })
    expect(exit).toBe(2)
    expect(stderr).toMatch(new RegExp(`(: |; |\\. )${message.replaceAll(/[[\].]/g, '\\$&')}`))
  })

  test("an error in JSON also has the API's name of the field", async ({ skyctl }) => {
    const { stderr } = await skyctl('firewalls create --label web --json')
    const { errors, message } = JSON.parse(stderr).error
    expect(message).toContain('--inbound-policy is required')
    expect(errors).toContainEqual({ field: 'rules.inbound_policy', reason: 'rules.inbound_policy is required' })
  })
})

test.for([
  ['volumes create data', '--label data'],
  ["volumes create 'my data'", "--label 'my data'"],
  ['profile tfa confirm 123456', '--tfa-code 123456'],
  ['volumes resize data-1 40', '--size 40'],
] as const)('%s: a surplus word causes a suggestion of the missing flag, %s', async ([line, flag], { skyctl }) => {
  const { exit, stderr } = await skyctl(line)
  expect(exit).toBe(2)
  expect(stderr).toContain(`Did you mean ${flag}?`)
})
