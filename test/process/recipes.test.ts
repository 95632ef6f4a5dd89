/** Runs the shell parts of the jobs in docs/recipes.md against a sandbox. */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chmodSync, copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { describe, expect, onTestFinished } from 'vitest'
import { parse } from 'yaml'
import { test as base, type InProcessShell } from '../support/in-process-shell'
import { blocks } from '../support/page-examples'
import { readMarkdown } from '../support/plan-texts'
import { openTestSandbox, type TestSandbox } from '../support/sandbox'

interface GithubStep {
  name?: string
  uses?: string
  with?: Record<string, string>
  run?: string
  env?: Record<string, string>
}

interface GithubJob {
  if?: string
  steps: GithubStep[]
  environment?: string
  permissions?: Record<string, string>
  concurrency?: { group: string }
}

interface Workflow {
  on: Record<string, unknown>
  permissions: Record<string, string>
  env: Record<string, string>
  concurrency?: { group: string }
  defaults: { run: { shell: string } }
  jobs: Record<string, GithubJob>
}

interface GitlabJob {
  extends?: string
  variables?: Record<string, string>
  before_script?: string[]
  script?: string[]
  rules?: { if: string }[]
  resource_group?: string
}

const root = join(import.meta.dirname, '../..')
const setUp: GithubStep & { shell: string } = parse(readFileSync(join(root, 'action.yml'), 'utf8')).runs.steps[0]
const include: GitlabJob = parse(readFileSync(join(root, 'docs/ci/gitlab.yml'), 'utf8'))['.setup-skyctl']

const documents = blocks('yaml').filter(({ page }) => page === 'docs/recipes.md')
const pipelines = documents.map(({ text }) => parse(text)).filter((one) => 'jobs' in one || '.skyctl' in one)
const [github, approved, gitlab] = pipelines as [Workflow, Workflow, Record<string, GitlabJob>]

const same = 'volumes: { data-1: { size: 40 } }\n'
const different = 'volumes:\n  data-1: { size: 50 }\n  new: { size: 20, region: us-east }\n'
const wrong = 'volumes: { data-1: { size: 10 } }\n'

interface Ended {
  exit: number | null
  stdout: string
  stderr: string
}

interface Recipes {
  /** The repository of the job. */
  repository: string
  /** Writes account/account.yaml. */
  account(text: string): void
  /** Runs the shell parts of a job, up to the first failure. */
  github(workflow: Workflow, job: string): Promise<Ended>
  gitlab(job: string): Promise<Ended>
  read(name: string): string
}

/** Comments and issues of a forge: set by tests, and extended by the jobs. */
interface Forge {
  notes: { id: number; body: string; number?: number; title?: string }[]
  calls: string[]
}

