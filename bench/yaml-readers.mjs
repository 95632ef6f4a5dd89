/**
 * 100,000 random texts, as skyctl writes them in YAML, in blocks and in the brackets and braces of account files, through
 * other readers: yaml (YAML 1.1 and 1.2), js-yaml, PyYAML and Ruby's psych. `node bench/yaml-readers.mjs [seed] [count]` prints each value that a reader takes for another
 * one, and fails if there is any; the same seed repeats it. A reader that is not installed is named.
 */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { CORE_SCHEMA, load, YAML11_SCHEMA } from 'js-yaml'
import { parse } from 'yaml'
import { loadSources } from './sources.mjs'

/** Number of texts in a document. */
const perDocument = 2000

const [seed = '1', count = '100000'] = process.argv.slice(2)
const sources = ['src/output/documents.ts', 'test/support/yaml-texts.ts']
const { yamlText, yamlTexts, documentOf } = await loadSources(...sources)

const ownReaders = {
  'yaml 1.2': (document) => parse(document, { version: '1.2', logLevel: 'error' }),
  'yaml 1.1': (document) => parse(document, { version: '1.1', logLevel: 'error' }),
  'js-yaml 1.2': (document) => load(document, { schema: CORE_SCHEMA }),
  'js-yaml 1.1': (document) => load(document, { schema: YAML11_SCHEMA }),
}

/** Programs that compare files themselves, and print a line for each difference. */
const programs = {
  PyYAML: { installed: ['python3', '-c', 'import yaml'], read: ['python3', 'bench/yaml-readers/read.py'] },
  psych: { installed: ['ruby', '-ryaml', '-e', ''], read: ['ruby', 'bench/yaml-readers/read.rb'] },
}

const root = join(import.meta.dirname, '..')
// The modules of a system belong to its own Python, which may not be the first one.
const env = { ...process.env, PATH: `/usr/bin:${process.env.PATH}` }
const run = ([program, ...words]) =>
  spawnSync(program, words, { cwd: root, env, encoding: 'utf8', maxBuffer: 2 ** 28, stdio: ['ignore', 'pipe', 'pipe'] })

const folder = mkdtempSync(join(tmpdir(), 'skyctl-yaml-'))
try {
  const differences = await campaign()
  for (const one of differences.slice(0, 50)) console.log(one)
  process.exitCode = differences.length > 0 ? 1 : 0
} finally {
  rmSync(folder, { recursive: true, force: true })
}

async function campaign() {
  const differences = []
  const texts = yamlTexts(Number(seed), Number(count))
  for (let begin = 0; begin < texts.length; begin += perDocument) {
    const value = documentOf(texts.slice(begin, begin + perDocument))
    for (const isCompact of [false, true]) {
      const document = await yamlText(value, { isCompact })
      const file = join(folder, `${begin}${isCompact ? '-compact' : ''}`)
      writeFileSync(`${file}.yaml`, document)
      writeFileSync(`${file}.json`, JSON.stringify(value))
      for (const [name, read] of Object.entries(ownReaders))
        differences.push(...differencesOf(name, value, () => read(document)))
    }
  }
  const readers = Object.keys(ownReaders)
  for (const [name, { installed, read }] of Object.entries(programs)) {
    if (run(installed).status !== 0) {
      console.log(`NOT TRIED: ${name} is not installed`)
      continue
    }
    const { status, stdout, stderr } = run([...read, folder])
    readers.push(name)
    const lines = stdout.split('\n').filter((line) => line !== '')
    differences.push(
      ...lines.map((line) => `${name}: ${line}`),
      ...(status === 0 ? [] : [`${name}: exit ${status}: ${stderr}`]),
    )
  }
  console.log(`seed ${seed}, ${texts.length} texts, read by ${readers.join('; ')}: ${differences.length} differences`)
  return differences
}

function differencesOf(name, value, read) {
  try {
    return [...compare(value, JSON.parse(JSON.stringify(read())))].map((line) => `${name}: ${line}`)
  } catch (error) {
    return [`${name}: ${error.message}`]
  }
}

function* compare(expected, actual) {
  if (typeof expected === 'string') {
    if (actual !== expected) yield `${JSON.stringify(expected)} is ${JSON.stringify(actual)}`
    return
  }
  const keys = Object.keys(expected)
  if (!isDeepStrictEqual(keys.sort(), Object.keys(actual ?? {}).sort()))
    yield `keys of ${JSON.stringify(expected).slice(0, 80)} differ`
  for (const key of keys) yield* compare(expected[key], actual?.[key])
}
