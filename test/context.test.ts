/** Output and effects of the context commands on an existing file. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { test as base, type Options, type Result } from './support/skyctl'

const url = 'https://api.example.net/v4'

const test = base.extend<{
  /** Writes the contexts file; returns a function that reads it. */
  file(contexts: object, current?: string): () => { current?: string; contexts: Record<string, object> }
  /** Runs a context command without token and base URL in the environment. */
  run(line: string | readonly string[], options?: Options): Promise<Result>
}>({
  file: async ({ home }, use) => {
    const path = join(home, 'config', 'contexts.json')
    mkdirSync(join(home, 'config'), { recursive: true, mode: 0o700 })
    await use((contexts, current) => {
      writeFileSync(path, JSON.stringify({ current, contexts }), { mode: 0o600 })
      return () => JSON.parse(readFileSync(path, 'utf8'))
    })
  },
  run: async ({ skyctl }, use) =>
    use((line, { env, ...options } = {}) => {
      const words = typeof line === 'string' ? `context ${line}` : ['context', ...line]
      return skyctl(words, { ...options, env: { SKYCTL_TOKEN: undefined, SKYCTL_BASE_URL: undefined, ...env } })
    }),
})

const builtIn = {
  name: 'sandbox',
  current: false,
  current_by: null,
  base_url: null,
  user: null,
  token: 'built in',
  token_command: null,
  defaults: { region: null, output: null, keep_open: [], networks: null },
}

const three = {
  prod: { base_url: url, token: 'secret', user: 'ada', defaults: { region: 'eu-west', output: 'tsv' } },
  dev: { base_url: url, token_command: 'pass show dev', defaults: { keep_open: ['tcp/22@198.51.100.7'] } },
  bare: { base_url: url },
}

describe('context list', () => {
  test('lists contexts by name and the built-in one last, without tokens', async ({ file, run }) => {
    file(three, 'dev')
    const { stdout, stderr } = await run('list --json')
    expect(stdout).not.toContain('secret')
    expect({ stderr, records: JSON.parse(stdout) }).toEqual({
      stderr: '',
      records: [
        { ...builtIn, name: 'bare', base_url: url, token: 'none' },
        {
          ...builtIn,
          name: 'dev',
          current: true,
          current_by: 'file',
          base_url: url,
          token: 'command',
          token_command: 'pass show dev',
          defaults: { region: null, output: null, keep_open: ['tcp/22@198.51.100.7'], networks: null },
        },
        {
          ...builtIn,
          name: 'prod',
          base_url: url,
          user: 'ada',
          token: 'stored',
          defaults: { region: 'eu-west', output: 'tsv', keep_open: [], networks: null },
        },
        builtIn,
      ],
    })
  })

  test('has one column for each field and each default', async ({ file, run }) => {
    file(three)
    const { stdout } = await run('list -o tsv')
    const rows = stdout.replace(/\n$/, '').split('\n')
    expect(rows.map((line) => line.split('\t'))).toEqual([
      ['name', 'current', 'current_by', 'base_url', 'user', 'token'].concat(
        ['region', 'output', 'keep_open', 'networks'].map((name) => `defaults.${name}`),
      ),
      ['bare', 'false', '', url, '', 'none', '', '', expect.anything(), ''],
      ['dev', 'false', '', url, '', 'command', '', '', expect.stringContaining('tcp/22@198.51.100.7'), ''],
      ['prod', 'false', '', url, 'ada', 'stored', 'eu-west', 'tsv', expect.anything(), ''],
      ['sandbox', 'false', '', '', '', 'built in', '', '', expect.anything(), ''],
    ])
    expect((await run('list -o tsv --no-headers --columns name,token_command,defaults')).stdout).toContain(
      'dev\tpass show dev\t',
    )
  })

  test('prints names with --quiet, and respects --limit', async ({ file, run }) => {
    file(three, 'dev')
    expect(await run('list --quiet')).toEqual({ exit: 0, stdout: 'bare\ndev\nprod\nsandbox\n', stderr: '' })
    expect(await run('list --quiet --limit 2')).toEqual({ exit: 0, stdout: 'bare\ndev\n', stderr: '' })
    expect(await run('list --quiet --sort -name --limit 1')).toMatchObject({ stdout: 'sandbox\n' })
    expect(await run('list --quiet --limit 0')).toEqual({ exit: 0, stdout: '', stderr: '' })
    expect((await run('list --limit some')).exit).toBe(2)
  })

  test('warns about variables that override the current context', async ({ file, run }) => {
    file(three, 'prod')
    const { exit, stderr } = await run('list --quiet', { env: { SKYCTL_TOKEN: 'f'.repeat(64) } })
    expect({ exit, stderr }).toEqual({
      exit: 0,
      stderr: `skyctl: warning: using SKYCTL_TOKEN instead of the token of context "prod"\n`,
    })
  })

  test('names the current context only in a table, and not with an invalid base URL', async ({ file, run }) => {
    file(three, 'dev')
    for (const format of ['tsv', 'yaml', 'json'])
      expect(await run(`list -o ${format}`)).toMatchObject({ exit: 0, stderr: '' })
    expect((await run('list')).stderr).toContain('Current context: dev')
    const { exit, stderr } = await run('list', { env: { SKYCTL_BASE_URL: 'nonsense', SKYCTL_TOKEN: 'f'.repeat(64) } })
    expect({ exit, isNamed: stderr.includes('there is no current context') }).toEqual({ exit: 0, isNamed: false })
  })

  test('has no pages and no filter', async ({ run }) => {
    for (const flag of ['--page 1', '--page-size 25', '--concurrency 2', '--filter name=prod'])
      expect(await run(`list ${flag}`)).toMatchObject({ exit: 2, stdout: '' })
  })

  test('names no current context if there is none', async ({ file, run }) => {
    file(three)
    const { exit, stdout, stderr } = await run('list')
    expect({ exit, stderr }).toEqual({ exit: 0, stderr: '' })
    expect(stdout).toContain('sandbox')
    const records = JSON.parse((await run('list --json')).stdout)
    expect(records.map(({ current }: { current: boolean }) => current)).toEqual([false, false, false, false])
  })

  test('lists contexts even if the current one is missing or has no token', async ({ file, run }) => {
    file(three, 'gone')
    expect(await run('list --quiet')).toMatchObject({
      exit: 0,
      stdout: 'bare\ndev\nprod\nsandbox\n',
      stderr: 'skyctl: warning: no current context: context "gone" not found\n',
    })
    file(three, 'bare')
    expect(await run('list')).toMatchObject({
      exit: 0,
      stderr: 'Current context: bare\n',
    })
  })
})

