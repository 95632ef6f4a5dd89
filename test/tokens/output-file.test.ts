/** --output-file, which replaces only a file with the rotated token, except with --force (interface.md, Safety). */
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import type { World } from '../support/sandbox'
import { test as base } from '../support/skyctl'
import { test as inTerminal, keys } from '../support/terminal'

const old = 9100
const oldText = `0ld${'a1'.repeat(30)}`

function arrange({ tokens }: World) {
  const [pattern] = tokens.all()
  if (!pattern) throw new Error('the sandbox has no token')
  tokens.put({ ...pattern, id: old, token: oldText, label: 'job', scopes: 'volumes:read_only', expiry: null })
}

const test = base.extend<{ file: string }>({
  file: async ({ world, home }, use) => {
    arrange(world)
    await use(join(home, 'job.token'))
  },
})

const writes = (world: World) => world.requests().filter(({ method }) => method !== 'GET')
const newest = (world: World) => world.tokens.all().at(-1)?.token

describe('tokens rotate --output-file', () => {
  test.for<[string, string]>([
    ['an SSH key', '-----BEGIN OPENSSH PRIVATE KEY-----\nabc\n'],
    ['another token', `${'f'.repeat(64)}\n`],
    ['nothing', ''],
    ['the old token and another line', `${oldText}\nanother=1\n`],
    ['a script that names the old token', `export SKYCTL_TOKEN=${oldText}\n`],
  ])('does not replace a file with %s', async ([, text], { skyctl, world, file }) => {
    writeFileSync(file, text)
    for (const flags of ['--yes', '--dry-run']) {
      expect(await skyctl(`tokens rotate ${old} ${flags} --output-file ${file}`)).toEqual({
        exit: 12,
        stdout: '',
        stderr: `skyctl: "${file}" already exists and does not hold token "job" (${old}). Name another file, or add --force to replace it\n`,
      })
    }
    expect({ text: readFileSync(file, 'utf8'), sent: writes(world) }).toEqual({ text, sent: [] })
  })

  test('does not replace a file if the API returns no part of the old token', async ({ skyctl, world, file }) => {
    for (const token of world.tokens.all()) if (token.id === old) world.tokens.put({ ...token, token: '' })
    writeFileSync(file, 'precious\n')
    expect((await skyctl(`tokens rotate ${old} --yes --output-file ${file}`)).exit).toBe(12)
    expect({ text: readFileSync(file, 'utf8'), sent: writes(world) }).toEqual({ text: 'precious\n', sent: [] })
  })

  test.for<[string, string]>([
    ['with a line break', `${oldText}\n`],
    ['without a line break', oldText],
    ['with a Windows line break and a byte order mark', `\ufeff${oldText}\r\n`],
  ])('replaces the file with the old token %s', async ([, text], { skyctl, world, file }) => {
    writeFileSync(file, text, { mode: 0o644 })
    const { exit, stdout } = await skyctl(`tokens rotate ${old} --yes --output-file ${file}`)
    expect({ exit, printed: stdout.includes(newest(world) ?? '') }).toEqual({ exit: 0, printed: false })
    expect({ text: readFileSync(file, 'utf8'), mode: statSync(file).mode & 0o777 }).toEqual({
      text: `${newest(world)}\n`,
      mode: 0o600,
    })
    expect(existsSync(`${file}.bak`)).toBe(false)
  })

  test.for<[string, string]>([
    ['tokens rotate job --yes', ''],
    ['tokens create --label ci --scope * --expiry never --force', ''],
    ['tokens rotate job --yes', '-o csv'],
  ])(
    '%s %s prints the beginning of the token, and on the screen its file',
    async ([line, flags], { skyctl, world, file }) => {
      writeFileSync(file, oldText)
      const env = { LC_ALL: 'C.UTF-8' }
      const { stdout } = await skyctl(`${line} ${flags} --output-file ${file}`, { env })
      const start = newest(world)?.slice(0, 16)
      const expected = flags === '' ? `token    ${start}… (written to ${file})\n` : `,${start}\n`
      expect(stdout.endsWith(expected)).toBe(true)
      expect((await skyctl('tokens list', { env })).stdout).toContain(` ${start}…\n`)
      expect((await skyctl('tokens list')).stdout).toContain(` ${start}...\n`)
      expect((await skyctl('tokens list --json')).stdout).toContain(`"token": "${start}"\n`)
    },
  )

  test('replaces any other file with --force', async ({ skyctl, world, file }) => {
    writeFileSync(file, 'precious')
    expect((await skyctl(`tokens rotate ${old} --yes --force --output-file ${file}`)).exit).toBe(0)
    expect(readFileSync(file, 'utf8')).toBe(`${newest(world)}\n`)
  })

  test('names the file in a dry run without writing it', async ({ skyctl, file }) => {
    const line = `tokens rotate ${old} --dry-run --output-file ${file}`
    expect((await skyctl(line)).stderr).toBe(`The new token is written to "${file}"\nNothing was sent\n`)
    expect(existsSync(file)).toBe(false)
    writeFileSync(file, oldText)
    expect((await skyctl(line)).stderr).toBe(`The new token replaces the contents of "${file}"\nNothing was sent\n`)
    expect(readFileSync(file, 'utf8')).toBe(oldText)
  })

  test('sends no request if the file cannot be written', async ({ skyctl, world, home, file: _ }) => {
    const { exit } = await skyctl(`tokens rotate job --yes --output-file ${home}/none/job.token`)
    expect({ exit, sent: world.requests() }).toEqual({ exit: 12, sent: [] })
  })
})

