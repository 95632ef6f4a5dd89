/** Runs the scripts of the jobs in docs/tokens-in-ci.md against a sandbox. */
import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { parse } from 'yaml'
import { test as base, type ExampleHome } from '../support/example-world'
import { blocks } from '../support/page-examples'

interface Step {
  run?: string
  env?: Record<string, string>
}

interface Service {
  base_url: string
  token: string
}

interface Jobs {
  place: ExampleHome
  service: Service
  /** Runs a script with the variables of a step; an exit code or message fails the test. */
  runStep(step: Step): Promise<void>
  /** Runs a line with a token, by default the owner's, and returns its stdout. */
  query(line: string, token?: string): Promise<string>
}

const [provisionJob, gitlabJob, rotationJob] = blocks('yaml')
  .filter(({ page }) => page === 'docs/tokens-in-ci.md')
  .map(({ text }) => parse(text))

const [script = ''] = blocks('sh').flatMap(({ text }) => (text.startsWith('#!') ? [text] : []))

const test = base.extend<Jobs>({
  place: async ({ fresh }, use) => {
    const place = fresh()
    writeFileSync(join(place.cwd, 'provision.sh'), script, { mode: 0o755 })
    await use({ ...place, env: { ...place.env, SKYCTL_CONTEXT: undefined, GITHUB_REPOSITORY: 'team/cloud' } })
  },
  service: async ({ place, start }, use) =>
    use(JSON.parse(await start('sandbox start --json --transition 0', place).until('}'))),
  runStep: async ({ place: { cwd, env }, runShell }, use) =>
    use(async ({ run = '', env: own }) => {
      const step = { ...env, ...own, RUN: run }
      const { exit, stderr } = await runShell('bash -e -o pipefail -c "$RUN"', { cwd, env: step })
      const problems = stderr.split('\n').filter((line) => /skyctl: /.test(line))
      expect({ run, exit, problems }).toEqual({ run, exit: 0, problems: [] })
    }),
  query: async ({ place: { cwd, env }, service, runShell }, use) =>
    use(async (line, token = service.token) => {
      const signedIn = { ...env, SKYCTL_BASE_URL: service.base_url, SKYCTL_TOKEN: token }
      return (await runShell(line, { cwd, env: signedIn })).stdout
    }),
})

const contentOf = (file: string) => `content of ${file}`

/** Content of the checksums of a release, as a form of a browser sends it. */
const sums = ['skyctl-0.1.0-linux-x64.tar.gz', 'skyctl-0.1.0.tgz', 'skyctl.rb']
  .map((file) => `${createHash('sha256').update(contentOf(file)).digest('hex')}  ${file}\r\n`)
  .join('')

/** Returns the variables and secrets of a repository. */
function variablesFor({ cwd }: ExampleHome, { base_url, token }: Service): Record<string, string> {
  const folder = mkdtempSync(join(cwd, 'release-'))
  writeFileSync(join(folder, 'skyctl-0.1.0.tgz'), contentOf('skyctl-0.1.0.tgz'))
  return {
    'vars.CLOUD_CLI_URL': `file://${folder}`,
    'vars.CLOUD_CLI_SHA256': sums,
    'vars.CLOUD_BASE_URL': base_url,
    'secrets.CLOUD_TOKEN': token,
    'secrets.CLOUD_ROTATION_TOKEN': token,
    'secrets.SECRETS_TOKEN': 'of the repository',
  }
}

/** Returns the scripts of a GitHub job, with its expressions filled in. */
function scriptsOf({ steps }: { steps: Step[] }, variables: Readonly<Record<string, string>>): Step[] {
  const fillIn = (value: string) => value.replace(/\$\{\{ (\S+) }}/, (_, name) => variables[name] ?? '')
  const scripts = steps.filter(({ run }) => run !== undefined)
  expect(scripts.length).toBeGreaterThan(1)
  return scripts.map(({ run = '', env = {} }) => ({
    run,
    env: Object.fromEntries(Object.entries(env).map(([name, value]) => [name, fillIn(value)])),
  }))
}

const attachedTo = 'skyctl volumes view label:data --query compute_id -o tsv'

test('The GitHub job runs the script on the sandbox first', async ({ place, service, runStep, query }) => {
  const scripts = scriptsOf(provisionJob.jobs.provision, variablesFor(place, service))
  for (const step of scripts) await runStep(step)
  expect(await query(attachedTo)).toBe('1001\n')
})

test('The GitLab job runs the script', async ({ place, service, runStep, query }) => {
  const { variables, before_script, script: lines } = gitlabJob.provision
  expect(variables).toEqual({ SKYCTL_BASE_URL: '$CLOUD_BASE_URL', SKYCTL_TOKEN: '$CLOUD_TOKEN' })
  const values = variablesFor(place, service)
  const env = {
    SKYCTL_BASE_URL: service.base_url,
    SKYCTL_TOKEN: service.token,
    CLOUD_CLI_URL: values['vars.CLOUD_CLI_URL'] ?? '',
    CLOUD_CLI_SHA256: values['vars.CLOUD_CLI_SHA256'] ?? '',
  }
  await runStep({ run: [...before_script, ...lines].join('\n'), env })
  expect(await query(attachedTo)).toBe('1001\n')
})

test('No job installs a tarball without its checksum, or with another one', async ({ place, runShell }) => {
  const scripts = [provisionJob.jobs.provision, rotationJob.jobs.rotate].flatMap(({ steps }) => steps)
  const jobs = [...scripts.map(({ run = '' }: Step) => run), ...gitlabJob.provision.before_script].join('\n')
  const lines = jobs.match(/^.* sha256sum .*$/gm) ?? []
  expect(lines).toHaveLength(3)
  const tarball = 'skyctl-0.1.0.tgz'
  writeFileSync(join(place.cwd, tarball), contentOf(tarball))
  const exitOf = async (RUN: string, SHA256SUMS: string) => {
    const env = { ...place.env, SHA256SUMS, CLOUD_CLI_SHA256: SHA256SUMS, RUN }
    return (await runShell('bash -c "$RUN"', { cwd: place.cwd, env })).exit
  }
  for (const line of lines) {
    expect(await exitOf(line, sums)).toBe(0)
    expect(await exitOf(line, sums.replace(tarball, 'other.tgz'))).toBe(1)
    expect(await exitOf(line, sums.replaceAll(/^[0-9a-f]+/gm, '0'.repeat(64)))).toBe(1)
  }
})

test('The rotation job stores a valid token, and revokes the one whose grace period is over', async ({
  place,
  service,
  runStep,
  query,
}) => {
  const create = 'skyctl tokens create --label ci-deploy --scope volumes:read_write --expiry 90d --query token -o tsv'
  const first = (await query(create)).trim()
  const scripts = scriptsOf(rotationJob.jobs.rotate, variablesFor(place, service))
  const rotate = async () => {
    for (const step of scripts) await runStep(step)
    rmSync(join(place.cwd, 'new.token'))
    return readFileSync(join(place.cwd, 'secret-CLOUD_TOKEN'), 'utf8').trim()
  }
  const works = async (token: string) => (await query('skyctl volumes list --quiet', token)) !== ''
  const second = await rotate()
  expect([await works(first), await works(second), first === second]).toEqual([true, true, false])
  // A label from an earlier month.
  const old = (await query('skyctl tokens list --superseded --query "[0].id" -o tsv')).trim()
  await query(`skyctl tokens update id:${old} --label "ci-deploy (superseded until 2026-01-31T12:00Z)"`)
  const third = await rotate()
  expect([await works(first), await works(second), await works(third)]).toEqual([false, true, true])
})
