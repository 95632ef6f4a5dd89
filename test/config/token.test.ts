/** Tokens from a person, a pipe, a command or a file (RFC 6750, section 2.1; interface.md, Environment). */
import { existsSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { tokenOf } from '../../src/config/credential'
import { parseToken } from '../../src/config/token'
import { runTokenCommand } from '../../src/config/token-command'
import { readTokenFile } from '../../src/config/token-file'
import { temporaryFolder } from '../support/temporary-folder'

const invalidCharacter = 'the token holds a character that no token has (letters, digits and -._~+/= only)'
const tooLong = 'the token is longer than 4096 characters'
const privateKey = 'that is a private SSH key, not a token: it was not stored and not sent anywhere'

describe('A text', () => {
  test.for(['a', 'aB9-._~+/', 'abc=', 'abc==', 'x'.repeat(4096)])('is a valid token: %s', (token) => {
    expect(parseToken(token)).toBe(token)
  })

  test.for(['abc\n', 'abc\r\n'])('loses one line end: %j', (text) => {
    expect(parseToken(text)).toBe('abc')
  })

  // Compares the whole message, so that it cannot quote the input.
  test.for([
    ['', 'the token is empty'],
    ['\n', 'the token is empty'],
    ['x'.repeat(4097), tooLong],
    ['a\nb', invalidCharacter],
    ['abc\n\n', invalidCharacter],
    ['\nabc', invalidCharacter],
    [' abc', invalidCharacter],
    ['abc ', invalidCharacter],
    ['abc\0', invalidCharacter],
    ['a=b', invalidCharacter],
    ['=', invalidCharacter],
    ['tökén', invalidCharacter],
    ['SKYCTL_TOKEN=abc', 'the token begins with the name of its variable. Leave out SKYCTL_TOKEN='],
    ['export SKYCTL_TOKEN=abc', 'the token begins with the name of its variable. Leave out SKYCTL_TOKEN='],
    ['-----BEGIN OPENSSH PRIVATE KEY-----\nb3Bl\n-----END OPENSSH PRIVATE KEY-----\n', privateKey],
    ['-----BEGIN RSA PRIVATE KEY-----\nMIIE', privateKey],
    ['-----BEGIN PRIVATE KEY-----', privateKey],
    ['PuTTY-User-Key-File-3: ssh-ed25519', privateKey],
  ] as const)('is rejected as a token: %j', ([text, message]) => {
    expect(() => parseToken(text)).toThrow(expect.objectContaining({ code: 'usage', message }))
  })
})

describe('A token command', () => {
  const env = { PATH: process.env.PATH, WHO: 'ada', SKYCTL_TOKEN: 'a', SKYCTL_TOKEN_FILE: 'b' }

  test('returns its first line, and gets the environment without tokens, and no stdin', async () => {
    expect(await runTokenCommand('cat; echo "$WHO.$SKYCTL_TOKEN"; echo more', env)).toBe('ada.')
  })

  test('that fails causes an error with its exit code and a hint, without its output', async () => {
    const problem = await runTokenCommand('echo hunter2; echo hunter3 >&2; exit 7', env).catch((error) => error)
    expect(problem).toMatchObject({
      code: 'not_signed_in',
      message: 'the token command failed with exit code 7',
      details: { hint: 'Run it by itself to see why; "skyctl context view" shows it' },
    })
    expect(JSON.stringify([problem.message, problem.details, String(problem.cause)])).not.toMatch(/hunter/)
  })

  test.for([
    ['true', 'not_signed_in', 'the token command printed no token'],
    ['echo; echo abc', 'not_signed_in', 'the token command printed no token'],
    ['no-such-command-here', 'not_signed_in', 'the token command failed with exit code 127'],
    ['kill -TERM $$', 'not_signed_in', 'the token command failed'],
    ['yes | head -c 1000000', 'not_signed_in', 'the token command failed'],
    ['echo not a token', 'usage', invalidCharacter],
  ] as const)('causes an error: %j', async ([command, code, message]) => {
    await expect(runTokenCommand(command, env)).rejects.toMatchObject({ code, message })
  })

  test('that takes too long is killed, and the error has the time limit', async () => {
    const message = 'the token command did not end within 0.02 s'
    await expect(runTokenCommand('exec sleep 600', env, { limitMs: 20 })).rejects.toMatchObject({ message })
  })

  test('ends at an abort, and its reason is thrown', async () => {
    const abort = new AbortController()
    const running = runTokenCommand('echo abc; exec sleep 600', env, { signal: abort.signal })
    abort.abort(new Error('enough'))
    await expect(running).rejects.toThrow('enough')
  })

  test('of an account ends when the command that needs the token is aborted', async () => {
    const secret = { from: 'context', command: 'echo abc; exec sleep 600' } as const
    const baseUrl = 'https://prod.example.net/v4'
    const account = { sandbox: false, context: undefined, baseUrl, baseUrlFrom: 'context', secret } as const
    await expect(tokenOf(account, env, AbortSignal.abort(new Error('enough')))).rejects.toThrow('enough')
  })
})

describe('A token file', () => {
  let folder: string
  let path: string
  beforeEach(() => {
    folder = temporaryFolder()
    path = join(folder, 'token')
  })
  const hint = 'SKYCTL_TOKEN_FILE must name a file that holds a token and nothing else'

  test.for(['abc', 'abc\n', 'abc\r\n\r\n', 'abc \t\n', '\ufeffabc'])('with %j has the token abc', async (text) => {
    writeFileSync(path, text)
    expect(await readTokenFile(path)).toBe('abc')
    symlinkSync(path, join(folder, 'link'))
    expect(await readTokenFile(join(folder, 'link'))).toBe('abc')
  })

  test.for([
    ['', 'not_signed_in', ' is empty, and should hold a token'],
    ['\n \n', 'not_signed_in', ' is empty, and should hold a token'],
    [' abc', 'usage', `: ${invalidCharacter}`],
    ['abc\ndef', 'usage', `: ${invalidCharacter}`],
    ['x'.repeat(4097), 'usage', `: ${tooLong}`],
  ] as const)('causes an error with other content', async ([text, code, message]) => {
    writeFileSync(path, text)
    await expect(readTokenFile(path)).rejects.toMatchObject({ code, message: `${path}${message}`, details: { hint } })
  })

  test.runIf(existsSync('/proc/self/fd'))('is closed after reading', async () => {
    writeFileSync(path, 'abc')
    await readTokenFile(path)
    const before = readdirSync('/proc/self/fd').length
    await readTokenFile(path)
    expect(readdirSync('/proc/self/fd')).toHaveLength(before)
  })

  test('may have up to 64 KiB', async () => {
    writeFileSync(path, `abc${' '.repeat(64 * 1024 - 3)}`)
    expect(await readTokenFile(path)).toBe('abc')
    writeFileSync(path, `abc${' '.repeat(64 * 1024 - 2)}`)
    await expect(readTokenFile(path)).rejects.toMatchObject({ code: 'too_large' })
  })

  test('that cannot be read causes an error with a hint', async () => {
    await expect(readTokenFile(path)).rejects.toMatchObject({
      code: 'local',
      message: `cannot read the token of SKYCTL_TOKEN_FILE from ${path}: no such file or directory`,
      details: { hint: 'Mount the secret there, or name another file' },
    })
    await expect(readTokenFile(folder)).rejects.toMatchObject({ code: 'local' })
    await expect(readTokenFile('a\0b')).rejects.toThrow(TypeError)
  })
})
