/** The package of `npm pack`: it runs where it is installed, without network and without dependencies. */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import manifest from '../package.json'
import { pages } from './support/page-examples'

const root = join(import.meta.dirname, '..')
/** The lines of docs/tokens-in-ci.md that check the tarball and install it. */
const [, installLines = ''] =
  /run: \|\n\s+curl .*\n((?: {10}.*\n)+?) {8}env:/.exec(readFileSync(join(root, 'docs/tokens-in-ci.md'), 'utf8')) ?? []
let folder: string
/** The installation prefix, empty before, as on a new machine. */
let prefix: string
let packedFiles: string[]
let tarball: string

function npm(words: readonly string[], cwd: string): string {
  return execFileSync('npm', words, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
}

/** Runs the installed command with its own home folder. */
function skyctl(...words: string[]): string {
  const env = { PATH: process.env.PATH, HOME: folder }
  return execFileSync(join(prefix, 'bin/skyctl'), words, {
    cwd: folder,
    env,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  })
}

const readInstalled = (path: string) => readFileSync(join(prefix, 'lib/node_modules/skyctl', path))

/** Runs the install lines of the page, with a checksum from elsewhere. */
function install(npm_config_prefix: string, sum: string): void {
  const SHA256SUMS = `${sum}  skyctl-0.1.0.tgz`
  const env = { PATH: process.env.PATH, HOME: folder, npm_config_prefix, SHA256SUMS }
  execFileSync('/bin/sh', ['-ec', installLines], { cwd: folder, env, stdio: 'pipe' })
}

interface Component {
  name: string
  version: string
  licenses: [{ license: { id: string } }]
  purl: string
  hashes: unknown
}

/** Returns the packages that src/ imports, without those that only have types. */
function importedBySources(): string[] {
  const texts = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts'))
    .map((path) => readFileSync(join(root, 'src', path), 'utf8'))
  const imports = texts.flatMap((text) => [
    ...text.matchAll(/(?:^import (?!type)[^']*|^\} from |\bimport\()'(?![./#]|node:)((?:@[^/']+\/)?[^/']+)/gm),
  ])
  return [...new Set(imports.map(([, name = '']) => name))]
}

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'skyctl-package-'))
  // dist/ is built already; building it here would disturb the tests that run it.
  const [pack] = JSON.parse(npm(['pack', '--json', '--ignore-scripts', '--pack-destination', folder], root))
  packedFiles = pack.files.map(({ path }: { path: string }) => path)
  tarball = pack.filename
  prefix = join(folder, 'prefix')
  const sum = createHash('sha256').update(readFileSync(join(folder, tarball)))
  install(prefix, sum.digest('hex'))
})

afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('the package', () => {
  test('is built before it is packed', () => {
    expect(manifest.scripts.prepack).toBe('npm run build')
  })

  test('has the program, the documents and the licenses, and no sources', () => {
    const parts = new Set(packedFiles.map((path) => path.split('/')[0]))
    expect([...parts]).toEqual(
      expect.arrayContaining(['bin', 'dist', 'completions', 'docs', 'CHANGELOG.md', 'LICENSE', 'README.md']),
    )
    expect(packedFiles).toEqual(
      expect.arrayContaining(['dist/THIRD-PARTY-LICENSES', 'docs/schemas/volumes.json', 'docs/compatibility.md']),
    )
    expect(packedFiles.filter((path) => /^(src|test|bench|build)\/|(?<!\.d)\.ts$|\.map$/.test(path))).toEqual([])
  })

  test('installs its man pages where man finds them', () => {
    const pages = readdirSync(join(prefix, 'share/man/man1'))
    expect(pages.map((page) => `docs/man/${page}`).sort()).toEqual([...manifest.man].sort())
    expect(readFileSync(join(prefix, 'share/man/man1/skyctl-volumes.1'), 'utf8')).toContain('.TH SKYCTL\\-VOLUMES 1')
  })

  test('has no dependencies and no install scripts', () => {
    const { dependencies, optionalDependencies, scripts } = JSON.parse(readInstalled('package.json').toString())
    expect({ dependencies, optionalDependencies }).toEqual({})
    expect(Object.keys(scripts)).not.toEqual(expect.arrayContaining([expect.stringMatching(/^(pre|post)?install$/)]))
    expect(readdirSync(join(prefix, 'lib/node_modules')).filter((name) => !name.startsWith('.'))).toEqual(['skyctl'])
  })

  test('names the license of every package in dist/', () => {
    const licences = readInstalled('dist/THIRD-PARTY-LICENSES').toString()
    for (const name of ['commander', 'undici', 'valibot', 'conf', '@inquirer/core', 'cli-table3', 'chalk']) {
      expect(licences).toMatch(new RegExp(`^${name} \\d+\\.\\d+\\.\\d+ \\(MIT\\)$`, 'm'))
    }
  })

  test('has a bill of materials that matches dist/', () => {
    const bill = JSON.parse(readInstalled('sbom.cdx.json').toString())
    const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
    expect(bill).toMatchObject({ bomFormat: 'CycloneDX', specVersion: '1.5' })
    expect(bill.metadata.component).toMatchObject({
      name: 'skyctl',
      version: manifest.version,
      // The npm package of this name is another program.
      purl: `pkg:generic/skyctl@${manifest.version}`,
    })
    const names: string[] = bill.components.map(({ name }: { name: string }) => name)
    const licences = readInstalled('dist/THIRD-PARTY-LICENSES').toString()
    const licensed = [...licences.matchAll(/^(@?[\w./-]+) (\d+\.\d+\.\d+) \((.*)\)$/gm)]
    expect(
      bill.components.map(
        ({ name, version, licenses: [{ license }] }: Component) => `${name} ${version} ${license.id}`,
      ),
    ).toEqual(expect.arrayContaining(licensed.map(([, ...words]) => words.join(' '))))
    expect(names).toHaveLength(licensed.length)
    expect(names).toEqual([...new Set(names)].sort())
    // It has the packages that the sources import, but not those that build.mjs omits.
    expect(names).toEqual(expect.arrayContaining(importedBySources()))
    expect(names).toEqual(
      expect.not.arrayContaining(['ajv', 'semver', 'string-width', 'signal-exit', 'vitest', 'esbuild']),
    )
    for (const { name, version, purl, hashes } of bill.components as Component[]) {
      const { integrity } = packages[`node_modules/${name}`]
      const digest = Buffer.from(integrity.replace('sha512-', ''), 'base64').toString('hex')
      expect({ version, hashes }).toEqual({
        version: packages[`node_modules/${name}`].version,
        hashes: [{ alg: 'SHA-512', content: digest }],
      })
      expect(purl).toBe(`pkg:npm/${name.replace('@', '%40')}@${version}`)
    }
    const [self] = bill.dependencies
    expect(self).toEqual({ ref: `skyctl@${manifest.version}`, dependsOn: expect.any(Array) })
    expect(self.dependsOn.map((reference: string) => reference.replace(/@[^@]*$/, ''))).toEqual(
      expect.arrayContaining(importedBySources()),
    )
  })

  test('has at most 2.96 MB in dist/, so that no unused module gets in', () => {
    const bytes = packedFiles
      .filter((path) => path.startsWith('dist/'))
      .reduce((sum, path) => sum + readInstalled(path).length, 0)
    expect(bytes).toBeLessThanOrEqual(2_960_000)
  })

  test('needs at most 400 KB, compressed, for a list', () => {
    const needed = [
      'package.json',
      'bin/skyctl.js',
      ...['main', 'commands', 'list-volumes', 'request', 'undici-parts'].map((name) => `dist/${name}.js`),
    ]
    const bytes = needed.reduce((sum, path) => sum + gzipSync(readInstalled(path)).length, 0)
    expect(bytes).toBeLessThanOrEqual(400_000)
  })
})

describe('skyctl, installed as documented into an empty prefix without network,', () => {
  test('prints its version', () => {
    expect(skyctl('--version')).toBe(`${manifest.version}\n`)
  })

  test('shows its help', () => {
    expect(skyctl('--help')).toMatch(/^Usage: skyctl /)
  })

  test('lists the regions of the sandbox', () => {
    const regions = JSON.parse(skyctl('--context', 'sandbox', 'regions', 'list', '--json'))
    expect(regions).toContainEqual(expect.objectContaining({ id: 'us-east', status: 'ok' }))
  })
})

describe('the documentation', () => {
  test('never installs a name that anybody could register', () => {
    const text = pages.map(({ text }) => text).join('\n')
    const installs = [...text.matchAll(/npm (?:install|i|add|exec)\b(.*)/g)].map(([, words = '']) => words)
    const targets = installs.map((words) => words.split(/\s+/).filter((word) => word !== '' && !word.startsWith('-')))
    expect(targets.length).toBeGreaterThanOrEqual(2)
    expect(targets).toEqual(targets.map(() => [`./${tarball}`]))
  })

  test('does not install a tarball with another checksum', () => {
    const other = join(folder, 'other')
    expect(() => install(other, '0'.repeat(64))).toThrow(/did NOT match/)
    expect(existsSync(other)).toBe(false)
  })
})

describe('the launcher', () => {
  test('is found by npx in the folder of the repository', () => {
    expect(npm(['exec', '--offline', '--', 'skyctl', '--version'], root)).toBe(`${manifest.version}\n`)
  })

  test('reports that a clone is not built, with the command to build it', () => {
    const clone = join(folder, 'clone')
    mkdirSync(join(clone, 'bin'), { recursive: true })
    for (const path of ['package.json', 'bin/skyctl.js']) writeFileSync(join(clone, path), readInstalled(path))
    expect(() =>
      execFileSync(process.execPath, [join(clone, 'bin/skyctl.js'), 'volumes', 'list'], { stdio: 'pipe' }),
    ).toThrow('skyctl: is not built yet. Run "npm run build" first\n')
  })
})
