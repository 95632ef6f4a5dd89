/** Command lines in the style of another tool get a hint with skyctl's own line (interface.md, Grammar). */
import { describe, expect } from 'vitest'
import { fieldsOf } from '../src/catalogue/field-types'
import { program } from '../src/commands/index'
import { flagAdvice, movedFlags, synonyms } from '../src/engine/flag-synonyms'
import { globalFlags } from '../src/engine/flags'
import { parseArguments } from '../src/engine/parser'
import { commands, samples } from './support/samples'
import { runSkyctl, test } from './support/skyctl'

/** Resolves if skyctl would run the line. */
async function parse(line: string): Promise<string> {
  const [, ...words] = line.split(' ')
  const { call } = await parseArguments(words, program, { columns: 80, words: async () => ({}) })
  return call?.words ?? ''
}

const flags: readonly [line: string, flag: string, hint: string][] = [
  // Synonyms of a flag.
  ['volumes create --name data --size 20', '--name', 'Use --label: skyctl volumes create --label data --size 20'],
  ['volumes create --name=data', '--name', 'Use --label: skyctl volumes create --label data'],
  ['volumes create --LABEL data', '--LABEL', 'Use --label: skyctl volumes create --label data'],
  ['volumes create --name', '--name', 'Use --label'],
  [
    'volumes create --title a --location us-east',
    '--title',
    'Use --label: skyctl volumes create --label a --region us-east',
  ],
  ['volumes list -n 5', '-n', 'Use --limit: skyctl volumes list --limit 5'],
  ['volumes list -n5', '-n', 'Use --limit: skyctl volumes list --limit 5'],
  ['volumes list --output-format json', '--output-format', 'Use --output: skyctl volumes list --output json'],
  ['--profile prod volumes list', '--profile', 'Use --context: skyctl --context prod volumes list'],
  ['volumes list --profile prod', '--profile', 'Use --context: skyctl volumes list --context prod'],
  ['volumes list --no-header', '--no-header', 'Use --no-headers: skyctl volumes list --no-headers'],
  [
    'volumes attach a --instance_id 1001',
    '--instance_id',
    'Use --compute-id: skyctl volumes attach a --compute-id 1001',
  ],
  [
    'firewalls rules add web inbound --action accept --protocol tcp --port 80 --source-ips 0.0.0.0/0 --source-ips ::/0',
    '--source-ips',
    'Use --from: skyctl firewalls rules add web inbound --action accept --protocol tcp --port 80 --from 0.0.0.0/0 --from ::/0',
  ],
  [
    'firewalls open web --source 203.0.113.9 --for 1h -- ssh web',
    '--source',
    'Use --from: skyctl firewalls open web --from 203.0.113.9 --for 1h -- ssh web',
  ],
  ['firewalls rules update web -f rules.yaml', '-f', 'Use --file: skyctl firewalls rules update web --file rules.yaml'],
  // Fields for --filter.
  ['volumes list --region us-east', '--region', 'Use --filter: skyctl volumes list --filter region=us-east'],
  ['volumes list -qv --region us-east', '--region', 'Use --filter: skyctl volumes list -qv --filter region=us-east'],
  ['volumes list --status active', '--status', 'Use --filter: skyctl volumes list --filter status=active'],
  ['volumes list --tag db', '--tag', 'Use --filter: skyctl volumes list --filter tags=db'],
  ['firewalls list --label web', '--label', 'Use --filter: skyctl firewalls list --filter label=web'],
  ['firewalls list --name web', '--name', 'Use --filter: skyctl firewalls list --filter label=web'],
  ['ips list --public', '--public', 'Use --filter: skyctl ips list --filter public=true'],
  ['volumes list --region', '--region', 'Use --filter region=VALUE'],
  ['volumes list --unattached', '--unattached', 'Use --filter: skyctl volumes list --filter compute_id=none'],
  ['ips list --unused', '--unused', 'Use --filter: skyctl ips list --filter compute_id=none'],
  ['volumes list --older-than 30d', '--older-than', "Use --filter: skyctl volumes list --filter 'created>30d'"],
  ['volumes list --older-than', '--older-than', "Use --filter 'created>VALUE'"],
  ['volumes list --selector tags=db', '--selector', 'Use --filter: skyctl volumes list --filter tags=db'],
  ['volumes list -l label~db', '-l', "Use --filter: skyctl volumes list --filter 'label~db'"],
  ['volumes list -l data', '-l', 'Use --filter: skyctl volumes list --filter label=data'],
  // Flags for an argument.
  ['volumes view --id 3001', '--id', 'The volume needs no flag: skyctl volumes view 3001'],
  ['volumes delete --name data', '--name', 'The volume needs no flag: skyctl volumes delete data'],
  ['firewalls rules list --firewall web', '--firewall', 'The firewall needs no flag: skyctl firewalls rules list web'],
  ['volumes view data --name other', '--name', 'The volume needs no flag: skyctl volumes view <volume...> [flags]'],
  ['plan -f account.yaml', '-f', 'The file needs no flag: skyctl plan account.yaml'],
  [
    'firewalls rules add web --direction in --action drop --protocol icmp --to ::/0',
    '--direction',
    'The direction needs no flag: skyctl firewalls rules add web inbound --action drop --protocol icmp --to ::/0',
  ],
  ['api /profile --method GET', '--method', 'The method needs no flag: skyctl api [method] [path] [flags]'],
  // Flags that confirm.
  [
    'profile sshkeys delete laptop --force',
    '--force',
    'The command asks first, and --yes answers: skyctl profile sshkeys delete laptop',
  ],
  ['volumes delete -f data', '-f', 'The command asks first, and --yes answers: skyctl volumes delete data'],
  ['apply --auto-approve a.yaml', '--auto-approve', 'The command asks first, and --yes answers: skyctl apply a.yaml'],
  ['volumes --force delete data', '--force', 'Use --yes'],
  ['volumes list --force', '--force', 'The command asks nothing, and needs no such flag: skyctl volumes list'],
  ['volumes list --all', '--all', 'Lists are complete without it: skyctl volumes list'],
  ['volumes list --selector env=prod', '--selector', 'Use --filter: skyctl volumes list --filter tags=prod'],
  ['volumes list --jq .[].label', '--jq', "Use --query: skyctl volumes list --query '[].label'"],
  ['volumes wait data --until active', '--until', 'Use --for: skyctl volumes wait data --for active'],
  ['firewalls rules move web inbound 2 --to 1', '--to', 'Use --at: skyctl firewalls rules move web inbound 2 --at 1'],
  [
    'ips rdns 192.0.2.31 --hostname mail.example.net',
    '--hostname',
    'The name needs no flag: skyctl ips rdns 192.0.2.31 mail.example.net',
  ],
  ['volumes list -c prod', '-c', 'Use --context: skyctl volumes list --context prod'],
  // Flags for an output file.
  ['export --file account.yaml', '--file', 'The result goes to stdout: skyctl export > FILE'],
  ['export --output-dir out', '--output-dir', 'The result goes to stdout: skyctl export > FILE'],
  ['volumes list --out a.json', '--out', 'The result goes to stdout: skyctl volumes list > FILE'],
  ['volumes list --help-all', '--help-all', 'To see all flags: skyctl volumes list --help --all'],
]