const test = base.extend<Recipes & { forge: Forge; sandbox: TestSandbox }>({
  // Processes wait in real time.
  // biome-ignore lint/correctness/noEmptyPattern: vitest reads which fixtures are wanted from the pattern
  sandbox: async ({}, use) => {
    const sandbox = await openTestSandbox({ transitionMs: 0 })
    await use(sandbox)
    await sandbox.close()
  },
  repository: async ({ home }, use) => {
    const folder = join(home, 'repository')
    mkdirSync(join(folder, 'account'), { recursive: true })
    await use(folder)
  },
  account: async ({ repository }, use) =>
    use((text) => writeFileSync(join(repository, 'account/account.yaml'), `owner: team\n${text}`)),
  read: async ({ repository }, use) => use((name) => readFileSync(join(repository, name), 'utf8')),
  // biome-ignore lint/correctness/noEmptyPattern: vitest reads which fixtures are wanted from the pattern
  forge: async ({}, use) => use({ notes: [], calls: [] }),
  github: async ({ repository, sandbox, shell, forge, processEnv, inProcessShell }, use) =>
    use(async (workflow, name) => {
      const programs = standIns(repository, forge)
      const variables: Record<string, string> = {
        ...release(repository, inProcessShell),
        'vars.CLOUD_BASE_URL': sandbox.baseUrl,
        'secrets.CLOUD_PLAN_TOKEN': sandbox.world.token(readScopes),
        'secrets.CLOUD_APPLY_TOKEN': sandbox.ownerToken,
        'github.token': 'of the job',
        'github.event.pull_request.number': '7',
      }
      const filledIn = (values: Record<string, string> = {}) =>
        Object.fromEntries(
          Object.entries(values).map(([key, value]) => [
            key,
            value.replace(/\$\{\{ (\S+) }}/g, (_, variable) => variables[variable] ?? `(${variable})`),
          ]),
        )
      const files = {
        GITHUB_ENV: join(repository, 'env'),
        GITHUB_PATH: join(repository, 'path'),
        GITHUB_STEP_SUMMARY: join(repository, 'summary.md'),
      }
      const runner = { RUNNER_OS: 'Linux', RUNNER_ARCH: 'X64', RUNNER_TEMP: repository, RUNNER_TOOL_CACHE: repository }
      for (const file of Object.values(files)) writeFileSync(file, '')
      let last: Ended = { exit: null, stdout: '', stderr: '' }
      for (const step of workflow.jobs[name]?.steps ?? []) {
        const { run, env } = step.uses === 'OWNER/skyctl@v0.1.0' ? actionStep(step) : step
        if (run === undefined) continue
        const paths = readFileSync(files.GITHUB_PATH, 'utf8').split('\n').filter(Boolean)
        // Like the runner: shell "bash", and the environment that earlier steps have set.
        const fromSteps = Object.fromEntries(
          readFileSync(files.GITHUB_ENV, 'utf8')
            .split('\n')
            .filter(Boolean)
            .map((line) => line.split('=', 2)),
        )
        last = await shell('bash --noprofile --norc -eo pipefail -c "$RUN"', {
          cwd: repository,
          env: {
            ...{ SKYCTL_TOKEN: undefined, SKYCTL_BASE_URL: undefined },
            ...{ PATH: [...paths, programs, processEnv.PATH].join(':'), GITHUB_ACTION_PATH: root },
            ...{ ...runner, ...files, ...fromSteps, ...filledIn(workflow.env), ...filledIn(env) },
            ...{ GITHUB_REPOSITORY: 'team/cloud', RUN: run },
          },
        })
        if (last.exit !== 0) break
      }
      const calls = join(repository, 'gh-calls')
      if (existsSync(calls)) forge.calls.push(...readFileSync(calls, 'utf8').split('\n').filter(Boolean))
      return last
    }),
  gitlab: async ({ repository, sandbox, shell, forge, processEnv, inProcessShell }, use) =>
    use(async (name) => {
      const programs = standIns(repository, forge)
      const archives = release(repository, inProcessShell)
      const { variables = {} } = gitlab['.skyctl'] ?? {}
      const { before_script = [] } = include
      const url = await forgeServer(forge)
      const settings: Record<string, string> = {
        CLOUD_BASE_URL: sandbox.baseUrl,
        CLOUD_PLAN_TOKEN: sandbox.world.token(readScopes),
        CLOUD_APPLY_TOKEN: sandbox.ownerToken,
        NOTES_TOKEN: 'of the project',
        CLOUD_CLI_URL: archives['vars.CLOUD_CLI_URL'] ?? '',
        CLOUD_CLI_SHA256: archives['vars.CLOUD_CLI_SHA256'] ?? '',
        ...{ CI_API_V4_URL: `${url}/api/v4`, CI_PROJECT_ID: '5', CI_MERGE_REQUEST_IID: '7' },
      }
      const job = Object.entries(variables).map(([key, value]) => [key, settings[value.slice(1)] ?? value])
      return shell('bash -eo pipefail -c "$RUN"', {
        cwd: repository,
        env: {
          ...{ SKYCTL_TOKEN: undefined, SKYCTL_BASE_URL: undefined, PATH: `${programs}:${processEnv.PATH}` },
          ...{ ...settings, ...Object.fromEntries(job) },
          RUN: [...before_script, ...(gitlab[name]?.script ?? [])].join('\n'),
        },
      })
    }),
})

const readScopes = 'volumes:read_only firewall:read_only ips:read_only account:read_only'

/** Returns the step of the action with the inputs of a workflow. */
function actionStep({ with: inputs = {} }: GithubStep): GithubStep {
  const env = Object.entries(setUp.env ?? {}).map(([name, value]) => [
    name,
    value.replace(/\$\{\{ inputs\.(\S+) }}/, (_, input) => inputs[input] ?? ''),
  ])
  return { ...setUp, env: Object.fromEntries(env) }
}

