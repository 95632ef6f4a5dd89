/**
 * Size limits (interface.md, Errors): an input that is too large for this machine ends with `too_large`, exit code 12,
 * before anything is sent, from any file, pipe or list. A mistyped number is `usage`.
 */
import { truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { parseJournal } from '../src/account/journal-lines'
import { test } from './support/skyctl'

const deep = (levels: number) => '['.repeat(levels) + ']'.repeat(levels)
const create = 'volumes create --label a --region us-east --body'
const update = 'firewalls rules update web --file'
const edge = 'firewalls: { web: { rules: FILE } }'

/** Command lines whose FILE is too large; `text` is the file, or its size in bytes. */
const inputs: readonly { title: string; line: string; text: string | number }[] = [
  { title: 'a body', line: `${create} FILE`, text: 5 * 2 ** 20 },
  { title: 'a body of many objects', line: `${create} FILE`, text: '{}\n'.repeat(100_001) },
  { title: 'a body that is nested deep', line: `${create} FILE`, text: `{"tags":${deep(600)}}` },
  { title: 'a line of a body that is nested deep', line: `${create} FILE`, text: `{"size":20}\n{"tags":${deep(600)}}` },
  { title: 'a body of many values', line: `${create} FILE`, text: `{"tags":[${'{},'.repeat(1_000_000)}{}]}` },
  { title: 'a body in YAML of many lines', line: `${create} FILE`, text: `tags:\n${'- a\n'.repeat(31_000)}` },
  { title: 'a body in YAML that is nested deep', line: `${create} FILE`, text: `tags:\n  ${'- '.repeat(600)}a` },
  { title: 'a body in YAML of aliases', line: `${create} FILE`, text: aliases() },
  { title: 'firewall rules', line: `${update} FILE`, text: 5 * 2 ** 20 },
  {
    title: 'rules to test',
    line: 'firewalls test --file FILE --protocol tcp --port 22 --from 198.51.100.7',
    text: 5 * 2 ** 20,
  },
  { title: 'an SSH key', line: 'profile sshkeys add --label a --file FILE', text: 5 * 2 ** 20 },
  { title: 'authorized keys', line: 'profile update --authorized-keys-file FILE', text: 5 * 2 ** 20 },
  { title: 'preferences', line: 'profile preferences set --body FILE', text: 5 * 2 ** 20 },
  { title: 'the body of a request', line: 'api PUT /profile/preferences --body FILE', text: 5 * 2 ** 20 },
  { title: 'an account file', line: 'plan FILE', text: 129 * 2 ** 20 },
  { title: 'an account file of many lines', line: 'apply FILE', text: `volumes:\n${'  a: {}\n'.repeat(1_100_000)}` },
  { title: 'a seed of the sandbox', line: 'sandbox start --seed FILE', text: `{"volumes":${deep(600)}}` },
]

function aliases(): string {
  const levels = [...'bcdefghi'].map((name, at) => `${name}: &${name} [${Array(9).fill(`*${'abcdefgh'[at]}`)}]`)
  return ['a: &a [x,x,x,x,x,x,x,x,x]', ...levels].join('\n')
}

function writeInput(home: string, text: string | number): string {
  const file = join(home, 'large')
  writeFileSync(file, typeof text === 'string' ? text : '')
  if (typeof text === 'number') truncateSync(file, text)
  return file
}

describe('an input fails with too_large and exit code 12 before anything is sent:', () => {
  test.for(inputs)('$title', async ({ line, text }, { skyctl, home, world }) => {
    const { exit, stdout, stderr } = await skyctl(`${line.replace('FILE', writeInput(home, text))} --yes --json`)
    expect({ exit, stdout }).toEqual({ exit: 12, stdout: '' })
    expect(JSON.parse(stderr.trim().split('\n').at(-1) ?? '').error).toMatchObject({
      code: 'too_large',
      exit_code: 12,
      message: expect.stringMatching(/is too large: /),
    })
    expect(world.requests().filter(({ method }) => method !== 'GET')).toEqual([])
  })

  test('a file that an account file refers to, with its line', async ({ skyctl, home }) => {
    const file = join(home, 'account.yaml')
    writeFileSync(file, edge.replace('FILE', writeInput(home, 129 * 2 ** 20)))
    const { exit, stderr } = await skyctl(`plan ${file} --json`)
    expect({ exit, error: JSON.parse(stderr).error }).toMatchObject({
      exit: 12,
      error: { code: 'too_large', failures: [{ target: `${file}:1:21` }] },
    })
  })

  test('a token file', async ({ skyctl, home }) => {
    const env = { SKYCTL_TOKEN: undefined, SKYCTL_TOKEN_FILE: writeInput(home, 65 * 1024) }
    const { exit, stderr } = await skyctl('volumes list --json', { env })
    expect({ exit, error: JSON.parse(stderr).error }).toMatchObject({ exit: 12, error: { code: 'too_large' } })
  })
})

describe('a list that needs more than --max-memory', () => {
  const list = 'volumes list --page-size 25 --max-memory 1KiB'

  test.for(['--json', '-o yaml', '-o table', '--sort label -o ndjson', "--query 'reverse(@)' --json"])(
    'is rejected after its first page: %s',
    async (flags, { skyctl, world }) => {
      for (let at = 0; at < 200; at += 1) world.volume({ label: `volume-${at}` })
      const { exit, stdout, stderr } = await skyctl(`${list} ${flags}`)
      expect({ exit, stdout }).toEqual({ exit: 12, stdout: '' })
      expect(stderr).toMatch(/: \d+ records take about [\d.]+ KiB, more than the 1 KiB of --max-memory/)
      expect(stderr).toMatch(/-o ndjson .*--filter .*--max-memory 2KiB/s)
      expect(world.requests()).toHaveLength(1)
    },
  )

  test('is printed in a format that buffers nothing', async ({ skyctl, world }) => {
    for (let at = 0; at < 200; at += 1) world.volume({ label: `volume-${at}` })
    const { exit, stdout } = await skyctl(`${list} -o ndjson`)
    expect({ exit, lines: stdout.trim().split('\n').length >= 200 }).toEqual({ exit: 0, lines: true })
  })

  test.for(['5', '0GiB', '1XiB', '-1MiB'])('is rejected for an invalid size: %s', async (size, { skyctl, world }) => {
    const { exit, stderr } = await skyctl(`volumes list --max-memory=${size}`)
    expect({ exit, stderr }).toEqual({
      exit: 2,
      stderr: expect.stringContaining(`--max-memory: "${size}" is not a size`),
    })
    expect(world.requests()).toEqual([])
  })
})

test('a number beyond the range of numbers is a usage error', async ({ skyctl, home }) => {
  const { exit, stderr } = await skyctl(`${create} ${writeInput(home, '{"size":1e999}')} --json`)
  expect({ exit, error: JSON.parse(stderr).error }).toMatchObject({ exit: 2, error: { code: 'usage' } })
})

describe('the first line of a journal', () => {
  const journal = (tag: string) => {
    const body = { label: 'volume', region: 'us-east', size: 10, tags: [tag, 'b'] }
    const bodies = Array.from({ length: 65_000 }, (_, at) => ({ line: at + 1, body }))
    return `${JSON.stringify({ skyctl_journal: 1, command: 'create', account: '?', inputs: { bodies } })}\n`
  }

  test('has all bodies that one command can read', async () => {
    expect((await parseJournal(journal('a'), 'journal')).header?.inputs.bodies).toHaveLength(65_000)
  })

  test('that is larger is too_large, and not the journal of another run', async () => {
    await expect(parseJournal(journal('a'.repeat(900)), 'journal')).rejects.toMatchObject({
      code: 'too_large',
      message: expect.stringContaining('journal is too large: '),
    })
  })
})
