/**
 * Hostile input never causes an internal error: no exit code 1, no stack trace, and with --json stdout is empty or one
 * JSON document. Command lines are drawn from existing words and flags with hostile texts between them; RUNS=10000
 * draws more.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Command, Flag } from '../src/engine/command'
import { globalFlags } from '../src/engine/flags'
import { manualClock } from './support/clock'
import fc, { anyCharacter, runs } from './support/fast-check'
import { missingPath, unreachableUrl } from './support/nonexistent'
import { commands, samples } from './support/samples'
import { environmentOf, openTestSandbox } from './support/sandbox'
import { type Fixtures, test as onSandbox, type Result, runSkyctl, testClock, words } from './support/skyctl'

const nasty = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...hostileTexts()) },
  // A process argument cannot have a NUL.
  fc.string({ unit: anyCharacter, maxLength: 20 }).map((text) => text.replaceAll('\0', '')),
  fc.integer().map(String),
)

function hostileTexts(): string[] {
  const shapes = [
    '',
    ' ',
    '-',
    '--',
    '---',
    '-x',
    '=',
    ',',
    ',,',
    '@',
    '*',
    '.',
    '..',
    '../..',
    '%2e%2e',
    '/',
    'a/b',
    '~',
    '?',
    '#',
  ]
  const numbers = [
    '0',
    '-0',
    '-1',
    '1',
    '01',
    '1e3',
    '1.5',
    '0x10',
    '９',
    '9007199254740991',
    '9007199254740993',
    '1'.repeat(400),
  ]
  const names = [
    '__proto__',
    'constructor',
    'toString',
    'id:',
    'id:0',
    'id:1',
    'label:',
    'label:1',
    'data-1',
    'us-east',
    'sandbox',
  ]
  const controls = [
    '\x1b[2J',
    '\x9b',
    '\u202e',
    '\u200b',
    '\ud800',
    'a\nb',
    '\r',
    '\t',
    '💥',
    'é',
    'e\u0301',
    'x'.repeat(5000),
  ]
  const json = [
    '{',
    '{}',
    '[]',
    'null',
    'true',
    '"',
    "'",
    '{"a":1}',
    '[[[[',
    '`',
    '@.id',
    'a[*]',
    '[].[id]',
    'length(@)',
  ]
  const tests = ['label=', '=1', 'size>', 'size>x', 'label~', 'a!=b', 'tags=a', '-id', '-', 'id,label', 'all', 'none']
  const network = [
    '::',
    '::1',
    '2001:db8::/64',
    '0.0.0.0/0',
    '192.0.2.1',
    '192.0.2.01',
    '::ffff:192.0.2.1',
    'fe80::1%eth0',
    '1-0',
    '22,',
    '192.0.2.1=1',
  ]
  return [...shapes, ...numbers, ...names, ...controls, ...json, ...tests, ...network]
}

/** Values of flags that are more than text: reads and waits must end, and no request goes to a foreign host. */
const valuesOf: Readonly<Record<string, readonly string[]>> = {
  file: ['-', '', '/', '/dev/null', `${missingPath}/file`],
  time: ['0', '1s', '-1s', '1h', 'x', ''],
  url: ['', 'x', unreachableUrl, 'https://name.invalid', 'https://u:p@name.invalid', 'file:///', 'http://[', '//x'],
  command: ['true', 'false', 'echo', 'echo x', ''],
}

function flagWords(flag: Flag): fc.Arbitrary<string[]> {
  const name = fc.constantFrom(`--${flag.name}`, `--${flag.name.replaceAll('-', '_')}`)
  if (flag.value === undefined) {
    const forms = flag.negative === 'only' ? ['no-'] : flag.negative ? ['', 'no-'] : ['']
    return fc.constantFrom(...forms).map((form) => [`--${form}${flag.name}`])
  }
  const special = valuesOf[flag.value]
  const allowed = Array.isArray(flag.values) ? fc.constantFrom(...(flag.values as string[])) : nasty
  const value = special ? fc.constantFrom(...special) : fc.oneof(nasty, allowed)
  return fc
    .tuple(name, value, fc.boolean())
    .map(([name, value, apart]) => (apart ? [name, value] : [`${name}=${value}`]))
}

