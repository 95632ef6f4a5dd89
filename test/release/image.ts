/** The container image: valid by the image specification of the OCI, and all that a container of it needs. */
import { createHash } from 'node:crypto'
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import Ajv from 'ajv'
import { afterAll, beforeAll, describe, expect, type TestContext, test } from 'vitest'
import manifest from '../../package.json'
import { isRoot, type Release, runProgram } from './stage'

let release: Release
let layout: string

/** On other systems, the release says that the image is left out. */
const skipWithoutImage = (skip: TestContext['skip']) =>
  skip(release.find('-image.tar') === undefined, 'an image is made on Debian only')

const digest = { type: 'string', pattern: '^sha256:[a-f0-9]{64}$' }
const descriptor = (mediaType: string) => ({
  type: 'object',
  required: ['mediaType', 'digest', 'size'],
  properties: {
    mediaType: { const: `application/vnd.oci.image.${mediaType}` },
    digest,
    size: { type: 'integer', minimum: 1 },
    platform: { type: 'object', required: ['architecture', 'os'] },
    annotations: { type: 'object', additionalProperties: { type: 'string' } },
  },
})
const texts = { type: 'array', items: { type: 'string' }, minItems: 1 }

/** The rules of https://github.com/opencontainers/image-spec, version 1.0 and newer. */
const schemas = {
  layout: { type: 'object', required: ['imageLayoutVersion'], properties: { imageLayoutVersion: { const: '1.0.0' } } },
  index: {
    type: 'object',
    required: ['schemaVersion', 'manifests'],
    properties: {
      schemaVersion: { const: 2 },
      mediaType: { const: 'application/vnd.oci.image.index.v1+json' },
      manifests: { type: 'array', minItems: 1, items: descriptor('manifest.v1+json') },
    },
  },
  manifest: {
    type: 'object',
    required: ['schemaVersion', 'config', 'layers'],
    properties: {
      schemaVersion: { const: 2 },
      mediaType: { const: 'application/vnd.oci.image.manifest.v1+json' },
      config: descriptor('config.v1+json'),
      layers: { type: 'array', minItems: 1, items: descriptor('layer.v1.tar+gzip') },
    },
  },
  config: {
    type: 'object',
    required: ['architecture', 'os', 'rootfs'],
    properties: {
      created: { type: 'string', pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d+)?Z$' },
      architecture: { enum: ['amd64', 'arm64'] },
      os: { const: 'linux' },
      config: {
        type: 'object',
        additionalProperties: false,
        properties: {
          User: { type: 'string' },
          Env: texts,
          Entrypoint: texts,
          WorkingDir: { type: 'string' },
          Labels: { type: 'object', additionalProperties: { type: 'string' } },
        },
      },
      rootfs: {
        type: 'object',
        required: ['type', 'diff_ids'],
        properties: { type: { const: 'layers' }, diff_ids: { type: 'array', minItems: 1, items: digest } },
      },
      history: { type: 'array', items: { type: 'object' } },
    },
  },
}

const ajv = new Ajv({ allErrors: true, strict: false })

function valid(kind: keyof typeof schemas, data: Buffer) {
  const value = JSON.parse(data.toString())
  const check = ajv.compile(schemas[kind])
  check(value)
  expect({ kind, errors: check.errors }).toEqual({ kind, errors: null })
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
  const described = valid('manifest', blob(index.manifests[0]))
  const config = valid('config', blob(described.config))
  const layers: Buffer[] = described.layers.map(blob)
  return { index, described, config, layers }
}

/** Unpacks the layers as a container engine does. */
function unpack(folder: string): void {
  for (const [number] of readImage().layers.entries()) {
    const { digest } = readImage().described.layers[number]
    const file = join(layout, 'blobs', digest.replace(':', '/'))
    expect(runProgram(['tar', '-xzf', file, '-C', folder])).toMatchObject({ exit: 0 })
  }
}

/** Of a release that another file has made: that takes seconds. */
export function testImage(made: () => Release): void {
  describe('the image', () => {
    beforeAll(() => {
      release = made()
      layout = mkdtempSync(join(tmpdir(), 'skyctl-image-'))
      const file = release.find('-image.tar')
      if (file) expect(runProgram(['tar', '-xf', file, '-C', layout])).toMatchObject({ exit: 0 })
    })
    afterAll(() => rmSync(layout, { recursive: true, force: true }))

    test('has a valid layout, and each blob is the one that its descriptor names', ({ skip }) => {
      skipWithoutImage(skip)
      const { index, described, config, layers } = readImage()
      expect(layers.map((layer) => sum(gunzipSync(layer)))).toEqual(config.rootfs.diff_ids)
      expect(config.history).toHaveLength(layers.length)
      expect(index.manifests).toEqual([
        expect.objectContaining({ platform: { os: 'linux', architecture: config.architecture } }),
      ])
      const named = [index.manifests[0], described.config, ...described.layers].map(({ digest }: Descriptor) => digest)
      const present = readdirSync(join(layout, 'blobs/sha256')).map((name) => `sha256:${name}`)
      expect(present.sort()).toEqual(named.sort())
    })

    test('runs skyctl as a user without a name, and labels its version', ({ skip }) => {
      skipWithoutImage(skip)
      const { User, Entrypoint, Labels } = readImage().config.config
      expect({ User, Entrypoint }).toEqual({ User: '65532:65532', Entrypoint: ['/usr/bin/skyctl'] })
      expect(Labels).toMatchObject({
        'org.opencontainers.image.version': manifest.version,
        'org.opencontainers.image.licenses': 'MIT',
      })
    })

    test('has the program, its libraries, certificates and licences, and no shell', ({ skip, onTestFinished }) => {
      skipWithoutImage(skip)
      const folder = mkdtempSync(join(tmpdir(), 'skyctl-rootfs-'))
      onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
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

    test('needs nothing but its read-only root folder', ({ skip, onTestFinished }) => {
      skipWithoutImage(skip)
      skip(!isRoot || runProgram(['unshare', '--mount', 'true']).exit !== 0, 'it needs root, and leave to mount')
      const folder = mkdtempSync(join(tmpdir(), 'skyctl-rootfs-'))
      onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
      unpack(folder)
      chmodSync(folder, 0o755)
      const { User, Entrypoint } = readImage().config.config
      const script = `mount --bind "$1" "$1" && mount -o remount,ro,bind "$1" && exec chroot --userspec=${User} "$@"`
      const argv = ['unshare', '--mount', 'sh', '-c', script, 'sh', folder, ...Entrypoint, 'runs']
      expect(runProgram(argv)).toEqual({ exit: 0, stdout: 'runs\n', stderr: '' })
    })
  })
}
