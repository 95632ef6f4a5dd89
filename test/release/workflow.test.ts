/** .github/workflows/release.yml, which runs on tags only: its structure and its scripts. */
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import runtimes from '../../build/executable/runtimes.json'
import { version } from '../../package.json'
import { type ProcessResult, root, runProgram } from './support'

interface Step {
  run?: string
  uses?: string
}

interface Job {
  needs?: string | string[]
  permissions?: Record<string, string>
  environment?: string
  strategy?: { matrix: { include: Record<string, string>[] } }
  steps: Step[]
}

const read = (path: string) => readFileSync(join(root, path), 'utf8')
const workflow: { on: object; permissions: object; jobs: Record<string, Job> } = parse(
  read('.github/workflows/release.yml'),
)
const jobs = Object.values(workflow.jobs)
const steps: Step[] = [...jobs.flatMap((job) => job.steps), ...parse(read('action.yml')).runs.steps]
const rowsOf = (job: string) => workflow.jobs[job]?.strategy?.matrix.include ?? []

describe('The release workflow', () => {
  test('runs on version tags only, with read permissions except in two jobs', () => {
    expect({ on: workflow.on, permissions: workflow.permissions }).toEqual({
      on: { push: { tags: ['v*'] } },
      permissions: { contents: 'read' },
    })
    const writing = jobs.filter(({ permissions = {} }) => Object.values(permissions).includes('write'))
    expect(writing.map(({ environment }) => environment)).toEqual(['release', 'release'])
  })

  test('needs existing jobs, and publishes only after build and trial', () => {
    const needs = jobs.flatMap(({ needs = [] }) => needs)
    expect(needs.filter((name) => !(name in workflow.jobs))).toEqual([])
    expect(workflow.jobs.publish?.needs).toEqual(['build', 'try'])
    expect(workflow.jobs.npm?.needs).toBe('publish')
  })

  test('runs scripts that exist and are executable', () => {
    const scripts = steps.flatMap(({ run = '' }) => run.match(/build\/[\w./-]+/g) ?? [])
    expect(new Set(scripts).size).toBeGreaterThanOrEqual(7)
    expect(scripts.filter((path) => (statSync(join(root, path)).mode & 0o100) === 0)).toEqual([])
    const present = readdirSync(join(root, 'build/release')).filter((name) => name.endsWith('.sh'))
    expect(present.filter((name) => !scripts.includes(`build/release/${name}`))).toEqual([])
  })

  test('inserts nothing into a script that comes from a tag or an input', () => {
    const inserted = steps.flatMap(({ run = '' }) => run.match(/\$\{\{.*?}}/g) ?? [])
    expect(inserted.filter((text) => !/^\$\{\{ matrix\.\w+ }}$/.test(text))).toEqual([])
  })

  test('uses actions with a version', () => {
    const uses = steps.flatMap(({ uses = [] }) => uses)
    expect(uses.length).toBeGreaterThan(5)
    expect(uses.filter((action) => !/^actions\/[\w-]+@(v\d+|[\da-f]{40})$/.test(action))).toEqual([])
  })

  test('tries every executable on its own system', () => {
    const built = rowsOf('build').flatMap(({ name, more = '' }) => [
      `linux-${name}`,
      ...more.split(' ').filter(Boolean),
    ])
    expect(built.filter((target) => !(target in runtimes.integrity))).toEqual([])
    const tried = rowsOf('try').map(({ file }) => /^skyctl-\*-(.*)\.tar\.gz$/.exec(file ?? '')?.[1])
    expect(tried.filter((target) => target !== undefined).sort()).toEqual(built.sort())
    const kinds = rowsOf('try').map(({ file = '' }) => file)
    const packages = ['_amd64.deb', '_arm64.deb', '.x86_64.rpm', '.aarch64.rpm', '.tgz']
    for (const kind of [...packages, '-image.tar', '.rb', '.json'])
      expect(kinds.filter((file) => file.endsWith(kind)).length, kind).toBeGreaterThan(0)
  })
})

test.each(readdirSync(join(root, 'build/release')).filter((name) => name.endsWith('.sh')))(
  'The script is valid for sh: %s',
  (name) => {
    expect(runProgram(['sh', '-n', join(root, 'build/release', name)])).toEqual({ exit: 0, stdout: '', stderr: '' })
  },
)

interface Scripts {
  folder: string
  /** Runs a script with replacement programs that only record their calls. */
  script(words: readonly string[], cwd?: string): ProcessResult
  calls(): string[]
  /** Writes files and their checksums to a new folder. */
  place(name: string, files: Record<string, string>): string
}

