/** The version, and the search for a newer one, which happens only on request. */
import fc from 'fast-check'
import { describe, expect } from 'vitest'
import { released, version } from '../package.json'
import { isOlder, parseVersion } from '../src/rules/versions'
import { faultServer, reply, type Script, silence } from './support/fault-server'
import { test } from './support/skyctl'

const json = (text: string) => JSON.parse(text)

/** Serves one document as the latest release. */
async function releases(answer: Script) {
  const server = await faultServer(answer)
  return { ...server, address: `http://${server.host}/release.json` }
}

const newest = { version: '99.1.0', released: '2099-12-24', url: 'https://downloads.example.com/skyctl' }

describe('version', () => {
  test('prints version, release date, runtime and system', async ({ skyctl }) => {
    const { stdout } = await skyctl('version')
    expect(stdout).toBe(
      `skyctl ${version} (${released}), Node ${process.versions.node}, ${process.platform} ${process.arch}\n`,
    )
    expect((await skyctl('version -q')).stdout).toBe(`${version}\n`)
  })

  test('sends nothing without --check, even with an address in the environment', async ({ skyctl }) => {
    const { address, received } = await releases(reply(200, newest))
    const { stdout } = await skyctl('version --json', { env: { SKYCTL_RELEASES: address } })
    expect(json(stdout)).toMatchObject({ version, latest: null, newer: null })
    expect(received).toEqual([])
  })

  test('needs an address for --check, because skyctl has none built in', async ({ skyctl }) => {
    const { exit, stdout, stderr } = await skyctl('version --check')
    expect({ exit, stdout, stderr }).toMatchObject({
      exit: 2,
      stdout: '',
      stderr: expect.stringContaining('SKYCTL_RELEASES'),
    })
    expect((await skyctl('version --from https://downloads.example.com/')).exit).toBe(2)
  })

  test.for([
    ['release.json', newest],
    ["the answer of GitHub's API", { tag_name: 'v99.1.0', published_at: '2099-12-24', html_url: newest.url }],
  ] as const)('reports a newer version of %s, and sends no token there', async ([, document], { skyctl }) => {
    const { address, received } = await releases(reply(200, document))
    const env = { SKYCTL_RELEASES: address }
    expect(json((await skyctl('version --check --json', { env })).stdout)).toMatchObject({
      latest: newest,
      newer: true,
    })
    const { exit, stdout } = await skyctl(`version --check --from ${address}`)
    expect({ exit, line: stdout.split('\n')[1] }).toEqual({
      exit: 0,
      line: `Version 99.1.0 (2099-12-24) is available: ${newest.url}`,
    })
    expect(received.map(({ method, path }) => `${method} ${path}`)).toEqual(['GET /release.json', 'GET /release.json'])
    expect(received.flatMap(({ headers }) => Object.keys(headers))).not.toContain('authorization')
  })

  test('reports that an equal or older release is not newer', async ({ skyctl }) => {
    for (const latest of [version, '0.0.1', `${version}-rc.1`]) {
      const { address } = await releases(reply(200, { version: latest }))
      const { stdout } = await skyctl(`version --check --json --from ${address}`)
      expect(json(stdout)).toMatchObject({ latest: { version: latest, released: null, url: null }, newer: false })
    }
  })

  test('escapes the text of the document', async ({ skyctl }) => {
    const { address } = await releases(reply(200, { ...newest, url: 'https://example.com/\u001b[31m\u202e' }))
    const { stdout } = await skyctl(`version --check --from ${address}`)
    expect(stdout).toContain('https://example.com/\\x1b[31m\\u202e')
  })

  test.for<[string, Script, number, string]>([
    ['HTML', reply(200, '<html>'), 8, 'does not answer with JSON'],
    ['a document without a version', reply(200, { version: 'soon' }), 8, 'names no version of skyctl'],
    ['null', reply(200, 'null'), 8, 'names no version of skyctl'],
    ['a list', reply(200, '["1.0.0"]'), 8, 'names no version of skyctl'],
    ['over 1 MiB', reply(200, `{"version":"1.0.0","notes":"${'x'.repeat(2 ** 20)}"}`), 8, 'over 1 MiB'],
    ['404', reply(404, 'no'), 8, 'answers 404'],
    ['a redirect', reply(302, '', { location: '/other' }), 8, 'follows no redirect'],
    ['nothing within --timeout', silence, 8, 'within 0.2 s'],
  ])('fails with exit code 8 for %s, and prints nothing on stdout', async ([, answer, exit, reason], { skyctl }) => {
    const { address, received } = await releases(answer)
    const result = await skyctl(`version --check --from ${address} --timeout 200ms`)
    expect(result).toMatchObject({ exit, stdout: '', stderr: expect.stringContaining(reason) })
    expect(received).toHaveLength(1)
  })

  test.for(['http://downloads.example.com/', 'https://user:pw@example.com/', 'example.com', 'file:///etc/passwd'])(
    'rejects the address %s before it connects',
    async (address, { skyctl }) => {
      const result = await skyctl(['version', '--check', '--from', address])
      expect(result).toMatchObject({ exit: 2, stderr: expect.stringContaining('--from') })
      expect(result.stderr).not.toContain('pw@')
    },
  )
})

describe('versions', () => {
  test('have the order of semver.org', () => {
    const inOrder = ['1.0.0-alpha', '1.0.0-alpha.1', '1.0.0-alpha.beta', '1.0.0-beta', '1.0.0-beta.2', '1.0.0-beta.11']
      .concat('1.0.0-rc.1', '1.0.0', '1.0.1', '1.2.0', '1.10.0', '2.0.0')
      .map((one, index) => ({ one, index }))
    const pair = fc.tuple(fc.constantFrom(...inOrder), fc.constantFrom(...inOrder))
    fc.assert(fc.property(pair, ([a, b]) => isOlder(a.one, b.one) === a.index < b.index))
  })

  test('are read from tags, and other texts are rejected', () => {
    expect(parseVersion('v1.2.3-rc.1')).toBe('1.2.3-rc.1')
    for (const text of ['', '1', '1.2', 'latest', '1.2.3.4', '1.2.3\n', ' 1.2.3', '1.2.3-\u001b[31m']) {
      expect(parseVersion(text)).toBeUndefined()
    }
  })
})
