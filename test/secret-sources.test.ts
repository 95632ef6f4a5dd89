/** Secrets in environment and flags: messages that contain them are redacted. */
import { describe, expect } from 'vitest'
import { learnFlags, secretSources } from '../src/cli/secret-sources'
import type { Flags } from '../src/engine/command'
import { faultServer, reply } from './support/fault-server'
import { test } from './support/skyctl'

/** Returns the message for a rejection with this reason. */
const messageFor =
  (skyctl: (line: string, options: object) => Promise<{ stderr: string }>) =>
  async (reason: string, env: Record<string, string | undefined> = {}, line = 'volumes view 3001') => {
    const server = await faultServer(reply(400, { errors: [{ reason }] }))
    const { stderr } = await skyctl(line, { env: { SKYCTL_BASE_URL: `http://${server.host}/v4`, ...env } })
    return stderr.replace('skyctl: ', '').trimEnd()
  }

describe('the password of a proxy', () => {
  test.for([
    ['http://me:hunter-two@proxy.example.net:3128', 'hunter-two'],
    ['me:hunter-two@proxy.example.net:3128', 'hunter-two'],
    ['http://me:hunter:two@proxy.example.net:3128', 'hunter:two'],
    ['http://me:hunter@two@proxy.example.net:3128', 'hunter@two'],
    // This password is not percent-encoded.
    ['http://me:100%hunter@proxy.example.net:3128', '100%hunter'],
  ] as const)('is redacted in every notation: %s', async ([HTTPS_PROXY, password], { skyctl }) => {
    expect(await messageFor(skyctl)(`not with ${password}!`, { HTTPS_PROXY })).toBe('not with [redacted]!')
  })

  test.for(['http://proxy.example.net:3128', 'http://somebody@proxy.example.net:3128', ''])(
    'does not include other parts of the variable: "%s"',
    async (HTTPS_PROXY, { skyctl }) => {
      const reason = 'not with http or somebody, of proxy.example.net:3128'
      expect(await messageFor(skyctl)(reason, { HTTPS_PROXY })).toBe(reason)
    },
  )
})

test('the token of the environment is redacted', async ({ skyctl }) => {
  const SKYCTL_TOKEN = 'f'.repeat(64)
  expect(await messageFor(skyctl)(`not with ${SKYCTL_TOKEN}`, { SKYCTL_TOKEN })).toBe('not with [redacted]')
})

test('the token of the environment is redacted from the start', () => {
  const token = 'f'.repeat(64)
  expect(secretSources({ SKYCTL_TOKEN: token }).inMessage(`not with ${token}`)).toBe('not with [redacted]')
})

test('a code is redacted as typed and as sent', () => {
  const secrets = secretSources({})
  learnFlags({ 'otp-code': '462 046' }, secrets)
  expect(secrets.inMessage('not 462 046, that is 462046')).toBe('not [redacted], that is [redacted]')
})

test('a code is redacted, and values of other flags are not', async ({ skyctl }) => {
  const line = 'volumes update 3001 --add-tag production-1'
  expect(await messageFor(skyctl)('not production-1', {}, line)).toContain('not production-1')
  const code = 'profile phone verify --otp-code 462046'
  expect(await messageFor(skyctl)('not 462046', {}, code)).toContain('not [redacted]')
})

describe('flags', () => {
  const redactorFor = (flags: Flags) => {
    const secrets = secretSources({})
    learnFlags(flags, secrets)
    return (text: string) => secrets.inMessage(text)
  }

  test('with the name of a secret are redacted, one or several values', () => {
    const redact = redactorFor({
      'otp-code': '462046',
      password: ['geheim-1', 'geheim-2'],
      label: 'production',
      token: true,
    })
    expect(redact('not 462046, geheim-1, geheim-2')).toBe('not [redacted], [redacted], [redacted]')
    expect(redact('production is true')).toBe('production is true')
  })

  test('are redacted in JSON notation, too', () => {
    const redact = redactorFor({ password: 'gehe"im"nis' })
    expect(redact(JSON.stringify('it is gehe"im"nis'))).toBe('"it is [redacted]"')
  })
})