describe('context view', () => {
  test('shows the built-in context, without base URL, user and defaults', async ({ run }) => {
    expect(JSON.parse((await run('view sandbox --json')).stdout)).toEqual(builtIn)
  })

  test('shows the current context by default, or suggests the list', async ({ file, run }) => {
    file(three)
    expect(await run('view')).toEqual({
      exit: 5,
      stdout: '',
      stderr: 'skyctl: there is no current context. See skyctl context list\n',
    })
    file(three, 'sandbox')
    expect(JSON.parse((await run('view --json')).stdout)).toEqual({ ...builtIn, current: true, current_by: 'file' })
  })

  test('shows a context by name, whichever is current', async ({ file, run }) => {
    file(three, 'dev')
    expect(JSON.parse((await run('view prod --json')).stdout)).toMatchObject({ name: 'prod', current: false })
    expect(JSON.parse((await run('view --json --context prod')).stdout)).toMatchObject({
      name: 'prod',
      current: true,
      current_by: 'flag',
    })
    expect((await run('view --quiet')).stdout).toBe('dev\n')
  })
})

describe('context use', () => {
  test('reports the new current context', async ({ file, run }) => {
    const readContexts = file(three, 'dev')
    expect(await run('use prod')).toEqual({ exit: 0, stdout: '', stderr: 'Context "prod" is now current\n' })
    expect(readContexts().current).toBe('prod')
  })

  test('accepts the built-in context', async ({ file, run }) => {
    const readContexts = file(three, 'dev')
    expect((await run('use sandbox')).stderr).toBe('Context "sandbox" is now current\n')
    expect(readContexts().current).toBe('sandbox')
    expect(JSON.parse((await run('use sandbox --json')).stdout)).toEqual({
      ...builtIn,
      current: true,
      current_by: 'file',
    })
  })

  test('warns about variables that override it', async ({ file, run }) => {
    file(three)
    expect((await run('use prod', { env: { SKYCTL_CONTEXT: 'dev' } })).stderr).toBe(
      'Context "prod" is current when SKYCTL_CONTEXT is not set\n' +
        'skyctl: warning: SKYCTL_CONTEXT=dev overrides the current context; unset it\n',
    )
    expect((await run('use prod', { env: { SKYCTL_TOKEN: 'f'.repeat(64) } })).stderr).toBe(
      'Context "prod" is now current\nskyctl: warning: SKYCTL_TOKEN overrides context "prod"; unset it to use that\n',
    )
  })

  test('does not warn if SKYCTL_CONTEXT is empty or names the same context', async ({ file, run }) => {
    file(three)
    for (const SKYCTL_CONTEXT of ['', 'prod'])
      expect((await run('use prod', { env: { SKYCTL_CONTEXT } })).stderr).toBe('Context "prod" is now current\n')
  })

  test('prints as JSON whether the context is current, and why', async ({ file, run }) => {
    file(three)
    const contextAfter = async (line: string, SKYCTL_CONTEXT?: string) =>
      JSON.parse((await run(`${line} --json`, { env: { SKYCTL_CONTEXT } })).stdout)
    expect(await contextAfter('use dev', 'prod')).toMatchObject({ name: 'dev', current: false, current_by: null })
    expect(await contextAfter('use prod', 'prod')).toMatchObject({
      name: 'prod',
      current: true,
      current_by: 'environment',
    })
    expect(await contextAfter('use prod')).toMatchObject({ name: 'prod', current: true, current_by: 'file' })
    file(three)
    expect(await contextAfter('update dev --region us-east')).toMatchObject({ name: 'dev', current: false })
  })

  test('rejects an unknown context with exit 5, and changes nothing', async ({ file, run }) => {
    const readContexts = file(three, 'dev')
    expect(await run('use unrelated')).toEqual({
      exit: 5,
      stdout: '',
      stderr: 'skyctl: context "unrelated" not found. See skyctl context list\n',
    })
    expect((await run('use sandbix')).stderr).toContain('Did you mean "sandbox"?')
    expect(readContexts().current).toBe('dev')
  })
})

