/**
 * Containers (reliability.md, The file that holds the tokens): no home, no user with that id, no writable folder. With a
 * token in the environment, only commands that store something need a folder; their errors name it with the reason.
 */
import { spawn, spawnSync } from 'node:child_process'
import { chmodSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect } from 'vitest'
import { copyProgram } from '../support/program'
import { commands, samples } from '../support/samples'
import { type Result, test, words } from '../support/skyctl'

/** Commands that need a folder, with the expected error. */
const failing: Record<string, RegExp> = {
  'auth login': /config/,
  'auth logout': /config/,
  'context delete': /config/,
  'context list': /config/,
  'context rename': /config/,
  'context update': /config/,
  'context use': /config/,
  'context view': /config/,
  'firewalls rules edit': /state.*; skyctl keeps edited text there until it is sent/,
  'firewalls rules undo': /state.*; skyctl keeps the history there/,
  'history clear': /state.*; skyctl keeps the history there/,
  'history list': /state.*; skyctl keeps the history there/,
  'history undo': /state.*; skyctl keeps the history there/,
  'history view': /state.*; skyctl keeps the history there/,
  'profile preferences edit': /state.*; skyctl keeps edited text there until it is sent/,
  'sandbox outbox': /state/,
  'sandbox reset': /state/,
  'sandbox world': /state/,
}

/** Commands that continue without their folder, with the expected warning. */
const warnings: Record<string, RegExp> = {
  'firewalls rules add': /^skyctl: warning: the previous rules are not saved: /m,
  'firewalls rules move': /^skyctl: warning: the previous rules are not saved: /m,
  'firewalls rules remove': /^skyctl: warning: the previous rules are not saved: /m,
  'firewalls rules update': /^skyctl: warning: the previous rules are not saved: /m,
  'firewalls close': /^skyctl: warning: another skyctl may change the same object meanwhile: /m,
  'firewalls open': /^skyctl: warning: results of later undos are not printed: no state folder: /m,
  'ips share': /^skyctl: warning: another skyctl may change the same object meanwhile: /m,
  'profile preferences set': /^skyctl: warning: another skyctl may change the same object meanwhile: /m,
  'tokens create': /^skyctl: warning: the token has no expiry/m,
  'tokens rotate': /^skyctl: warning: no context gets the new token: no config folder: /m,
}

function expectResult(path: string, { exit, stdout, stderr }: Result): void {
  if (path === 'doctor') {
    // It reports the folders; the token is in the environment, so all else works.
    expect({ exit, stderr, stdout }).toEqual({
      exit: 0,
      stderr: '',
      stdout: expect.stringMatching(/^warning +config .*^warning +state .*^warning +cache .*^3 warnings$/ms),
    })
    return
  }
  const error = failing[path]
  if (error) {
    expect({ path, exit, stdout }).toEqual({ path, exit: 12, stdout: '' })
    expect(stderr).toMatch(error)
    expect(stderr).toMatch(/SKYCTL_(STATE|CONFIG)_DIR|: not a directory/)
    return
  }
  expect({ path, exit, stderr: exit === 0 ? '' : stderr }).toEqual({ path, exit: 0, stderr: '' })
  expect(stderr.match(/^skyctl: warning: .*/m)?.[0] ?? '').toMatch(warnings[path] ?? /^$/)
}

const bare = { SKYCTL_CONFIG_DIR: undefined, SKYCTL_STATE_DIR: undefined, XDG_CACHE_HOME: undefined }
const paths = commands.map(({ path }) => path)

describe('Without a home folder', () => {
  test.for(paths)('works, or fails with the reason: %s', async (path, { skyctl, sandbox, world, home, env, clock }) => {
    const sample = samples[path]
    await sample?.arrange?.({ skyctl, sandbox, world, env, home, clock })
    const homedir = () => {
      throw new Error('ENOENT: no such user')
    }
    const line = `${path} ${sample?.line}`
    expectResult(path, await skyctl(line, { env: bare, stdin: sample?.stdin, homedir }))
  })
})

/** User id without a user. Tests that may not use it run as the current user. */
const nobody = 54_321
const asNobody = process.getuid?.() === 0 && spawnSync(process.execPath, ['-e', ''], { uid: nobody }).status === 0

/** One change of each kind: create, update, action, delete, replace, one-time secret. */
const changes = [
  'volumes create',
  'volumes update',
  'volumes attach',
  'volumes delete',
  'firewalls rules update',
  'profile preferences set',
  'ips share',
  'tokens create',
  'tokens rotate',
]
/** One read of each kind; `RUNS=1` tries all. */
const reads = firstOfEach(
  paths.filter((path) => /( |^)(list|view|status|test|diff|availability|grants|values|api|help|bash|wait)$/.test(path)),
)

function firstOfEach(paths: readonly string[]): readonly string[] {
  const kinds = paths.map((path) => path.split(' ').at(-1))
  return process.env.RUNS ? paths : paths.filter((_, index) => kinds.indexOf(kinds[index]) === index)
}

describe('As a user without an entry and without a writable folder', () => {
  let folder = ''
  let copy: ReturnType<typeof copyProgram>
  beforeAll(() => {
    // A copy that is readable for everybody, in a folder that is writable only for its owner.
    folder = mkdtempSync(join(tmpdir(), 'skyctl-container-'))
    copy = copyProgram(folder)
    writeFileSync(join(folder, 'file'), '')
    chmodSync(folder, 0o755)
  })
  afterAll(() => rmSync(folder, { recursive: true }))

  const signedIn = ({ SKYCTL_BASE_URL, SKYCTL_TOKEN }: NodeJS.ProcessEnv) => ({ SKYCTL_BASE_URL, SKYCTL_TOKEN })
  const run = async (line: string, variables: NodeJS.ProcessEnv, stdin = ''): Promise<Result> => {
    // A user with an entry has a home, which must not be used.
    const home = asNobody ? {} : { HOME: '' }
    const [start = '', ...before] = copy.program
    const child = spawn(start, [...before, ...words(line)], {
      env: { ...variables, ...home },
      cwd: folder,
      ...(asNobody && { uid: nobody, gid: nobody }),
    })
    child.stdin.on('error', () => {}).end(stdin)
    const exit = new Promise<number>((resolve) => child.once('close', (code) => resolve(code ?? -1)))
    const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)])
    return { exit: await exit, stdout, stderr }
  }

  test.for([...reads, ...changes])(
    'works, or fails with the reason: %s',
    async (path, { skyctl, sandbox, world, home, env, clock }) => {
      const sample = samples[path]
      await sample?.arrange?.({ skyctl, sandbox, world, env, home, clock })
      expectResult(path, await run(`${path} ${sample?.line}`, signedIn(env), sample?.stdin))
      expect(readdirSync(folder).sort()).toEqual([...copy.parts, 'file'].sort())
    },
  )

  test('reads the token from a mounted file', async ({ sandbox }) => {
    const file = join(folder, 'file')
    writeFileSync(file, `${sandbox.ownerToken}\n`)
    const variables = { SKYCTL_BASE_URL: sandbox.baseUrl, SKYCTL_TOKEN_FILE: file }
    expect(await run('volumes list --json', variables)).toMatchObject({ exit: 0, stderr: '' })
  })
})
