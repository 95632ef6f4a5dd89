/**
 * Mutation test: a test should notice each mutant, a copy of src/ with one change. Prints the share of killed mutants
 * by folder, and fails below the limits of docs/testing.md.
 *
 * node bench/mutation.mjs [--sample N] [--seed TEXT] [--folder NAME]... [--at FILE[:LINE]]... [--tests FOLDER]...
 *   [--patience SECONDS] [--strings | --meaning] [--lanes N] [--list-survivors]
 *
 * `--meaning` uses mutants that change the meaning of code instead of its operators (mutation/meaning.mjs). `--sample`
 * takes so many of each folder, selected by the seed; otherwise all. `--tests` tries only the tests there.
 */
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { parseArgs } from 'node:util'
import { filesBelow, folderOf, instrument } from './mutation/copy.mjs'
import { readCoverage } from './mutation/coverage.mjs'
import { judge } from './mutation/judge.mjs'
import { openLanes } from './mutation/lanes.mjs'

/** Least share of killed mutants, in percent. */
const least = (folder) => (['config', 'files', 'http', 'rules'].includes(folder) ? 95 : 90)

const many = { type: 'string', multiple: true }
const { values } = parseArgs({
  options: {
    root: { type: 'string', default: join(import.meta.dirname, '..') },
    sample: { type: 'string' },
    seed: { type: 'string', default: String(Date.now()) },
    folder: many,
    at: many,
    tests: many,
    patience: { type: 'string', default: '30' },
    strings: { type: 'boolean', default: false },
    meaning: { type: 'boolean', default: false },
    lanes: { type: 'string', default: String(cpus().length) },
    'list-survivors': { type: 'boolean', default: false },
  },
})

const { root } = values
const temporary = mkdtempSync(join(tmpdir(), 'skyctl-mutation-'))
// Tests start programs as another user, who reads the active mutant here.
chmodSync(temporary, 0o755)
process.on('exit', () => {
  // Watchers outlive the process that started them, by design.
  spawnSync('pkill', ['-KILL', '-f', temporary])
  rmSync(temporary, { recursive: true, force: true })
})
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => process.exit(130))

process.exitCode = await main()

async function main() {
  // Coverage is cached for the next run, so it is measured for all mutants even if only a part is selected.
  const isMutated = values.tests ? isSelected : () => true
  const { strings, meaning } = values
  const { texts, mutants: all } = await instrument(root, { strings, meaning, isMutated })
  const mutants = selectMutants(all)
  if (mutants.length === 0) throw new Error('no mutant is there')
  note(`${mutants.length} of ${all.length} mutants, --seed ${values.seed}`)
  const lanes = await openLanes(root, texts, { folder: temporary, count: Number(values.lanes) })
  const files = filesBelow(root, 'test').filter(isTried)
  const selected = new Set(mutants.map(({ id }) => id))
  const coverage = await readCoverage(lanes, { root, texts, files, selected, note })
  for (const { file, left } of coverage)
    for (const test of left) console.log(`not tried, fails as it is: ${file}: ${test}`)
  const killed = await judge(lanes, { mutants, coverage, patience: 1_000 * Number(values.patience), note })
  lanes.close()
  return report(mutants, { killed, coverage })
}

function isTried(file) {
  const isIn = (path) => file === path || file.startsWith(`${path}/`)
  return file.endsWith('.test.ts') && (values.tests?.some(isIn) ?? true)
}

function isSelected(file) {
  const { folder: folders, at: places } = values
  const isNamed = places?.some((place) => place.split(':')[0] === file) ?? true
  return isNamed && (folders?.includes(folderOf(file)) ?? true)
}

function selectMutants(mutants) {
  const { at: places, sample } = values
  const isAt = ({ file, line }) => places?.some((place) => place === file || place === `${file}:${line}`) ?? true
  const mutantsThere = mutants.filter((mutant) => isSelected(mutant.file) && isAt(mutant))
  if (sample === undefined) return mutantsThere
  return [...byFolder(mutantsThere).values()].flatMap((each) =>
    each.sort((a, b) => sortKey(a).localeCompare(sortKey(b))).slice(0, Number(sample)),
  )
}

/** Sorts mutants in an order that the seed determines. */
function sortKey({ file, line, original, replacement, id }) {
  return createHash('sha256')
    .update(JSON.stringify([values.seed, file, line, original, replacement, id]))
    .digest('hex')
}

function byFolder(mutants) {
  const folders = new Map()
  for (const mutant of mutants) folders.set(mutant.folder, [...(folders.get(mutant.folder) ?? []), mutant])
  return folders
}

/** @returns 1 if too few were killed */
function report(mutants, { killed, coverage }) {
  const survivors = mutants.filter(({ id }) => !killed.has(id))
  if (values['list-survivors']) for (const mutant of survivors) console.log(describe(mutant, coverage))
  const folders = [...byFolder(mutants)].sort(([a], [b]) => (a < b ? -1 : 1))
  let failed = 0
  for (const [folder, each] of folders) {
    const fell = each.filter(({ id }) => killed.has(id)).length
    const percent = (100 * fell) / each.length
    if (percent < least(folder)) failed = 1
    console.log(`${folder.padEnd(10)} ${percent.toFixed(1).padStart(5)} %  ${fell} of ${each.length}`)
  }
  console.log(`repeat with --seed ${values.seed}`)
  return failed
}

function describe({ id, file, line, mutator, original, replacement }, coverage) {
  const reached = coverage.some(
    ({ load, tests }) => load.has(id) || tests.some(({ here, children }) => here.has(id) || children.has(id)),
  )
  return `${file}:${line}  ${mutator}${reached ? '' : ', not reached'}\n  - ${short(original)}\n  + ${short(replacement)}`
}

function short(code) {
  const line = code.replace(/\s+/g, ' ')
  return line.length > 160 ? `${line.slice(0, 160)}…` : line
}

function note(text) {
  process.stderr.write(`${new Date().toISOString().slice(11, 19)} ${text}\n`)
}