describe('context update', () => {
  test('lists its flags if none is set', async ({ file, run }) => {
    file(three)
    const message = 'nothing to change. Pass --region, --default-output, --keep-open, --networks or --token-command'
    expect(await run('update prod')).toEqual({ exit: 2, stdout: '', stderr: `skyctl: ${message}\n` })
  })

  test('reports the update, and keeps other fields', async ({ file, run }) => {
    const readContexts = file({ prod: { ...three.prod, later: 1 } })
    const stderr = 'Updated context "prod"\n'
    expect(await run('update prod --region us-east')).toEqual({ exit: 0, stdout: '', stderr })
    const defaults = { region: 'us-east', output: 'tsv' }
    expect(readContexts().contexts.prod).toEqual({ ...three.prod, later: 1, defaults })
  })

  test('removes a default by an empty value', async ({ file, run }) => {
    const readContexts = file(three)
    for (const words of [
      ['prod', '--region', ''],
      ['prod', '--default-output', ''],
      ['dev', '--no-keep-open'],
    ])
      expect(await run(['update', ...words])).toMatchObject({ exit: 0 })
    expect(readContexts().contexts.prod).toHaveProperty('defaults', {})
    expect(readContexts().contexts.dev).toHaveProperty('defaults', {})
  })

  test('replaces a stored token by a command', async ({ file, run }) => {
    const readContexts = file(three)
    await run(['update', 'prod', '--token-command', 'pass show prod'])
    expect(readContexts().contexts.prod).toEqual({
      base_url: url,
      user: 'ada',
      defaults: three.prod.defaults,
      token_command: 'pass show prod',
    })
    await run(['update', 'dev', '--region', 'us-east'])
    expect(readContexts().contexts.dev).toMatchObject({ token_command: 'pass show dev' })
  })

  test('removes a token command by an empty value, and names the next step', async ({ file, run }) => {
    const readContexts = file(three)
    const { token_command: _removed, ...rest } = three.dev
    const stderr = 'Updated context "dev". Sign in again: skyctl auth login --context dev\n'
    expect(await run(['update', 'dev', '--token-command', ''])).toEqual({ exit: 0, stdout: '', stderr })
    expect(readContexts().contexts.dev).toEqual(rest)
  })

  test('keeps a stored token if an empty value removes a command that it does not have', async ({ file, run }) => {
    const readContexts = file(three)
    const stderr = 'Updated context "prod"\n'
    expect(await run(['update', 'prod', '--token-command', ''])).toEqual({ exit: 0, stdout: '', stderr })
    expect(readContexts().contexts.prod).toEqual(three.prod)
  })

  test.for([
    ['--region Nowhere!', '--region: "Nowhere!" is not a region id'],
    ['--default-output jsn', '--default-output'],
    ['--keep-open ssh', 'ssh'],
  ] as const)('rejects %s, and changes nothing', async ([flags, message], { file, run }) => {
    const readContexts = file(three)
    const { exit, stdout, stderr } = await run(`update prod ${flags}`)
    expect({ exit, stdout, stderr }).toEqual({ exit: 2, stdout: '', stderr: expect.stringContaining(message) })
    expect(readContexts().contexts).toEqual(three)
  })
})