/** Creates the archives of a release. Their program marks that it was installed, and runs in this process. */
function release(repository: string, { folder: programs }: InProcessShell): Record<string, string> {
  const folder = join(repository, 'release')
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'skyctl'), `#!/bin/sh\ntouch '${repository}/installed'\nexec '${programs}/skyctl' "$@"\n`)
  chmodSync(join(folder, 'skyctl'), 0o755)
  const archive = join(folder, 'skyctl-0.1.0-linux-x64.tar.gz')
  execFileSync('tar', ['-czf', archive, '-C', folder, 'skyctl'])
  // The tests run on any processor.
  for (const target of ['linux-aarch64', 'linux-x64-musl', 'linux-aarch64-musl'])
    copyFileSync(archive, join(folder, `skyctl-0.1.0-${target}.tar.gz`))
  const sum = createHash('sha256').update(readFileSync(archive)).digest('hex')
  return { 'vars.CLOUD_CLI_URL': `file://${folder}`, 'vars.CLOUD_CLI_SHA256': sum }
}

/** Creates a fake gh, which answers with the comments of the forge and records what is sent. */
function standIns(repository: string, { notes }: Forge): string {
  const folder = join(repository, 'stand-ins')
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(repository, 'notes.json'), JSON.stringify(notes))
  const scripts = {
    gh: `
      echo "$1 $2 $3 $4 $5 token=$GH_TOKEN" >> '${repository}/gh-calls'
      jq_of() { while [ $# -gt 0 ]; do if [ "$1" = --jq ]; then echo "$2"; fi; shift; done; }
      filter=$(jq_of "$@")
      if [ -n "$filter" ]; then jq -r "$filter" '${repository}/notes.json'; else cp body.md '${repository}/sent.md'; fi`,
  }
  for (const [name, script] of Object.entries(scripts)) {
    writeFileSync(join(folder, name), `#!/bin/sh\n${script}\n`)
    chmodSync(join(folder, name), 0o755)
  }
  return folder
}

