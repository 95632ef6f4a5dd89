/** Words of texts for users: help, messages, schemas and documents use the terms of gh, kubectl and terraform. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parseAst } from 'vitest/node'
import type { CommandPage, HelpDocument } from '../src/commands/help/document-schema'
import { pages as documented } from './support/page-examples'
import { runSkyctl } from './support/skyctl'

const root = join(__dirname, '..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')

/** Words to avoid, each with a sentence that has them and the plain words to use. */
const avoided: readonly { words: RegExp; example: string; plain: string }[] = [
  { words: /\bmend(s|ed|ing)?\b/, example: 'prints how to mend it', plain: 'fix' },
  { words: /\b(in|into|out of) force\b/, example: 'rules stay in force', plain: 'enabled, disabled, current' },
  { words: /\bput(s|ting)? (\S+ ){0,2}back\b/, example: 'put the rules back', plain: 'restore' },
  { words: /\bway (back|in|into)\b/, example: 'the way in', plain: 'undo, access' },
  { words: /\blet(s|ting)? (\S+ )?be\b/, example: 'the rule is let be', plain: 'leave unchanged' },
  { words: /\blet(s|ting)? (\S+ )?(in|out)\b/, example: 'lets it in', plain: 'allow' },
  { words: /\bcom(e|es|ing) in\b/, example: 'who may come in', plain: 'connect, allowed' },
  { words: /\bnewly refused\b/, example: 'newly refused at web-1', plain: 'newly blocked' },
  { words: /\bwhat stands\b|\bstanding\b/, example: 'what stands in the list', plain: 'current' },
  { words: /\b(is|are|was|were|be|been) (said|told)\b/, example: 'that is said', plain: 'print, report, warn' },
  { words: /\bskyctl (says?|tells?)\b/, example: 'skyctl tells them', plain: 'print, report, warn' },
  { words: /\bgiv(e|es|ing|en) (a |the )?(flag|--)/, example: 'give the flag', plain: 'pass, set' },
  { words: /\bgiven together\b/, example: 'must not be given together', plain: 'set together' },
  { words: /\bpast its time\b/, example: 'what is past its time', plain: 'expired' },
  { words: /\b(is|are) meant to\b/, example: 'it is meant to go', plain: 'should' },
  { words: /\ba (word|name) for it\b/, example: 'a word for it', plain: 'label, name' },
  { words: /\bha(s|ve|d) room\b/, example: 'where it has room', plain: 'fits' },
  { words: /\basked for\b/, example: 'as it was asked for', plain: 'requested' },
  {
    words: /\b(mak(e|es|ing)|made) (an? |the |another |new )*(volume|firewall|token|key|range|rule|resource)s?\b/,
    example: 'makes a new token',
    plain: 'create',
  },
  {
    words: /\b(?<!there )(is|are) no (\w+ )?(file|folder|scope|command|value|date)\b/,
    example: 'it is no file',
    plain: 'not a',
  },
  { words: /\bdoes not know the token\b/, example: 'the service does not know the token', plain: 'token rejected' },
  { words: /\bmakes no sense\b/, example: 'the answer makes no sense', plain: 'invalid response' },
  { words: /\bto be on the safe side\b/, example: 'one more to be on the safe side', plain: 'no duplicate' },
  { words: /\bnot looked at\b/, example: 'told as not looked at', plain: 'skipped' },
  { words: /\bnot well\b/, example: 'not well: clock', plain: 'failed' },
  { words: /\bas (\S+ )?(is|are) wanted\b/, example: '3 as they are wanted', plain: 'No changes, unchanged' },
  { words: /\bin use last\b/, example: 'the context in use last', plain: 'current' },
]

function faults(place: string, text: string): string[] {
  const line = text.replaceAll(/\s+/g, ' ')
  return avoided.flatMap(({ words, plain }) => {
    const [match] = words.exec(line) ?? []
    return match === undefined ? [] : [`${place}: "${match}": ${plain}`]
  })
}

const filesOf = (folder: string) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.[cm]?[jt]s$/.test(file) && !file.endsWith('.d.ts'))
    .map((file) => `${folder}/${file.replaceAll('\\', '/')}`)

const sources = filesOf('src')
const allSources = [...sources, ...['test', 'bench', 'build'].flatMap(filesOf)]

/** Returns the literals of a source that have a blank; a hole of a template is an ellipsis. */
function literalsOf(source: string): string[] {
  const literals: string[] = []
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return
    const node: { type?: string; value?: unknown; quasis?: { value: { cooked?: string } }[] } = value
    if (node.type === 'Literal' && typeof node.value === 'string') literals.push(node.value)
    if (node.quasis) literals.push(node.quasis.map((part) => part.value.cooked ?? '').join('…'))
    Object.values(value).forEach(visit)
  }
  visit(parseAst(source, { lang: 'ts' }))
  return literals.filter((text) => text.includes(' '))
}

