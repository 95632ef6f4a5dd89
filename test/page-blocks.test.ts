/** Blocks of pages that nobody types: files, and outputs of commands elsewhere. test/guides.test.ts runs what is typed. */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import manifest from '../package.json'
import { test as example } from './support/example-world'
import { faultServer, reply } from './support/fault-server'
import { httpsService } from './support/https-service'
import { blocksOf, isTyped, pages } from './support/page-examples'
import { test as processTest } from './support/process'
import { completeProfile } from './support/records'
import { test as commandTest } from './support/skyctl'

/** Returns the block of a page that has a text. */
function blockWith(page: string, part: string): string {
  const blocks = blocksOf(pages.find(({ path }) => path === page)?.text ?? '')
  return blocks.find(({ text }) => text.includes(part))?.text ?? ''
}

commandTest('many equal changes are one block, as docs/account-file-reference.md shows', async ({ skyctl }) => {
  const block = blockWith('docs/account-file-reference.md', '+ 60 volumes')
  const volumes = Array.from({ length: 60 }, (_, index) => [`data-${index + 1}`, { size: 40, region: 'us-east' }])
  // The account of the page has no volumes of these names.
  for (const id of [3001, 3002]) expect((await skyctl(`volumes update ${id} --label former-${id}`)).exit).toBe(0)
  const { stdout } = await skyctl('plan -', {
    stdin: JSON.stringify({ volumes: Object.fromEntries(volumes) }),
    env: { LANG: 'en_US.UTF-8' },
  })
  expect(stdout).toContain(block)
})

commandTest('each exception of docs/audit.md leaves out a finding of the sandbox', async ({ skyctl, home }) => {
  const file = join(home, 'exceptions')
  const text = blockWith('docs/audit.md', '# reviewed in January')
  writeFileSync(file, text)
  const { exit, stdout } = await skyctl(`audit --ignore ${file} --json`)
  const { ignored, unused } = JSON.parse(stdout)
  expect({ exit, unused }).toEqual({ exit: 0, unused: [] })
  const reasons = new Set(ignored.map(({ because }: { because: string }) => because))
  const accepted = text.split('\n').filter((line) => [...reasons].some((reason) => line.endsWith(`  ${reason}`)))
  expect(accepted).toHaveLength(5)
})

commandTest('docs/firewalls.md sets --keep-open for a context', async ({ skyctl, sandbox }) => {
  const signIn = `auth login --context prod --with-token --base-url ${sandbox.baseUrl}`
  expect((await skyctl(signIn, { stdin: sandbox.ownerToken })).exit).toBe(0)
  const [, ...words] = blockWith('docs/firewalls.md', 'context update prod').trim().split(' ')
  expect(await skyctl(words.join(' '))).toMatchObject({ exit: 0 })
  const env = { SKYCTL_CONTEXT: 'prod', SKYCTL_TOKEN: undefined, SKYCTL_BASE_URL: undefined }
  const refused = await skyctl('firewalls rules remove web inbound label:accept-ssh --yes', { env })
  expect(refused).toMatchObject({ exit: 6, stderr: expect.stringContaining('tcp/22 from 203.0.113.0/24') })
})

processTest('the report of docs/troubleshooting.md is what doctor prints', async ({ start, home }) => {
  const block = blockWith('docs/troubleshooting.md', 'it accepts the token')
  const slow = 12 * 60_000
  const { host } = await faultServer((socket, request) =>
    reply(200, completeProfile, {
      date: new Date(Date.now() + slow).toUTCString(),
      'x-oauth-scopes': 'volumes:read_write account:read_only',
    })(socket, request),
  )
  const env = { HOME: home, ...(await httpsService(`http://${host}`)) }
  const signIn = 'auth login --context prod --with-token --base-url https://api.example.net/v4'
  const signedOut = { ...env, SKYCTL_TOKEN: undefined, SKYCTL_BASE_URL: undefined }
  expect(await start(signIn, { env: signedOut, stdin: 'a-token' }).end).toMatchObject({ exit: 0 })
  const { stdout } = await start('doctor', { env: signedOut, stdin: '' }).end
  const printed = stdout.replace(/http:\/\/127\.0\.0\.1:\d+/, 'http://proxy.example.net:3128').split('\n')
  for (const line of block.trimEnd().split('\n')) expect(printed).toContain(line)
})

