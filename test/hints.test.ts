/** Unknown flags and commands get a hint: those with a similar name, or with the meaning in another tool. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { commandSynonyms, flagSynonyms } from '../src/engine/hints/synonyms'
import { commands, samples } from './support/samples'
import { runSkyctl } from './support/skyctl'
import { publicKey, test } from './support/suggestions'

/** Writes the files of the lines below, and returns their paths. */
function files(home: string): Record<string, string> {
  const texts = {
    'account.yaml': 'volumes: { data-2: { size: 40 } }',
    'rules.yaml': 'inbound_policy: drop',
    'keys/id.pub': publicKey,
  }
  const paths = Object.keys(texts).map((name) => [name, join(home, name.replace('/', '-'))] as const)
  for (const [name, path] of paths) writeFileSync(path, texts[name as keyof typeof texts])
  return Object.fromEntries(paths)
}

const commandsOf = (group: string) =>
  commands.flatMap(({ path, command }) => (path.startsWith(`${group} `) ? command.name : []))

const flagsOfDelete =
  'Its flags are --if-present, --force, --journal, --resume, --dry-run, --columns, --no-headers, --query. See skyctl volumes delete --help'

describe('an unknown flag', () => {
  test.for([
    ...[
      ['--labl data', '--labl'],
      ['--name data', '--name'],
      ['--NAME data', '--NAME'],
      ['--name=data', '--name'],
    ].map(([words, flag]) => [
      `volumes create ${words} --region us-east`,
      flag,
      'Did you mean --label? Try: skyctl volumes create --label data --region us-east',
    ]),
    ['volumes list -n 5', '-n', 'Did you mean --limit? Try: skyctl volumes list --limit 5'],
    ['volumes list -n5', '-n', 'Did you mean --limit? Try: skyctl volumes list --limit 5'],
    [
      'volumes list --output-format json',
      '--output-format',
      'Did you mean --output? Try: skyctl volumes list --output json',
    ],
    [
      '--profile sandbox volumes list',
      '--profile',
      'Did you mean --context? Try: skyctl --context sandbox volumes list',
    ],
    [
      'volumes list --region us-east',
      '--region',
      'Did you mean --filter region=us-east? Try: skyctl volumes list --filter region=us-east',
    ],
    [
      'firewalls list -l production',
      '-l',
      'Did you mean --filter tags=production? Try: skyctl firewalls list --filter tags=production',
    ],
    [
      'volumes attach data-2 --instance_id 1001',
      '--instance_id',
      'Did you mean --compute-id? Try: skyctl volumes attach data-2 --compute-id 1001',
    ],
    [
      'firewalls rules add web inbound --cidr 0.0.0.0/0',
      '--cidr',
      'Did you mean --from? For example: skyctl firewalls rules add web inbound --from 0.0.0.0/0 --action accept --protocol tcp',
    ],
    ['volumes delete -f data-2', '-f', 'Did you mean --yes? Try: skyctl volumes delete --yes data-2'],
    ['apply account.yaml -auto-approve', '-auto-approve', 'Did you mean --yes? Try: skyctl apply account.yaml --yes'],
    ['plan a.yaml -out=plan.json', '-out', 'Long flags have two dashes: --out'],
    ['volumes delete data --size 5', '--size', flagsOfDelete],
    ['volumes delete data -zz', '-z', flagsOfDelete],
  ])('gets a hint: %s', async ([line = '', flag, hint], { follow, home }) => {
    const stderr = `skyctl: unknown flag "${flag}". ${hint}\n`
    expect(await runSkyctl(line)).toEqual({ exit: 2, stdout: '', stderr })
    await follow(stderr, files(home))
  })

  test('gets the hint in JSON as well', async () => {
    const { stderr } = await runSkyctl('volumes create --name data --json')
    expect(JSON.parse(stderr).error).toMatchObject({
      code: 'usage',
      message: 'unknown flag "--name"',
      hint: 'Did you mean --label? Try: skyctl volumes create --label data --json',
    })
  })

  test.for([
    ['volumes list --token SECRET-1', 'SKYCTL_TOKEN'],
    ['volumes list --token=SECRET-1', 'SKYCTL_TOKEN'],
    ['volumes list --api-key SECRET-1', 'SKYCTL_TOKEN'],
    ['profile update --password=SECRET-1', 'Secrets are never flags'],
    ['volumes list --password SECRET-1 --region us-east', 'Secrets are never flags'],
    ['volumes list -pSECRET-1', 'See skyctl volumes list --help'],
    ['volumes list --base-url https://me:SECRET-1@host/v4 --region x', 'Did you mean --filter region=x?'],
    ['api GET /profile --header Authorization:SECRET-1 --force', 'Did you mean --yes?'],
    ['list volumes --token SECRET-1', 'Did you mean "skyctl volumes list"?'],
    ['volumes rename data logs --token SECRET-1', 'Did you mean "skyctl volumes update --label"?'],
  ])('never gets a hint that repeats a secret: %s', async ([line, hint]) => {
    for (const json of ['', ' --json']) {
      const { exit, stdout, stderr } = await runSkyctl(`${line}${json}`)
      expect({ exit, stdout }).toEqual({ exit: 2, stdout: '' })
      expect(json === '' ? stderr : JSON.parse(stderr).error.hint).toContain(hint)
      expect(stderr).not.toContain('SECRET')
    }
  })
})

