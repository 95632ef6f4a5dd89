/** The container image: valid by the OCI image specification, and complete. */
import { createHash } from 'node:crypto'
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, type TestContext, test } from 'vitest'
import manifest from '../../package.json'
import { temporaryFolder } from '../support/temporary-folder'
import { isRoot, type Release, runProgram } from './support'

let release: Release
let layout: string

/** Skips a test on systems where a release has no image. */
const skipWithoutImage = (skip: TestContext['skip']) =>
  skip(release.find('-image.tar') === undefined, 'an image is made on Debian only')

const digest = expect.stringMatching(/^sha256:[a-f0-9]{64}$/)
const descriptor = (mediaType: string) =>
  expect.objectContaining({ mediaType: `application/vnd.oci.image.${mediaType}`, digest, size: expect.any(Number) })

/** The rules of https://github.com/opencontainers/image-spec, version 1.0 and newer. */
const rules = {
  layout: { imageLayoutVersion: '1.0.0' },
  index: {
    schemaVersion: 2,
    mediaType: 'application/vnd.oci.image.index.v1+json',
    manifests: [descriptor('manifest.v1+json')],
  },
  manifest: { schemaVersion: 2, config: descriptor('config.v1+json'), layers: expect.any(Array) },
  config: {
    created: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/),
    architecture: expect.stringMatching(/^(amd64|arm64)$/),
    os: 'linux',
    rootfs: { type: 'layers', diff_ids: expect.any(Array) },
  },
}

function valid(kind: keyof typeof rules, data: Buffer) {
  const value = JSON.parse(data.toString())
  expect(value).toMatchObject(rules[kind])
  return value
}

const sum = (data: Buffer) => `sha256:${createHash('sha256').update(data).digest('hex')}`

interface Descriptor {
  digest: string
  size: number
}

/** Reads a blob by its descriptor, and checks it. */
function blob({ digest, size }: Descriptor): Buffer {
  const data = readFileSync(join(layout, 'blobs', digest.replace(':', '/')))
  expect([sum(data), data.length]).toEqual([digest, size])
  return data
}

function readImage() {
  valid('layout', readFileSync(join(layout, 'oci-layout')))
  const index = valid('index', readFileSync(join(layout, 'index.json')))
  const imageManifest = valid('manifest', blob(index.manifests[0]))
  const config = valid('config', blob(imageManifest.config))
  for (const layer of imageManifest.layers) expect(layer).toEqual(descriptor('layer.v1.tar+gzip'))
  const layers: Buffer[] = imageManifest.layers.map(blob)
  return { index, imageManifest, config, layers }
}

/** Unpacks the layers as a container engine does. */
function unpack(folder: string): void {
  for (const [number] of readImage().layers.entries()) {
    const { digest } = readImage().imageManifest.layers[number]
    const file = join(layout, 'blobs', digest.replace(':', '/'))
    expect(runProgram(['tar', '-xzf', file, '-C', folder])).toMatchObject({ exit: 0 })
  }
}

/** Tests the image of a release from the calling file, because building one takes seconds. */
export function testImage(getRelease: () => Release): void {
  describe('The container image', () => {
    beforeAll(() => {
      release = getRelease()
      layout = mkdtempSync(join(tmpdir(), 'skyctl-image-'))
      const file = release.find('-image.tar')
      if (file) expect(runProgram(['tar', '-xf', file, '-C', layout])).toMatchObject({ exit: 0 })
    })
    afterAll(() => rmSync(layout, { recursive: true, force: true }))

    test('has a valid layout, with blobs that match their descriptors', ({ skip }) => {
      skipWithoutImage(skip)
      const { index, imageManifest, config, layers } = readImage()
      expect(layers.map((layer) => sum(gunzipSync(layer)))).toEqual(config.rootfs.diff_ids)
      expect(config.history).toHaveLength(layers.length)
      expect(index.manifests).toEqual([
        expect.objectContaining({ platform: { os: 'linux', architecture: config.architecture } }),
      ])
      const digests = [index.manifests[0], imageManifest.config, ...imageManifest.layers].map(
        ({ digest }: Descriptor) => digest,
      )
      const present = readdirSync(join(layout, 'blobs/sha256')).map((name) => `sha256:${name}`)
      expect(present.sort()).toEqual(digests.sort())
    })

    test('runs skyctl as an unnamed user, and has its version as a label', ({ skip }) => {
      skipWithoutImage(skip)
      expect(readImage().config.config).toEqual({
        ...{ User: '65532:65532', Entrypoint: ['/usr/bin/skyctl'], Env: ['PATH=/usr/bin'], WorkingDir: '/' },
        Labels: expect.objectContaining({
          'org.opencontainers.image.version': manifest.version,
          'org.opencontainers.image.licenses': 'MIT',
        }),
      })
    })

    test('has the program, its libraries, certificates and licences, and no shell', ({ skip }) => {
      skipWithoutImage(skip)
      const folder = temporaryFolder()
      unpack(folder)
      expect(readdirSync(join(folder, 'usr/bin'))).toEqual(['skyctl'])
      const certificates = readFileSync(join(folder, 'etc/ssl/certs/ca-certificates.crt'), 'utf8')
      expect(certificates.match(/-----BEGIN CERTIFICATE-----/g)?.length).toBeGreaterThan(50)
      expect(readFileSync(join(folder, 'usr/share/doc/skyctl/copyright'), 'utf8')).toContain('MIT License')
      expect(readFileSync(join(folder, 'usr/share/doc/libc6/copyright'), 'utf8')).toContain('LGPL')
      const top = readdirSync(folder).filter((name) => !name.startsWith('lib'))
      expect(top.sort()).toEqual(['etc', 'tmp', 'usr'])
      expect(statSync(join(folder, 'usr/bin/skyctl')).mode & 0o777).toBe(0o755)
    })

    test('needs only its read-only root folder', ({ skip }) => {
      skipWithoutImage(skip)
      skip(!isRoot || runProgram(['unshare', '--mount', 'true']).exit !== 0, 'it needs root, and permission to mount')
      const folder = temporaryFolder()
      unpack(folder)
      chmodSync(folder, 0o755)
      const { User, Entrypoint } = readImage().config.config
      const script = `mount --bind "$1" "$1" && mount -o remount,ro,bind "$1" && exec chroot --userspec=${User} "$@"`
      const argv = ['unshare', '--mount', 'sh', '-c', script, 'sh', folder, ...Entrypoint, 'runs']
      expect(runProgram(argv)).toEqual({ exit: 0, stdout: 'runs\n', stderr: '' })
    })
  })
}
