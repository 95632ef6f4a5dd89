/** The completion scripts in their shells: a line, Tab, Enter, and the words that skyctl gets. */
import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { completionShells, ShellTerminal } from '../support/shell-terminal'
import { isInstalled, needs } from '../support/shells'

const root = join(import.meta.dirname, '../..')

const labels = [
  'my vol',
  "it's",
  '"q"',
  '$(touch pwned)',
  '`touch pwned`',
  'a;b&c|d>e',
  'x!y\\z',
  'a:b',
  'ä é',
  'bang!',
]
const volumes = [...labels, 'data-1', 'data-2', 'label:77']

let home: string
let env: Record<string, string>

beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), 'skyctl-tab-'))
  const cached = {
    'sandbox/volumes': volumes.map((name, index) => `${name}\t${3001 + index}\n`).join(''),
    'sandbox/regions': 'us-east\tNewark\nus-ord\tChicago\n',
    '.contexts': 'prod\nsandbox\n',
  }
  for (const [path, text] of Object.entries(cached)) write(`cache/skyctl/names/${path}`, text)
  write('a body.json', '{}')
  write('some dir/inner.yaml', '')
  mkdirSync(join(home, 'bin'))
  symlinkSync(join(root, 'bin/skyctl.js'), join(home, 'bin/skyctl'))
  // An earlier skyctl knows nothing of __complete.
  write('old/skyctl', '#!/bin/sh\necho Usage: skyctl; echo "skyctl: unknown command" >&2; exit 2\n', 0o755)
  // The cache folder on macOS.
  mkdirSync(join(home, 'Library/Caches'), { recursive: true })
  symlinkSync(join(home, 'cache/skyctl'), join(home, 'Library/Caches/skyctl'))
  env = {
    HOME: home,
    PATH: `${join(home, 'bin')}:${process.env.PATH}`,
    LC_ALL: 'C.UTF-8',
    INPUTRC: '/dev/null',
    XDG_CACHE_HOME: join(home, 'cache'),
    SKYCTL_CONFIG_DIR: join(home, 'config'),
    SKYCTL_STATE_DIR: join(home, 'state'),
    SKYCTL_CONTEXT: 'sandbox',
  }
})

afterAll(() => rmSync(home, { recursive: true, force: true }))

function write(path: string, text: string, mode = 0o600): void {
  mkdirSync(dirname(join(home, path)), { recursive: true })
  writeFileSync(join(home, path), text, { mode })
  chmodSync(join(home, path), mode)
}

/** A line up to its last word, what is typed of that word, and the word. */
const forms: readonly [line: string, typed: string, word: string][] = [
  ['volumes list --columns', 'id,lab', 'id,label'],
  ['volumes list', '--columns=id,lab', '--columns=id,label'],
  ['volumes list --filter', 'status=act', 'status=active'],
  ['volumes list --filter', 'region!=us-ea', 'region!=us-east'],
  ['volumes list --sort', '-si', '-size'],
  ['volumes create', '--region=us-ea', '--region=us-east'],
  ['volumes view', 'my ', 'my vol'],
  ['volumes view', 'it', "it's"],
  ['volumes view', '"', '"q"'],
  ['volumes view', '$(t', '$(touch pwned)'],
  ['volumes view', 'a:', 'a:b'],
  ['volumes view', 'label:7', 'label:77'],
  ['tokens create --scope', '*,volumes:read_w', '*,volumes:read_write'],
  ['volumes create', '--body=some dir/i', '--body=some dir/inner.yaml'],
]