test('tokens create --dry-run names the file', async ({ skyctl, file }) => {
  const { stderr } = await skyctl(`tokens create --label ci --scope * --expiry never --dry-run --output-file ${file}`)
  expect(stderr).toBe(`The new token is written to "${file}"\nNothing was sent\n`)
})

test('tokens create names the file before its questions', async ({ skyctl, file }) => {
  const { stderr } = await skyctl(`tokens create --scope * --expiry never --yes --output-file ${file}`, {
    env: { TERM: 'dumb' },
    interactive: true,
    stdin: 'ci\n',
  })
  // The terminal wraps a long path.
  const [message, questions] = stderr.replaceAll(/\s+/g, ' ').split(' ? ', 2)
  expect(message).toBe(`The new token is written to "${file}"`)
  expect(questions).toMatch(/^Label/)
})

test('tokens create creates no token if others write the file during its questions', async ({
  skyctl,
  meanwhile,
  world,
  file,
}) => {
  await meanwhile({ after: () => writeFileSync(file, 'of another job\n') })
  const { exit, stderr } = await skyctl(`tokens create --scope * --expiry never --yes --output-file ${file}`, {
    env: { TERM: 'dumb' },
    interactive: true,
    stdin: 'ci\n',
  })
  expect({ exit, sent: writes(world) }).toEqual({ exit: 12, sent: [] })
  expect(stderr).toContain('already exists')
})

test.for(['tokens create --label ci', `tokens rotate ${old} --yes`])(
  '%s prints the token if another command has written the file meanwhile',
  async (line, { skyctl, meanwhile, world, file }) => {
    await meanwhile({
      after: ({ method }) => void (method === 'POST' && writeFileSync(file, 'of another job\n')),
    })
    const { exit, stdout, stderr } = await skyctl(`${line} --output-file ${file}`)
    expect({ exit, text: readFileSync(file, 'utf8') }).toEqual({ exit: 12, text: 'of another job\n' })
    expect(stdout).toContain(newest(world))
    expect(stderr).toContain(`"${file}" already exists`)
  },
)

inTerminal('The question of a rotation names the consequence and the file', async ({ terminal, world, home }) => {
  arrange(world)
  const file = join(home, 'job.token')
  const { until, type, end } = terminal(`tokens rotate ${old} --output-file ${file}`, { columns: 300 })
  expect((await until('(y/N)')).join('')).toBe(
    `? Clients that still use the old token will be rejected. The new token is written to "${file}". ` +
      `Replace token "job" (${old})? (y/N)`,
  )
  type(keys.enter)
  expect({ ...(await end), sent: writes(world) }).toMatchObject({ exit: 6, sent: [] })
})

test('tokens rotate creates no token if others have written the file meanwhile', async ({
  skyctl,
  meanwhile,
  world,
  file,
}) => {
  await meanwhile({
    after: ({ path }) => void (path === '/profile' && writeFileSync(file, 'of another job\n')),
  })
  const line = `tokens rotate ${old} --yes --output-file ${file}`
  expect((await skyctl(line)).exit).toBe(12)
  expect({ text: readFileSync(file, 'utf8'), sent: writes(world) }).toEqual({ text: 'of another job\n', sent: [] })
})