const body = fc.oneof(
  nasty,
  fc.json(),
  fc
    .dictionary(
      fc.constantFrom('label', 'size', 'region', 'tags', 'rules', 'compute_id', '__proto__', 'x'),
      fc.jsonValue(),
    )
    .map((value) => JSON.stringify(value)),
)

interface Line {
  /** Words of the command, if any. */
  path: string
  argv: string[]
  stdin: string
}

/** Takes a command's sample, replaces some words, and adds flags of the command and global ones. */
function mutations({ path, command }: { path: string; command: Command }): fc.Arbitrary<Line> {
  const { line = '', stdin = '' } = samples[path] ?? {}
  const sampleWords = words(line).map((word) => fc.oneof({ weight: 4, arbitrary: fc.constant(word) }, nasty))
  const flags = [...command.flags, ...globalFlags].filter(({ name }) => !['output', 'quiet', 'json'].includes(name))
  const more = fc.array(
    fc.oneof(
      ...flags.map(flagWords),
      nasty.map((text) => [text]),
    ),
    { maxLength: 3 },
  )
  return fc
    .tuple(fc.tuple(...sampleWords), more, fc.oneof(fc.constant(stdin), body))
    .map(([sampleWords, more, stdin]) => ({
      path,
      argv: [...path.split(' '), ...sampleWords, ...more.flat(), '--json'],
      stdin,
    }))
}

const disorder: fc.Arbitrary<Line> = fc
  .array(fc.oneof(nasty, fc.constantFrom(...commands.flatMap(({ path }) => path.split(' ')), '--yes')), {
    maxLength: 6,
  })
  .map((argv) => ({ path: '', argv: [...argv, '--json'], stdin: '' }))

async function runLine({ path, argv, stdin }: Line): Promise<Result> {
  const clock = testClock(manualClock())
  const home = mkdtempSync(join(tmpdir(), 'skyctl-hostile-'))
  const sandbox = await openTestSandbox({ clock })
  const { world } = sandbox
  const env = { ...environmentOf(sandbox, home), EDITOR: 'true' }
  const skyctl: Fixtures['skyctl'] = (line, options) => runSkyctl(line, { env, clock, ...options })
  try {
    await samples[path]?.arrange?.({ skyctl, sandbox, world, env, home, clock })
    return await skyctl(argv, { stdin: stdin.replace('TOKEN', sandbox.ownerToken) })
  } finally {
    await sandbox.close()
    rmSync(home, { recursive: true, force: true })
  }
}

test('no command line causes an internal error', { timeout: 3_600_000 }, async () => {
  const lines = fc.oneof({ weight: 9, arbitrary: fc.constantFrom(...commands).chain(mutations) }, disorder)
  const property = fc.asyncProperty(lines, async (line) => {
    const { exit, stdout, stderr } = await runLine(line)
    const { argv } = line
    expect(exit, stderr).not.toBe(1)
    if (!argv.includes('--debug')) expect(stderr).not.toMatch(/\n\s+at .+:\d+:\d+/)
    if (stdout !== '' && !argv.some((word) => helps.includes(word))) expect(() => JSON.parse(stdout)).not.toThrow()
  })
  await fc.assert(property, { numRuns: runs(300), timeout: 20_000 })
})

/** Flags that print text instead of JSON. */
const helps = ['-h', '--help', '-V', '--version']

onSandbox.for<[label: string, shown: string]>([
  ['a\nDeleted volume "b" (9)', String.raw`a\nDeleted volume "b" (9)`],
  ['\u202ea\x1b[2Jb\x9bc', String.raw`\u202ea\x1b[2Jb\x9bc`],
])('a label %j is printed in one line as %s', async ([label, shown], { skyctl, world }) => {
  const { id } = world.volume({ label, size: 20 })
  expect((await skyctl(`volumes resize ${id} --size 40`)).stderr).toBe(`Resizing volume "${shown}" (${id}) to 40 GiB\n`)
  await skyctl(`volumes wait ${id}`)
  expect(await skyctl(['volumes', 'resize', `label:${label}`, '--size', '30', '--no-validate'])).toMatchObject({
    exit: 6,
    stderr: expect.stringMatching(/^skyctl: .*\n$/),
  })
  expect((await skyctl(['volumes', 'delete', `label:${label}`, '--yes'])).stderr).toBe(
    `Deleted volume "${shown}" (${id})\n`,
  )
})
