/** The CI examples in docs/sandbox.md work as printed. */
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { parse } from 'yaml'
import { seedFrom } from '../../src/sandbox/restore-world'
import { test } from '../support/process'

const root = join(import.meta.dirname, '../..')
const page = readFileSync(join(root, 'docs/sandbox.md'), 'utf8')
/** Returns the code blocks of a language, in order. */
const blocks = (language: string) =>
  [...page.matchAll(new RegExp(`\\n\`\`\`${language}\\n([\\s\\S]*?)\`\`\``, 'g'))].map(([, text = '']) => text)

const [ci = '', control = ''] = blocks('sh')
const signedOut = { SKYCTL_BASE_URL: undefined, SKYCTL_TOKEN: undefined }

/** Creates a project with the CI script of the guide and a provisioning script. */
function createProject(home: string, provision: string): string {
  const cwd = join(home, 'project')
  mkdirSync(join(cwd, 'ci'), { recursive: true })
  writeFileSync(join(cwd, 'ci/sandbox.sh'), ci)
  writeFileSync(join(cwd, 'provision.sh'), `#!/bin/sh\n${provision}\n`)
  chmodSync(join(cwd, 'provision.sh'), 0o755)
  return cwd
}

const create = 'skyctl volumes create --label data --region us-east'

describe('docs/sandbox.md', () => {
  const jobs: [name: string, lines: string[]][] = blocks('yaml').map((text) => {
    const { jobs, sandbox } = parse(text)
    const lines: string[] = sandbox?.script ?? jobs.sandbox.steps.flatMap(({ run }: { run?: string }) => run ?? [])
    return [text.split('\n', 1)[0] ?? '', lines]
  })

  test('has a job for GitHub Actions and one for GitLab', () => {
    expect(jobs.map(([name]) => name)).toEqual(['# .github/workflows/provision.yml', '# .gitlab-ci.yml'])
    for (const [, [install]] of jobs) expect(install).toBe('npm install --global ./skyctl-0.1.0.tgz')
  })

  test.for(jobs)('has a job that passes for an idempotent script: %s', async ([, [, ...lines]], { shell, home }) => {
    const cwd = createProject(home, `${create} --if-absent`)
    expect(await shell(lines.join('\n'), { cwd, env: signedOut })).toMatchObject({
      exit: 0,
      stderr: expect.stringContaining('Created volume "data"'),
    })
  })

  test('has a CI script that fails if the provisioning script creates duplicates', async ({ shell, home }) => {
    const cwd = createProject(home, `${create} --allow-duplicate`)
    const { exit } = await shell('sh -eu ci/sandbox.sh', { cwd, env: signedOut })
    expect(exit).not.toBe(0)
  })

  test('has a request that controls a running sandbox', async ({ shell, start }) => {
    const { until } = start('sandbox start --json')
    const { base_url, token } = JSON.parse(await until('\n'))
    const env = { SKYCTL_BASE_URL: base_url, SKYCTL_TOKEN: token }
    const result = await shell(control, { env })
    expect(result.exit).toBe(0)
    expect((await shell('skyctl volumes list --retries 0', { env })).exit).toBe(8)
  })

  test('has a world file that can be loaded', () => {
    const [world = ''] = blocks('json')
    expect(Object.keys(JSON.parse(world))).toEqual(['volumes', 'firewalls'])
    expect(() => seedFrom(JSON.parse(world))).not.toThrow()
  })
})
