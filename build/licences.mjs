import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

/**
 * Names every package that a bundle holds, with its version and the text of its licence.
 * Throws where a package brings no such text: then what we may ship has to be found out by a person.
 *
 * @param {string} root the folder that holds node_modules
 * @param {string[]} inputs the files of the bundle, relative to `root`
 */
export async function licences(root, inputs) {
  const folders = inputs.map((path) => /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(path)?.[0])
  const packages = [...new Set(folders)].filter((folder) => folder !== undefined).sort()
  const texts = await Promise.all(packages.map((folder) => licence(join(root, folder))))
  return `skyctl holds code of these packages.\n\n${texts.join('\n')}`
}

async function licence(folder) {
  const { name, version, license } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'))
  const file = (await readdir(folder)).find((entry) => /^licen[cs]e/i.test(entry))
  if (file === undefined) throw new Error(`${name} ${version} (${license}) brings no licence text`)
  const text = await readFile(join(folder, file), 'utf8')
  return `${'='.repeat(80)}\n${name} ${version} (${license})\n${'='.repeat(80)}\n\n${text.trim()}\n`
}
