/** The lines of docs/other-tools.md print what the page shows, with the programs that are installed. */
import { expect } from 'vitest'
import { test } from '../support/example-world'
import { blocksOf, pages } from '../support/page-examples'
import { isInstalled } from '../support/shells'

/** The program that a section needs, by its heading without the version, and an option if a program is not enough. */
const needed: Readonly<Record<string, string>> = {
  jq: 'jq',
  yq: 'yq',
  Miller: 'mlr',
  SQLite: 'sqlite3',
  awk: 'gawk',
  Python: 'python3',
  PyYAML: 'python3 -c "import yaml"',
  pandas: 'python3 -c "import pandas"',
  Ruby: 'ruby',
  csvkit: 'csvjson',
  Gnumeric: 'ssconvert',
  OpenSSH: 'ssh-keygen',
  'Prometheus node_exporter': 'awk',
}

const page = pages.find(({ path }) => path === 'docs/other-tools.md')?.text ?? ''
const [introduction = '', ...parts] = page.split(/^## /m)
const [files = { text: '' }] = blocksOf(introduction).filter(({ language }) => language === 'sh')

const sections = parts
  .map((text) => ({ heading: text.split(/ [\d.]+\n|\n/)[0] ?? '', blocks: blocksOf(text) }))
  .filter(({ blocks }) => blocks.some(({ language }) => language === 'bash'))

test('each section with lines names a program', () => {
  expect(sections.map(({ heading }) => heading)).toEqual(Object.keys(needed))
})

test.for(sections.map(({ heading, blocks }) => [heading, blocks] as const))(
  '%s reads the output as docs/other-tools.md says',
  async ([heading, blocks], { fresh, runShell, skip }) => {
    const [program = '', ...words] = (needed[heading] ?? '').split(' ')
    skip(!isInstalled(program), `${program} is not installed`)
    const { cwd, env } = fresh()
    // The modules of a system belong to its own Python, which may not be the first one.
    const [own, ...others] = (env.PATH ?? '').split(':')
    const place = { cwd, env: { ...env, SKYCTL_CONTEXT: 'sandbox', PATH: [own, '/usr/bin', ...others].join(':') } }
    if (words.length > 0) {
      const { exit } = await runShell([program, ...words].join(' '), place)
      skip(exit !== 0, `${heading} is not installed`)
    }
    expect(await runShell(files.text, place)).toMatchObject({ exit: 0 })
    const shown = blocks.filter(({ language }) => language === 'text').map(({ text }) => text)
    const lines = blocks.filter(({ language }) => language === 'bash').map(({ text }) => text)
    for (const [index, text] of lines.entries())
      expect(await runShell(`set -e\n${text}`, place)).toMatchObject({ exit: 0, stdout: shown[index] })
  },
)