const scriptTest = test.extend<Scripts>({
  // biome-ignore lint/correctness/noEmptyPattern: vitest reads which fixtures are wanted from the pattern
  folder: async ({}, use) => {
    const folder = mkdtempSync(join(tmpdir(), 'skyctl-scripts-'))
    await use(folder)
    rmSync(folder, { recursive: true, force: true })
  },
  script: async ({ folder }, use) => {
    const programs = join(folder, 'programs')
    mkdirSync(programs)
    const answers: Record<string, string> = {
      npm: `[ ! -e '${folder}/no-npm' ]`,
      skopeo: `[ "$1" = copy ] || cat '${folder}/digest'`,
    }
    for (const name of ['gh', 'skopeo', 'docker', 'npm']) {
      const answer = answers[name] ?? ''
      writeFileSync(join(programs, name), `#!/bin/sh\necho "${name} $*" >> '${folder}/calls'\n${answer}\n`)
      chmodSync(join(programs, name), 0o755)
    }
    await use(([name = '', ...words], cwd = root) =>
      runProgram([join(root, 'build/release', name), ...words], {
        cwd,
        env: { PATH: `${programs}:${process.env.PATH}`, HOME: folder },
      }),
    )
  },
  calls: async ({ folder }, use) =>
    use(() => readFileSync(join(folder, 'calls'), 'utf8').replaceAll(folder, '').trimEnd().split('\n')),
  place: async ({ folder }, use) =>
    use((name, files) => {
      const path = join(folder, name)
      mkdirSync(path)
      for (const [file, text] of Object.entries(files)) writeFileSync(join(path, file), text)
      expect(runProgram(['sh', '-c', 'sha256sum -- * > .sums && mv .sums SHA256SUMS'], { cwd: path }).exit).toBe(0)
      return path
    }),
})

