/** Output of the completion commands (interface.md, Completion). Other tests run it in shells. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { faultServer, reply } from '../support/fault-server'
import { test } from '../support/skyctl'

const lines = (text: string) => text.trimEnd().split('\n')

describe('completion SHELL', () => {
  test.for([
    ['bash', 'complete -F _skyctl', 'source <(skyctl completion bash)'],
    ['zsh', '#compdef skyctl', 'source <(skyctl completion zsh)'],
    ['fish', 'complete -c skyctl', 'skyctl completion fish | source'],
    ['powershell', 'Register-ArgumentCompleter', 'Invoke-Expression'],
  ] as const)(
    'prints the script, and its help prints how to load it: %s',
    async ([shell, part, install], { skyctl }) => {
      const { exit, stdout, stderr } = await skyctl(`completion ${shell}`)
      expect({ exit, stderr, hasPart: stdout.includes(part) }).toEqual({ exit: 0, stderr: '', hasPart: true })
      for (const format of ['--json', '-o json', '-o ndjson'])
        expect(JSON.parse((await skyctl(`completion ${shell} ${format}`)).stdout)).toEqual({ shell, script: stdout })
      for (const other of ['-o yaml', '-o table'])
        expect((await skyctl(`completion ${shell} ${other}`)).stdout).toBe(stdout)
      const help = (await skyctl(`completion ${shell} --help`)).stdout
      expect(help).toContain(install)
      expect(help).toMatch(
        shell === 'powershell' ? 'completion script for PowerShell' : new RegExp(`completion script for ${shell}`),
      )
    },
  )

  test('prints one JSON document with --json, and a script otherwise', async ({ skyctl }) => {
    const plain = await skyctl('completion bash', { env: { SKYCTL_OUTPUT: 'json' } })
    const { stdout } = await skyctl('completion bash --json')
    expect(JSON.parse(stdout)).toEqual({ shell: 'bash', script: plain.stdout })
    expect(plain).toMatchObject({ exit: 0, stderr: '' })
  })

  test('explains the installation in its help', async ({ skyctl }) => {
    const { stdout } = await skyctl('completion fish --help')
    const install =
      'mkdir -p ~/.config/fish/completions && skyctl completion fish > ~/.config/fish/completions/skyctl.fish'
    expect(stdout.replaceAll(/ \\\n */g, ' ')).toContain(install)
  })

  test('hides the command for the scripts', async ({ skyctl }) => {
    expect((await skyctl('completion --help')).stdout).not.toContain('values')
  })
})

describe('completion values', () => {
  test('rejects an unknown kind with a list of all kinds', async ({ skyctl, world }) => {
    for (const kind of ['cows', 'toString', '""'])
      expect(await skyctl(`completion values ${kind}`)).toEqual({
        exit: 2,
        stdout: '',
        stderr:
          `skyctl: there are no names of "${kind.replaceAll('"', '')}". The kinds are: volumes, firewalls, rules, tokens, ` +
          'sshkeys, apps, computes, balancers, regions, contexts\n',
      })
    expect(world.requests()).toEqual([])
  })

  test.for([
    ['volumes', '/volumes'],
    ['firewalls', '/networking/firewalls'],
    ['tokens', '/profile/tokens'],
    ['sshkeys', '/profile/sshkeys'],
    ['apps', '/profile/apps'],
    ['regions', '/regions'],
  ] as const)('requests only one list, and prints one name per line: %s', async ([kind, path], { skyctl, world }) => {
    const { exit, stdout, stderr } = await skyctl(`completion values ${kind}`)
    expect({ exit, stderr, empty: stdout === '' }).toEqual({ exit: 0, stderr: '', empty: false })
    expect(world.requests().map((request) => request.path.replace(/\?.*/, ''))).toEqual([path])
    const names = JSON.parse((await skyctl(`completion values ${kind} --json`)).stdout)
    expect(names.map(({ name }: { name: string }) => name).sort()).toEqual(
      lines(stdout)
        .map((line) => line.split('\t')[0])
        .sort(),
    )
  })

  test('reads all pages of a list', async ({ skyctl, world }) => {
    for (let count = 0; count < 120; count += 1) world.volume({ label: `disk-${count}` })
    const { stdout } = await skyctl('completion values volumes')
    expect(lines(stdout).filter((line) => line.startsWith('disk-'))).toHaveLength(120)
  })

  test('knows only those instances that were seen with volumes', async ({ skyctl, world }) => {
    world.compute({ id: 5001, label: 'mail-1' })
    world.compute({ id: 5002, label: 'lonely' })
    world.volume({ compute_id: 5001 })
    await skyctl('completion values volumes')
    const { stdout } = await skyctl('completion values computes')
    expect(stdout).toContain('mail-1\t5001\n')
    expect(stdout).not.toContain('lonely')
  })

  test('prints contexts of the file and the built-in one, with their addresses', async ({ skyctl, home, world }) => {
    const contexts = {
      prod: { base_url: 'https://api.example.net/v4' },
      'a\u202eb': { base_url: 'https://api.example.net/v4' },
    }
    mkdirSync(join(home, 'config'), { mode: 0o700 })
    writeFileSync(join(home, 'config/contexts.json'), JSON.stringify({ contexts }), { mode: 0o600 })
    const { stdout } = await skyctl('completion values contexts')
    expect(stdout).toBe('prod\thttps://api.example.net/v4\nsandbox\tThe embedded service\n')
    expect(JSON.parse((await skyctl('completion values contexts --json')).stdout)).toHaveLength(2)
    expect(world.requests()).toEqual([])
  })

  test('fails and prints nothing if the service fails', async ({ skyctl }) => {
    const { host } = await faultServer(reply(401, { errors: [{ reason: 'Invalid token' }] }))
    const env = { SKYCTL_BASE_URL: `http://${host}/v4` }
    expect(await skyctl('completion values volumes', { env })).toMatchObject({ exit: 3, stdout: '' })
  })
})