/** Serves the notes of a merge request over HTTP. */
async function forgeServer(forge: Forge): Promise<string> {
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    const { method = '', url = '', headers } = request
    forge.calls.push(`${method} ${url.split('?')[0]} token=${headers['private-token']}`)
    const text = new URLSearchParams(body).get('body')
    if (text !== null) forge.notes.push({ id: 99, body: text })
    response.setHeader('content-type', 'application/json').end(JSON.stringify(forge.notes))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const changes = (world: { requests(): { method: string }[] }) =>
  world.requests().filter(({ method }) => method !== 'GET')

describe('GitHub Actions: a pull request', () => {
  test('with a difference gets its plan as a comment, and changes nothing', async ({
    account,
    github: run,
    forge,
    read,
    world,
  }) => {
    account(different)
    expect(await run(github, 'plan')).toMatchObject({ exit: 0 })
    expect(forge.calls).toEqual([
      'api --paginate repos/team/cloud/issues/7/comments --jq .[] | select(.body | startswith("<!-- skyctl plan -->")) | .id token=of the job',
      'api --silent --method POST repos/team/cloud/issues/7/comments token=of the job',
    ])
    expect(read('sent.md')).toBe(`<!-- skyctl plan -->
### Changes to the account after merging

**1 to create, 1 to update; 0 unchanged**

**Starts billing (2 volumes, 30 GiB)**

\`\`\`diff
! volume "data-1" (3001)
    starts billing: 10 GiB more, for good: it cannot shrink again
    size: 40 GiB -> 50 GiB
+ volume "new"
    starts billing: 20 GiB, until it is deleted
    20 GiB, in us-east, tags team
\`\`\`
`)
    expect(`<!-- skyctl plan -->\n${read('summary.md')}`).toBe(read('sent.md'))
    expect(changes(world)).toEqual([])
  })

  test('without a difference updates its existing comment', async ({ account, github: run, forge, read }) => {
    account(same)
    forge.notes.push({ id: 11, body: 'Looks good' }, { id: 12, body: '<!-- skyctl plan -->\n### What it was' })
    expect(await run(github, 'plan')).toMatchObject({ exit: 0 })
    expect(forge.calls[1]).toBe('api --silent --method PATCH repos/team/cloud/issues/comments/12 token=of the job')
    expect(read('sent.md')).toContain('### No changes\n\n**No changes; 1 unchanged**\n')
  })

  test('that cannot be planned fails with the reason in its comment', async ({ account, github: run, read }) => {
    account(wrong)
    expect(await run(github, 'plan')).toMatchObject({ exit: 6 })
    expect(read('sent.md')).toContain('### The plan failed (exit code 6)\n')
    expect(read('sent.md')).toContain(
      '    skyctl: account/account.yaml:2:22: volumes.data-1.size: It has 40 GiB, and a volume cannot shrink\n',
    )
  })

  test('cannot end the code block of its comment with a label', async ({ account, github: run, read }) => {
    account('volumes:\n  "```</code>": { region: us-east }\n')
    expect(await run(github, 'plan')).toMatchObject({ exit: 0 })
    const { outside, code } = readMarkdown(read('sent.md'))
    expect(code).toContain('+ volume "```</code>"')
    expect(outside).not.toMatch(/code|``/)
  })

  test('lists the summary first, then destructive changes', async ({ account, github: run, read, world }) => {
    for (const label of ['old', 'older']) world.volume({ label, tags: ['team'] })
    const { id } = world.network.firewall({ label: 'gate', tags: ['team'] })
    world.network.device(id, 'compute', world.compute({ label: 'bare' }).id)
    const volumes = Array.from(
      { length: 1200 },
      (_, index) => `  "destroys: ${index}": { region: us-east, size: ${20 + index} }\n`,
    )
    account(`firewalls: { gate: { status: disabled } }\nvolumes:\n${volumes.join('')}`)
    expect(await run(github, 'plan')).toMatchObject({ exit: 0 })
    const sent = read('sent.md')
    expect(sent.length).toBeLessThan(65_536)
    const [, title, , summary, , heading, , , ...rest] = sent.split('\n')
    expect([title, summary, heading]).toEqual([
      '### Changes to the account after merging',
      '**1200 to create, 1 to update, 2 to delete; 0 unchanged**',
      '**Destroys (2 volumes)**',
    ])
    const first = rest.slice(0, rest.indexOf('<details>'))
    expect(first.filter((line) => /^[-!+] /.test(line))).toEqual([
      expect.stringContaining('volume "old"'),
      expect.stringContaining('volume "older"'),
      expect.stringContaining('firewall "gate"'),
    ])
    expect(first.join('\n')).toMatch(/unprotects: compute \d+ is open to all traffic/)
    expect(first.filter((line) => /destroys: /.test(line))).toHaveLength(2)
    expect(sent.trimEnd().split('\n').at(-1)).toMatch(
      /^\*\*The plan is too long for a comment\. Not shown: \d+ of "Starts billing/,
    )
  })
})

describe('GitHub Actions: main', () => {
  test('is applied with a summary, and a second run changes nothing', async ({ account, github: run, read, world }) => {
    account(different)
    expect(await run(github, 'apply')).toMatchObject({ exit: 0 })
    expect(world.volumes.get(3001)?.size).toBe(50)
    expect(read('summary.md')).toContain('    2 of 2 applied\n')
    const sent = changes(world).length
    expect(await run(github, 'apply')).toMatchObject({ exit: 0 })
    expect(changes(world)).toHaveLength(sent)
  })

  test('fails if a part fails, with the error in the summary', async ({ account, github: run, read, world }) => {
    // This instance has 1 GB, so at most one volume (api.md, Limits).
    world.volume({ label: 'full', compute_id: 1004 })
    account('volumes:\n  bad: { compute_id: 1004 }\n  data-2: { size: 30 }\n')
    expect(await run(github, 'apply')).toMatchObject({ exit: 9 })
    expect(read('summary.md')).toMatch(/^ {4}skyctl: volume "bad": /m)
  })

  test('applies the approved plan, but not after somebody else has changed the account', async ({
    account,
    github: run,
    repository,
    skyctl,
    world,
  }) => {
    account(different)
    expect(await run(approved, 'keep')).toMatchObject({ exit: 0 })
    expect(changes(world)).toEqual([])
    expect((await skyctl('volumes update data-1 --tag theirs')).exit).toBe(0)
    expect(await run(approved, 'apply')).toMatchObject({ exit: 6 })
    // Each job starts in a folder of its own.
    rmSync(join(repository, 'plan.json'))
    expect(await run(approved, 'keep')).toMatchObject({ exit: 0 })
    expect(await run(approved, 'apply')).toMatchObject({ exit: 0 })
    expect(world.volumes.get(3001)?.size).toBe(50)
  })
})

describe('GitHub Actions: a nightly run', () => {
  test('succeeds without a difference; otherwise fails with exit code 13, and reports it in one issue', async ({
    account,
    github: run,
    forge,
    read,
    skyctl,
  }) => {
    account(same)
    expect(await run(github, 'drift')).toMatchObject({ exit: 0 })
    expect(forge.calls).toEqual([])
    expect((await skyctl('volumes resize data-1 --size 60')).exit).toBe(0)
    account('volumes: { data-1: { size: 70 } }\n')
    expect(await run(github, 'drift')).toMatchObject({ exit: 13 })
    const report = '### Differences between the account and the files\n\n**1 resource differs; 0 as in the files**\n'
    expect(read('sent.md')).toContain(report)
    expect(read('sent.md')).toContain('    size: the account has 60 GiB, the files have 70 GiB\n')
    expect(read('summary.md')).toBe(read('sent.md'))
    expect(forge.calls.at(-1)).toMatch(/^issue create --title The account differs/)
    forge.notes.push({ id: 5, body: '', number: 12, title: 'The account differs from the files' })
    expect(await run(github, 'drift')).toMatchObject({ exit: 13 })
    expect(forge.calls.at(-1)).toMatch(/^issue edit 12 --body-file body.md token=of the job/)
  })

  test('reports an unreachable service as such, not as a difference', async ({ account, github: run, sandbox }) => {
    account(same)
    await sandbox.close()
    expect(await run(github, 'drift')).toMatchObject({ exit: 8 })
  })
})

describe('GitLab', () => {
  test('adds the plan to a merge request as one note', async ({ account, gitlab: run, forge, world }) => {
    account(different)
    forge.notes.push({ id: 11, body: 'Looks good' })
    expect(await run('plan')).toMatchObject({ exit: 0 })
    const notes = '/api/v4/projects/5/merge_requests/7/notes'
    expect(forge.calls).toEqual([`GET ${notes} token=of the project`, `POST ${notes} token=of the project`])
    expect(forge.notes[1]?.body).toContain(
      '### Changes to the account after merging\n\n**1 to create, 1 to update; 0 unchanged**\n\n**Starts billing',
    )
    account(same)
    expect(await run('plan')).toMatchObject({ exit: 0 })
    expect(forge.calls.at(-1)).toBe(`PUT ${notes}/99 token=of the project`)
    expect(forge.notes.at(-1)?.body).toContain('### No changes\n')
    expect(changes(world)).toEqual([])
  })

  test('fails with the reason in a note if the merge request cannot be planned', async ({
    account,
    gitlab: run,
    forge,
  }) => {
    account(wrong)
    expect(await run('plan')).toMatchObject({ exit: 6 })
    expect(forge.notes.at(-1)?.body).toContain('a volume cannot shrink')
  })

  test('applies main, and finds differences on a schedule', async ({ account, gitlab: run, world }) => {
    account(different)
    expect(await run('drift')).toMatchObject({ exit: 13 })
    expect(await run('apply')).toMatchObject({ exit: 0 })
    expect(world.volumes.get(3001)?.size).toBe(50)
    expect(await run('drift')).toMatchObject({ exit: 0 })
  })
})

test('An existing account is adopted by its recipe, and pruned by the jobs', async ({
  repository,
  shell,
  skyctl,
  github: run,
  read,
  world,
}) => {
  rmSync(join(repository, 'account'), { recursive: true })
  const recipe = blocks('sh').find(
    ({ page, text }) => page === 'docs/recipes.md' && text.includes('skyctl export $kind'),
  )
  const adopted = await shell(`set -e; ${recipe?.text}`, { cwd: repository })
  expect(adopted).toMatchObject({ exit: 0, stdout: expect.stringMatching(/No changes; \d+ unchanged\n$/) })
  expect(adopted.stderr).toMatch(
    /warning: \d+ objects do not have the tag "web-team", so apply --prune never deletes them: apply --adopt adds it/,
  )
  expect((await skyctl('volumes update data-2 --add-tag web-team')).exit).toBe(0)
  const file = join(repository, 'account/volumes.yaml')
  writeFileSync(file, read('account/volumes.yaml').replace(/ {2}# id 3002[\s\S]*?(?= {2}# id )/, ''))
  expect(await run(github, 'plan')).toMatchObject({ exit: 0 })
  expect(read('sent.md')).toContain('- volume "data-2" (3002)')
  expect(await run(github, 'apply')).toMatchObject({ exit: 0 })
  expect(world.volumes.get(3002)).toBeUndefined()
  expect(world.volumes.get(3001)).toBeDefined()
})

describe('The installed program', () => {
  test('must have the checksum of the release', async ({ account, github: run, repository }) => {
    account(same)
    const [install, ...steps] =
      github.jobs.drift?.steps.filter(({ uses = 'OWNER/' }) => uses.startsWith('OWNER/')) ?? []
    const forged = { ...install, with: { ...install?.with, sha256: '0'.repeat(64) } }
    const workflow = { ...github, jobs: { drift: { steps: [forged, ...steps] } } }
    expect((await run(workflow, 'drift')).exit).not.toBe(0)
    expect(existsSync(join(repository, 'installed'))).toBe(false)
    expect((await run(github, 'drift')).exit).toBe(0)
    expect(existsSync(join(repository, 'installed'))).toBe(true)
  })

  test('comes from the release in a GitLab job', async ({ account, gitlab: run, repository }) => {
    account(same)
    expect(gitlab['.skyctl']?.extends).toBe('.setup-skyctl')
    expect((await run('drift')).exit).toBe(0)
    expect(existsSync(join(repository, 'installed'))).toBe(true)
  })
})

describe('The tokens of the jobs', () => {
  const jobs = [github, approved].flatMap((workflow) =>
    Object.entries(workflow.jobs).map((job) => [workflow, ...job] as const),
  )
  const secretsOf = ({ steps }: GithubJob) =>
    steps.flatMap(({ env = {} }) => Object.values(env)).filter((value) => value.includes('secrets.'))

  test('are not used for pull requests of forks, and only apply gets the token for it', () => {
    expect(github.jobs.plan?.if).toBe(
      "github.event_name == 'pull_request' && github.event.pull_request.head.repo.full_name == github.repository",
    )
    expect(gitlab.plan?.rules?.map((rule) => rule.if)).toEqual([
      '$CI_PIPELINE_SOURCE == "merge_request_event" && $CI_MERGE_REQUEST_SOURCE_PROJECT_ID == $CI_PROJECT_ID',
    ])
    for (const [{ on }, name, job] of jobs) {
      expect(on).not.toHaveProperty('pull_request_target')
      const applies = secretsOf(job).some((value) => value.includes('APPLY'))
      expect({ name, applies }).toEqual({ name, applies: job.environment === 'account' })
      if (applies && 'pull_request' in on) expect(job.if).toBe("github.event_name == 'push'")
    }
  })

  test('come with minimal permissions, and only one apply runs at a time', () => {
    expect(github.permissions).toEqual({})
    for (const [workflow, name, job] of jobs) {
      const permissions = job.permissions ?? workflow.permissions
      const comments = name === 'plan' && { 'pull-requests': 'write' }
      const reports = name === 'drift' && { issues: 'write' }
      expect({ name, permissions }).toEqual({ name, permissions: { contents: 'read', ...comments, ...reports } })
      if (name === 'apply') expect((job.concurrency ?? workflow.concurrency)?.group).toBe('apply')
    }
    expect(gitlab.apply?.resource_group).toBe('account')
  })

  test('are safe from injection: no expression is a part of a script', () => {
    for (const [{ defaults }, , { steps }] of jobs) {
      expect(defaults.run.shell).toBe('bash')
      expect(steps.filter(({ run }) => run?.includes('${{'))).toEqual([])
    }
  })
})
