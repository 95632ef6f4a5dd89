/**
 * Builds a container image as an archive of an OCI image layout (https://github.com/opencontainers/image-spec), without
 * a daemon. It contains the executable, the parts of glibc that it needs, CA certificates, and no shell. Other tools
 * put times and compression of the machine into layers; written directly, the image depends only on its content.
 */
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { rootCertificates } from 'node:tls'
import { promisify } from 'node:util'
import { gzip, tar } from './archive.mjs'

const run = promisify(execFile)

const types = {
  index: 'application/vnd.oci.image.index.v1+json',
  manifest: 'application/vnd.oci.image.manifest.v1+json',
  config: 'application/vnd.oci.image.config.v1+json',
  layer: 'application/vnd.oci.image.layer.v1.tar+gzip',
}

/** Returns the version of glibc that an image gets, which is this machine's; undefined if Debian's is not here. */
export async function glibcVersion() {
  const status = await run('dpkg-query', ['--status', 'libc6']).catch(() => undefined)
  return status && /^Version: (.*)$/m.exec(status.stdout)?.[1]
}

/** @returns {Promise<{ name: string, data: Buffer }>} */
export async function image(folder, release) {
  const { version, seconds, target, architecture } = release
  // The first layer is the same for every version of skyctl.
  const layers = await Promise.all(
    [await baseFiles(folder), await ownFiles(folder)].map((files) => layerOf(files, seconds)),
  )
  const config = blobOf(types.config, JSON.stringify(configOf(layers, release)))
  const manifest = blobOf(types.manifest, JSON.stringify(manifestOf(config, layers)))
  const platform = { os: 'linux', architecture: architecture.go }
  // The tag in the layout, and the name of the image after `podman load` or `docker load`.
  const annotations = {
    'org.opencontainers.image.ref.name': version,
    'io.containerd.image.name': `localhost/skyctl:${version}`,
  }
  const index = {
    schemaVersion: 2,
    mediaType: types.index,
    manifests: [{ ...manifest.descriptor, platform, annotations }],
  }
  const files = [
    { path: 'oci-layout', data: Buffer.from('{"imageLayoutVersion":"1.0.0"}') },
    { path: 'index.json', data: Buffer.from(JSON.stringify(index)) },
    ...[...layers, config, manifest].map(({ descriptor, data }) => ({
      path: `blobs/${descriptor.digest.replace(':', '/')}`,
      data,
    })),
  ]
  return { name: `skyctl-${version}-${target}-image.tar`, data: tar(files, seconds) }
}

async function ownFiles(folder) {
  return [
    { path: 'usr/bin/skyctl', data: await readFile(join(folder, 'skyctl')), mode: 0o755 },
    { path: 'usr/share/doc/skyctl/copyright', data: await readFile(join(folder, 'LICENSES')) },
  ]
}

async function baseFiles(folder) {
  return [
    ...(await libraries(join(folder, 'skyctl'))),
    { path: 'usr/share/doc/libc6/copyright', data: await readFile('/usr/share/doc/libc6/copyright') },
    { path: 'etc/ssl/certs/ca-certificates.crt', data: Buffer.from(`${rootCertificates.join('\n')}\n`) },
    // Without it, glibc would ask DNS before it reads /etc/hosts.
    { path: 'etc/nsswitch.conf', data: Buffer.from('hosts: files dns\n') },
    { path: 'tmp', mode: 0o1777 },
  ]
}

/** Returns the libraries that this machine's loader finds for the executable, with their paths. */
async function libraries(executable) {
  const { stdout } = await run('ldd', [executable]).catch(() => ({ stdout: '' }))
  const paths = [...stdout.matchAll(/(?:^\s+|=> )(\/\S+) \(0x/gm)].map(([, path]) => path).sort()
  return Promise.all(
    paths.map(async (path) => ({ path: path.slice('/'.length), data: await readFile(path), mode: 0o755 })),
  )
}

async function layerOf(files, seconds) {
  const archive = tar(files, seconds)
  return { ...blobOf(types.layer, await gzip(archive)), diffId: digestOf(archive) }
}

function blobOf(mediaType, content) {
  const data = Buffer.from(content)
  return { data, descriptor: { mediaType, digest: digestOf(data), size: data.length } }
}

const digestOf = (data) => `sha256:${createHash('sha256').update(data).digest('hex')}`

function configOf(layers, { version, description, seconds, architecture, commit }) {
  const created = new Date(seconds * 1000).toISOString()
  return {
    created,
    architecture: architecture.go,
    os: 'linux',
    config: {
      // A user without a name: no file of the image belongs to it.
      User: '65532:65532',
      Env: ['PATH=/usr/bin'],
      Entrypoint: ['/usr/bin/skyctl'],
      WorkingDir: '/',
      Labels: {
        'org.opencontainers.image.title': 'skyctl',
        'org.opencontainers.image.description': description,
        'org.opencontainers.image.version': version,
        'org.opencontainers.image.licenses': 'MIT',
        'org.opencontainers.image.created': created,
        ...(commit && { 'org.opencontainers.image.revision': commit }),
      },
    },
    rootfs: { type: 'layers', diff_ids: layers.map(({ diffId }) => diffId) },
    history: ['glibc and CA certificates', `skyctl ${version}`].map((comment) => ({ created, comment })),
  }
}

function manifestOf(config, layers) {
  return {
    schemaVersion: 2,
    mediaType: types.manifest,
    config: config.descriptor,
    layers: layers.map(({ descriptor }) => descriptor),
  }
}