/** Returns the titles of the tests in a source, and of their groups: `test.for(cases)('title', …)`. */
function titlesOf(source: string): string[] {
  return [...source.matchAll(/^ *(?:test|describe)\b[^\n]*?\(\s*(['"`])(.+?)\1,/gms)].map(([, , title = '']) => title)
}

const document: HelpDocument = JSON.parse((await runSkyctl('help --json')).stdout)
const pagesIn = (page: CommandPage): CommandPage[] => [page, ...page.commands.flatMap(pagesIn)]
const commandPages = pagesIn(document.command)

/** Returns the texts below a value: all of them, or those of some keys. */
function textsIn(value: unknown, keys?: readonly string[], key?: string): string[] {
  if (typeof value === 'string') return keys === undefined || (key !== undefined && keys.includes(key)) ? [value] : []
  if (Array.isArray(value)) return value.flatMap((one) => textsIn(one, keys, key))
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, one]) => textsIn(one, keys, name))
}

describe('plain words', () => {
  test.for(avoided)('the words of "$example" are found', ({ example }) => {
    expect(faults('example', example)).toHaveLength(1)
  })

  test('help has only plain words', () => {
    expect(textsIn(document).flatMap((text) => faults('help', text))).toEqual([])
  })

  test('every text in the source has only plain words', () => {
    const errors = sources.flatMap((file) => literalsOf(read(file)).flatMap((text) => faults(file, text)))
    expect(errors).toEqual([])
  })

  test.for([...documented.map(({ path }) => path), 'CHANGELOG.md', 'SECURITY.md'])(
    '%s has only plain words',
    (path) => {
      const paragraphs = read(path).split(/\n{2,}/)
      expect(paragraphs.flatMap((text) => faults(path, text))).toEqual([])
    },
  )

  test('JSON Schemas and the OpenAPI document have only plain words', () => {
    const files = readdirSync(join(root, 'docs/schemas')).map((name) => `docs/schemas/${name}`)
    const errors = [...files, 'docs/account.schema.json', 'docs/openapi.json'].flatMap((path) =>
      textsIn(JSON.parse(read(path)), ['description', 'summary', 'title']).flatMap((text) => faults(path, text)),
    )
    expect(errors).toEqual([])
  })
})

describe('the summary of a command', () => {
  /** A new command may need a new verb. */
  const verbs = (
    'Add Administer Allocate Allow Answer Apply Assign Attach Change Check Close Compare Copy Create Delete Detach ' +
    'Diagnose Disable Enable Export Grow List Move Preview Print Remove Rename Replace Reset Restore Revoke Run Send Set ' +
    'Show Sign Simulate Switch Undo Verify Wait'
  ).split(' ')
  const commands = commandPages.filter(({ commands: inner }) => inner.length === 0)

  test.for(commands.map(({ command, summary }) => [command, summary] as const))('%s: %s', ([, summary]) => {
    const words = summary.split(' ')
    expect(verbs, 'a verb of the list above').toContain(words[0]?.replace(/:$/, ''))
    expect(words.length, 'at most eight words').toBeLessThanOrEqual(8)
  })
})

describe('comments', () => {
  const headless =
    /\/\*\*\s+(?:\* )?(The same|What|Who|Whom|Whose|Whoever|Whatever|Which|Where|When|How|Of|As|That|Neither|But)\b[^\n]*/g

  test('begin with a verb or a noun if they document something', () => {
    const errors = allSources.flatMap((file) => [...read(file).matchAll(headless)].map(([text]) => `${file}: ${text}`))
    expect(errors).toEqual([])
  })

  test('have only plain words', () => {
    const comment = /\/\*\*[\s\S]*?\*\/|(?<=^|\s)\/\/ .*/gm
    const errors = allSources.flatMap((file) =>
      [...read(file).matchAll(comment)].flatMap(([text]) => faults(file, text.replaceAll(/^\s*\*/gm, ''))),
    )
    expect(errors).toEqual([])
  })
})

test('titles of tests have only plain words', () => {
  const titles = filesOf('test').flatMap((file) => titlesOf(read(file)).map((title) => ({ file, title })))
  expect(titles.length).toBeGreaterThan(3000)
  expect(titles.flatMap(({ file, title }) => faults(file, title))).toEqual([])
})

test('names of values and types are nouns and verbs, not bare participles', () => {
  const declared =
    /\b(?:const|let|function|type|interface) (found|given|gone|heard|held|kept|known|made|meant|said|seen|stands|stood|told|typed|wanted)\b(?! out)/g
  const errors = allSources
    // Its texts are the sources of a small program.
    .filter((file) => file !== 'test/mutation.test.ts')
    .flatMap((file) => [...read(file).matchAll(declared)].map(([text]) => `${file}: ${text}`))
  expect(errors).toEqual([])
})
