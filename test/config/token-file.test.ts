/** A token in a file, and what is said of variables that are not used, or win (interface.md, Environment and contexts). */
import { existsSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Config, StoredContext } from '../../src/config/contexts'
import { chooseCredential, tokenOf } from '../../src/config/credential'
import { overrideOf, overrideOfUse } from '../../src/config/override-warnings'
import { runTokenCommand } from '../../src/config/token'
import { readTokenFile } from '../../src/config/token-file'
import type { Environment } from '../../src/rules/environment'

describe('a file', () => {
  let folder: string
  let path: string
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'skyctl-token-'))
    path = join(folder, 'token')
  })
  afterEach(() => rmSync(folder, { recursive: true, force: true }))
  const hint = 'SKYCTL_TOKEN_FILE must name a file that holds a token and nothing else'

  test.for(['abc', 'abc\n', 'abc\r\n\r\n', 'abc \t\n', '\ufeffabc'])(
    'that holds %j holds the token abc',
    async (text) => {
      writeFileSync(path, text)
      expect(await readTokenFile(path)).toBe('abc')
      symlinkSync(path, join(folder, 'link'))
      expect(await readTokenFile(join(folder, 'link'))).toBe('abc')
    },
  )

  test.for([
    ['', 'not_signed_in', ' is empty, and should hold a token'],
    ['\n \n', 'not_signed_in', ' is empty, and should hold a token'],
    [' abc', 'usage', ': the token holds a character that no token has (letters, digits and -._~+/= only)'],
    ['abc\ndef', 'usage', ': the token holds a character that no token has (letters, digits and -._~+/= only)'],
    ['x'.repeat(4097), 'usage', ': the token is longer than 4096 characters'],
  ] as const)('that holds other things is a problem', async ([text, code, message]) => {
    writeFileSync(path, text)
    await expect(readTokenFile(path)).rejects.toMatchObject({ code, message: `${path}${message}`, details: { hint } })
  })

  test.runIf(existsSync('/proc/self/fd'))('is closed again', async () => {
    writeFileSync(path, 'abc')
    await readTokenFile(path)
    const before = readdirSync('/proc/self/fd').length
    await readTokenFile(path)
    expect(readdirSync('/proc/self/fd')).toHaveLength(before)
  })

  test('may have 64 KiB, and is too large with one byte more', async () => {
    writeFileSync(path, `abc${' '.repeat(64 * 1024 - 3)}`)
    expect(await readTokenFile(path)).toBe('abc')
    writeFileSync(path, `abc${' '.repeat(64 * 1024 - 2)}`)
    await expect(readTokenFile(path)).rejects.toMatchObject({ code: 'too_large' })
  })

  test('that cannot be read is told with what to do', async () => {
    await expect(readTokenFile(path)).rejects.toMatchObject({
      code: 'local',
      message: `cannot read the token of SKYCTL_TOKEN_FILE from ${path}: no such file or directory`,
      details: { hint: 'Mount the secret there, or name another file' },
    })
    await expect(readTokenFile(folder)).rejects.toMatchObject({ code: 'local' })
    await expect(readTokenFile('a\0b')).rejects.toThrow(TypeError)
  })
})

describe('a token command', () => {
  const here = 'https://prod.example.net/v4'

  test('that is interrupted ends, and its reason is thrown', async () => {
    const abort = new AbortController()
    const running = runTokenCommand('echo abc; exec sleep 600', { PATH: process.env.PATH }, { signal: abort.signal })
    abort.abort(new Error('enough'))
    await expect(running).rejects.toThrow('enough')
  })

  test('of an account ends with the command that needs the token', async () => {
    const secret = { from: 'context', command: 'echo abc; exec sleep 600' } as const
    const account = { sandbox: false, context: undefined, baseUrl: here, baseUrlFrom: 'context', secret } as const
    const signal = AbortSignal.abort(new Error('enough'))
    await expect(tokenOf(account, { PATH: process.env.PATH }, signal)).rejects.toThrow('enough')
  })

  test.for<[command: string, what: string]>([
    ['echo; echo abc', 'printed no token'],
    ['true', 'printed no token'],
    ['kill -TERM $$', 'failed'],
  ])('%j is a problem: it %s', async ([command, what]) => {
    await expect(runTokenCommand(command, { PATH: process.env.PATH })).rejects.toMatchObject({
      code: 'not_signed_in',
      message: `the token command ${what}`,
    })
  })

  test('that takes too long is ended, and says after how long', async () => {
    await expect(runTokenCommand('exec sleep 600', { PATH: process.env.PATH }, { limitMs: 500 })).rejects.toMatchObject(
      { message: 'the token command did not end within 0.5 s' },
    )
  })

  test('that fails says where it can be seen', async () => {
    await expect(runTokenCommand('exit 3', { PATH: process.env.PATH })).rejects.toMatchObject({
      message: 'the token command failed with exit code 3',
      details: { hint: 'Run it by itself to see why; "skyctl context view" shows it' },
    })
  })

  test('is given the environment, but no token', async () => {
    const env = { PATH: process.env.PATH, SKYCTL_TOKEN: 'a', SKYCTL_TOKEN_FILE: 'b', WHO: 'ada' }
    expect(await runTokenCommand('echo "$WHO.$SKYCTL_TOKEN"', env)).toBe('ada.')
  })
})

