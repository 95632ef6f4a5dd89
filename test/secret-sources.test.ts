/** Which secrets a run is given by its environment and its line: what says them again is not to be told. */
import { describe, expect } from 'vitest'
import type { Flags } from '../src/engine/command'
import { learnFlags, secretSources } from '../src/secret-sources'
import { faultServer, reply } from './support/fault-server'
import { test } from './support/skyctl'

/** What is said of a refusal in these words. */
const said =
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
    // No encoding of anything.
    ['http://me:100%hunter@proxy.example.net:3128', '100%hunter'],
  ] as const)('is known, however it is written: %s', async ([HTTPS_PROXY, password], { skyctl }) => {
    expect(await said(skyctl)(`not with ${password}!`, { HTTPS_PROXY })).toBe('not with [redacted]!')
  })

  test.for(['http://proxy.example.net:3128', 'http://somebody@proxy.example.net:3128', ''])(
    'is not what stands there else: "%s"',
    async (HTTPS_PROXY, { skyctl }) => {
      const reason = 'not with http or somebody, of proxy.example.net:3128'
      expect(await said(skyctl)(reason, { HTTPS_PROXY })).toBe(reason)
    },
  )
})

test('the token of the environment is known', async ({ skyctl }) => {
  const SKYCTL_TOKEN = 'f'.repeat(64)
  expect(await said(skyctl)(`not with ${SKYCTL_TOKEN}`, { SKYCTL_TOKEN })).toBe('not with [redacted]')
})

test('the token of the environment is known before anything is done with it', () => {
  const token = 'f'.repeat(64)
  expect(secretSources({ SKYCTL_TOKEN: token }).inMessage(`not with ${token}`)).toBe('not with [redacted]')
})

test('a code is known as it was typed, and as it is sent', () => {
  const secrets = secretSources({})
  learnFlags({ 'otp-code': '462 046' }, secrets)
  expect(secrets.inMessage('not 462 046, that is 462046')).toBe('not [redacted], that is [redacted]')
})

test('a code that was typed is known, and no other flag is one', async ({ skyctl }) => {
  const line = 'volumes update 3001 --add-tag production-1'
  expect(await said(skyctl)('not production-1', {}, line)).toContain('not production-1')
  const code = 'profile phone verify --otp-code 462046'
  expect(await said(skyctl)('not 462046', {}, code)).toContain('not [redacted]')
})

describe('flags', () => {
  const learnt = (flags: Flags) => {
    const secrets = secretSources({})
    learnFlags(flags, secrets)
    return (text: string) => secrets.inMessage(text)
  }

  test('of the name of a secret are known, be they one or several', () => {
    const seen = learnt({ 'otp-code': '462046', password: ['geheim-1', 'geheim-2'], label: 'production', token: true })
    expect(seen('not 462046, geheim-1, geheim-2')).toBe('not [redacted], [redacted], [redacted]')
    expect(seen('production is true')).toBe('production is true')
  })

  test('are known as JSON writes them', () => {
    const seen = learnt({ password: 'gehe"im"nis' })
    expect(seen(JSON.stringify('it is gehe"im"nis'))).toBe('"it is [redacted]"')
  })
})
