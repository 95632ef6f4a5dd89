/** "--output-file writes a new file; it replaces one only where it holds the token that is rotated, otherwise --force" (interface.md, Safety). */
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
  if (!pattern) throw new Error('the world has no token')
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
    ['the old token and a line of its own', `${oldText}\nanother=1\n`],
    ['a script that names the old token', `export SKYCTL_TOKEN=${oldText}\n`],
  ])('leaves a file alone that holds %s', async ([, text], { skyctl, world, file }) => {
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

  test('leaves a file alone where the service tells no part of the old token', async ({ skyctl, world, file }) => {
    for (const token of world.tokens.all()) if (token.id === old) world.tokens.put({ ...token, token: '' })
    writeFileSync(file, 'precious\n')
    expect((await skyctl(`tokens rotate ${old} --yes --output-file ${file}`)).exit).toBe(12)
    expect({ text: readFileSync(file, 'utf8'), sent: writes(world) }).toEqual({ text: 'precious\n', sent: [] })
  })

  test.for<[string, string]>([
    ['with the end of a line', `${oldText}\n`],
    ['without', oldText],
    ['as Windows ends it, behind a byte order mark', `\ufeff${oldText}\r\n`],
  ])('replaces the file that holds the old token, %s', async ([, text], { skyctl, world, file }) => {
    writeFileSync(file, text, { mode: 0o644 })
    const { exit, stdout } = await skyctl(`tokens rotate ${old} --yes --output-file ${file}`)
    expect({ exit, shown: stdout.includes(newest(world) ?? '') }).toEqual({ exit: 0, shown: false })
    expect({ text: readFileSync(file, 'utf8'), mode: statSync(file).mode & 0o777 }).toEqual({
      text: `${newest(world)}\n`,
      mode: 0o600,
    })
    expect(existsSync(`${file}.bak`)).toBe(false)
  })

  test('replaces any other file with --force', async ({ skyctl, world, file }) => {
    writeFileSync(file, 'precious')
    expect((await skyctl(`tokens rotate ${old} --yes --force --output-file ${file}`)).exit).toBe(0)
    expect(readFileSync(file, 'utf8')).toBe(`${newest(world)}\n`)
  })

  test('names the file in a dry run, and does not touch it', async ({ skyctl, file }) => {
    const line = `tokens rotate ${old} --dry-run --output-file ${file}`
    expect((await skyctl(line)).stderr).toBe(`The new token is written to "${file}"\nNothing was sent\n`)
    expect(existsSync(file)).toBe(false)
    writeFileSync(file, oldText)
    expect((await skyctl(line)).stderr).toBe(`The new token replaces the contents of "${file}"\nNothing was sent\n`)
    expect(readFileSync(file, 'utf8')).toBe(oldText)
  })

  test('asks nothing of the service where the file could not be written', async ({ skyctl, world, home, file: _ }) => {
    const { exit } = await skyctl(`tokens rotate job --yes --output-file ${home}/none/job.token`)
    expect({ exit, sent: world.requests() }).toEqual({ exit: 12, sent: [] })
  })
})

test('tokens create --dry-run names the file', async ({ skyctl, file }) => {
  const { stderr } = await skyctl(`tokens create --label ci --scope * --expiry never --dry-run --output-file ${file}`)
  expect(stderr).toBe(`The new token is written to "${file}"\nNothing was sent\n`)
})

test('tokens create names the file before it asks for a label', async ({ skyctl, file }) => {
  const { stderr } = await skyctl(`tokens create --scope * --expiry never --yes --output-file ${file}`, {
    env: { TERM: 'dumb' },
    interactive: true,
    stdin: 'ci\n',
  })
  expect(stderr.split('\n')[0]).toBe(`The new token is written to "${file}"`)
  expect(stderr).toContain('? Label')
})

test('tokens create creates none if others write the file during its questions', async ({
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
  '%s shows the token where another command has written the file meanwhile',
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

inTerminal(
  'the question of a rotation names the file, with the consequence before it',
  async ({ terminal, world, home }) => {
    arrange(world)
    const file = join(home, 'job.token')
    const { until, type, end } = terminal(`tokens rotate ${old} --output-file ${file}`, { columns: 300 })
    expect((await until('(y/N)')).join('')).toBe(
      `? Clients that still use the old token will be rejected. The new token is written to "${file}". ` +
        `Replace token "job" (${old})? (y/N)`,
    )
    type(keys.enter)
    expect({ ...(await end), sent: writes(world) }).toMatchObject({ exit: 6, sent: [] })
  },
)

test('no token is created where others have written the file since', async ({ skyctl, meanwhile, world, file }) => {
  await meanwhile({
    after: ({ path }) => void (path === '/profile' && writeFileSync(file, 'of another job\n')),
  })
  const line = `tokens rotate ${old} --yes --output-file ${file}`
  expect((await skyctl(line)).exit).toBe(12)
  expect({ text: readFileSync(file, 'utf8'), sent: writes(world) }).toEqual({ text: 'of another job\n', sent: [] })
})