describe('context rename', () => {
  test('reports the new name, and leaves another context current', async ({ file, run }) => {
    const readContexts = file(three, 'dev')
    const stderr = 'Renamed context "prod" to "live"\n'
    expect(await run('rename prod live')).toEqual({ exit: 0, stdout: '', stderr })
    const { prod, ...others } = three
    expect(readContexts()).toEqual({ current: 'dev', contexts: { ...others, live: prod } })
  })

  test('keeps the current context current, and prints its new name with --quiet', async ({ file, run }) => {
    const readContexts = file(three, 'prod')
    expect(await run('rename prod live --quiet')).toEqual({ exit: 0, stdout: 'live\n', stderr: '' })
    expect(readContexts().current).toBe('live')
  })

  test.for(['dev', 'prod', 'sandbox'])('rejects an existing name: %s', async (name, { file, run }) => {
    const readContexts = file(three, 'prod')
    expect(await run(`rename prod ${name}`)).toEqual({
      exit: 6,
      stdout: '',
      stderr: `skyctl: a context "${name}" already exists\n`,
    })
    expect(readContexts()).toEqual({ current: 'prod', contexts: three })
  })

  test('rejects a name with blanks, and suggests one without', async ({ file, run, skyctl }) => {
    const readContexts = file(three, 'prod')
    expect(await skyctl(['context', 'rename', 'prod', 'my prod'])).toEqual({
      exit: 2,
      stdout: '',
      stderr: 'skyctl: the context name "my prod" has blanks. Write it without: my-prod\n',
    })
    expect(readContexts()).toEqual({ current: 'prod', contexts: three })
    expect((await run('rename prod my-prod')).exit).toBe(0)
  })

  test('accepts an old name with blanks, from an earlier version', async ({ file, skyctl }) => {
    const readContexts = file({ 'my prod': three.prod }, 'my prod')
    expect((await skyctl(['context', 'rename', 'my prod', 'prod'])).exit).toBe(0)
    expect(readContexts().current).toBe('prod')
  })
})

describe('context delete', () => {
  test('reports that the token stays valid, and leaves another context current', async ({ file, run }) => {
    const readContexts = file(three, 'dev')
    expect(await run('delete prod --yes')).toEqual({
      exit: 0,
      stdout: '',
      stderr: 'Deleted context "prod"; its token stays valid until it is revoked or expires\n',
    })
    const { prod: _, ...others } = three
    expect(readContexts()).toEqual({ current: 'dev', contexts: others })
  })

  test('leaves no context current after deleting the current one', async ({ file, run }) => {
    const readContexts = file(three, 'prod')
    expect(await run('delete prod --yes --json')).toEqual({ exit: 0, stdout: '{}\n', stderr: '' })
    expect(readContexts()).not.toHaveProperty('current')
  })

  test('needs a confirmation', async ({ file, run }) => {
    const readContexts = file(three, 'prod')
    expect(await run('delete prod')).toMatchObject({
      exit: 2,
      stderr: expect.stringContaining(
        'Its token will be deleted, too. Delete the context "prod"? This must be confirmed',
      ),
    })
    expect(readContexts()).toEqual({ current: 'prod', contexts: three })
  })

  test('mentions no token if none is stored', async ({ file, run }) => {
    file({ ...three, prod: { base_url: three.prod.base_url } })
    expect((await run('delete prod')).stderr).toMatch(/^skyctl: Delete the context "prod"\? This must be confirmed/)
    expect((await run('delete prod --yes')).stderr).toBe('Deleted context "prod"\n')
  })

  test('asks nothing about an unknown context: exit 5', async ({ file, run }) => {
    file(three)
    expect(await run('delete live')).toMatchObject({ exit: 5, stderr: expect.stringContaining('"live" not found') })
  })
})

test.for(['update sandbox --region us-east', 'rename sandbox mine', 'delete sandbox --yes'])(
  'context %s fails: the context is built in',
  async (line, { file, run }) => {
    file(three)
    expect(await run(line)).toEqual({
      exit: 2,
      stdout: '',
      stderr: 'skyctl: the context "sandbox" is built in and cannot be changed\n',
    })
  },
)

test.for(['use prod', 'update prod', 'update prod --region us-east', 'rename prod live', 'delete prod --yes'])(
  'context %s rejects --base-url',
  async (line, { file, run }) => {
    const readContexts = file(three)
    expect(await run(`${line} --base-url ${url}`)).toEqual({
      exit: 2,
      stdout: '',
      stderr:
        'skyctl: --base-url is not used here: the context to change is named as an argument. ' +
        'A new address needs a token: skyctl auth login --context NAME --base-url URL\n',
    })
    expect(readContexts().contexts).toEqual(three)
  },
)
