/** The scripts of action.yml and docs/ci/gitlab.yml, with a release served on loopback. */
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { test as base, describe, expect } from 'vitest'
import { parse } from 'yaml'
import { listening } from '../support/listening'
import { type ProcessResult, root, runProgram } from './support'

const read = (path: string) => parse(readFileSync(join(root, path), 'utf8'))
const action = read('action.yml')
const [gitlabScript] = read('docs/ci/gitlab.yml')['.setup-skyctl'].before_script

const version = '1.2.3'
const fileFor = (target: string) => `skyctl-${version}-${target}.tar.gz`

interface Fixtures {
  folder: string
  /** Serves archives with a program that prints the version, until `stop` makes the rest of the test offline. */
  releases: {
    url: string
    requests: string[]
    sums: Record<string, string>
    /** Answers the next requests only when there are so many. */
    holdUntil(count: number): void
    stop(): void
  }
  /** Runs the action's steps on a runner, then `skyctl` from the PATH of the next step. */
  useAction(inputs?: Record<string, string>, runner?: Record<string, string>): Promise<ProcessResult>
  useGitlab(variables?: Record<string, string>): Promise<ProcessResult>
}

async function run(script: string, { cwd, env }: { cwd: string; env: Record<string, string> }): Promise<ProcessResult> {
  const child = spawn('bash', ['--noprofile', '--norc', '-eo', 'pipefail', '-c', script], { cwd, env })
  const exit = new Promise<number | null>((resolve) => child.once('close', resolve))
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)])
  return { exit: await exit, stdout, stderr }
}

/** Writes an archive for each target, and returns their checksums by name. */
function makeArchives(folder: string): Record<string, string> {
  const sums: Record<string, string> = {}
  for (const target of ['linux-x64', 'linux-x64-musl', 'linux-aarch64', 'darwin-aarch64']) {
    const program = join(folder, 'skyctl')
    writeFileSync(program, `#!/bin/sh\necho ${version} for ${target}\n`, { mode: 0o755 })
    const archive = join(folder, fileFor(target))
    expect(runProgram(['tar', '-czf', archive, '-C', folder, 'skyctl'])).toMatchObject({ exit: 0 })
    sums[fileFor(target)] = createHash('sha256').update(readFileSync(archive)).digest('hex')
  }
  return sums
}

/** Target of the machine that runs the tests. */
const here = `linux-${process.arch === 'arm64' ? 'aarch64' : 'x64'}`

const test = base.extend<Fixtures>({
  // biome-ignore lint/correctness/noEmptyPattern: vitest reads which fixtures are wanted from the pattern
  folder: async ({}, use) => {
    const folder = mkdtempSync(join(tmpdir(), 'skyctl-setup-'))
    for (const name of ['served', 'job', 'tools', 'temp']) mkdirSync(join(folder, name))
    await use(folder)
    rmSync(folder, { recursive: true, force: true })
  },
  releases: async ({ folder }, use) => {
    const served = join(folder, 'served')
    const sums = makeArchives(served)
    const requests: string[] = []
    const waiting: (() => void)[] = []
    let fewest = 0
    const server = createServer(({ url = '' }, response) => {
      requests.push(url)
      const file = join(served, url)
      waiting.push(() => (existsSync(file) ? response.end(readFileSync(file)) : response.writeHead(404).end()))
      if (waiting.length >= fewest) for (const answer of waiting.splice(0)) answer()
    })
    const { origin, close } = await listening(server)
    const holdUntil = (count: number) => {
      fewest = count
    }
    await use({ url: origin, requests, sums, holdUntil, stop: () => void server.close() })
    await close()
  },
  useAction: async ({ folder, releases }, use) =>
    use(async (inputs = {}, runner = {}) => {
      const sha256 = releases.sums[fileFor('linux-x64')] ?? ''
      const values: Record<string, string> = { version, 'base-url': releases.url, sha256, ...inputs }
      const [step] = action.runs.steps
      const inputVariables = Object.entries<string>(step.env).map(([name, value]) => [
        name,
        value.replace(/\$\{\{ inputs\.(\S+) }}/, (_, input) => values[input] ?? ''),
      ])
      const paths = runner.GITHUB_PATH ?? join(folder, 'github-path')
      writeFileSync(paths, '')
      const env = {
        ...{ PATH: process.env.PATH ?? '', HOME: folder, GITHUB_ACTION_PATH: root, GITHUB_PATH: paths },
        ...{ RUNNER_OS: 'Linux', RUNNER_ARCH: 'X64' },
        ...{ RUNNER_TEMP: join(folder, 'temp'), RUNNER_TOOL_CACHE: join(folder, 'tools'), ...runner },
      }
      const setup = await run(step.run, {
        cwd: join(folder, 'job'),
        env: { ...env, ...Object.fromEntries(inputVariables) },
      })
      if (setup.exit !== 0) return setup
      const path = [...readFileSync(paths, 'utf8').split('\n').filter(Boolean), env.PATH].join(':')
      return run('skyctl --version', { cwd: join(folder, 'job'), env: { ...env, PATH: path } })
    }),
  useGitlab: async ({ folder, releases }, use) =>
    use((variables = {}) =>
      run(`${gitlabScript}\nskyctl --version`, {
        cwd: join(folder, 'job'),
        env: {
          ...{ PATH: process.env.PATH ?? '', CLOUD_CLI_VERSION: version, CLOUD_CLI_URL: releases.url },
          ...{ CLOUD_CLI_SHA256: releases.sums[fileFor(here)] ?? '', ...variables },
        },
      }),
    ),
})