describe('a flag of another tool', () => {
  test.for(flags)('gets a hint: %s', async ([line, flag, hint]) => {
    expect(await runSkyctl(line)).toEqual({
      exit: 2,
      stdout: '',
      stderr: `skyctl: unknown flag "${flag}". ${hint}\n`,
    })
  })

  const lines = flags
    .flatMap(([, , hint]) => /: (skyctl [^[]*)$/.exec(hint)?.[1] ?? [])
    .filter((line) => !/--help|> FILE/.test(line))

  test.for(lines)('gets a hint with a valid line: %s', async (line) => {
    expect(await parse(line)).not.toBe('')
  })

  test('gets the hint in JSON as well', async () => {
    const { stderr } = await runSkyctl('volumes list --region us-east --json')
    expect(JSON.parse(stderr).error).toMatchObject({
      code: 'usage',
      message: 'unknown flag "--region"',
      hint: 'Use --filter: skyctl volumes list --filter region=us-east --json',
    })
  })

  test.for([
    ['volumes list --token SECRET-1', 'SKYCTL_TOKEN'],
    ['volumes list --token=SECRET-1', 'SKYCTL_TOKEN'],
    ['volumes list --api-key SECRET-1', 'SKYCTL_TOKEN'],
    ['profile update --password=SECRET-1', 'Secrets are never flags'],
    ['profile tfa confirm --code SECRET-1', 'Use --tfa-code'],
    ['profile phone verify --otp-code SECRET-1 --force', 'needs no such flag'],
    ['volumes list --region us-east --password SECRET-1', 'Use --filter'],
    ['volumes list -pSECRET-1', 'See skyctl volumes list --help'],
    ['volumes list --base-url https://me:SECRET-1@host/v4 --region x', 'Use --filter'],
    ['api GET /profile --header Authorization:SECRET-1 --force', 'needs no such flag'],
    ['list volumes --token SECRET-1', 'The group comes first: skyctl volumes list'],
  ])('never gets a hint that repeats a secret: %s', async ([line, hint]) => {
    for (const json of ['', ' --json']) {
      const { exit, stdout, stderr } = await runSkyctl(`${line}${json}`)
      expect({ exit, stdout }).toEqual({ exit: 2, stdout: '' })
      expect(stderr).toContain(hint)
      expect(stderr).not.toContain('SECRET')
    }
  })

  test.for([
    ['volumes list --region us-east --nonsense', 'Use --filter region=VALUE'],
    ['volumes list --nonsense --region us-east', 'See skyctl volumes list --help'],
    [`volumes list --region ${'x'.repeat(300)}`, 'Use --filter region=VALUE'],
  ])('gets no line in its hint if another flag is unclear or the line is too long: %s', async ([line = '', hint]) => {
    const { stderr } = await runSkyctl(`${line} --json`)
    expect(JSON.parse(stderr).error.hint).toBe(hint)
  })

  test.for([
    ['ips assign 192.0.2.31 --compute-id web-2', 'skyctl ips assign ADDRESS=INSTANCE'],
    ['volumes clone data --label c --size 50', 'Resize it afterwards'],
    ['firewalls rules remove web inbound --port 22', 'match:tcp/22'],
    ['firewalls rules remove web inbound --label ssh', 'label:ssh'],
    ['firewalls rules update web inbound label:ssh --port 22', 'skyctl firewalls rules edit'],
    ['volumes detach data --compute-id 1001', 'leave the flag out'],
    ['ips allocate --region us-east', 'in the region of --compute-id'],
  ])('never gets a hint with a command that does something else: %s', async ([line = '', hint]) => {
    const { exit, stderr } = await runSkyctl(line)
    expect({ exit, stderr }).toEqual({ exit: 2, stderr: expect.stringContaining(hint ?? '') })
    expect(stderr).not.toMatch(/Use another command|rules add web|ips share/)
  })

  test('in the table of moved flags exists in the other command only', () => {
    const flagsOf = (name: string) => {
      const { command } = commands.find(({ path }) => path === name) ?? {}
      return command?.flags.filter(({ hidden }) => !hidden).map((flag) => flag.name)
    }
    for (const [path, moves] of Object.entries(movedFlags)) {
      for (const [flag, other] of Object.entries(moves)) {
        expect({ path, flag, here: flagsOf(path)?.includes(flag), there: flagsOf(other)?.includes(flag) }).toEqual({
          ...{ path, flag, here: false, there: true },
        })
      }
    }
    for (const [path, names] of flagAdvice) {
      const existing = flagsOf(path) ?? [path]
      expect({ path, existing: names.split(' ').filter((name) => existing.includes(name)) }).toEqual({
        path,
        existing: [],
      })
    }
  })

  test('is mapped only to existing flags, arguments and fields', () => {
    const existing = [
      ...globalFlags.map(({ name }) => name),
      ...commands.flatMap(({ command: { flags, arguments: positionals = [], records } }) => [
        ...flags.map(({ name, negative }) => (negative === 'only' ? `no-${name}` : name)),
        ...positionals.map(({ name }) => name),
        ...(records ? fieldsOf(records).map(({ path }) => path) : []),
      ]),
      'all',
    ]
    expect(Object.keys(synonyms).filter((meaning) => !existing.includes(meaning))).toEqual([])
  })
})

const words: readonly [line: string, word: string, hint: string][] = [
  ['get volumes', 'get', 'The group comes first: skyctl volumes list'],
  ['--json get volumes', 'get', 'The group comes first: skyctl --json volumes list'],
  ['get volumes --json', 'get', 'The group comes first: skyctl volumes list --json'],
  ['get volume data', 'get', 'The group comes first: skyctl volumes view data'],
  ['describe volume data', 'describe', 'The group comes first: skyctl volumes view data'],
  ['list volumes', 'list', 'The group comes first: skyctl volumes list'],
  ['ls vlans', 'ls', 'The group comes first: skyctl vlans list'],
  ['get vlans', 'get', 'The group comes first: skyctl vlans list'],
  ['delete volume data', 'delete', 'The group comes first: skyctl volumes delete data'],
  ['destroy volume data', 'destroy', 'The group comes first: skyctl volumes delete data'],
  ['delete token old', 'delete', 'The group comes first: skyctl tokens revoke old'],
  ['create volume --label data', 'create', 'The group comes first: skyctl volumes create --label data'],
  ['resize volume data --size 40', 'resize', 'The group comes first: skyctl volumes resize data --size 40'],
  ['list firewall rules web', 'list', 'The group comes first: skyctl firewalls rules list web'],
  ['list rules web', 'list', 'The group comes first: skyctl firewalls rules list web'],
  ['get ssh-keys', 'get', 'The group comes first: skyctl profile sshkeys list'],
  ['describe-volumes', 'describe-volumes', 'The group comes first: skyctl volumes list'],
  ['login', 'login', 'Did you mean "skyctl auth login"?'],
  ['logout', 'logout', 'Did you mean "skyctl auth logout"?'],
  ['config use-context prod', 'config', 'Did you mean "skyctl context use"?'],
  ['state list', 'state', 'Did you mean "skyctl plan", "skyctl apply" or "skyctl export"?'],
  ['config', 'config', 'Did you mean "skyctl context list", "skyctl context use" or "skyctl context update"?'],
  ['create volume data', 'create', 'The group comes first: skyctl volumes create --label data'],
  ['create volume --label data', 'create', 'The group comes first: skyctl volumes create --label data'],
  ['rename volume data logs', 'rename', 'The group comes first: skyctl volumes update data --label logs'],
  ['open', 'open', 'Did you mean "skyctl firewalls open" or "skyctl firewalls rules add"?'],
  ['delete device 1', 'delete', 'Did you mean "skyctl firewalls devices delete" or "skyctl profile devices revoke"?'],
]

const within: readonly [line: string, word: string, group: string, hint: string][] = [
  ['volumes destroy data', 'destroy', 'volumes', 'Did you mean "skyctl volumes delete data"?'],
  ['volumes rename data --label b', 'rename', 'volumes', 'Did you mean "skyctl volumes update data --label b"?'],
  ['volumes rename data logs', 'rename', 'volumes', 'Did you mean "skyctl volumes update data --label logs"?'],
  ['volumes new data --size 20', 'new', 'volumes', 'Did you mean "skyctl volumes create --label data --size 20"?'],
  ['auth switch prod', 'switch', 'auth', 'Did you mean "skyctl context use"?'],
  ['context create prod', 'create', 'context', 'Did you mean "skyctl auth login"?'],
  ['context current', 'current', 'context', 'Did you mean "skyctl context view" or "skyctl auth status"?'],
  ['ips update 192.0.2.31', 'update', 'ips', 'Did you mean "skyctl ips rdns"?'],
  ['firewalls assign web', 'assign', 'firewalls', 'Did you mean "skyctl firewalls devices add"?'],
  ['sandbox stop', 'stop', 'sandbox', 'The sandbox stops with Ctrl-C in its terminal, or with its process'],
  ['auth list', 'list', 'auth', 'Did you mean "skyctl context list"?'],
  ['tokens destroy old', 'destroy', 'tokens', 'Did you mean "skyctl tokens revoke old"?'],
  ['volumes data delete', 'data', 'volumes', 'The verb comes first: skyctl volumes delete data'],
  ['firewalls add-rule web', 'add-rule', 'firewalls', 'The group comes first: skyctl firewalls rules add web'],
]

describe('commands in the style of another tool', () => {
  test.for(words)('get a hint: %s', async ([line, word, hint]) => {
    expect(await runSkyctl(line)).toEqual({
      exit: 2,
      stdout: '',
      ...(line.includes('--json')
        ? { stderr: expect.stringContaining(hint) }
        : { stderr: `skyctl: unknown command "${word}". ${hint}\n` }),
    })
  })

  test.for(within)('get a hint within a group: %s', async ([line, word, group, hint]) => {
    expect(await runSkyctl(line)).toEqual({
      exit: 2,
      stdout: '',
      stderr: `skyctl: unknown command "${word}" for skyctl ${group}. ${hint}\n`,
    })
  })

  test.for([
    ['firewalls rules diff web rules.yaml', 'Did you mean --file rules.yaml?'],
    ['profile sshkeys add keys/id.pub', 'Did you mean --file keys/id.pub?'],
    ['volumes update data logs', 'Did you mean --label logs?'],
    ['volumes update data logs --label other', 'See skyctl volumes update --help'],
    ['volumes create rules.yaml', 'Did you mean --label rules.yaml?'],
    [
      'ips rdns set 192.0.2.31 mail.example.net',
      'The command is "skyctl ips rdns": skyctl ips rdns 192.0.2.31 mail.example.net',
    ],
    ['firewalls devices add web 1004', 'Did you mean --compute-id 1004?'],
    ['firewalls open web 22', 'Did you mean --port 22?'],
    ['volumes list -- --all', 'See skyctl volumes list --help'],
    ['volumes ls data -q', 'Did you mean "skyctl volumes view data -q"?'],
    ['volumes list data --base-url https://me:SECRET@host/v4', 'See skyctl volumes list --help'],
  ])('name the flag to which a surplus word belongs: %s', async ([line = '', hint]) => {
    const { exit, stderr } = await runSkyctl(line)
    expect({ exit, hint: stderr.replace(/^skyctl: unexpected argument "[^"]*"\. /, '') }).toEqual({
      exit: 2,
      hint: `${hint}\n`,
    })
  })

  test.for([
    ['volumes update data --size 60', '"--size". Use another command: skyctl volumes resize data --size 60'],
    ['volume set data --size=60', '"--size". Use another command: skyctl volumes resize data --size=60'],
    [
      'volumes update data --compute-id 1001',
      '"--compute-id". Use another command: skyctl volumes attach data --compute-id 1001',
    ],
    [
      'firewalls update web --inbound-policy drop',
      '"--inbound-policy". Use another command: skyctl firewalls rules update web --inbound-policy drop',
    ],
    ['tokens update ci --expiry 90d', '"--expiry". Use another command: skyctl tokens rotate ci --expiry 90d'],
    ['--json volumes update data --size 60', 'Use another command: skyctl volumes resize"'],
    [
      'apply account.yaml -auto-approve',
      'unknown flag "-auto-approve". The command asks first, and --yes answers: skyctl apply account.yaml\n',
    ],
    [
      'profile sshkeys delete laptop -force',
      'unknown flag "-force". The command asks first, and --yes answers: skyctl profile sshkeys delete laptop\n',
    ],
    ['volumes resize data --label b', '"--label". Use another command: skyctl volumes update data --label b'],
    ['volumes delete data --size 5', '"--size". See skyctl volumes delete --help'],
    ['plan a.yaml -out plan.json', 'unknown flag "-out". Long flags have two dashes: --out\n'],
    ['plan a.yaml -out=plan.json', 'unknown flag "-out". Long flags have two dashes: --out\n'],
    ['volumes list --json=label', 'flag "--json" takes no value. Name fields with --columns\n'],
    ['plan', 'missing required argument "file". Write skyctl plan <file...> [flags]\n'],
    [
      'firewalls rules delete legacy postgres',
      'missing required argument "rule". Write skyctl firewalls rules remove <firewall> <direction> <rule...> [flags]\n',
    ],
    ['volumes delete data -zz', 'unknown flag "-z". See skyctl volumes delete --help'],
    ['firewalls update web --port 22', '"--port". See skyctl firewalls update --help'],
    ['volumes list --size 60', '"--size". Use --filter: skyctl volumes list --filter size=60'],
  ])('name the command of the group that has the flag: %s', async ([line = '', hint]) => {
    const { exit, stderr } = await runSkyctl(line)
    expect({ exit, stderr }).toEqual({ exit: 2, stderr: expect.stringContaining(hint ?? '') })
  })

  test('name --columns if fields follow --json, as with gh', async () => {
    const { stderr } = await runSkyctl('volumes list --json label,size')
    expect(JSON.parse(stderr).error.hint).toBe('Did you mean "skyctl volumes list --json --columns label,size"?')
  })

  test('name the view if a list has an argument', async () => {
    expect((await runSkyctl('volumes list data')).stderr).toBe(
      'skyctl: unexpected argument "data". Did you mean "skyctl volumes view data"?\n',
    )
  })
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
