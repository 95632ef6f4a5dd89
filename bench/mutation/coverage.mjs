/** Which tests reach which mutants. Kept below node_modules/.cache for as long as sources and tests stay the same. */
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { filesBelow } from './copy.mjs'

/**
 * @typedef {object} TestFile
 * @property {string} file
 * @property {Set<string>} load the mutants that are reached while the file is loaded
 * @property {number} breadth how many the file reaches, of all and not only of the ones that are asked about
 * @property {Test[]} tests
 * @property {string[]} left the tests that fail although nothing is mutated, and why
 *
 * @typedef {object} Test
 * @property {string} id
 * @property {number} ms
 * @property {Set<string>} here the mutants that it reaches in its own process
 * @property {Set<string>} children those that it reaches in processes that it starts
 * @property {number} breadth
 */

/** @returns {Promise<TestFile[]>} with what is said of the mutants that are asked about */
export async function readCoverage(lanes, { root, texts, files, asked, note }) {
  const cache = join(root, 'node_modules/.cache/mutation')
  const read = (names) => names.map((name) => [name, readFileSync(join(root, name), 'utf8')])
  const base = hash([...texts, ...read(support(root))])
  const found = []
  const measure = files.map((file) => async (run) => {
    const kept = join(cache, `${hash([base, ...read([file])])}.json`)
    const told = readKept(kept) ?? (await run({ file, kind: 'cover' }))
    mkdirSync(cache, { recursive: true })
    writeFileSync(kept, JSON.stringify(told))
    found.push(summary(file, told, asked))
    note(`${found.length} of ${files.length}: ${file}`)
  })
  await lanes.each(measure)
  return found
}

function summary(file, { results, died }, asked) {
  const tests = results.filter(({ test }) => test !== undefined)
  const load = ids(results.find(({ load }) => load !== undefined)?.load)
  const isAsked = (id) => asked.has(id)
  return {
    file,
    load: new Set(load.filter(isAsked)),
    breadth: new Set([load, ...tests.map(({ here }) => ids(here))].flat()).size,
    tests: tests
      .filter(({ failure }) => failure === undefined)
      .map(({ test, ms, ...reached }) => {
        const [here, children] = [ids(reached.here), ids(reached.children)]
        const breadth = here.length + children.length
        return {
          id: test,
          ms,
          here: new Set(here.filter(isAsked)),
          children: new Set(children.filter(isAsked)),
          breadth,
        }
      }),
    left: [
      ...tests.filter(({ failure }) => failure !== undefined).map(({ name, failure }) => `${name}: ${failure}`),
      ...results.filter(({ broken }) => broken !== undefined).map(({ broken }) => broken),
      ...(died ? ['the process ended'] : []),
    ],
  }
}

const ids = (text = '') => text.split(',').filter(Boolean)
const support = (root) =>
  filesBelow(root, 'test').filter((name) => !name.endsWith('.test.ts') && !name.endsWith('.snap'))
const hash = (value) => createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 24)

function readKept(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch {
    return undefined
  }
}