const wrongSum = '0'.repeat(64)

describe('The action setup-skyctl', () => {
  test('puts the version with the given checksum on the PATH of later steps', async ({ useAction, releases }) => {
    expect(await useAction()).toEqual({ exit: 0, stdout: `${version} for linux-x64\n`, stderr: '' })
    expect(releases.requests).toEqual([`/${fileFor('linux-x64')}`])
  })

  test.for([
    ['Linux', 'ARM64', 'linux-aarch64'],
    ['macOS', 'ARM64', 'darwin-aarch64'],
  ])(
    'takes the line for %s on %s from the content of SHA256SUMS',
    async ([os, arch, target], { useAction, releases }) => {
      const sha256 = Object.entries(releases.sums)
        .map(([name, sum]) => `${sum}  ${name}\n`)
        .join('')
      const runner = { RUNNER_OS: os ?? '', RUNNER_ARCH: arch ?? '' }
      expect(await useAction({ sha256 }, runner)).toMatchObject({ exit: 0, stdout: `${version} for ${target}\n` })
    },
  )

  test('rejects an archive with another checksum, and deletes it', async ({ useAction, folder, releases }) => {
    const actual = releases.sums[fileFor('linux-x64')]
    expect(await useAction({ sha256: wrongSum })).toEqual({
      exit: 1,
      stdout: '',
      stderr: `setup-skyctl: the checksum of ${fileFor('linux-x64')} is ${actual} instead of ${wrongSum}\n`,
    })
    expect([readdirSync(join(folder, 'tools')), readdirSync(join(folder, 'temp'))]).toEqual([[], []])
    expect(readFileSync(join(folder, 'github-path'), 'utf8')).toBe('')
  })

  test.for<[what: string, text: (sum: string) => string]>([
    ['ends with a line feed', (sum) => `${sum}\n`],
    ['is in capitals', (sum) => sum.toUpperCase()],
    ['has line ends of Windows', (sum) => `${sum}  ${fileFor('linux-x64')}\r\n`],
    ['is of a binary file', (sum) => `${sum.toUpperCase()} *${fileFor('linux-x64')}\n`],
  ])('accepts a checksum that %s', async ([, text], { useAction, releases }) => {
    const sha256 = text(releases.sums[fileFor('linux-x64')] ?? '')
    expect(await useAction({ sha256 })).toMatchObject({ exit: 0, stdout: `${version} for linux-x64\n` })
  })

  test('works with backslashes and a drive letter in paths', async ({ useAction, folder, releases }) => {
    const runner = { RUNNER_TEMP: join(folder, 'te\\mp\\a'), RUNNER_TOOL_CACHE: 'D:\\tools' }
    const success = { exit: 0, stdout: `${version} for linux-x64\n`, stderr: '' }
    expect(await useAction({}, runner)).toEqual(success)
    expect(readdirSync(join(folder, 'job', 'D:\\tools', 'skyctl', version))).toEqual([fileFor('linux-x64')])
    releases.stop()
    expect(await useAction({}, runner)).toEqual(success)
  })

  test('fills one tool cache from three jobs at once', async ({ useAction, folder, releases }) => {
    releases.holdUntil(3)
    const jobs = [1, 2, 3].map((job) => {
      const [temp, paths] = [join(folder, `temp-${job}`), join(folder, `github-path-${job}`)]
      return useAction({}, { RUNNER_TEMP: temp, GITHUB_PATH: paths })
    })
    const success = { exit: 0, stdout: `${version} for linux-x64\n`, stderr: '' }
    expect(await Promise.all(jobs)).toEqual([success, success, success])
    expect(readdirSync(join(folder, 'tools/skyctl', version))).toEqual([fileFor('linux-x64')])
  })

  test('needs no network if the tool cache has the archive', async ({ useAction, releases }) => {
    await useAction()
    releases.stop()
    expect(await useAction()).toMatchObject({ exit: 0, stdout: `${version} for linux-x64\n` })
    expect(releases.requests).toHaveLength(1)
  })

  test('replaces a changed archive in the tool cache, and fails without a network', async ({
    useAction,
    folder,
    releases,
  }) => {
    const cached = join(folder, 'tools/skyctl', version, fileFor('linux-x64'))
    const success = { exit: 0, stdout: `${version} for linux-x64\n`, stderr: '' }
    expect(await useAction()).toEqual(success)
    writeFileSync(cached, 'something else')
    expect(await useAction()).toEqual(success)
    writeFileSync(cached, 'something else')
    releases.stop()
    expect(await useAction()).toMatchObject({
      exit: 1,
      stdout: '',
      stderr: expect.stringContaining(`the tool cache has no ${fileFor('linux-x64')} with this checksum`),
    })
  })

  test.for([
    [{}, { RUNNER_OS: 'Windows', RUNNER_ARCH: 'ARM64' }, 'there is no skyctl for Windows on ARM64'],
    [{ version: '../../evil' }, {}, '"../../evil" is not a version, such as 0.1.0'],
    [{ version: '' }, {}, '"" is not a version, such as 0.1.0'],
    [{ sha256: `${wrongSum}  other.tar.gz` }, {}, `the checksums have no line for ${fileFor('linux-x64')}`],
    [{ sha256: '' }, {}, `the checksums have no line for ${fileFor('linux-x64')}`],
  ] as const)(
    'rejects invalid inputs before any download: %j on %j',
    async ([inputs, runner, message], { useAction, releases }) => {
      expect(await useAction(inputs, runner)).toEqual({ exit: 1, stdout: '', stderr: `setup-skyctl: ${message}\n` })
      expect(releases.requests).toEqual([])
    },
  )

  test('reports the address of a failed download', async ({ useAction, releases }) => {
    expect(await useAction({ 'base-url': `${releases.url}/nowhere/` })).toMatchObject({
      exit: 1,
      stderr: expect.stringContaining(`it could not be downloaded from ${releases.url}/nowhere/`),
    })
  })
})