describe('an unknown command', () => {
  test.for([
    ['volumse', 'Did you mean "skyctl volumes"?'],
    ['get volumes', 'Did you mean "skyctl volumes list"?'],
    ['get volumes data-1', 'Did you mean "skyctl volumes view data-1"?'],
    ['list volumes', 'Did you mean "skyctl volumes list"?'],
    ['--json get vlans', 'Did you mean "skyctl --json vlans list"'],
    ['destroy volume data-2', 'Did you mean "skyctl volumes delete data-2"?'],
    ['delete token deploy', 'Did you mean "skyctl tokens revoke deploy"?'],
    [
      'create volume --label data --region us-east',
      'Did you mean "skyctl volumes create --label data --region us-east"?',
    ],
    ['login', 'Did you mean "skyctl auth login"?'],
    ['WhoAmI', 'Did you mean "skyctl auth status"?'],
    ['ssh-keys', 'Did you mean "skyctl profile sshkeys"?'],
    ['zzz', 'The commands are volumes, regions, firewalls,'],
    ['zzz', 'See skyctl --help'],
    ['help exit-code', 'Did you mean "skyctl help exit-codes"?'],
  ])('gets a hint: %s', async ([line = '', hint = ''], { follow, home }) => {
    const { exit, stdout, stderr } = await runSkyctl(line)
    expect({ exit, stdout }).toEqual({ exit: 2, stdout: '' })
    expect(line.includes('--json') ? JSON.parse(stderr).error.hint : stderr).toContain(hint)
    await follow(stderr, files(home))
  })

  test.for([
    ['volumes destroy data-2', 'Did you mean "skyctl volumes delete data-2"?'],
    ['volumes rename data-2 logs', 'Did you mean "skyctl volumes update data-2 --label logs"?'],
    ['tokens destroy deploy', 'Did you mean "skyctl tokens revoke deploy"?'],
    [
      'volumes clon data-2',
      'Did you mean "skyctl volumes clone"? For example: skyctl volumes clone data-2 --label data-copy --wait',
    ],
    ['auth switch sandbox', 'Did you mean "skyctl context use sandbox"?'],
    ['sandbox stop', 'The sandbox stops with Ctrl-C in its terminal, or with its process'],
    ['volumes zzz', `The commands are ${commandsOf('volumes').join(', ')}. See skyctl volumes --help`],
    // Volumes have `clone` and tokens `revoke`: neither is a mistyped `close` or `remove`.
    [
      'firewalls clone web',
      'To copy its rules and policies: skyctl firewalls rules list web -o yaml | skyctl firewalls create --label LABEL --file -',
    ],
  ])('gets a hint within a group: %s', async ([line = '', hint], { follow, home }) => {
    const [group, word] = line.split(' ')
    const stderr = `skyctl: unknown command "${word}" for skyctl ${group}. ${hint}\n`
    expect(await runSkyctl(line)).toEqual({ exit: 2, stdout: '', stderr })
    await follow(stderr, files(home))
  })
})