/** Ways to type a text, with a quote that is still open. */
const quotes: Readonly<Record<string, (text: string) => string>> = {
  'no quote': (text) => text.replaceAll(/[ *$"';&|<>()]/g, '\\$&'),
  'a single quote': (text) => `'${text}`,
  'a double quote': (text) => `"${text.replaceAll(/[$"]/g, '\\$&')}`,
}

const quotedForms = Object.entries(quotes).flatMap(([quote, typed]) =>
  forms.map(([line, text, word]) => ({ quote, line: `skyctl ${line} ${typed(text)}`, word })),
)

describe.each(completionShells)('%s', (shell) => {
  let terminal: ShellTerminal

  beforeAll(async () => {
    if (!isInstalled(shell)) return
    terminal = await ShellTerminal.open(shell, env)
    return () => terminal?.close()
  })
  beforeEach((context) => needs(shell, context))

  test.each(quotedForms)('completes the word, and ends it: $line', async ({ line, word }) => {
    expect((await terminal.complete(line)).at(-1)).toBe(word)
  })

  test.each([
    ['skyctl volum', ['volumes']],
    ['skyctl volumes list "--so', ['volumes', 'list', '--sort']],
    ['skyctl volumes create --body a\\ b', ['volumes', 'create', '--body', 'a body.json']],
    ['skyctl volumes view a\\;', ['volumes', 'view', 'a;b&c|d>e']],
    ['skyctl volumes view x', ['volumes', 'view', 'x!y\\z']],
    ['skyctl volumes view "ban', ['volumes', 'view', 'bang!']],
    ["skyctl volumes view 'x!y\\", ['volumes', 'view', 'x!y\\z']],
    ['skyctl volumes view my" v', ['volumes', 'view', 'my vol']],
    ['skyctl volumes view label:"my', ['volumes', 'view', 'label:my vol']],
    ['skyctl volumes view ä', ['volumes', 'view', 'ä é']],
    ['X=1 skyctl --context san', ['--context', 'sandbox']],
    ['skyctl volumes list --filter siz', ['volumes', 'list', '--filter', 'size=']],
    ['skyctl volumes view nothing', ['volumes', 'view', 'nothing']],
  ])('hands all words to skyctl: %s', async (line, words) => {
    expect(await terminal.complete(line)).toEqual(words)
  })

  test('goes on in the same word after a field to filter by', async () => {
    await terminal.type('skyctl volumes list --filter siz\t', 'size=')
    expect((await terminal.complete('40')).at(-1)).toBe('size=40')
  })

  test('lists the words that fit', async () => {
    // A dumb terminal shows no menu of fish.
    const keys = shell === 'fish' ? 'complete -C "skyctl volumes de"\r' : 'skyctl volumes de\t'
    const output = await terminal.type(keys, 'detach')
    expect(output).toContain('delete')
    expect(output.includes('Delete a volume')).toBe(shell !== 'bash')
    terminal.clear()
  })

  test('runs nothing of a label', () => {
    expect(existsSync(join(home, 'pwned'))).toBe(false)
  })

  test.each([
    ['without Node.js', () => `export PATH=${join(home, 'bin')}`],
    ['with an earlier skyctl', () => `export PATH=${join(home, 'old')}:/usr/bin:/bin`],
    ['without skyctl', () => `export PATH=${join(home, 'none')}`],
    ['with a broken contexts file', () => `export PATH=${env.PATH} SKYCTL_CONTEXT=`],
  ])('writes nothing into the line %s', async (_case, setup) => {
    write('config/contexts.json', '{ broken')
    await terminal.run(setup())
    const output = await terminal.type('skyctl tokens view \t\r', '\u001d')
    expect(output).toContain('\u001etokens\u001eview\u001d')
    expect(output).not.toMatch(/not found|no such|unknown|usage|error|broken/i)
  })
})

describe('bash', () => {
  test.each([
    ['breaks words at fewer characters', "COMP_WORDBREAKS=' '"],
    ['has posix mode', 'set -o posix'],
    ['has its own IFS', 'IFS=:'],
  ])('completes if it %s', async (_case, setup) => {
    const terminal = await ShellTerminal.open('bash', env)
    await terminal.run(setup)
    const lines = ['skyctl volumes view a:', 'skyctl volumes view "label:my', 'skyctl volumes create --region=us-ea']
    const words = []
    for (const line of lines) words.push((await terminal.complete(line)).at(-1))
    await terminal.close()
    expect(words).toEqual(['a:b', 'label:my vol', '--region=us-east'])
  })
})

describe('PowerShell', () => {
  const lines: readonly [line: string, words: string][] = [
    ['skyctl volumes de', 'delete detach'],
    ['skyctl volumes list --so', '--sort'],
    ['skyctl -o t', 'table tsv'],
    ['skyctl volumes create --region us-ea', 'us-east'],
    ['skyctl volumes create --region=us-ea', '--region=us-east'],
    ['skyctl volumes view data', 'data-1 data-2'],
    ['skyctl volumes delete data-1 d', 'data-2'],
    ['skyctl volumes view my', "'my vol'"],
    ["skyctl volumes view 'my", "'my vol'"],
    ['skyctl help exit', 'exit-codes'],
  ]

  test('completes lines in its own way', (context) => {
    needs('pwsh', context)
    const complete =
      '. $env:SCRIPT; $env:LINES -split "`n" | ForEach-Object { ' +
      '(TabExpansion2 -inputScript $_ -cursorColumn $_.Length).CompletionMatches.CompletionText -join " " }'
    const more = { SCRIPT: join(root, 'completions/skyctl.ps1'), LINES: lines.map(([line]) => line).join('\n') }
    const words = ['-NoProfile', '-NonInteractive', '-Command', complete]
    const { stdout } = spawnSync('pwsh', words, { encoding: 'utf8', env: { ...env, ...more } })
    expect(stdout.trimEnd().split(/\r?\n/)).toEqual(lines.map(([, expected]) => expected))
  })
})

test('the scripts have at most 400 lines, and no version', () => {
  const scripts = ['bash', 'zsh', 'fish', 'ps1'].map((shell) =>
    readFileSync(join(root, `completions/skyctl.${shell}`), 'utf8'),
  )
  expect(scripts.join('').split('\n').length).toBeLessThanOrEqual(400)
  expect(scripts.filter((text) => /\d+\.\d+\.\d+/.test(text))).toEqual([])
})
