/**
 * Two versions of skyctl use each other's files, in both directions and alternately in one home. `node
 * bench/versions.mjs --before REF`; `--after REF` instead of this working tree; `--only journal` for a part. Prints the
 * outcome for each kind of file, and fails if a version crashes, loses something without a message, or acts on the
 * account of another user.
 *
 * `--keep test/files-of-VERSION` writes the files of this version that test/compatibility.test.ts reads, before a
 * release; `--kept FOLDER` uses such files with the build of this working tree.
 */
import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { parseArgs } from 'node:util'
import { keptAddress, kinds, shortLived } from './versions/kinds.mjs'
import { Outcome, openStage } from './versions/stage.mjs'

const root = join(import.meta.dirname, '..')
const text = { type: 'string' }
const { values: flags } = parseArgs({ options: { before: text, after: text, only: text, keep: text, kept: text } })
/** Folders of a home whose files are kept. */
const parts = ['config', 'state', 'files']
const temporary = mkdtempSync(join(tmpdir(), 'skyctl-versions-'))
try {
  process.exitCode = await (flags.keep ? keep(flags.keep) : flags.kept ? useKept(flags.kept) : campaign())
} finally {
  rmSync(temporary, { recursive: true, force: true, maxRetries: 5 })
}

async function campaign() {
  const ref = flags.before ?? olderVersion()
  if (ref === undefined) {
    console.error('No tag v* and no commit with another version: name the older one with --before')
    return 2
  }
  const before = buildVersion('before', ref)
  const after = buildVersion('after', flags.after)
  const directions = [
    ['newer reads older', before, after],
    ['older reads newer', after, before],
  ]
  return report(async function* () {
    for (const [name, kind] of chosenKinds()) {
      for (const [direction, writer, reader] of directions) {
        const stage = await openStage({ writer, reader, folder: mkdtempSync(join(temporary, 'home-')) })
        yield [name, direction, await outcomeOf(stage, async () => kind.use(stage, await kind.write(stage)))]
      }
    }
  })
}

function chosenKinds() {
  return Object.entries(kinds).filter(([name]) => !flags.only || name.includes(flags.only))
}

/** Prints the rows, and returns the exit code. */
async function report(rows) {
  let faults = 0
  let count = 0
  for await (const row of rows()) {
    console.log(row.join(' | '))
    count += 1
    if (row[2].startsWith('FAULT')) faults += 1
  }
  console.log(`${count} tried, ${faults} faults`)
  return faults > 0 || count === 0 ? 1 : 0
}

/** Writes with one version, then uses the files with the other, and with the first again. */
async function outcomeOf(stage, work) {
  try {
    return (await work()) ?? 'works'
  } catch (error) {
    if (error instanceof Outcome) return error.message
    throw error
  } finally {
    await stage.close()
  }
}

/** Returns the newest release, or the newest commit with another version. */
function olderVersion() {
  const [tag] = git('tag', '--list', 'v*', '--sort=-v:refname').split('\n')
  if (tag) return tag
  const versionAt = (ref) => JSON.parse(git('show', `${ref}:package.json`)).version
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  return git('log', '--format=%h', '--', 'package.json')
    .split('\n')
    .find((ref) => versionAt(ref) !== version)
}

function git(...words) {
  return execFileSync('git', words, { cwd: root, encoding: 'utf8' }).trim()
}

/** Builds a version in a folder of its own, or the working tree if there is no reference. Returns its launcher. */
function buildVersion(name, ref) {
  const folder = ref === undefined ? root : join(temporary, name)
  if (ref !== undefined) {
    mkdirSync(folder)
    execFileSync('tar', ['-x', '-C', folder], {
      input: execFileSync('git', ['archive', ref], { cwd: root, maxBuffer: 2 ** 30 }),
    })
    // Hard links: a symbolic link would lead the build out of the folder.
    execFileSync('cp', ['-al', join(root, 'node_modules'), join(folder, 'node_modules')])
  }
  execFileSync(process.execPath, ['build/build.mjs'], { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] })
  return { name, launcher: join(folder, 'bin/skyctl.js') }
}

/** Writes all kinds of files with this version, in one home, for the tests of later versions. */
async function keep(target) {
  const version = buildVersion('after', flags.after)
  const stage = await openStage({ writer: version, reader: version, folder: join(temporary, 'home'), sandbox: true })
  try {
    const written = {}
    for (const [name, { write }] of Object.entries(kinds))
      if (!shortLived.includes(name)) written[name] = (await write(stage)) ?? null
    rmSync(target, { recursive: true, force: true })
    for (const part of parts) cpSync(join(stage.folder, part), join(target, part), { recursive: true })
    for (const name of readdirSync(target, { recursive: true })) {
      if (/^state.(locks|users)|\.lock$/.test(name)) rmSync(join(target, name), { recursive: true, force: true })
    }
    writeFileSync(join(target, 'written.json'), `${JSON.stringify(written, null, 2)}\n`)
    for (const name of readdirSync(target, { recursive: true })) withoutMachine(join(target, name), stage)
    return 0
  } finally {
    await stage.close()
  }
}

/** Replaces ports, paths and process ids of this machine. */
function withoutMachine(path, { folder }) {
  if (statSync(path).isDirectory()) return
  const before = readFileSync(path, 'utf8')
  const after = before
    .replaceAll(/http:\/\/127\.0\.0\.1:\d+\/v4/g, keptAddress)
    .replaceAll(folder, '/home/user')
    .replaceAll(/\{"pid":[^}]*\}/g, '{"pid":5000000,"host":"host"}')
  if (after !== before) writeFileSync(path, after)
}

/** Uses kept files, each kind in a home of its own. */
function useKept(source) {
  const version = { name: 'this', launcher: join(root, 'bin/skyctl.js') }
  const written = JSON.parse(readFileSync(join(source, 'written.json'), 'utf8'))
  let compiled
  return report(async function* () {
    for (const [name, kind] of chosenKinds()) {
      if (!(name in written)) continue
      const folder = mkdtempSync(join(temporary, 'home-'))
      const code = join(folder, 'cache/skyctl/code')
      // The version compiles itself once instead of in each home: that is half of the CPU time of most commands.
      if (compiled) cpSync(compiled, code, { recursive: true })
      compiled = code
      for (const part of parts) copyPrivately(join(source, part), join(folder, part))
      const stage = await openStage({ writer: version, reader: version, folder, sandbox: true })
      yield [name, source, await outcomeOf(stage, async () => kind.use(stage, written[name]))]
    }
  })
}

/** Copies files with skyctl's modes, which git does not keep. Their processes have ended, on this machine. */
function copyPrivately(source, target) {
  cpSync(source, target, { recursive: true })
  for (const name of ['.', ...readdirSync(target, { recursive: true })]) {
    const path = join(target, name)
    const isFile = !statSync(path).isDirectory()
    chmodSync(path, isFile && !name.endsWith('.sh') ? 0o600 : 0o700)
    if (/watches.\w+\.ndjson$/.test(name))
      writeFileSync(
        path,
        readFileSync(path, 'utf8').replaceAll('{"pid":5000000,"host":"host"}', JSON.stringify(endedProcess())),
      )
  }
}

/** Returns a process of this machine that has ended: the kernel has no ids above 4 million. */
function endedProcess() {
  const linux = () => ({
    boot: readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim(),
    pids: readlinkSync('/proc/self/ns/pid'),
  })
  return { pid: 5_000_000, host: hostname(), ...(process.platform === 'linux' && linux()) }
}