describe('what is said of the environment', () => {
  const at = (host: string, token?: string): StoredContext => ({
    base_url: `https://${host}/v4`,
    ...(token !== undefined && { token }),
  })
  const prod = at('prod.example.net', 'of-prod')
  const here = 'https://prod.example.net/v4'
  const there = 'https://other.example.net/v4'

  function said(
    env: Environment,
    { current, ...flags }: { current?: string; context?: string; baseUrl?: string } = {},
  ) {
    const config = { contexts: new Map([['prod', prod]]), ...(current !== undefined && { current }) } as Config
    return overrideOf(chooseCredential({ flags, env, config }), env)
  }

  test.for<[string, Environment, Parameters<typeof said>[1], string | undefined]>([
    ['nothing, where it is empty', {}, { current: 'prod' }, undefined],
    [
      'nothing, where it says the same',
      { SKYCTL_TOKEN: ' of-prod\n', SKYCTL_BASE_URL: here },
      { current: 'prod' },
      undefined,
    ],
    ['nothing, where no context is used', { SKYCTL_TOKEN: 'of-env', SKYCTL_BASE_URL: there }, {}, undefined],
    [
      'that it wins, with its token',
      { SKYCTL_TOKEN: 'of-env' },
      { current: 'prod' },
      'using SKYCTL_TOKEN instead of the token of context "prod"',
    ],
    [
      'that it wins, with its address',
      { SKYCTL_BASE_URL: there },
      { current: 'prod' },
      'SKYCTL_BASE_URL overrides context "prod"; unset it to use that',
    ],
    [
      'that it wins, with both',
      { SKYCTL_TOKEN: 'of-env', SKYCTL_BASE_URL: there },
      { current: 'prod' },
      'SKYCTL_BASE_URL and SKYCTL_TOKEN override context "prod"; unset them to use that',
    ],
    [
      'that it wins, with the file of its token',
      { SKYCTL_TOKEN_FILE: '/run/token', SKYCTL_BASE_URL: here },
      { current: 'prod' },
      'SKYCTL_TOKEN_FILE overrides context "prod"; unset it to use that',
    ],
    [
      'nothing, where a flag names the context that it agrees with',
      { SKYCTL_BASE_URL: here },
      { context: 'prod' },
      undefined,
    ],
    [
      'that it is not used, where a flag names a context',
      { SKYCTL_TOKEN: 'of-env', SKYCTL_BASE_URL: there },
      { context: 'prod' },
      'SKYCTL_BASE_URL and SKYCTL_TOKEN are not used: --context prod uses its own address and token',
    ],
    [
      'that one is not used, where a flag names a context',
      { SKYCTL_TOKEN: 'of-env' },
      { context: 'prod' },
      'SKYCTL_TOKEN is not used: --context prod uses its own address and token',
    ],
    [
      'that its token is not used where that is for another address',
      { SKYCTL_TOKEN: 'of-env', SKYCTL_BASE_URL: there },
      { current: 'prod', baseUrl: here },
      'SKYCTL_TOKEN is not used: it is for SKYCTL_BASE_URL',
    ],
    ['nothing, where a flag wins over both', { SKYCTL_BASE_URL: there }, { current: 'prod', baseUrl: here }, undefined],
    [
      'that none of it is used for the sandbox',
      { SKYCTL_TOKEN: 'a', SKYCTL_TOKEN_FILE: 'b', SKYCTL_BASE_URL: there },
      { context: 'sandbox' },
      'SKYCTL_BASE_URL and SKYCTL_TOKEN and SKYCTL_TOKEN_FILE are not used: the context "sandbox" is built in',
    ],
    ['nothing for the sandbox, where it is empty', {}, { context: 'sandbox' }, undefined],
  ])('is %s', ([, env, choice, sentence]) => {
    expect(said(env, choice)).toBe(sentence)
  })

  test.for<[string, Environment, string | undefined]>([
    ['nothing, where it is empty', {}, undefined],
    ['nothing, where it names the same', { SKYCTL_CONTEXT: 'prod' }, undefined],
    [
      'that it names another',
      { SKYCTL_CONTEXT: 'stag', SKYCTL_TOKEN: 'a' },
      'SKYCTL_CONTEXT=stag overrides the current context; unset it',
    ],
    [
      'that it wins',
      { SKYCTL_CONTEXT: 'prod', SKYCTL_TOKEN: 'a' },
      'SKYCTL_TOKEN overrides context "prod"; unset it to use that',
    ],
  ])('of a context that is put in use is %s', ([, env, sentence]) => {
    expect(overrideOfUse('prod', prod, env)).toBe(sentence)
  })

  test('of the sandbox that is put in use is nothing', () => {
    expect(overrideOfUse('sandbox', undefined, { SKYCTL_TOKEN: 'a' })).toBeUndefined()
  })
})
