/** Generated files: each is valid for its readers, and `npm run generate` reports and updates outdated ones. */
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, type TestContext, test } from 'vitest'
import manifest from '../package.json'
import { program } from '../src/commands/index'
import { loadTree, withDescendants } from '../src/engine/command-nodes'
import { generatedFiles } from '../src/generate/files'
import { needs } from './support/shells'
import { temporaryFolder } from './support/temporary-folder'

const root = join(import.meta.dirname, '..')
const { committed: files, built } = await generatedFiles()
const commands = withDescendants(await loadTree(program)).filter(({ command }) => command !== undefined)

/** Copies the inputs and outputs of `npm run generate`, so that a test can change them. */
function copy(): string {
  const folder = temporaryFolder()
  for (const path of ['build', 'package.json']) cpSync(join(root, path), join(folder, path), { recursive: true })
  for (const path of ['src', 'node_modules']) symlinkSync(join(root, path), join(folder, path), 'junction')
  for (const [path, text] of files) {
    mkdirSync(join(folder, path, '..'), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  return folder
}

function generate(folder: string, ...words: string[]): { exit: number | null; stderr: string } {
  const { status, stderr } = spawnSync(process.execPath, [join(folder, 'build/generate.mjs'), ...words], {
    encoding: 'utf8',
  })
  return { exit: status, stderr }
}

describe('npm run generate', () => {
  test('lists outdated, missing and surplus files with --check, and updates them without it', () => {
    const folder = copy()
    const [page, missing] = ['docs/reference/volumes.md', 'docs/account.schema.json']
    const changed = { [page]: 'stale', 'docs/reference/cows.md': '' }
    for (const [path, text] of Object.entries(changed)) writeFileSync(join(folder, path), text)
    rmSync(join(folder, missing))
    const listed = [missing, ...Object.keys(changed)].map((path) => `  ${path}\n`).join('')
    expect(generate(folder, '--check')).toEqual({
      exit: 1,
      stderr: `Outdated, run "npm run generate":\n${listed}\n`,
    })
    expect(readFileSync(join(folder, page), 'utf8')).toBe('stale')
    expect(generate(folder)).toEqual({ exit: 0, stderr: '' })
    expect([page, missing].map((path) => readFileSync(join(folder, path), 'utf8'))).toEqual([
      files.get(page),
      files.get(missing),
    ])
    expect(generate(folder, '--check')).toEqual({ exit: 0, stderr: '' })
  })
})

describe('the reference', () => {
  test.each(commands.map(({ words }) => words))('has a section for each command: %s %s', (...words) => {
    expect(files.get(`docs/reference/${words[0]}.md`)).toContain(`# skyctl ${words.join(' ')}\n`)
  })

  test('links only to sections that exist', () => {
    const anchors = (text: string) =>
      [...text.matchAll(/^#+ (.*)$/gm)].map(([, title = '']) => title.toLowerCase().replaceAll(' ', '-'))
    for (const [path, text] of files) {
      for (const [, page, anchor] of text.matchAll(/\]\(([\w.-]*)#?([\w-]*)\)/g)) {
        const target = files.get(page === '' ? path : `docs/reference/${page}`)
        expect(target, `${path} leads to ${page}`).toBeDefined()
        if (anchor) expect(anchors(target ?? ''), path).toContain(anchor)
      }
    }
  })
})

describe('the man pages', () => {
  const pages = [...built.keys()].filter((path) => path.startsWith('docs/man/'))
  const read = (path: string) => (built.get(path) ?? '').replaceAll('\\-', '-')
  const groups = program.entries.map(({ name }) => `skyctl-${name}`)

  /** Runs a checker on a page. */
  function check(line: string, path: string, context: TestContext) {
    const [reader = '', ...words] = line.split(' ')
    needs(reader, context)
    const { status, stdout, stderr } = spawnSync(reader, [...words, join(root, path)], { encoding: 'utf8' })
    return { status, stdout, stderr }
  }

  test('are one page for skyctl with links, and one for each group', () => {
    expect(pages.map((path) => path.replace(/^docs\/man\/(.*)\.1$/, '$1')).sort()).toEqual(['skyctl', ...groups].sort())
    for (const name of groups) expect(read('docs/man/skyctl.1')).toContain(`.TP\n\\fB${name}\\fR(1)`)
  })

  test('are the pages that npm installs', () => {
    expect([...manifest.man].sort()).toEqual([...pages].sort())
  })

  test('have the version and its release date in their header', () => {
    expect(manifest.released).toMatch(/^20\d\d-[01]\d-[0-3]\d$/)
    for (const path of pages)
      expect(read(path).split('\n', 1)[0]).toMatch(
        new RegExp(`^\\.TH SKYCTL[A-Z0-9-]* 1 ${manifest.released} "skyctl ${manifest.version}" "User Commands"$`),
      )
  })

  test.each(pages)('%s has the sections of a man page in their usual order', (path) => {
    const sections = [...read(path).matchAll(/^\.SH (.*)$/gm)].map(([, name]) => name)
    const order = ['NAME', 'SYNOPSIS', 'DESCRIPTION', 'COMMANDS', 'OPTIONS', 'EXIT STATUS', 'ENVIRONMENT', 'FILES']
    const single =
      program.entries.length > 0 &&
      commands.some(({ words }) => path === `docs/man/skyctl-${words[0]}.1` && words.length === 1)
    const expected = [...order.filter((name) => name !== 'COMMANDS' || !single), 'EXAMPLES', 'SEE ALSO']
    expect(sections.filter((name) => expected.includes(name ?? ''))).toEqual(expected)
  })

  test('explain every command on the page of its group', () => {
    for (const { words } of commands) {
      const page = read(`docs/man/skyctl-${words[0]}.1`)
      expect(page).toContain(words.length === 1 ? `\\fBskyctl ${words[0]}` : `.SS skyctl ${words.join(' ')}`)
    }
  })

  test.for(pages)('%s has no mandoc -Tlint messages', (path, context) => {
    expect(check('mandoc -Tlint -W style', path, context)).toEqual({ status: 0, stdout: '', stderr: '' })
  })

  test.for(pages)('%s is formatted by groff without warnings', (path, context) => {
    expect(check('groff -man -ww -z', path, context)).toEqual({ status: 0, stdout: '', stderr: '' })
  })

  test.for(pages)('%s fits 80 columns', (path, context) => {
    const { status, stdout } = check('mandoc -Tascii -O width=80', path, context)
    const lines = stdout.replaceAll(/.\x08/g, '').split('\n')
    expect({ status, formatted: lines.length > 20 }).toEqual({ status: 0, formatted: true })
    expect(lines.filter((line) => line.length > 80)).toEqual([])
  })
})

describe('a completion script', () => {
  const readers = [
    ['bash -n', 'bash'],
    ['shellcheck', 'bash'],
    ['zsh -n', 'zsh'],
    ['fish --no-execute', 'fish'],
  ] as const
  const cases = readers.map(([reader, shell]) => ({ reader, path: `completions/skyctl.${shell}` }))

  test.for(cases)('has no syntax errors for $reader: $path', ({ reader, path }, context) => {
    const [program = '', ...words] = reader.split(' ')
    needs(program, context)
    // A shell warns of a locale that is not installed.
    const env = { ...process.env, LC_ALL: 'C' }
    const { status, stdout, stderr } = spawnSync(program, [...words, join(root, path)], { encoding: 'utf8', env })
    expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: '', stderr: '' })
  })

  test('has no syntax errors for pwsh: completions/skyctl.ps1', (context) => {
    needs('pwsh', context)
    const parse =
      '$e = $null; [void][System.Management.Automation.Language.Parser]::ParseFile($env:SCRIPT, [ref]$null, [ref]$e); ' +
      '$e | ForEach-Object { $_.Message }; exit $e.Count'
    const env = { ...process.env, SCRIPT: join(root, 'completions/skyctl.ps1') }
    const words = ['-NoProfile', '-NonInteractive', '-Command', parse]
    const { status, stdout } = spawnSync('pwsh', words, { encoding: 'utf8', env })
    expect({ status, stdout }).toEqual({ status: 0, stdout: '' })
  })
})
