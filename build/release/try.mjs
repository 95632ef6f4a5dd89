/**
 * Tries the artefacts of a folder as a user would: checks their checksums, installs each into a root of its own, runs
 * it, removes it, and checks that nothing is left. All must print the same version, and the same volumes of a new
 * sandbox.
 */
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { ownTarget } from '../executable/bun.mjs'
import { unpackImage } from './image-layout.mjs'
import { sha256 } from './provenance.mjs'

const exec = promisify(execFile)

/** Runs a program with only these variables, and returns its output. */
const run = (file, words, env = process.env) => exec(file, words, { env }).then(({ stdout }) => stdout)
const isRoot = () => process.getuid?.() === 0
const has = (program) =>
  run(program, ['--version']).then(
    () => true,
    () => false,
  )

/** Trials for artefacts whose names match. Each returns the reason why it was skipped; undefined if it was not. */
const trials = [
  { name: /\.tgz$/, attempt: tryNpm },
  { name: /\.tar\.gz$/, attempt: tryArchive },
  { name: /\.deb$/, attempt: tryDeb },
  { name: /\.rpm$/, attempt: tryRpm },
  { name: /-image\.tar$/, attempt: tryImage },
  { name: /^skyctl\.(rb|json)$/, attempt: tryFormula },
]

