import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

/**
 * Returns every package of a bundle with its version and the text of its licence. Throws if a package has no such text:
 * a person must then find out its terms.
 *
 * @param {string} root the folder that holds node_modules
 * @param {string[]} inputs the files of the bundle, relative to `root`
 */
export async function licences(root, inputs) {
  const packages = await Promise.all(packageFolders(inputs).map((folder) => licence(join(root, folder))))
  // Packages of one author often have the same text.
  const packagesOf = new Map()
  for (const { name, text } of packages) packagesOf.set(text, [...(packagesOf.get(text) ?? []), name])
  const sections = [...packagesOf].map(([text, names]) => `${line}\n${names.join('\n')}\n${line}\n\n${text}\n`)
  return `skyctl holds code of these packages.\n\n${sections.join('\n')}`
}

/** Returns the folders of the packages that these files belong to: `node_modules/yaml`. */
export function packageFolders(inputs) {
  const folders = inputs.map((path) => /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(path)?.[0])
  return [...new Set(folders)].filter((folder) => folder !== undefined).sort()
}

const line = '='.repeat(80)

async function licence(folder) {
  const { name, version, license } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'))
  const file = (await readdir(folder)).find((entry) => /^licen[cs]e/i.test(entry))
  if (file === undefined) throw new Error(`${name} ${version} (${license}) brings no licence text`)
  const text = await readFile(join(folder, file), 'utf8')
  return { name: `${name} ${version} (${license})`, text: text.trim() }
}
