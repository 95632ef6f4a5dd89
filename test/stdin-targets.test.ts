/** `-` reads targets from stdin, one per line (interface.md, Targets); a label belongs to one object. */
import { writeFileSync } from 'node:fs'
import { describe, expect } from 'vitest'
import { commands, samples } from './support/samples'
import { test } from './support/skyctl'
import { publicKey } from './support/suggestions'

test.for([
  ['volumes update - --label x', '3001\n3002\n', '2 volumes would get the same label: "x". Name one volume'],
  ['volumes update - --body -', '3001\n3002\n', 'stdin is empty'],
  [
    'volumes clone - --label x --dry-run',
    'data-1\ndata-2\n',
    '2 volumes would get the same label: "x". Name one volume',
  ],
  [
    'firewalls update - --label xyz --yes',
    '4001\n4005\n',
    '2 firewalls would get the same label: "xyz". Name one firewall',
  ],
  ['tokens update - --label x', '8\n9\n', '2 tokens would get the same label: "x". Name one token'],
  ['profile sshkeys update - --label x', '1\n2\n', '2 SSH keys would get the same label: "x". Name one SSH key'],
  ['volumes delete - --yes', '3001\nid:x\n', '"id:x" is not a volume id'],
  ['tokens rotate - --yes', '8\n9\n', 'one token is needed, and stdin names 2'],
  ['tokens rotate - --yes', '', 'one token is needed, and stdin names none'],
] as const)('%s is rejected before anything is sent', async ([line, stdin, message], { skyctl, world }) => {
  const { exit, stdout, stderr } = await skyctl(line, { stdin })
  expect({ exit, stdout, sent: world.requests() }).toEqual({ exit: 2, stdout: '', sent: [] })
  expect(stderr).toContain(`skyctl: ${message}`)
})

test('a body file with a label for several objects is rejected, too', async ({ skyctl, world, home }) => {
  writeFileSync(`${home}/body.json`, '{"label": "x"}')
  const { exit } = await skyctl(`volumes update - --body ${home}/body.json`, { stdin: '3001\n3002\n' })
  expect({ exit, sent: world.requests() }).toEqual({ exit: 2, sent: [] })
})

test('several objects may get one tag, and one object from stdin may get a label', async ({ skyctl }) => {
  expect(await skyctl('volumes update - --add-tag x', { stdin: '3001\n3002\n' })).toMatchObject({ exit: 0 })
  expect(await skyctl('volumes update - --label x', { stdin: '3001\n' })).toMatchObject({ exit: 0 })
})

test('several volumes may get one label with --allow-duplicate', async ({ skyctl, world }) => {
  const { exit } = await skyctl('volumes update - --label x --allow-duplicate', { stdin: '3001\n3002\n' })
  expect({ exit, labels: [3001, 3002].map((id) => world.volumes.get(id)?.label) }).toEqual({
    exit: 0,
    labels: ['x', 'x'],
  })
})

/** Sample lines with `-` in place of each argument, except those that read a file from stdin. */
const places = commands.flatMap(({ path, command: { arguments: positionals = [] } }) => {
  const words = samples[path]?.line.split(' ') ?? []
  if (words.includes('-')) return []
  return positionals.flatMap((argument, place) =>
    words[place] && !words[place].startsWith('-') && argument.values !== 'files' && !argument.passthrough
      ? [{ line: `${path} ${words.with(place, '-').join(' ')}`, path, argument }]
      : [],
  )
})

test.for(places)(
  '$line: help mentions - exactly if it reads targets from stdin',
  async ({ line, path, argument }, { clock, sandbox, world, home, env, skyctl }) => {
    await samples[path]?.arrange?.({ clock, sandbox, world, home, env, skyctl })
    const two = await skyctl(line, { stdin: 'zzz.none\nzzz.other' })
    const none = await skyctl(line, { stdin: '' })
    const readsStdin = two.exit !== 0 && two.stderr !== none.stderr
    expect({ line, readsStdin }).toEqual({ line, readsStdin: argument.description.includes('- for stdin') })
  },
)

describe('- for a command without targets names the flag that reads stdin', () => {
  test('in a line that works', async ({ skyctl, world }) => {
    const options = { stdin: publicKey }
    const { exit, stderr } = await skyctl('profile sshkeys add --label priv -', options)
    const step = 'profile sshkeys add --label priv --file -'
    expect({ exit, stderr }).toEqual({
      exit: 2,
      stderr: `skyctl: unexpected argument "-". To read stdin: --file -. Try: skyctl ${step}\n`,
    })
    expect(await skyctl(step, options)).toMatchObject({ exit: 0 })
    expect(world.requests('POST')).toHaveLength(1)
  })

  test.for([
    ['profile sshkeys add --ssh-key KEY -', 'To read stdin: --file -'],
    ['volumes create --label data -', 'To read stdin: --body -. Try: skyctl volumes create --label data --body -'],
    ['profile update --email me@example.net -', 'To read stdin: --authorized-keys-file - or --body -'],
    ['regions list -', 'See skyctl regions list --help'],
  ] as const)('%s: %s', async ([line, hint], { skyctl }) => {
    expect(await skyctl(line)).toMatchObject({ exit: 2, stderr: `skyctl: unexpected argument "-". ${hint}\n` })
  })
})