export async function tryRelease(out) {
  const folder = await mkdtemp(join(tmpdir(), 'skyctl-trial-'))
  try {
    const names = await checkSums(out)
    const npm = names.find((name) => name.endsWith('.tgz'))
    const prefix = join(folder, 'npm')
    const expected = await outputs([process.execPath, await installNpm(join(out, npm), prefix)], folder)
    for (const name of names) {
      const trial = trials.find((each) => each.name.test(name))
      if (!trial) continue
      const trialFolder = await mkdtemp(join(folder, 'trial-'))
      const reason = await trial.attempt({ file: join(out, name), name, out, folder: trialFolder, prefix, expected })
      console.log(`${reason ? 'NOT TRIED' : 'tried    '}  ${name}${reason ? `: ${reason}` : ''}`)
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Checks all checksums, and returns the names of the artefacts. */
async function checkSums(out) {
  const lines = (await readFile(join(out, 'SHA256SUMS'), 'utf8')).trimEnd().split('\n')
  const sums = new Map(lines.map((line) => line.split('  ').reverse()))
  for (const name of await readdir(out)) {
    if (name !== 'SHA256SUMS') assertSame(`sum of ${name}`, sha256(await readFile(join(out, name))), sums.get(name))
  }
  return [...sums.keys()]
}

function assertSame(what, value, expected) {
  if (value !== expected) throw new Error(`${what} is ${value}, and not ${expected}`)
}

/** Returns the output of skyctl in an environment with nothing but a folder for the sandbox. */
async function outputs([file, ...words], folder) {
  const state = await mkdtemp(join(folder, 'state-'))
  const env = { SKYCTL_CONFIG_DIR: state, SKYCTL_STATE_DIR: state }
  return {
    version: await run(file, [...words, '--version'], {}),
    volumes: await run(file, [...words, '--context', 'sandbox', 'volumes', 'list', '--json'], env),
  }
}

async function compare(argv, { name, folder, expected }) {
  const { version, volumes } = await outputs(argv, folder)
  assertSame(`--version of ${name}`, version, expected.version)
  assertSame(`volumes list of ${name}`, volumes, expected.volumes)
}

async function installNpm(tarball, prefix) {
  await run('npm', ['install', '--global', '--offline', '--ignore-scripts', '--prefix', prefix, tarball])
  return join(prefix, 'bin/skyctl')
}

/** Checks the npm package itself: its output is the expected one of all others. */
async function tryNpm({ prefix }) {
  await readFile(join(prefix, 'share/man/man1/skyctl.1'))
  await run('npm', ['uninstall', '--global', '--prefix', prefix, 'skyctl'])
  await nothingLeft(prefix)
}

async function tryArchive(trial) {
  if (!trial.name.endsWith(`-${ownTarget()}.tar.gz`)) return 'it is for another system'
  await run('tar', ['-xzf', trial.file, '-C', trial.folder])
  await readFile(join(trial.folder, 'LICENSES'))
  await compare([join(trial.folder, 'skyctl')], trial)
  trial.expected.executable = await sumOf(trial.folder)
}

async function tryDeb(trial) {
  if (!isRoot() || !(await has('dpkg'))) return 'it needs dpkg, and root for a root folder of its own'
  const root = join(trial.folder, 'root')
  await mkdir(join(root, 'var/lib/dpkg/info'), { recursive: true })
  await mkdir(join(root, 'var/lib/dpkg/updates'))
  // Debian's installed package must satisfy the dependency of the package.
  const libc = await run('dpkg-query', ['--status', 'libc6'])
  await lint(trial.file)
  await writeFile(join(root, 'var/lib/dpkg/status'), libc.replaceAll(/^(Depends|Pre-Depends|Recommends): .*\n/gm, ''))
  await run('dpkg', ['--root', root, '--install', trial.file])
  await checkInstalled(root, 'usr/share/zsh/vendor-completions/_skyctl', trial)
  await run('dpkg', ['--root', root, '--purge', 'skyctl'])
  await rm(join(root, 'var'), { recursive: true })
  await nothingLeft(root)
}

/** Properties of bun and its licences, and the maintainer's address, which receives no mail. */
const knownTags = [
  ...['unstripped-binary-or-object', 'embedded-library', 'hardening-no-pie', 'hardening-no-relro'],
  ...['copyright-file-contains-full-apache-2-license', 'old-fsf-address-in-copyright-file'],
  ...['bogus-mail-host', 'bogus-mail-host-in-debian-changelog'],
]

async function lint(file) {
  if (!(await has('lintian'))) return
  const words = ['--allow-root', '--fail-on', 'error,warning', '--suppress-tags', knownTags.join(), file]
  await run('lintian', words).catch(({ stdout }) => {
    throw new Error(stdout)
  })
}

async function tryRpm(trial) {
  if (!isRoot() || !(await has('rpm'))) return 'it needs rpm, and root for a root folder of its own'
  const root = join(trial.folder, 'root')
  await mkdir(root)
  const rpm = (...words) => run('rpm', ['--root', root, '--dbpath', '/rpmdb', ...words])
  await rpm('--initdb')
  // There is no glibc in this root.
  await rpm('--install', '--nodeps', trial.file)
  await rpm('--verify', '--nodeps', 'skyctl')
  await checkInstalled(root, 'usr/share/zsh/site-functions/_skyctl', trial)
  await rpm('--erase', 'skyctl')
  await rm(join(root, 'rpmdb'), { recursive: true })
  await nothingLeft(root)
}

/** Checks completions and man pages in the places that shells and man read. */
async function checkInstalled(root, zsh, trial) {
  const read = (path) => readFile(join(root, path))
  const bash = join(root, 'usr/share/bash-completion/completions/skyctl')
  await run('bash', ['-c', `source '${bash}' && complete -p skyctl`])
  for (const path of [zsh, 'usr/share/fish/vendor_completions.d/skyctl.fish']) await read(path)
  await read('usr/share/man/man1/skyctl-volumes.1.gz')
  await compare([join(root, 'usr/bin/skyctl')], trial)
  assertSame(`executable of ${trial.name}`, await sumOf(join(root, 'usr/bin')), trial.expected.executable)
}

/** Returns the checksum of an executable. Those of a release are the same file, so one test is enough. */
const sumOf = async (folder) => sha256(await readFile(join(folder, 'skyctl')))

async function nothingLeft(folder) {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => !entry.isDirectory()).map(({ name }) => name)
  if (files.length > 0) throw new Error(`these files are left: ${files.join(', ')}`)
}

/** Runs the image's root folder as a container: read-only, as the image's user, with /proc and no home. */
async function tryImage(trial) {
  const mayMount = await run('unshare', ['--mount', 'true']).catch(() => undefined)
  if (mayMount === undefined) return 'it needs root, and leave to mount'
  const { rootFolder, config } = await unpackImage(trial.file, trial.folder)
  assertSame(`executable of ${trial.name}`, await sumOf(join(rootFolder, 'usr/bin')), trial.expected.executable)
  const inside = (words, env) => runInside(rootFolder, { config, words, env })
  assertSame(`--version of ${trial.name}`, await inside(['--version'], {}), trial.expected.version)
  await withSandbox(trial, async (env) => {
    const volumes = await inside(['volumes', 'list', '--json'], env)
    assertSame(`volumes list of ${trial.name}`, volumes, trial.expected.volumes)
  })
}

async function runInside(rootFolder, { config, words, env }) {
  await mkdir(join(rootFolder, 'proc'), { recursive: true })
  const script = `
    mount --bind "$ROOT" "$ROOT" && mount --options remount,ro,bind "$ROOT" && mount --types proc proc "$ROOT/proc"
    program=$(command -v chroot) && user=$CONTAINER_USER root=$ROOT && unset ROOT CONTAINER_USER OLDPWD PWD
    exec "$program" --userspec="$user" "$root" "$@"`
  const argv = ['--mount', '--pid', '--fork', 'sh', '-ec', script, 'sh', ...config.Entrypoint, ...words]
  const path = { PATH: process.env.PATH, ROOT: rootFolder, CONTAINER_USER: config.User }
  return run('unshare', argv, { ...path, ...env })
}

/** Starts a new sandbox on loopback with the npm package: the container has no folder for its own. */
async function withSandbox({ out, folder }, use) {
  const npm = (await readdir(out)).find((name) => name.endsWith('.tgz'))
  const program = await installNpm(join(out, npm), join(folder, 'server'))
  const server = spawn(process.execPath, [program, 'sandbox', 'start', '--json'], {
    env: { SKYCTL_CONFIG_DIR: folder, SKYCTL_STATE_DIR: folder },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  try {
    const [line] = await once(server.stdout, 'data')
    const { base_url, token } = JSON.parse(line)
    await use({ SKYCTL_BASE_URL: base_url, SKYCTL_TOKEN: token })
  } finally {
    server.kill()
    await once(server, 'close')
  }
}

async function tryFormula({ file, out, name }) {
  const text = await readFile(file, 'utf8')
  const [, url = ''] = /"?url"?:? "([^"]+)"/.exec(text) ?? []
  const [, sum] = /"?(?:sha256|hash)"?:? "([^"]+)"/.exec(text) ?? []
  const tarball = url.slice(url.lastIndexOf('/') + 1)
  assertSame(`sum in ${name}`, sum, sha256(await readFile(join(out, tarball))))
  return 'its sum is right; brew and Scoop are not here'
}
