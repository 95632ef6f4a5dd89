/** Writes a copy of the checkout whose sources contain every mutant, inactive, and builds the program from them. */
import { execFileSync } from 'node:child_process'
import {
  cpSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join, relative } from 'node:path'
import { Instrumenter } from '@stryker-mutator/instrumenter'
import { addMeaning, isMadeUp } from './meaning.mjs'

/** The instrumenter's functions that record a reached mutant, and report whether it is active. */
const header = /function stryNS_9fa48\(\)[\s\S]*?\n {2}return isActive\(id\);\n\}/

/**
 * Returns the mutants of src/, or of selected files, each with its file, position, original and replacement. An `id` is
 * valid for these sources only.
 */
export async function instrument(root, { strings, meaning, isMutated }) {
  const names = filesBelow(root, 'src').filter(
    (name) => name.endsWith('.ts') && !name.endsWith('.d.ts') && isMutated(name),
  )
  const sources = new Map(names.map((name) => [name, readFileSync(join(root, name), 'utf8')]))
  const quiet = { isDebugEnabled: () => false, debug() {}, info() {}, warn() {} }
  const { files, mutants } = await new Instrumenter(quiet).instrument(
    [...sources].map(([name, content]) => ({ name, content, mutate: true })),
    { plugins: null, ignorers: [], excludedMutations: meaning ? addMeaning() : strings ? [] : ['StringLiteral'] },
  )
  return {
    texts: new Map(files.map(({ name, content }) => [name, content])),
    mutants: mutants
      .filter((mutant) => mutant.status === undefined && !isMadeUp(mutant))
      .map(({ id, fileName: file, location, mutatorName: mutator, replacement }) => ({
        id,
        file,
        folder: folderOf(file),
        line: location.start.line + 1,
        mutator,
        original: sourceAt(sources.get(file), location),
        replacement,
      })),
  }
}

/** Copies a checkout to a folder that does not exist yet. */
export function writeCopy(root, folder, texts) {
  const skipped = new Set(['.git', 'dist', 'node_modules'])
  for (const name of readdirSync(root).filter((each) => !skipped.has(each))) {
    cpSync(join(root, name), join(folder, name), { recursive: true })
  }
  copyLinked(realpathSync(join(root, 'node_modules')), join(folder, 'node_modules'))
  for (const name of ['switch.cjs', 'runner.mjs', 'vitest.config.mjs']) {
    cpSync(join(import.meta.dirname, name), join(folder, '.mutation', name))
  }
  const switchPath = JSON.stringify(join(folder, '.mutation/switch.cjs'))
  const first = `const { cover: stryCov_9fa48, isActive: stryMutAct_9fa48 } =
  globalThis.__mutants__ ?? process.getBuiltinModule('node:module').createRequire(${switchPath})(${switchPath});`
  for (const [name, text] of texts) {
    if (!header.test(text) && text.includes('stryMutAct_9fa48')) throw new Error(`${name}: another header`)
    writeFileSync(
      join(folder, name),
      text.replace(header, () => first),
    )
  }
  execFileSync(process.execPath, ['build/build.mjs'], { cwd: folder, stdio: 'inherit' })
}

/**
 * Copies packages, without the files that tools keep there. With a single link, the build would name them by its
 * target.
 */
function copyLinked(from, to) {
  mkdirSync(to)
  const skipped = new Set(['.cache', '.vite', '.vite-temp'])
  for (const entry of readdirSync(from, { withFileTypes: true }).filter(({ name }) => !skipped.has(name))) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)]
    if (entry.isDirectory()) copyLinked(source, target)
    else if (entry.isSymbolicLink()) symlinkSync(readlinkSync(source), target)
    else linkOrCopy(source, target)
  }
}

function linkOrCopy(source, target) {
  try {
    linkSync(source, target)
  } catch {
    // Another disk, or a system without links.
    cpSync(source, target)
  }
}

/** Returns the folder of a file below src/, or `.` if it is in none. */
export const folderOf = (file) => (file.split('/').length > 2 ? file.split('/')[1] : '.')

/** Returns the files in a folder of the checkout and below it, relative to the root. */
export function filesBelow(root, folder) {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
    .sort()
}

function sourceAt(text, { start, end }) {
  const lines = text.split('\n').slice(start.line, end.line + 1)
  lines[lines.length - 1] = lines.at(-1).slice(0, end.column)
  lines[0] = lines[0].slice(start.column)
  return lines.join('\n')
}
