import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { packageFolders } from './licences.mjs'

/**
 * Returns the bill of materials of a bundle in CycloneDX 1.5: its packages, the digest of each one's archive, and their
 * dependencies. The same bundle gives the same text.
 *
 * @param {string} root the folder that holds node_modules and package-lock.json
 * @param {string[]} inputs the files of the bundle, relative to `root`
 */
export async function billOfMaterials(root, inputs) {
  const read = async (path) => JSON.parse(await readFile(join(root, path), 'utf8'))
  const { packages: locked } = await read('package-lock.json')
  const own = await read('package.json')
  const folders = packageFolders(inputs)
  const manifests = await Promise.all(folders.map((folder) => read(`${folder}/package.json`)))
  const dependenciesOf = ({ dependencies = {}, devDependencies = {} }) => {
    const bundled = manifests.filter(({ name }) => name in dependencies || name in devDependencies)
    return bundled.map(referenceOf)
  }
  const bill = {
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    version: 1,
    metadata: {
      lifecycles: [{ phase: 'build' }],
      component: { type: 'application', ...describe(own), purl: purlOfOwn(own) },
    },
    components: manifests.map((manifest, index) => ({
      type: 'library',
      ...describe(manifest),
      hashes: hashesOf(locked[folders[index]]),
    })),
    dependencies: [own, ...manifests].map((one) => ({ ref: referenceOf(one), dependsOn: dependenciesOf(one) })),
  }
  return `${JSON.stringify(bill, null, 1)}\n`
}

const referenceOf = ({ name, version }) => `${name}@${version}`

function describe(manifest) {
  const { name, version, license } = manifest
  // https://github.com/package-url/purl-spec: the at sign of a scope is escaped.
  const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`
  return { 'bom-ref': referenceOf(manifest), name, version, licenses: [licenceOf(license)], purl }
}

/** The name of the program belongs to somebody else in the public npm registry: tools would find their package. */
const purlOfOwn = ({ name, version }) => `pkg:generic/${name}@${version}`

/** Returns a licence by its SPDX id, or several as an expression. */
function licenceOf(license) {
  return license.includes(' ') ? { expression: license } : { license: { id: license } }
}

/** Converts a digest of the lockfile from base64 (Subresource Integrity) to hexadecimal, as CycloneDX requires. */
function hashesOf({ integrity }) {
  const [, digest = ''] = /^sha512-(\S+)$/.exec(integrity) ?? []
  return [{ alg: 'SHA-512', content: Buffer.from(digest, 'base64').toString('hex') }]
}
