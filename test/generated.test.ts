/** What is made from the commands: it is committed as it is made, and what reads it takes it. */
import { spawnSync } from 'node:child_process'
import {
  appendFileSync,
  cpSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { generatedFiles } from '../src/generate/files'
import { loadTree, withDescendants } from '../src/generate/tree'
import { program } from '../src/program'

const root = join(import.meta.dirname, '..')
const files = await generatedFiles()
const commands = withDescendants(await loadTree(program)).filter(({ command }) => command !== undefined)

function has(program: string): boolean {
  return spawnSync(program, ['--version']).status === 0
}

/** A copy of what `npm run generate` reads, to be spoilt. */
function copy(): string {
  const folder = mkdtempSync(join(tmpdir(), 'skyctl-generated-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  for (const path of ['src', 'build', 'package.json']) cpSync(join(root, path), join(folder, path), { recursive: true })
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'), 'junction')
  return folder
}

function generate(folder: string, ...words: string[]): { exit: number | null; stderr: string } {
  const { status, stderr } = spawnSync(process.execPath, [join(folder, 'build/generate.mjs'), ...words], {
    encoding: 'utf8',
  })
  return { exit: status, stderr }
}

test.each([...files.keys()])('%s is committed as it is made', (path) => {
  expect(readFileSync(join(root, path), 'utf8')).toBe(files.get(path))
})

describe('npm run generate', () => {
  test('writes what is stale, removes what is made no more, and is then content', () => {
    const folder = copy()
    expect(generate(folder)).toEqual({ exit: 0, stderr: '' })
    writeFileSync(join(folder, 'docs/reference/cows.md'), '')
    appendFileSync(join(folder, 'completions/skyctl.bash'), '#')
    expect(generate(folder)).toEqual({ exit: 0, stderr: '' })
    expect(generate(folder, '--check')).toEqual({ exit: 0, stderr: '' })
  })

  test('only names what is stale with --check', () => {
    const folder = copy()
    generate(folder)
    const page = join(folder, 'docs/reference/volumes.md')
    writeFileSync(page, 'stale')
    writeFileSync(join(folder, 'docs/reference/cows.md'), '')
    expect(generate(folder, '--check')).toEqual({
      exit: 1,
      stderr: 'Not as "npm run generate" makes it:\n  docs/reference/volumes.md\n  docs/reference/cows.md\n\n',
    })
    expect(readFileSync(page, 'utf8')).toBe('stale')
  })
})

describe('the reference', () => {
  test.each(commands.map(({ words }) => words))('explains %s %s', (...words) => {
    expect(files.get(`docs/reference/${words[0]}.md`)).toContain(`# skyctl ${words.join(' ')}\n`)
  })

  test('leads to sections that exist', () => {
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

describe('the man page', () => {
  test.skipIf(!has('groff'))('is set by groff without a warning', () => {
    const { status, stderr } = spawnSync('groff', ['-man', '-ww', '-z', join(root, 'docs/skyctl.1')], {
      encoding: 'utf8',
    })
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  })

  test('explains every command', () => {
    const page = (files.get('docs/skyctl.1') ?? '').replaceAll('\\-', '-')
    for (const { words } of commands) expect(page).toContain(`.SS "skyctl ${words.join(' ')}`)
  })
})

describe('the script of a shell, and what it is made from,', () => {
  const readers = [
    ['bash -n', 'bash'],
    ['shellcheck', 'bash'],
    ['zsh -n', 'zsh'],
    ['fish --no-execute', 'fish'],
  ] as const
  const cases = readers.flatMap(([reader, shell]) =>
    ['completions', 'src/generate/shells'].flatMap((folder) =>
      readdirSync(join(root, folder))
        .filter((name) => name.endsWith(`.${shell}`))
        .map((name) => ({ reader, path: `${folder}/${name}` })),
    ),
  )

  test.for(cases)('is read without complaint by $reader: $path', ({ reader, path }, { skip }) => {
    const [program = '', ...words] = reader.split(' ')
    skip(!has(program), `${program} is not installed`)
    const { status, stdout, stderr } = spawnSync(program, [...words, join(root, path)], { encoding: 'utf8' })
    expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: '', stderr: '' })
  })

  test.each(['bash', 'zsh', 'fish', 'ps1'])('leaves nothing open once it is made: %s', (shell) => {
    expect(readFileSync(join(root, `src/generate/shells/skyctl.${shell}`), 'utf8')).toContain('{{')
    expect(files.get(`completions/skyctl.${shell}`)).not.toContain('{{')
  })
})
