/** The README and the guides show the real output. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import schema from '../docs/account.schema.json'
import { exitCodes } from '../src/errors'
import { meanings } from '../src/generate/exit-codes'
import { enter, step, walk } from './flows/steps'
import { type ExampleHome, test } from './support/example-world'
import { blocks, pages } from './support/page-examples'
import type { TestSandbox } from './support/sandbox'

const readme = pages.find(({ path }) => path === 'README.md')?.text ?? ''

/** Progress line of a terminal, erased after the wait. */
const progress = /^Waiting for .*\n/gm

const signedOut = { SKYCTL_TOKEN: undefined, SKYCTL_BASE_URL: undefined }

test.for(blocks('console').map(({ page, text }) => [page, text] as const))(
  'the session in %s has the real output',
  async ([, session], { skyctl }) => {
    const steps = [...session.matchAll(/^\$ skyctl (.*)\n((?:(?!\$ ).*\n)*)/gm)]
    expect(steps).not.toEqual([])
    for (const [, line = '', expected] of steps) {
      const { stdout, stderr } = await skyctl(line, { env: { SKYCTL_CONTEXT: 'sandbox', ...signedOut } })
      const output = line.includes('--dry-run') ? stdout + stderr : stderr + stdout
      expect({ line, output: output.replaceAll(progress, '').replaceAll(/ +$/gm, '') }).toEqual({
        line,
        output: expected,
      })
    }
  },
)

/** The repeatable script, which other blocks run. */
const [provision = { text: '' }] = blocks('sh').filter(({ text }) => text.startsWith('#!'))
const others = blocks('sh').filter(({ text }) => !text.startsWith('#!'))

function withScript(place: ExampleHome): ExampleHome {
  writeFileSync(join(place.cwd, 'provision.sh'), provision.text, { mode: 0o755 })
  return place
}

/** Returns an environment with the service's base URL if the block uses it. */
function placeFor(text: string, place: ExampleHome, { baseUrl, ownerToken }: TestSandbox): ExampleHome {
  if (!text.includes('SKYCTL_BASE_URL')) return place
  const signedIn = { SKYCTL_CONTEXT: undefined, SKYCTL_BASE_URL: baseUrl, SKYCTL_TOKEN: ownerToken }
  return { ...place, env: { ...place.env, ...signedIn } }
}

test('the repeatable script creates its resources, and a second run changes nothing', async ({ fresh, runShell }) => {
  const place = fresh()
  const { exit, stderr } = await runShell(provision.text, place)
  expect({ exit, stderr }).toEqual({ exit: 0, stderr: expect.stringContaining('Attached volume "data"') })
  expect(await runShell(provision.text, place)).toMatchObject({
    exit: 0,
    stderr: expect.not.stringMatching(/Created|Attached|Resizing/),
  })
  const { stdout } = await runShell(
    "skyctl volumes view data --query '[size, compute_id]' --json | tr -d ' \\n'",
    place,
  )
  expect(stdout).toBe('[40,1001]')
})

test.for(others.map(({ page, text }) => [page, text.split('\n', 1)[0], text] as const))(
  'the script in %s that begins with %s runs',
  async ([, , text], { fresh, sandbox, shellTerminal }) => {
    // Replaces the comment "edit it" with an edit.
    const script = `set -e\n${text.replaceAll(/# edit it/g, '; nano web.yaml #')}`
    const asks = text.includes('# show the changes, ask')
    // Only a separate process accepts other certificates.
    const bare = text.includes('https:') ? fresh('started') : fresh()
    const place = placeFor(text, withScript(bare), sandbox)
    const terminal = shellTerminal(script, { ...place, columns: 300, rows: 100 })
    if (asks) await walk(terminal, [step('(y/N)', `y${enter}`)])
    const { exit, screen } = await terminal.end
    expect({ exit, screen }).toEqual({ exit: 0, screen: expect.anything() })
    expect(screen.join('\n')).not.toMatch(/not found|no such|^no changes$/im)
  },
)

test('the commands of the README run from top to bottom', async ({ fresh, runShell }) => {
  const own = (language: string) => blocks(language).filter(({ page }) => page === 'README.md')
  // Sessions may have failing commands.
  const sessions = own('console').flatMap(({ text }) =>
    [...text.matchAll(/^\$ (.*)$/gm)].map(([, line]) => `${line} || :`),
  )
  const script = [...sessions, 'set -e', ...own('sh').map(({ text }) => text)].join('\n')
  const { exit, stderr } = await runShell(script, fresh())
  expect({ exit, stderr }).toEqual({ exit: 0, stderr: expect.stringContaining('data-2') })
})

describe('the account file with every key', () => {
  const [file = ''] = blocks('yaml')
    .filter(({ page }) => page === 'docs/account-file.md')
    .map(({ text }) => text)

  test('can be applied, and then has no differences', async ({ fresh, runShell }) => {
    const place = fresh()
    writeFileSync(join(place.cwd, 'every-key.yaml'), file)
    const { exit, stdout, stderr } = await runShell(
      'skyctl apply every-key.yaml --yes >&2 && skyctl plan every-key.yaml --exit-code',
      place,
    )
    expect({ exit, stdout, stderr }).toEqual({ exit: 0, stdout: expect.stringMatching(/^No changes/), stderr })
  })

  test('has every key of the schema', () => {
    const keys = new Set([...file.matchAll(/(?:^|[{,] )\s*(?:- )?([a-z]\w*):/gm)].map(([, key]) => key))
    expect(keysIn(schema).filter((key) => !keys.has(key))).toEqual([])
  })
})

/** Returns the names of properties anywhere in a schema. */
function keysIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return []
  const { properties } = value as { properties?: object }
  return [...Object.keys(properties ?? {}), ...Object.values(value).flatMap(keysIn)]
}

test.for(blocks('json').map(({ page, text }) => [page, text] as const))(
  'the seed in %s starts a sandbox',
  async ([, text], { fresh, start }) => {
    const { cwd, env } = fresh()
    writeFileSync(join(cwd, 'world.json'), text)
    const { until, kill, end } = start('sandbox start --seed world.json --json', { cwd, env })
    const { base_url, token } = JSON.parse(await until('}'))
    for (const [collection, records] of Object.entries<{ label: string }[]>(JSON.parse(text))) {
      const answer = await fetch(`${base_url}/${paths[collection]}`, { headers: { Authorization: `Bearer ${token}` } })
      const { data } = (await answer.json()) as { data: { label: string }[] }
      expect(data.map(({ label }) => label)).toEqual(records.map(({ label }) => label))
    }
    kill('SIGINT')
    expect(await end).toMatchObject({ exit: 0 })
  },
)

/** API paths of the collections in a seed. */
const paths: Readonly<Record<string, string>> = { volumes: 'volumes', firewalls: 'networking/firewalls' }

test('the table of exit codes matches the program', () => {
  const rows = [...readme.matchAll(/^\| (\d+) \| `(\w+)` \| (.*) \|$/gm)].map(([, exit, code, meaning]) => [
    Number(exit),
    code,
    meaning,
  ])
  expect(rows).toEqual(
    Object.entries(exitCodes).map(([code, exit]) => [exit, code, meanings[code as keyof typeof meanings]]),
  )
})
