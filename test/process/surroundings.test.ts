/** Missing, invalid and read-only homes and folders; locales and terminals. */
import { chmodSync, existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { test } from '../support/in-process-shell'

/** Unsets the folders of skyctl, so HOME and XDG variables apply. */
const byHome = { SKYCTL_CONFIG_DIR: undefined, SKYCTL_STATE_DIR: undefined }
const signedOut = { ...byHome, SKYCTL_TOKEN: undefined, SKYCTL_BASE_URL: undefined }
const signIn = 'skyctl auth login --context prod --base-url "$SKYCTL_BASE_URL" --with-token'

describe.for([
  { name: 'empty', HOME: '' },
  { name: 'relative', HOME: 'home' },
])('A home that is $name', ({ HOME }) => {
  test('stores no token, in particular not below the current folder', async ({ shell, home, sandbox }) => {
    const cwd = join(home, 'work')
    mkdirSync(cwd)
    const result = await shell(signIn, { cwd, env: { ...byHome, HOME }, stdin: sandbox.ownerToken, isProcess: true })
    expect(result).toEqual({
      exit: 12,
      signal: null,
      stdout: '',
      stderr: expect.stringMatching(/^skyctl: no config folder: the home folder is unknown. Set HOME, or /),
    })
    expect(readdirSync(cwd)).toEqual([])
  })

  test('is not needed with a token in the environment', async ({ shell, home }) => {
    const cwd = join(home, 'work')
    mkdirSync(cwd)
    for (const line of ['volumes list --json', 'volumes create --label x --region us-east', 'regions list']) {
      expect(await shell(`skyctl ${line}`, { cwd, env: { ...byHome, HOME } })).toMatchObject({ exit: 0 })
    }
    expect(readdirSync(cwd)).toEqual([])
  })

  test('has no state for the sandbox', async ({ shell, home }) => {
    const cwd = join(home, 'work')
    mkdirSync(cwd)
    const { exit, stderr } = await shell('skyctl --context sandbox volumes list', {
      cwd,
      env: { ...signedOut, HOME },
      isProcess: true,
    })
    expect({ exit, stderr }).toEqual({ exit: 12, stderr: expect.stringContaining('no state folder') })
    expect(readdirSync(cwd)).toEqual([])
  })
})

test('Relative XDG folders are ignored, as their specification requires', async ({ shell, home, sandbox }) => {
  const cwd = join(home, 'work')
  mkdirSync(cwd)
  const env = { ...byHome, XDG_CONFIG_HOME: 'config', XDG_STATE_HOME: './state', XDG_CACHE_HOME: '../cache' }
  expect(await shell(signIn, { cwd, env, stdin: sandbox.ownerToken })).toMatchObject({ exit: 0 })
  const list = await shell('skyctl volumes list --quiet', { cwd, env: { ...env, ...signedOut } })
  expect(list).toMatchObject({ exit: 0, stdout: expect.stringContaining('3001') })
  expect(readdirSync(cwd)).toEqual([])
  expect(existsSync(join(home, '.config/skyctl/contexts.json'))).toBe(true)
})

test('Absolute XDG folders are used, also without HOME', async ({ shell, home, sandbox }) => {
  const xdg = { XDG_CONFIG_HOME: join(home, 'c'), XDG_STATE_HOME: join(home, 's'), XDG_CACHE_HOME: join(home, 'k') }
  const env = { ...byHome, ...xdg, HOME: '' }
  expect(await shell(signIn, { env, stdin: sandbox.ownerToken })).toMatchObject({ exit: 0 })
  expect(existsSync(join(home, 'c/skyctl/contexts.json'))).toBe(true)
})

test('A relative SKYCTL_CONFIG_DIR is rejected, a relative SKYCTL_STATE_DIR is not needed', async ({ shell }) => {
  for (const name of ['SKYCTL_CONFIG_DIR', 'SKYCTL_STATE_DIR']) {
    const { exit, stderr } = await shell('skyctl --context sandbox context list', {
      env: { ...signedOut, [name]: 'here' },
    })
    expect({ name, exit, stderr }).toMatchObject({ name, exit: name === 'SKYCTL_STATE_DIR' ? 0 : 2 })
  }
})

test('Files in the current folder set no variable and run no code', async ({ shell, home, sandbox }) => {
  const cwd = join(home, 'work')
  mkdirSync(cwd)
  const variables = { SKYCTL_TOKEN: sandbox.ownerToken, SKYCTL_BASE_URL: sandbox.baseUrl }
  const lines = Object.entries(variables).map(([name, value]) => `${name}=${value}\n`)
  for (const name of ['.env', '.env.local', '.env.production']) writeFileSync(join(cwd, name), lines.join(''))
  writeFileSync(
    join(cwd, 'intruder.js'),
    `require('node:fs').writeFileSync(${JSON.stringify(join(cwd, 'intruded'))}, '')`,
  )
  writeFileSync(join(cwd, 'bunfig.toml'), 'preload = ["./intruder.js"]\n')
  expect(await shell('skyctl volumes list', { cwd, env: signedOut, isProcess: true })).toMatchObject({
    exit: 3,
    stderr: expect.stringMatching(/^skyctl: not signed in/),
  })
  expect(existsSync(join(cwd, 'intruded'))).toBe(false)
})

// Nobody can create a folder in /sys, not even root.
describe.skipIf(!existsSync('/sys/kernel'))('A folder that is not writable', () => {
  const env = { SKYCTL_CONFIG_DIR: '/sys/skyctl', SKYCTL_STATE_DIR: '/sys/skyctl', XDG_CACHE_HOME: '/sys/skyctl' }

  test('is not needed with a token in the environment', async ({ shell }) => {
    for (const line of [
      'volumes list',
      'volumes create --label x --region us-east',
      'volumes delete x --yes',
      '--help',
    ]) {
      expect(await shell(`skyctl ${line}`, { env })).toMatchObject({ exit: 0 })
    }
  })

  test('fails a sign-in with exit code 12', async ({ shell, sandbox }) => {
    const { exit, stdout, stderr } = await shell(signIn, { env, stdin: sandbox.ownerToken })
    expect({ exit, stdout }).toEqual({ exit: 12, stdout: '' })
    expect(stderr).toMatch(/^skyctl: cannot .*\/sys\/skyctl.*\n$/)
  })

  test('fails the sandbox with exit code 12', async ({ shell }) => {
    const { exit, stdout, stderr } = await shell('skyctl --context sandbox volumes list', {
      env: { ...signedOut, ...env },
    })
    expect({ exit, stdout }).toEqual({ exit: 12, stdout: '' })
    expect(stderr).toMatch(/^skyctl: cannot .*\/sys\/skyctl.*\n$/)
  })
})

describe.skipIf(!existsSync('/sys/kernel'))('A state folder in which no file can be created', () => {
  test('fails the sandbox with a hint to set another folder', async ({ shell }) => {
    const env = { ...signedOut, SKYCTL_STATE_DIR: '/sys/kernel' }
    expect(await shell('skyctl --context sandbox volumes list', { env })).toMatchObject({
      ...{ exit: 12, stdout: '' },
      // It belongs to root, so for others it is a folder of another user.
      stderr:
        process.getuid?.() === 0
          ? 'skyctl: cannot lock /sys/kernel/sandbox.json.lock: permission denied. Set SKYCTL_STATE_DIR to a writable folder\n'
          : 'skyctl: /sys/kernel is not private: it belongs to another user (0). Replace it with a folder of your own, or set SKYCTL_CONFIG_DIR or SKYCTL_STATE_DIR to another one\n',
    })
  })
})

// Creating a file in /proc fails with ENOENT.
describe.skipIf(!existsSync('/proc/self'))('A folder in /proc', () => {
  test.for(['SKYCTL_CONFIG_DIR', 'SKYCTL_STATE_DIR', 'XDG_CONFIG_HOME', 'XDG_STATE_HOME', 'XDG_CACHE_HOME', 'HOME'])(
    'is not created and not waited for: %s',
    async (variable, { shell, sandbox }) => {
      const env = { ...byHome, [variable]: '/proc/skyctl' }
      for (const line of ['volumes list', 'firewalls rules list web', 'regions list', '--help']) {
        expect(await shell(`skyctl ${line}`, { env })).toMatchObject({ exit: 0, stderr: '' })
      }
      const needsConfig = /CONFIG|HOME$/.test(variable) && !/STATE|CACHE/.test(variable)
      const login = await shell(signIn, { env, stdin: sandbox.ownerToken })
      expect(login).toMatchObject(
        needsConfig
          ? {
              exit: 12,
              stderr: expect.stringMatching(/^skyctl: cannot create \/proc\/skyctl.*: no such file or directory/),
            }
          : { exit: 0 },
      )
      const listed = await shell('skyctl --context sandbox volumes list', { env: { ...signedOut, ...env } })
      expect(listed.exit).toBe(/STATE|^HOME/.test(variable) ? 12 : 0)
    },
  )
})

test('A folder with other files keeps its permissions', async ({ shell, home, sandbox }) => {
  const www = join(home, 'www')
  mkdirSync(www)
  writeFileSync(join(www, 'index.html'), '')
  chmodSync(www, 0o755)
  const env = { ...signedOut, SKYCTL_CONFIG_DIR: www, SKYCTL_STATE_DIR: www }
  for (const line of [
    'context list',
    '--context sandbox volumes list',
    '--context sandbox firewalls rules remove web inbound label:accept-ssh --yes',
  ]) {
    expect(await shell(`skyctl ${line}`, { env })).toMatchObject({ exit: 0 })
  }
  const address = { SKYCTL_BASE_URL: sandbox.baseUrl }
  expect(await shell(signIn, { env: { ...env, ...address }, stdin: sandbox.ownerToken })).toMatchObject({ exit: 0 })
  expect(statSync(www).mode & 0o777).toBe(0o755)
  const created = readdirSync(www).filter((name) => name !== 'index.html')
  expect(created.sort()).toEqual(['contexts.json', 'contexts.json.bak', 'history', 'locks', 'sandbox.json', 'users'])
  expect(created.filter((name) => statSync(join(www, name)).mode & 0o077)).toEqual([])
})

test('Locale, TERM and a COLUMNS that is no width do not change piped output', async ({ shell }) => {
  const plain = await shell('skyctl regions list', { isProcess: true })
  for (const env of [
    { LC_ALL: 'C' },
    { LC_ALL: 'tr_TR.UTF-8', LANG: 'tr_TR.UTF-8' },
    { TERM: 'dumb' },
    { TERM: undefined },
    { COLUMNS: '' },
    { COLUMNS: '0' },
    { COLUMNS: 'wide' },
    { COLUMNS: '1000000' },
    { LINES: '0', COLUMNS: '-1' },
  ]) {
    expect(await shell('skyctl regions list', { env, isProcess: true })).toEqual(plain)
  }
})

test('A table in a pipe fits COLUMNS, as watch sets it; other formats are complete', async ({ shell }) => {
  const env = { COLUMNS: '60' }
  const { stdout } = await shell('skyctl volumes list', { env, isProcess: true })
  const lines = stdout.trimEnd().split('\n')
  expect(lines.filter((line) => line.length > 60)).toEqual([])
  expect(lines.slice(7).join(' ')).toBe('Too narrow for compute_id and tags: see --columns id,label,compute_id,tags')
  for (const format of ['tsv', 'csv', 'json', 'ndjson', 'yaml']) {
    const line = `skyctl regions list -o ${format}`
    expect(await shell(line, { env, isProcess: true })).toEqual(await shell(line, { isProcess: true }))
  }
})

test('No variable but PATH is needed', async ({ start, sandbox, home }) => {
  const env = {
    HOME: undefined,
    TERM: undefined,
    SKYCTL_CONFIG_DIR: join(home, 'c'),
    SKYCTL_STATE_DIR: join(home, 's'),
  }
  const { end } = start(`regions list --base-url ${sandbox.baseUrl} --quiet`, { env })
  expect(await end).toMatchObject({ exit: 0, stdout: expect.stringContaining('us-east') })
})
