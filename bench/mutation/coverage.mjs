/**
 * Records which tests reach which mutants. Cached below node_modules/.cache as long as sources and tests stay the same.
 */
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { filesBelow } from './copy.mjs'

/**
 * @typedef {object} TestFile
 * @property {string} file
 * @property {Set<string>} load mutants that are reached while the file is loaded
 * @property {number} breadth number of mutants that the file reaches, including those that are not selected
 * @property {Test[]} tests
 * @property {string[]} left tests that fail without a mutant, with the reason
 *
 * @typedef {object} Test
 * @property {string} id
 * @property {number} ms
 * @property {Set<string>} here mutants that it reaches in its own process
 * @property {Set<string>} children mutants that it reaches in processes that it starts
 * @property {number} breadth
 */

/** @returns {Promise<TestFile[]>} the files with the selected mutants that they reach */
export async function readCoverage(lanes, { root, texts, files, selected, note }) {
  const cache = join(root, 'node_modules/.cache/mutation')
  const read = (names) => names.map((name) => [name, readFileSync(join(root, name), 'utf8')])
  const base = hash([...texts, ...read(support(root))])
  const testFiles = []
  const measure = files.map((file) => async (run) => {
    const cacheFile = join(cache, `${hash([base, ...read([file])])}.json`)
    const result = readCached(cacheFile) ?? (await run({ file, kind: 'cover' }))
    mkdirSync(cache, { recursive: true })
    writeFileSync(cacheFile, JSON.stringify(result))
    testFiles.push(summary(file, result, selected))
    note(`${testFiles.length} of ${files.length}: ${file}`)
  })
  await lanes.each(measure)
  return testFiles
}

function summary(file, { results, died }, selected) {
  const tests = results.filter(({ test }) => test !== undefined)
  const load = ids(results.find(({ load }) => load !== undefined)?.load)
  const isSelected = (id) => selected.has(id)
  return {
    file,
    load: new Set(load.filter(isSelected)),
    breadth: new Set([load, ...tests.map(({ here }) => ids(here))].flat()).size,
    tests: tests
      .filter(({ failure }) => failure === undefined)
      .map(({ test, ms, ...reached }) => {
        const [here, children] = [ids(reached.here), ids(reached.children)]
        const breadth = here.length + children.length
        return {
          id: test,
          ms,
          here: new Set(here.filter(isSelected)),
          children: new Set(children.filter(isSelected)),
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

function readCached(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch {
    return undefined
  }
}