describe('A script of the workflow:', () => {
  scriptTest('build.sh builds only the version of the tag', ({ script, folder }) => {
    expect(script(['build.sh', 'v9.9.9', 'https://releases.test', 'Ops <ops@example.net>'])).toEqual({
      exit: 1,
      stdout: '',
      stderr: `The tag is v9.9.9, and package.json has version ${version}.\n`,
    })
    expect(readdirSync(folder)).toEqual(['programs'])
  })

  scriptTest('build.sh builds each target twice, and then tries the artefacts', ({ script, calls }) => {
    const words = ['build.sh', `v${version}`, 'https://releases.test', 'Ops <ops@example.net>']
    words.push('linux-x64-musl', 'windows-x64')
    expect(script(words)).toMatchObject({ exit: 0 })
    expect(calls()).toEqual([
      'npm ci',
      'npm run release -- --dry-run --twice --base-url https://releases.test --maintainer Ops <ops@example.net> --target linux-x64-musl --target windows-x64',
      'npm run release -- --try',
    ])
  })

  scriptTest('join.sh joins folders, and writes checksums of all files', ({ script, folder, place }) => {
    const from = [place('one', { a: '1', both: '2' }), place('other', { b: '3', both: '2' })]
    expect(script(['join.sh', join(folder, 'to'), ...from])).toEqual({ exit: 0, stdout: '', stderr: '' })
    expect(readdirSync(join(folder, 'to')).sort()).toEqual(['SHA256SUMS', 'a', 'b', 'both'])
    expect(runProgram(['sha256sum', '--check', 'SHA256SUMS'], { cwd: join(folder, 'to') })).toMatchObject({
      exit: 0,
      stdout: 'a: OK\nb: OK\nboth: OK\n',
    })
  })

  scriptTest('join.sh rejects a file that differs between two machines', ({ script, folder, place }) => {
    const from = [place('one', { both: '1' }), place('other', { both: '2' })]
    expect(script(['join.sh', join(folder, 'to'), ...from])).toEqual({
      exit: 1,
      stdout: '',
      stderr: 'both differs between machines\n',
    })
  })

  scriptTest('join.sh rejects a file that was changed after the build', ({ script, folder, place }) => {
    const from = place('one', { a: '1' })
    writeFileSync(join(from, 'a'), '2')
    expect(script(['join.sh', join(folder, 'to'), from])).toMatchObject({ exit: 1, stdout: 'a: FAILED\n' })
  })

  scriptTest(
    'publish-release.sh publishes all files with the notes of the version',
    ({ script, folder, place, calls }) => {
      place('cwd', {
        'CHANGELOG.md': '# Changelog\n\n## [Unreleased]\n\n- later\n\n## [1.2.3] - x\n\n- new\n\n## [1.2.2]\n\n- old\n',
      })
      const files = place('files', { a: '1' })
      expect(script(['publish-release.sh', 'v1.2.3', files], join(folder, 'cwd'))).toMatchObject({
        exit: 0,
        stderr: '',
      })
      expect(calls().join('\n')).toBe(
        'gh release create v1.2.3 --verify-tag --title v1.2.3 --notes \n- new /files/SHA256SUMS /files/a',
      )
    },
  )

  scriptTest('publish-release.sh rejects a version without notes', ({ script, folder, place }) => {
    place('cwd', { 'CHANGELOG.md': '## [Unreleased]\n\n- later\n' })
    expect(script(['publish-release.sh', 'v1.2.3', folder], join(folder, 'cwd'))).toEqual({
      exit: 1,
      stdout: '',
      stderr: 'CHANGELOG.md has no section [1.2.3].\n',
    })
  })

  scriptTest(
    'publish-image.sh pushes each image and their index, and prints its digest',
    ({ script, folder, place, calls }) => {
      const files = place('files', {
        'skyctl-1.2.3-linux-aarch64-image.tar': '',
        'skyctl-1.2.3-linux-x64-image.tar': '',
      })
      writeFileSync(join(folder, 'digest'), 'sha256:abc')
      expect(script(['publish-image.sh', 'registry.test/Team/Skyctl', '1.2.3', files])).toEqual({
        exit: 0,
        stdout: 'name=registry.test/team/skyctl\ndigest=sha256:abc\n',
        stderr: '',
      })
      const image = 'registry.test/team/skyctl:1.2.3'
      const copy = (target: string) =>
        `skopeo copy --preserve-digests oci-archive:/files/skyctl-1.2.3-${target}-image.tar docker://${image}-${target}`
      expect(calls()).toEqual([
        copy('linux-aarch64'),
        copy('linux-x64'),
        `docker buildx imagetools create --tag ${image} ${image}-linux-aarch64 ${image}-linux-x64`,
        `skopeo inspect --format {{.Digest}} docker://${image}`,
      ])
    },
  )

  scriptTest('publish-image.sh fails if the registry has no digest of the index', ({ script, place }) => {
    const files = place('files', { 'skyctl-1.2.3-linux-x64-image.tar': '' })
    expect(script(['publish-image.sh', 'registry.test/skyctl', '1.2.3', files])).toMatchObject({ exit: 1, stdout: '' })
  })

  scriptTest('publish-npm.sh publishes the tarball with its provenance', ({ script, place, calls }) => {
    const files = place('files', { 'skyctl-1.2.3.tgz': '', 'skyctl-1.2.3-linux-x64.tar.gz': '' })
    expect(script(['publish-npm.sh', 'https://npm.test', files])).toMatchObject({ exit: 0, stderr: '' })
    expect(calls()).toEqual([
      'npm publish /files/skyctl-1.2.3.tgz --provenance --access public --registry https://npm.test',
    ])
  })

  scriptTest('try-on-system.sh fails for an archive with another version', ({ script, place, folder }) => {
    const files = place('files', { skyctl: '#!/bin/sh\necho 1.2.2\n' })
    chmodSync(join(files, 'skyctl'), 0o755)
    const archive = join(folder, 'skyctl-1.2.3-linux-x64.tar.gz')
    expect(runProgram(['tar', '-czf', archive, '-C', files, 'skyctl'])).toMatchObject({ exit: 0 })
    expect(script(['try-on-system.sh', '1.2.3', archive])).toMatchObject({
      exit: 1,
      stderr: expect.stringMatching(/: version 1\.2\.2 instead of 1\.2\.3\n$/),
    })
  })

  scriptTest('try-on-system.sh fails for a package that cannot be installed', ({ script, folder, calls }) => {
    writeFileSync(join(folder, 'no-npm'), '')
    expect(script(['try-on-system.sh', '1.2.3', join(folder, 'skyctl-1.2.3.tgz')])).toMatchObject({ exit: 1 })
    expect(calls()).toEqual([expect.stringMatching(/^npm install --global .* \/skyctl-1\.2\.3\.tgz$/)])
  })

  scriptTest('try-on-system.sh fails for an unknown kind of file', ({ script }) => {
    expect(script(['try-on-system.sh', '1.2.3', 'README.md'])).toMatchObject({
      exit: 1,
      stderr: expect.stringMatching(/README\.md: nobody knows how to try it\n$/),
    })
  })
})