describe('a synonym', () => {
  const pathsWith = (flag: string) => {
    const isIt = ({ name, hidden, negative }: (typeof commands)[number]['command']['flags'][number]) =>
      `--${negative === 'only' ? 'no-' : ''}${name}` === flag && !hidden
    // The others are global.
    return commands.some(({ command }) => command.flags.some(isIt))
      ? commands.filter(({ command }) => command.flags.some(isIt)).map(({ path }) => path)
      : ['profile sshkeys delete laptop']
  }

  test.for([flagSynonyms, commandSynonyms])('is in a table of at most 40 rows', (synonyms) => {
    expect(new Set(synonyms.map(([meaning]) => meaning)).size).toBeLessThanOrEqual(40)
  })

  test.for(flagSynonyms)(
    'of the flag %s is unknown to a command that has this flag, which is suggested: %s',
    async ([meaning, word]) => {
      const flag = word.length === 1 ? `-${word}` : `--${word}`
      const hints = pathsWith(meaning).map(async (path) => (await runSkyctl(`${path} ${flag} x`)).stderr)
      const suggested = `Did you mean .*${meaning}\\b`
      expect(await Promise.all(hints)).toContainEqual(expect.stringMatching(suggested))
    },
  )

  test.for(commandSynonyms)(
    'of the command %s is unknown where this command is, which is suggested: %s',
    async ([meaning, place]) => {
      const [word = '', ownGroup] = place.split(':').reverse()
      const [command = '', flag] = meaning.split(' --')
      const groups = commands.flatMap(({ path }) =>
        path.endsWith(` ${command}`) ? [path.slice(0, -command.length - 1)] : [],
      )
      const lines = groups.flatMap((group) => [`${group} ${word}`, `${word} ${group}`])
      const hints = [word, ...(ownGroup ? [`${ownGroup} ${word}`] : []), ...lines].map(
        async (line) => (await runSkyctl(line)).stderr,
      )
      expect(await Promise.all(hints)).toContainEqual(
        expect.stringMatching(new RegExp(`unknown command.* ${meaning}"`)),
      )
      const existing = commands.filter(({ path }) => ` ${path} `.includes(` ${command} `))
      expect(existing.length).toBeGreaterThan(0)
      const flags = existing.flatMap(({ command }) => command.flags.map(({ name }) => name))
      expect(flag === undefined || flags.includes(flag)).toBe(true)
    },
  )
})

