/** The pages written by hand: where they lead, and what they promise. */
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import manifest from '../package.json'
import { pages as documented } from './support/documented'

const root = join(import.meta.dirname, '..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const pages = [...documented, ...['CHANGELOG.md', 'SECURITY.md'].map((path) => ({ path, text: read(path) }))]

test.each(pages)('$path leads to files that exist', ({ path, text }) => {
  const links = [...text.matchAll(/\]\((?!https?:|#)([^)#\s]+)/g)].map(([, link = '']) => link)
  expect(links.filter((link) => !existsSync(join(root, dirname(path), link)))).toEqual([])
})

describe('docs/security.md', () => {
  const text = read('docs/security.md')

  test('names tests and campaigns that exist', () => {
    const lists = [...text.matchAll(/^Tests: ([^.]*)\./gms)].map(([, list = '']) => list).join()
    const tests = [...lists.matchAll(/`([\w/-]+)(\/\*)?`/g)].map(
      ([, name, all]) => `test/${name}${all ? '' : '.test.ts'}`,
    )
    const campaigns = [...text.matchAll(/node (bench\/\S+)`/g)].map(([, path = '']) => path)
    expect([tests.length, campaigns.length].map((count) => count >= 6)).toEqual([true, true])
    expect([...tests, ...campaigns].filter((path) => !existsSync(join(root, path)))).toEqual([])
  })

  test('and SECURITY.md are in the package, and the README leads to both', () => {
    for (const path of ['docs/security.md', 'SECURITY.md']) {
      expect(manifest.files.some((shipped) => `${path}/`.startsWith(`${shipped}/`))).toBe(true)
      expect(read('README.md')).toContain(`](${path})`)
    }
  })
})

describe('docs/compatibility.md', () => {
  const text = read('docs/compatibility.md')

  test('and CHANGELOG.md are in the package, and the README leads to both', () => {
    for (const path of ['docs/compatibility.md', 'CHANGELOG.md', 'docs/schemas']) {
      expect(
        manifest.files.some((shipped) => `${path}/`.startsWith(`${shipped}/`)),
        path,
      ).toBe(true)
      expect(read('README.md')).toContain(`](${path})`)
    }
  })

  test('names the Node lines on which everything is tested', () => {
    const { jobs } = parse(read('.github/workflows/ci.yml'))
    const versions = Object.values<{ strategy?: { matrix: { node: string[] } } }>(jobs).flatMap(
      ({ strategy }) => strategy?.matrix.node ?? [],
    )
    const lines = versions.map((version) => version.split('.')[0])
    expect(text).toContain(`The lines ${lines.slice(0, -1).join(', ')} and ${lines.at(-1)} are tested`)
    expect(text).toContain(`\`engines\` of \`package.json\`: ${manifest.engines.node.replace('>=', '')}.`)
  })
})

test('CHANGELOG.md has a section for what comes, and sections of the kinds that there are', () => {
  const headings = [...read('CHANGELOG.md').matchAll(/^(##+) (.*)$/gm)].map(([, level, title]) => [level, title])
  expect(headings[0]).toEqual(['##', '[Unreleased]'])
  const kinds = headings.filter(([level]) => level === '###').map(([, title]) => title)
  expect(['Added', 'Changed', 'Deprecated', 'Removed', 'Fixed', 'Security']).toEqual(expect.arrayContaining(kinds))
})
