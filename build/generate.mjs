/**
 * Writes the files that are generated from the commands and committed: reference pages and schemas. `npm
 * run generate` writes them; with `-- --check` it writes nothing, and fails if a file is stale.
 */
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { generatedFiles } from './sources.mjs'

const root = join(import.meta.dirname, '..')

/** Folders that have only generated files. */
const folders = ['docs/reference', 'docs/schemas']

// The bundler has printed errors in the sources.
const { committed: files } = await generatedFiles().catch((error) => {
  if (!error.errors) throw error
  process.exit(1)
})
const present = await Promise.all(folders.map(list))
const surplus = present.flat().filter((path) => !files.has(path))
const stale = []
for (const [path, text] of files) {
  if ((await readFile(join(root, path), 'utf8').catch(() => undefined)) !== text) stale.push(path)
}

if (process.argv.includes('--check')) {
  if (stale.length + surplus.length > 0) {
    console.error(`Outdated, run "npm run generate":\n${[...stale, ...surplus].map((path) => `  ${path}\n`).join('')}`)
    process.exitCode = 1
  }
} else {
  for (const path of stale) {
    await mkdir(dirname(join(root, path)), { recursive: true })
    await writeFile(join(root, path), files.get(path))
  }
  await Promise.all(surplus.map((path) => rm(join(root, path))))
}

async function list(folder) {
  const names = await readdir(join(root, folder)).catch(() => [])
  return names.map((name) => `${folder}/${name}`)
}