describe('a surplus argument', () => {
  test.for([
    [
      'firewalls rules diff web rules.yaml',
      'Did you mean --file rules.yaml? Try: skyctl firewalls rules diff web --file rules.yaml',
    ],
    [
      'profile sshkeys add keys/id.pub',
      'Did you mean --file keys/id.pub? For example: skyctl profile sshkeys add --file keys/id.pub --label notebook',
    ],
    ['volumes update data-2 logs', 'Did you mean --label logs? Try: skyctl volumes update data-2 --label logs'],
    [
      'volumes create notes.yaml --region us-east',
      'Did you mean --label notes.yaml? Try: skyctl volumes create --label notes.yaml --region us-east',
    ],
    [
      'firewalls devices add web 1004',
      'Did you mean --compute-id 1004? Try: skyctl firewalls devices add web --compute-id 1004',
    ],
    [
      'firewalls open web 22',
      'Did you mean --port 22? For example: skyctl firewalls open web --port 22 --from YOUR-ADDRESS --for 30m',
    ],
    ['volumes ls data-2', 'Did you mean "skyctl volumes view data-2"?'],
  ])('gets a hint with the flag or command that takes it: %s', async ([line = '', hint], { follow, home }) => {
    const { exit, stderr } = await runSkyctl(line)
    await follow(stderr, files(home))
    expect({ exit, hint: stderr.replace(/^skyctl: (unexpected argument "[^"]*"|nothing to change)\. /, '') }).toEqual({
      exit: 2,
      hint: `${hint}\n`,
    })
  })

  test('behind --json is a choice of fields, as with gh', async () => {
    const { stderr } = await runSkyctl('volumes list --json label,size')
    expect(JSON.parse(stderr).error.hint).toBe(
      'Name fields with --columns: skyctl volumes list --json --columns label,size',
    )
    expect((await runSkyctl('volumes list --json=label')).stderr).toContain(
      'flag "--json" takes no value. Name fields with --columns',
    )
  })
})

test.for([
  ['plan', 'missing required argument "file". For example: skyctl plan account.yaml\n'],
  [
    'firewalls rules delete legacy postgres',
    'missing required argument "direction" (inbound or outbound). For example: skyctl firewalls rules remove legacy inbound postgres\n',
  ],
  [
    'firewalls rules add web --port 443',
    'missing required argument "direction" (inbound or outbound); --action is required; --protocol is required',
  ],
  [
    'firewalls rules add web outbound --port 443 --context sandbox',
    '--action is required; --protocol is required; --to is required. For example: skyctl firewalls rules add web outbound ' +
      '--port 443 --context sandbox --action accept --protocol tcp --to anywhere\n',
  ],
  [
    'firewalls open web --port 22',
    '--from is required, so that nothing is opened to everybody by mistake; --for is required',
  ],
  ["volumes create --label 'my data'", "For example: skyctl volumes create --label 'my data' --region us-east\n"],
])('all that is missing is named, with a complete line: %s', async ([line = '', message], { follow, home }) => {
  const { exit, stderr } = await runSkyctl(line)
  expect({ exit, stderr }).toEqual({ exit: 2, stderr: expect.stringContaining(message ?? '') })
  await follow(stderr, files(home))
})

const confirmed = commands.filter(({ path }) => / ?--yes\b/.test(samples[path]?.line ?? ''))

test.for(confirmed)(
  'skyctl $path asks for confirmation before it acts',
  async ({ path, command }, { clock, sandbox, world, home, env, skyctl }) => {
    const { line = '', stdin = '', arrange } = samples[path] ?? {}
    await arrange?.({ clock, sandbox, world, home, env, skyctl })
    const { exit, stderr } = await skyctl(`${path} ${line.replace(/ ?--yes\b/, '')}`, { stdin })
    expect({ exit, asks: /Add --yes|no question to confirm/.test(stderr) }).toEqual({ exit: 2, asks: true })
    expect(command.asks).toBe(true)
  },
)

/** Lines that lack everything that their commands need. */
const incomplete = commands.filter(
  ({ command: { arguments: parameters = [], flags } }) =>
    parameters.some(({ optional }) => !optional) || flags.some(({ required }) => required),
)

test('The complete line for a command that lacks everything is understood', async ({ skyctl, home }) => {
  expect(incomplete.length).toBeGreaterThan(40)
  for (const { path: line } of incomplete) {
    const { stderr } = await skyctl(line)
    const [, complete] = /For example: skyctl (.+)\n$/.exec(stderr) ?? []
    if (complete === undefined) {
      // Without an example that can be completed, a command that lacks one thing names it.
      expect(stderr, line).toMatch(
        /^skyctl: (missing required argument "[a-z-]+"\. Write skyctl .+|--[a-z-]+ is required)\n$/,
      )
      continue
    }
    const inHome = complete.replace('--output-file ', `--output-file ${home}/`)
    const { stderr: second } = await skyctl(`${inHome} --yes`.replace('--yes --yes', '--yes'))
    expect(second, `${line}: ${complete}`).not.toMatch(/is required|missing|must provide|is needed|unexpected argument/)
  }
})

test('A field among the objects to view is no object: the hint names --query', async ({ skyctl }) => {
  const { exit, stderr } = await skyctl('volumes view data-1 size')
  expect(exit).toBe(9)
  expect(stderr).toContain('volume "size" not found. For that field alone, write --query size\n')
  expect((await skyctl('volumes view data-1 nothing')).stderr).not.toContain('--query')
})

test.for([
  ['profile update --emai me@example.net --tfa-code 863097', '863097'],
  ['api GET /profile --header Authorization:SECRET-1 --outpt json', 'SECRET-1'],
  ['volumes lst --base-url https://me:SECRET-1@host/v4', 'SECRET-1'],
  [['profile', 'sshkeys', 'add', '--name', 'x', '--ssh-key=-----BEGIN OPENSSH PRIVATE KEY-----'], 'BEGIN'],
] as const)('A line with a secret is not repeated: %s', async ([line, secret]) => {
  const { exit, stderr } = await runSkyctl(line)
  expect({ exit, stderr }).toEqual({ exit: 2, stderr: expect.stringContaining('Did you mean') })
  expect(stderr).not.toContain(secret)
})

test('A line that is longer than a screen shows is not repeated', async () => {
  const names = Array.from({ length: 80 }, (_, index) => `data-${index}`).join(' ')
  const { stderr } = await runSkyctl(`volumes destroy ${names}`)
  expect(stderr).toContain('Did you mean "skyctl volumes delete"?\n')
})

test('An unknown flag that is repeated is named once', async ({ skyctl }) => {
  const { stderr } = await skyctl('volumes create --name logs --tags-of a --tags-of b')
  expect(stderr).toContain('unknown flags "--name" and "--tags-of". ')
})

test('A flag for a target that is named already never becomes a second one', async ({ skyctl }) => {
  const { exit, stderr } = await skyctl('volumes delete data-1 --label data-2 --yes')
  expect({ exit, proposesBoth: stderr.includes('data-1 data-2') }).toEqual({ exit: 2, proposesBoth: false })
  expect((await skyctl('volumes delete --label data-2')).stderr).toContain('skyctl volumes delete data-2')
})