describe('docs/recipes.md', () => {
  example('its hook lets git commit only valid account files', async ({ fresh, runShell }) => {
    const place = fresh()
    mkdirSync(join(place.cwd, 'account'))
    const commit = async (account: string) => {
      writeFileSync(join(place.cwd, 'account/account.yaml'), account)
      return runShell('git add account && git -c user.name=me -c user.email=me@example.com commit -qm change', place)
    }
    expect(await runShell('git init -q .', place)).toMatchObject({ exit: 0 })
    writeFileSync(join(place.cwd, '.git/hooks/pre-commit'), blockWith('docs/recipes.md', 'hooks/pre-commit'), {
      mode: 0o755,
    })
    expect(await commit('volumes: { data-1: { size: ten } }\n')).toMatchObject({
      exit: 1,
      stderr: expect.stringContaining('account.yaml:1:'),
    })
    expect(await commit('volumes: { data-1: { size: 40 } }\n')).toMatchObject({ exit: 0 })
  })
})

/** Tests of the blocks that test/guides.test.ts does not type, by page and language. */
const testedBy: Readonly<Record<string, string>> = {
  'docs/account-file-reference.md text': 'page-blocks',
  'docs/account-file-reference.md yaml': 'readme',
  'docs/audit.md text': 'page-blocks',
  'docs/firewalls.md text': 'page-blocks',
  'docs/library.md js': 'library',
  'docs/other-tools.md bash': 'process/other-tools',
  'docs/other-tools.md shell': 'process/other-tools',
  'docs/other-tools.md sql': 'process/other-tools',
  'docs/other-tools.md text': 'process/other-tools',
  'docs/recipes.md shell': 'readme',
  'docs/recipes.md yaml': 'process/recipes',
  'docs/sandbox.md json': 'readme',
  'docs/sandbox.md yaml': 'process/sandbox-guide',
  'docs/tokens-in-ci.md yaml': 'process/ci-jobs',
  'docs/troubleshooting.md text': 'page-blocks',
}

/** Blocks that need what a test does not have, or that show nothing to run. */
const untested: Readonly<Record<string, string>> = {
  'docs/architecture.md text': 'a drawing',
  'docs/policies.md rego': 'Open Policy Agent',
  'docs/tokens-in-ci.md dockerfile': 'Docker',
}

test('every block of every page is typed by a test, has a test of its own, or a reason for none', () => {
  const other = pages.flatMap(({ path, text }) => {
    const blocks = blocksOf(text)
    return blocks
      .filter((block, index) => !isTyped(block, blocks[index - 1]))
      .map(({ language }) => `${path} ${language}`)
  })
  expect([...new Set(other)].sort()).toEqual(Object.keys({ ...testedBy, ...untested }).sort())
  for (const name of new Set(Object.values(testedBy)))
    expect(existsSync(join(import.meta.dirname, `${name}.test.ts`)), name).toBe(true)
})

test('every npm script and file of a line exists', () => {
  const lines = pages.flatMap(({ text }) =>
    blocksOf(text).flatMap(({ language, text }) => (language === 'line' ? [text] : [])),
  )
  const scripts = lines.flatMap((line) => [...line.matchAll(/\bnpm run ([\w:]+)/g)].map(([, name = '']) => name))
  const files = lines.flatMap((line) =>
    [...line.matchAll(/\bnode ((?:bench|build)\/[\w.-]+)/g)].map(([, path = '']) => path),
  )
  expect([scripts.length, files.length].map((count) => count > 5)).toEqual([true, true])
  expect(scripts.filter((name) => !(name in manifest.scripts))).toEqual([])
  expect(files.filter((path) => !existsSync(join(import.meta.dirname, '..', path)))).toEqual([])
})
