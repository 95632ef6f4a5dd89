/**
 * Builds all artefacts of a version into `release/`:
 *
 *     npm run release -- --dry-run            # for this machine's processor
 *     npm run release -- --dry-run --twice    # and fails if a second build has other bytes
 *     npm run release -- --try                # installs, runs and removes the artefacts in release/
 *
 * `--target windows-x64`, repeatable, or `--all` adds executables of other systems, which are not tried here.
 * `--base-url` is the address of the folder from which the formulas download. `--out` is another folder than `release/`.
 * `--prebuilt FOLDER` packs an executable and its licences without building anything.
 *
 * Publishing is the work of .github/workflows/release.yml: without `--dry-run` or `--try`, nothing happens.
 */
import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs, promisify } from 'node:util'
import manifest from '../package.json' with { type: 'json' }
import * as bun from './executable/bun.mjs'
import { gunzip, gzip, tar, withPlainModes } from './release/archive.mjs'
import { cycloneDx, spdx } from './release/bills.mjs'
import { deb } from './release/deb.mjs'
import { homebrewFormula, scoopManifest } from './release/formulas.mjs'
import { glibcVersion, image } from './release/image.mjs'
import { cleanCommit, provenance, sha256 } from './release/provenance.mjs'
import { missingForRpm, rpm } from './release/rpm.mjs'
import { tryRelease } from './release/try.mjs'

const run = promisify(execFile)
const root = join(import.meta.dirname, '..')
const own = bun.ownTarget()
/** To try the formulas: `python3 -m http.server` in release/ serves this address. */
const loopback = 'http://127.0.0.1:8000'
/** Names that packages have for the processors in bun's targets. */
const architectures = {
  x64: { debian: 'amd64', rpm: 'x86_64', go: 'amd64' },
  aarch64: { debian: 'arm64', rpm: 'aarch64', go: 'arm64' },
}
const { values: options } = parseArgs({
  options: {
    'dry-run': { type: 'boolean', default: false },
    twice: { type: 'boolean', default: false },
    try: { type: 'boolean', default: false },
    all: { type: 'boolean', default: false },
    target: { type: 'string', multiple: true, default: [] },
    prebuilt: { type: 'string' },
    'base-url': { type: 'string', default: loopback },
    maintainer: { type: 'string', default: 'the skyctl authors <skyctl@localhost>' },
    out: { type: 'string', default: join(root, 'release') },
  },
})

const folder = await mkdtemp(join(tmpdir(), 'skyctl-release-'))
try {
  if (!options['dry-run'] && !options.try) {
    throw new Error('Publishing is the work of .github/workflows/release.yml (docs/releasing.md). To build: --dry-run')
  }
  if (options['dry-run']) await dryRun(resolve(options.out))
  if (options.try) await tryRelease(resolve(options.out))
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
} finally {
  await rm(folder, { recursive: true, force: true })
}

async function dryRun(out) {
  await refuseOtherFiles(out)
  const { sums, artefacts, release } = await build(out, join(folder, 'first'))
  report(out, artefacts, release)
  if (!options.twice) return
  const { sums: secondSums } = await build(join(folder, 'again'), join(folder, 'second'))
  if (secondSums !== sums) throw new Error(`a second build differs:\n${differences(sums, secondSums)}`)
  console.log('A second build has the same bytes.')
}

async function refuseOtherFiles(out) {
  const present = await readdir(out).catch(() => [])
  if (present.length > 0 && !present.includes('SHA256SUMS'))
    throw new Error(`${out} has other files: name another --out`)
}

function differences(sums, again) {
  const others = again.split('\n')
  return sums
    .split('\n')
    .filter((line) => !others.includes(line))
    .join('\n')
}

/** Writes the artefacts to a folder. */
async function build(out, temporary) {
  await mkdir(temporary, { recursive: true })
  const release = await describe(temporary)
  const artefacts = [await npmTarball(temporary)]
  await makeExecutables(release, temporary)
  for (const target of release.targets) artefacts.push(await executableArchive(target, release))
  artefacts.push(...(await systemPackages(release)))
  artefacts.push(...formulas(artefacts[0], release), ...(await bills(release)))
  const { version, released } = manifest
  // Read by `skyctl version --check`.
  artefacts.push(json('release.json', { version, released }))
  artefacts.push(json(`skyctl-${release.version}-${own}.provenance.json`, await provenance(artefacts, release)))
  const sums = artefacts.map(({ name, data }) => `${sha256(data)}  ${name}\n`).join('')
  await write(out, [...artefacts, { name: 'SHA256SUMS', data: sums }])
  return { sums, artefacts, release }
}