describe.runIf(process.platform === 'linux')('The include for GitLab', () => {
  test('puts the version with the given checksum on the PATH of the job', async ({ useGitlab, releases }) => {
    expect(await useGitlab()).toEqual({ exit: 0, stdout: `${version} for ${here}\n`, stderr: '' })
    expect(releases.requests).toEqual([`/${fileFor(here)}`])
  })

  test('accepts a checksum in capitals that ends with a line feed', async ({ useGitlab, releases }) => {
    const sum = releases.sums[fileFor(here)] ?? ''
    expect(await useGitlab({ CLOUD_CLI_SHA256: `${sum.toUpperCase()}\n` })).toMatchObject({ exit: 0 })
  })

  test('takes its line from the content of SHA256SUMS, and reports that there is none', async ({
    useGitlab,
    releases,
  }) => {
    const sums = Object.entries(releases.sums).map(([file, sum]) => `${sum}  ${file}\n`)
    expect(await useGitlab({ CLOUD_CLI_SHA256: sums.join('') })).toMatchObject({ exit: 0 })
    const others = sums.filter((line) => !line.includes(fileFor(here)))
    expect(await useGitlab({ CLOUD_CLI_SHA256: others.join('') })).toEqual({
      exit: 1,
      stdout: '',
      stderr: `The checksums have no line for ${fileFor(here)}.\n`,
    })
  })

  test('rejects an archive with another checksum, and deletes it', async ({ useGitlab, folder }) => {
    const { exit, stderr } = await useGitlab({ CLOUD_CLI_SHA256: wrongSum })
    expect({ exit, stderr }).toEqual({ exit: 1, stderr: expect.stringMatching(/checksum did NOT match/) })
    expect(readdirSync(join(folder, 'job/.skyctl'))).toEqual([])
  })

  test('needs no network if the cache of the job has the archive', async ({ useGitlab, releases }) => {
    await useGitlab()
    releases.stop()
    expect(await useGitlab()).toMatchObject({ exit: 0, stdout: `${version} for ${here}\n` })
  })
})
