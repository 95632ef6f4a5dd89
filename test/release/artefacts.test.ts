/** Artefacts of `npm run release -- --dry-run`. `npm run release -- --try` tries a release with the real executable. */
import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import manifest from '../../package.json'
import { temporaryFolder } from '../support/temporary-folder'
import { testImage } from './image'
import { isInstalled, isRoot, makeRelease, type Release, root, runProgram, runRelease } from './support'

const { version, released } = manifest
const baseUrl = 'https://releases.test/skyctl/v1'
const timeoutMs = 120_000
let release: Release

beforeAll(() => {
  release = makeRelease(['--base-url', `${baseUrl}/`])
}, timeoutMs)
afterAll(() => release?.close())

const sha256 = (data: Buffer) => createHash('sha256').update(data).digest('hex')
const json = (ending: string) => JSON.parse(readFileSync(release.find(ending) ?? ending, 'utf8'))

/** Runs a program that must succeed, and returns its output. */
function run(...argv: string[]): string {
  const { exit, stdout, stderr } = runProgram(argv)
  expect({ argv, exit, stderr }).toEqual({ argv, exit: 0, stderr: expect.any(String) })
  return stdout
}

const filesBelow = (folder: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map(({ parentPath, name }) => join(parentPath, name))

/** Fails unless a root folder has the program, the man pages and the completions. */
function expectUsable(folder: string, zsh: string): void {
  expect(run(join(folder, 'usr/bin/skyctl'), 'works')).toBe('works\n')
  for (const page of manifest.man) {
    const text = gunzipSync(readFileSync(join(folder, `usr/share/man/man1/${page.replace('docs/man/', '')}.gz`)))
    expect(text.equals(readFileSync(join(root, page))), page).toBe(true)
  }
  const script = join(folder, 'usr/share/bash-completion/completions/skyctl')
  expect(run('bash', '-c', `source '${script}' && complete -p skyctl`)).toMatch(/-F \w+ skyctl$/m)
  expect(readFileSync(join(folder, zsh), 'utf8')).toMatch(/^#compdef skyctl\n/)
  expect(readFileSync(join(folder, 'usr/share/fish/vendor_completions.d/skyctl.fish'), 'utf8')).toContain('complete ')
}

/** Paths that a package may contain. */
const allowed = /^\/usr\/(bin\/skyctl$|share\/)/

describe('A release', () => {
  test(
    'has the same bytes at another time, in another time zone, language and umask',
    () => {
      const before = process.umask(0o077)
      onTestFinished(() => void process.umask(before))
      const other = makeRelease(['--base-url', baseUrl], { ...process.env, TZ: 'Asia/Tokyo', LC_ALL: 'C' })
      onTestFinished(other.close)
      expect(other.read('SHA256SUMS').toString()).toBe(release.read('SHA256SUMS').toString())
    },
    timeoutMs,
  )

  test('has an npm package with modes independent of the umask of the checkout', () => {
    const folder = temporaryFolder()
    for (const [name, mode] of [
      ['page', 0o600],
      ['program', 0o700],
    ] as const)
      writeFileSync(join(folder, name), name.repeat(200), { mode })
    const archive = join(folder, 'any.tar')
    run('tar', '-cf', archive, '-C', folder, 'page', 'program')
    const script = `
      import { readFileSync, writeFileSync } from 'node:fs'
      import { withPlainModes } from '${join(root, 'build/release/archive.mjs')}'
      writeFileSync('${archive}', withPlainModes(readFileSync('${archive}')))`
    run(process.execPath, '--input-type=module', '--eval', script)
    expect(run('tar', '-tvf', archive).match(/^\S+|\S+$/gm)).toEqual(['-rw-r--r--', 'page', '-rwxr-xr-x', 'program'])
    const modes = run('tar', '-tvzf', release.find('.tgz') ?? '').match(/^\S+/gm)
    expect([...new Set(modes)].sort()).toEqual(['-rw-r--r--', '-rwxr-xr-x'])
  })

  test('has the checksum of every artefact and of no other file', () => {
    const artefacts = release.files.filter((name) => name !== 'SHA256SUMS')
    const lines = release.read('SHA256SUMS').toString().trimEnd().split('\n')
    expect(lines.sort()).toEqual(artefacts.map((name) => `${sha256(release.read(name))}  ${name}`).sort())
    expect(artefacts).toEqual(expect.arrayContaining([`skyctl-${version}.tgz`, 'skyctl.rb', 'skyctl.json']))
    expect(JSON.parse(release.read('release.json').toString())).toEqual({ version, released })
  })

  test('is not built by `npm run release` without flags, which names the workflow', () => {
    const out = join(temporaryFolder(), 'release')
    expect(runRelease(['--out', out])).toEqual({
      exit: 1,
      stdout: '',
      stderr: expect.stringMatching(/release\.yml \(docs\/releasing\.md\)\. To build: --dry-run\n$/),
    })
  })

  test('does not replace a folder with other files', () => {
    const out = temporaryFolder()
    writeFileSync(join(out, 'thesis.txt'), 'years of work')
    expect(() => makeRelease(['--out', out])).toThrow(`${out} has other files: name another --out`)
    expect(readdirSync(out)).toEqual(['thesis.txt'])
  })

  test('fails the trial if an executable prints another version than the npm package', () => {
    expect(runRelease(['--try', '--out', release.folder])).toEqual({
      exit: 1,
      stdout: expect.stringMatching(/^tried +skyctl-\S+\.tgz\n$/),
      stderr: expect.stringMatching(/^--version of skyctl-\S+\.tar\.gz is .*, and not \d/s),
    })
  })

  test('fails the trial if an artefact was changed', () => {
    const file = release.find('.rb') ?? ''
    const text = readFileSync(file)
    onTestFinished(() => writeFileSync(file, text))
    writeFileSync(file, `${text}# and more\n`)
    expect(runRelease(['--try', '--out', release.folder])).toMatchObject({
      exit: 1,
      stderr: expect.stringMatching(/^sum of skyctl\.rb is /),
    })
  })
})

describe('The .deb package', () => {
  test('has no scripts, and only files of root in /usr', ({ skip }) => {
    const file = release.find('.deb')
    skip(file === undefined || !isInstalled('dpkg-deb'), 'dpkg-deb is not installed')
    const folder = temporaryFolder()
    run('dpkg-deb', '--control', file ?? '', folder)
    expect(readdirSync(folder).sort()).toEqual(['control', 'md5sums'])
    const entries = run('dpkg-deb', '--contents', file ?? '')
      .trimEnd()
      .split('\n')
    const files = entries.filter((line) => line.startsWith('-')).map((line) => line.split(' .')[1] ?? line)
    expect(files.filter((path) => !allowed.test(path))).toEqual([])
    expect(entries.filter((line) => !/^[d-]rw[x-]r-[x-]r-[x-] root\/root /.test(line))).toEqual([])
    run('dpkg-deb', '--extract', file ?? '', folder)
    run('sh', '-c', `cd '${folder}' && md5sum --check --quiet md5sums`)
    expectUsable(folder, 'usr/share/zsh/vendor-completions/_skyctl')
  })

  test('can be installed and removed, and leaves nothing', ({ skip }) => {
    const file = release.find('.deb')
    skip(file === undefined || !isRoot || !isInstalled('dpkg'), 'a separate root folder needs dpkg and root')
    const folder = temporaryFolder()
    for (const path of ['info', 'updates']) mkdirSync(join(folder, 'var/lib/dpkg', path), { recursive: true })
    const libc = 'Package: libc6\nStatus: install ok installed\nMaintainer: x\nArchitecture: amd64\nVersion: 2.17-1\n'
    writeFileSync(join(folder, 'var/lib/dpkg/status'), `${libc}Description: x\n`)
    run('dpkg', '--root', folder, '--install', file ?? '')
    expectUsable(folder, 'usr/share/zsh/vendor-completions/_skyctl')
    run('dpkg', '--root', folder, '--purge', 'skyctl')
    expect(readdirSync(folder)).toEqual(['var'])
    expect(filesBelow(folder).filter((path) => path.includes('skyctl.'))).toEqual([])
  })
})

describe('The .rpm package', () => {
  test('has no scripts, needs glibc only, and can be installed and removed', ({ skip }) => {
    const file = release.find('.rpm')
    skip(file === undefined || !isRoot, 'it needs rpmbuild, and root for a separate root folder')
    const rpm = (...words: string[]) => run('rpm', ...words)
    expect(rpm('--query', '--package', '--scripts', file ?? '')).toBe('')
    const needs = rpm('--query', '--package', '--requires', file ?? '').split('\n')
    expect(needs.filter((line) => line !== '' && !line.startsWith('rpmlib('))).toEqual(['glibc >= 2.17'])
    const paths = rpm('--query', '--package', '--list', file ?? '')
      .trimEnd()
      .split('\n')
    expect(paths.filter((path) => !allowed.test(path))).toEqual([])
    const folder = temporaryFolder()
    rpm('--root', folder, '--dbpath', '/db', '--install', '--nodeps', file ?? '')
    expectUsable(folder, 'usr/share/zsh/site-functions/_skyctl')
    rpm('--root', folder, '--dbpath', '/db', '--erase', 'skyctl')
    rmSync(join(folder, 'db'), { recursive: true })
    expect(filesBelow(folder)).toEqual([])
  })
})

describe('The formulas', () => {
  test.each([
    ['skyctl.rb', /url "(.*)"\n\s+sha256 "(.*)"/],
    ['skyctl.json', /"url": "(.*)",\n\s+"hash": "(.*)"/],
  ])('have URL and checksum of the npm package: %s', (name, pattern) => {
    const [, url, sum] = pattern.exec(release.read(name).toString()) ?? []
    expect(url).toBe(`${baseUrl}/skyctl-${version}.tgz`)
    expect(sum).toBe(sha256(release.read(`skyctl-${version}.tgz`)))
  })

  test('name files of the npm package', () => {
    const packed = run('tar', '-tzf', release.find('.tgz') ?? '').split('\n')
    const formula = release.read('skyctl.rb').toString()
    const completions = [...formula.matchAll(/"(completions\/[^"]+)"/g)].map(([, path]) => `package/${path}`)
    expect(completions).toHaveLength(3)
    expect(packed).toEqual(expect.arrayContaining([...completions, 'package/docs/man/skyctl.1']))
    const { bin, extract_dir } = JSON.parse(release.read('skyctl.json').toString())
    const script = bin[0][2].replaceAll('"', '').replace('$dir', extract_dir).replaceAll('\\', '/')
    expect(packed).toContain(script)
  })
})

describe('The bills of materials', () => {
  test('list the packages of the program, its runtime, and the glibc of the image', () => {
    const own = JSON.parse(readFileSync(join(root, 'sbom.cdx.json'), 'utf8'))
    const { components, dependencies } = json('.cdx.json')
    const names: string[] = components.map(({ name }: { name: string }) => name)
    const additional = names.filter((name) => !own.components.some((one: { name: string }) => one.name === name))
    expect(additional).toEqual([
      expect.stringMatching(/^@oven\/bun-/),
      ...(release.find('-image.tar') ? ['libc6'] : []),
    ])
    expect(names).toHaveLength(own.components.length + additional.length)
    expect(new Set(dependencies.map(({ ref }: { ref: string }) => ref)).size).toBe(names.length + 1)
  })

  test('are equal in SPDX', () => {
    const { components } = json('.cdx.json')
    const { packages, relationships, SPDXID, ...document } = json('.spdx.json')
    expect(document).toMatchObject({ spdxVersion: 'SPDX-2.3', dataLicense: 'CC0-1.0' })
    expect(document.documentNamespace).toMatch(/^urn:uuid:[\da-f]{8}-[\da-f]{4}-8[\da-f]{3}-a[\da-f]{3}-[\da-f]{12}$/)
    const purls = packages.map((one: { externalRefs: [{ referenceLocator: string }] }) => one.externalRefs[0])
    expect(purls.map(({ referenceLocator }: { referenceLocator: string }) => referenceLocator)).toEqual([
      `pkg:generic/skyctl@${version}`,
      ...components.map(({ purl }: { purl: string }) => purl),
    ])
    const ids: string[] = [SPDXID, ...packages.map((one: { SPDXID: string }) => one.SPDXID)]
    expect(new Set(ids).size).toBe(components.length + 2)
    expect(ids.filter((id) => !/^SPDXRef-[A-Za-z\d.-]+$/.test(id))).toEqual([])
    for (const { spdxElementId, relatedSpdxElement } of relationships)
      expect(ids).toEqual(expect.arrayContaining([spdxElementId, relatedSpdxElement]))
  })
})

test('The provenance statement has the digest of every artefact, and the commit of a clean checkout', () => {
  const { _type, subject, predicateType, predicate } = json('.provenance.json')
  expect({ _type, predicateType }).toEqual({
    _type: 'https://in-toto.io/Statement/v1',
    predicateType: 'https://slsa.dev/provenance/v1',
  })
  const others = release.files.filter((name) => name !== 'SHA256SUMS' && !name.endsWith('.provenance.json'))
  const digests = subject.map(({ name, digest }: { name: string; digest: { sha256: string } }) => [name, digest.sha256])
  expect(Object.fromEntries(digests)).toEqual(
    Object.fromEntries(others.map((name) => [name, sha256(release.read(name))])),
  )
  const { resolvedDependencies, externalParameters } = predicate.buildDefinition
  expect(externalParameters.version).toBe(version)
  const source = resolvedDependencies.find(({ name }: { name: string }) => name === 'source')
  const isClean = run('git', '-C', root, 'status', '--porcelain') === ''
  const commit = run('git', '-C', root, 'rev-parse', 'HEAD').trim()
  expect(source).toEqual(isClean ? { name: 'source', digest: { gitCommit: commit } } : undefined)
})

testImage(() => release)