async function describe(temporary) {
  const { version, description, released } = manifest
  const targets = options.all ? bun.targets : [...new Set([own, ...options.target])]
  const unknown = targets.find((target) => !bun.targets.includes(target))
  if (unknown) throw new Error(`no bun is known for ${unknown}; there is ${bun.targets.join(', ')}`)
  return {
    ...{ version, description, targets, temporary, maintainer: options.maintainer },
    architecture: architectures[own.split('-')[1]],
    seconds: Date.parse(`${released}T00:00:00Z`) / 1000,
    commit: await cleanCommit(),
    glibc: await glibcVersion(),
    /** Executables, in a folder for each target. */
    executables: join(temporary, 'executables'),
    /** Omitted artefacts, with the reason. */
    omitted: [],
  }
}

/** npm gives all files one time and one owner, but keeps their modes. */
async function npmTarball(temporary) {
  const words = ['pack', '--pack-destination', temporary, ...(options.prebuilt ? ['--ignore-scripts'] : [])]
  await run('npm', words, { cwd: root, shell: process.platform === 'win32' })
  const name = `skyctl-${manifest.version}.tgz`
  const archive = await gunzip(await readFile(join(temporary, name)))
  return { name, data: await gzip(withPlainModes(archive), 9) }
}

async function makeExecutables({ targets, executables }) {
  if (options.prebuilt) {
    for (const target of targets) await cp(options.prebuilt, join(executables, target), { recursive: true })
    return
  }
  const words = targets.flatMap((target) => ['--target', target])
  await run(process.execPath, [join(root, 'build/executable.mjs'), '--out', executables, ...words])
}

async function executableArchive(target, { version, executables, seconds }) {
  const names = (await readdir(join(executables, target))).sort()
  const files = names.map(async (name) => ({
    path: name,
    data: await readFile(join(executables, target, name)),
    mode: name === 'LICENSES' ? 0o644 : 0o755,
  }))
  return {
    name: `skyctl-${version}-${target}.tar.gz`,
    data: await gzip(tar(await Promise.all(files), seconds)),
  }
}

async function systemPackages(release) {
  const folder = join(release.executables, own)
  if (!own.startsWith('linux-') || own.endsWith('-musl')) {
    release.omitted.push(`.deb, .rpm and image: they are made on Linux with glibc, and this is ${own}`)
    return []
  }
  const packages = [await deb(folder, release)]
  const withoutRpm = await missingForRpm()
  if (withoutRpm) release.omitted.push(`.rpm: ${withoutRpm}`)
  else packages.push(await rpm(folder, release))
  if (release.glibc) packages.push(await image(folder, { ...release, target: own }))
  else release.omitted.push('image: it takes glibc from Debian, and dpkg knows no libc6 here')
  return packages
}

function formulas({ name, data }, { version, description }) {
  const url = `${options['base-url'].replace(/\/$/, '')}/${name}`
  const tarball = { url, sha256: sha256(data), version, description }
  return [
    { name: 'skyctl.rb', data: Buffer.from(homebrewFormula(tarball)) },
    { name: 'skyctl.json', data: Buffer.from(scoopManifest(tarball)) },
  ]
}

async function bills(release) {
  const bill = cycloneDx(JSON.parse(await readFile(join(root, 'sbom.cdx.json'), 'utf8')), release)
  return [
    json(`skyctl-${release.version}-${own}.cdx.json`, bill),
    json(`skyctl-${release.version}-${own}.spdx.json`, spdx(bill, release)),
  ]
}

function json(name, value) {
  return { name, data: Buffer.from(`${JSON.stringify(value, null, 1)}\n`) }
}

/** Replaces everything in the folder, so that no artefact of another version stays in it. */
async function write(out, artefacts) {
  await rm(out, { recursive: true, force: true })
  await mkdir(out, { recursive: true })
  for (const { name, data } of artefacts) await writeFile(join(out, name), data)
}

function report(out, artefacts, { targets, omitted, commit }) {
  for (const { name, data } of artefacts) console.log(`${(data.length / 1e6).toFixed(1).padStart(6)} MB  ${name}`)
  const untested = targets.filter((target) => target !== own)
  if (untested.length > 0) console.log(`UNTESTED, of other systems: ${untested.join(', ')}`)
  for (const reason of omitted) console.log(`LEFT OUT: ${reason}`)
  if (!commit) console.log('The checkout has changes: the provenance names no commit.')
  if (options['base-url'] === loopback)
    console.log(`The formulas download from ${loopback}: set --base-url to publish.`)
  console.log(`${artefacts.length} artefacts and SHA256SUMS in ${out}`)
}
