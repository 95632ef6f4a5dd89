/** Pages written by hand: their links and promises. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import manifest from '../package.json'
import { pages as documented } from './support/page-examples'

const root = join(import.meta.dirname, '..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const pages = [...documented, ...['CHANGELOG.md', 'SECURITY.md'].map((path) => ({ path, text: read(path) }))]

/** Returns the anchor that GitHub and GitLab give a heading. */
const anchorOf = (heading: string) =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-')

const withoutBlocks = (text: string) => text.replaceAll(/^```.*?^```/gms, '')

/** Returns why a link of a page is broken; undefined if its file and heading exist. */
function faultOf(link: string, { path, text }: { path: string; text: string }): string | undefined {
  const [file = '', anchor] = link.split('#')
  const target = join(dirname(path), file)
  if (!existsSync(join(root, target))) return `${link}: no such file`
  if (anchor === undefined) return undefined
  const page = withoutBlocks(file === '' ? text : read(target))
  const anchors = [...page.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => anchorOf(heading))
  return anchors.includes(anchor) ? undefined : `${link}: no such heading`
}

test.each(pages)('$path links to existing files and headings', (page) => {
  const links = [...withoutBlocks(page.text).matchAll(/\]\((?!https?:)([^)\s]+)\)/g)].map(([, link = '']) => link)
  expect(links.flatMap((link) => faultOf(link, page) ?? [])).toEqual([])
})

test.each(pages)('$path has the title of each picture as alternative text', ({ path, text }) => {
  const pictures = [...text.matchAll(/!\[([^\]]*)\]\(([^)]+\.svg)\)/g)]
  for (const [, alternative, picture = ''] of pictures) {
    const [, title] = /<title[^>]*>(.*)<\/title>/.exec(read(join(dirname(path), picture))) ?? []
    expect({ picture, alternative }).toEqual({ picture, alternative: title })
  }
})

test('the README shows every picture', () => {
  const pictures = [...read('README.md').matchAll(/\]\(docs\/pictures\/([^)]+)\)/g)].map(([, name]) => name)
  expect(pictures.sort()).toEqual(readdirSync(join(root, 'docs/pictures')).sort())
})

test('the README links to every page of docs', () => {
  const links = [...read('README.md').matchAll(/\]\((docs\/[^)#\s]+)/g)].map(([, link]) => link)
  const docs = documented.map(({ path }) => path).filter((path) => path.startsWith('docs/'))
  expect(docs.filter((path) => !links.includes(path))).toEqual([])
})

test('each message in docs/troubleshooting.md is in the sources', () => {
  const sources = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' }).filter((path) =>
    path.endsWith('.ts'),
  )
  const text = [read('bin/skyctl.js'), ...sources.map((path) => read(join('src', path)))].join('\n')
  const symptoms = [...read('docs/troubleshooting.md').matchAll(/^\| `([^`]+)` \|/gm)].map(
    ([, message = '']) => message,
  )
  expect(symptoms.length).toBeGreaterThan(8)
  expect(symptoms.filter((message) => !text.includes(message))).toEqual([])
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

  test('and SECURITY.md are in the package, and the README links to both', () => {
    for (const path of ['docs/security.md', 'SECURITY.md']) {
      expect(manifest.files.some((shipped) => `${path}/`.startsWith(`${shipped}/`))).toBe(true)
      expect(read('README.md')).toContain(`](${path})`)
    }
  })
})

describe('docs/compatibility.md', () => {
  const text = read('docs/compatibility.md')

  test('and CHANGELOG.md are in the package, and the README links to both', () => {
    for (const path of ['docs/compatibility.md', 'CHANGELOG.md', 'docs/schemas']) {
      expect(
        manifest.files.some((shipped) => `${path}/`.startsWith(`${shipped}/`)),
        path,
      ).toBe(true)
      expect(read('README.md')).toContain(`](${path})`)
    }
  })

  test('names the Node.js versions of the CI jobs', () => {
    const { jobs } = parse(read('.github/workflows/ci.yml'))
    const versions = Object.values<{ strategy?: { matrix: { node: string[] } } }>(jobs).flatMap(
      ({ strategy }) => strategy?.matrix.node ?? [],
    )
    const lines = versions.map((version) => version.split('.')[0])
    expect(text).toContain(`The lines ${lines.slice(0, -1).join(', ')} and ${lines.at(-1)} are tested`)
    expect(text).toContain(`\`engines\` of \`package.json\`: ${manifest.engines.node.replace('>=', '')}.`)
  })
})

test('CHANGELOG.md begins with an unreleased section, and has only the usual headings', () => {
  const headings = [...read('CHANGELOG.md').matchAll(/^(##+) (.*)$/gm)].map(([, level, title]) => [level, title])
  expect(headings[0]).toEqual(['##', '[Unreleased]'])
  const kinds = headings.filter(([level]) => level === '###').map(([, title]) => title)
  expect(['Added', 'Changed', 'Deprecated', 'Removed', 'Fixed', 'Security']).toEqual(expect.arrayContaining(kinds))
})
