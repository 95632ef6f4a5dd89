/** Bills of materials of a release: of the program, of the runtime of its executables, and of its image. */
import { createHash } from 'node:crypto'
import { version as bunVersion } from '../executable/bun.mjs'
import runtimes from '../executable/runtimes.json' with { type: 'json' }

/**
 * Adds everything else in a release to the bill of the npm package (CycloneDX).
 *
 * @param {object} bill the content of sbom.cdx.json
 * @param {{ targets: string[], glibc?: string, architecture: object, seconds: number }} release
 */
export function cycloneDx(bill, { targets, glibc, architecture, seconds }) {
  const more = [...targets.map(bunOf), ...(glibc ? [glibcOf(glibc, architecture)] : [])]
  const [own, ...others] = bill.dependencies
  return {
    ...bill,
    metadata: { timestamp: dateOf(seconds), ...bill.metadata },
    components: [...bill.components, ...more],
    dependencies: [
      { ...own, dependsOn: [...own.dependsOn, ...more.map((component) => component['bom-ref'])] },
      ...others,
      ...more.map((component) => ({ ref: component['bom-ref'], dependsOn: [] })),
    ],
  }
}

/** Describes bun, which npm's registry has as a package for each target. */
function bunOf(target) {
  const name = `@oven/bun-${target}`
  const digest = Buffer.from(runtimes.integrity[target].replace('sha512-', ''), 'base64').toString('hex')
  return {
    type: 'platform',
    'bom-ref': `${name}@${bunVersion}`,
    name,
    version: bunVersion,
    licenses: [{ license: { id: 'MIT' } }],
    purl: `pkg:npm/${name.replace('@', '%40')}@${bunVersion}`,
    hashes: [{ alg: 'SHA-512', content: digest }],
  }
}

/** Describes glibc: the image contains files of Debian's package. */
function glibcOf(version, architecture) {
  return {
    type: 'library',
    'bom-ref': `libc6@${version}`,
    name: 'libc6',
    version,
    licenses: [{ license: { id: 'LGPL-2.1-or-later' } }],
    purl: `pkg:deb/debian/libc6@${encodeURIComponent(version)}?arch=${architecture.debian}`,
  }
}

const dateOf = (seconds) => new Date(seconds * 1000).toISOString().replace('.000Z', 'Z')

/** Converts a bill in CycloneDX to SPDX 2.3. */
export function spdx(bill, { version, seconds }) {
  const components = [bill.metadata.component, ...bill.components]
  const ids = new Map(components.map((component) => [component['bom-ref'], idOf(component['bom-ref'])]))
  const content = createHash('sha256').update(JSON.stringify(bill)).digest('hex')
  return {
    spdxVersion: 'SPDX-2.3',
    dataLicense: 'CC0-1.0',
    SPDXID: 'SPDXRef-DOCUMENT',
    name: `skyctl-${version}`,
    // Must be unique for each content, and need not be reachable.
    documentNamespace: `urn:uuid:${uuidOf(content)}`,
    creationInfo: { created: dateOf(seconds), creators: ['Tool: skyctl-release', 'Organization: the skyctl authors'] },
    packages: components.map((component) => packageOf(component, ids.get(component['bom-ref']))),
    relationships: [
      relationship('SPDXRef-DOCUMENT', 'DESCRIBES', ids.get(components[0]['bom-ref'])),
      ...bill.dependencies.flatMap(({ ref, dependsOn }) =>
        dependsOn.map((other) => relationship(ids.get(ref), 'DEPENDS_ON', ids.get(other))),
      ),
    ],
  }
}

const idOf = (reference) => `SPDXRef-${reference.replaceAll(/[^A-Za-z\d.-]+/g, '-').replace(/^-/, '')}`

/** Turns a digest into a UUID of version 8 (RFC 9562), whose bits are free. */
const uuidOf = (hex) =>
  `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`

function relationship(from, relationshipType, to) {
  return { spdxElementId: from, relationshipType, relatedSpdxElement: to }
}

function packageOf({ name, version, licenses, purl, hashes = [] }, id) {
  const [{ license, expression = license.id }] = licenses
  return {
    SPDXID: id,
    name,
    versionInfo: version,
    downloadLocation: 'NOASSERTION',
    filesAnalyzed: false,
    licenseConcluded: expression,
    licenseDeclared: expression,
    copyrightText: 'NOASSERTION',
    externalRefs: [{ referenceCategory: 'PACKAGE-MANAGER', referenceType: 'purl', referenceLocator: purl }],
    checksums: hashes.map(({ content }) => ({ algorithm: 'SHA512', checksumValue: content })),
  }
}
