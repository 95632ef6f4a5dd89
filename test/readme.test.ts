/** What the README and the guides show is what happens. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import schema from '../docs/account.schema.json'
import { exitCodes } from '../src/errors'
import { meanings } from '../src/generate/exit-codes'
import { enter, step, walk } from './flows/steps'
import { blocks, pages } from './support/documented'
import { type Place, test } from './support/example-world'
import type { TestSandbox } from './support/sandbox'

const readme = pages.find(({ path }) => path === 'README.md')?.text ?? ''

/** What a terminal shows in a line that goes when the wait is over. */
const waited = /^Waiting for .*\n/gm

const signedOut = { SKYCTL_TOKEN: undefined, SKYCTL_BASE_URL: undefined }

test.for(blocks('console').map(({ page, text }) => [page, text] as const))(
  'the session in %s prints what it shows',
  async ([, session], { skyctl }) => {
    const steps = [...session.matchAll(/^\$ skyctl (.*)\n((?:(?!\$ ).*\n)*)/gm)]
    expect(steps).not.toEqual([])
    for (const [, line = '', shown] of steps) {
      const { stdout, stderr } = await skyctl(line, { env: { SKYCTL_CONTEXT: 'sandbox', ...signedOut } })
      const said = line.includes('--dry-run') ? stdout + stderr : stderr + stdout
      expect({ line, shown: said.replaceAll(waited, '').replaceAll(/ +$/gm, '') }).toEqual({ line, shown })
    }
  },
)

/** The script that can be run again, which other blocks call. */
const [provision = { text: '' }] = blocks('sh').filter(({ text }) => text.startsWith('#!'))
const others = blocks('sh').filter(({ text }) => !text.startsWith('#!'))

function withScript(place: Place): Place {
  writeFileSync(join(place.cwd, 'provision.sh'), provision.text, { mode: 0o755 })
  return place
}

/** Where a block speaks of the address of a service, the environment has it. */
function placeFor(text: string, place: Place, { baseUrl, ownerToken }: TestSandbox): Place {
  if (!text.includes('SKYCTL_BASE_URL')) return place
  const signedIn = { SKYCTL_CONTEXT: undefined, SKYCTL_BASE_URL: baseUrl, SKYCTL_TOKEN: ownerToken }
  return { ...place, env: { ...place.env, ...signedIn } }
}

test('the script that can be run again makes what it says, and then changes nothing', async ({ fresh, shellHere }) => {
  const place = fresh()
  const { exit, stderr } = await shellHere(provision.text, place)
  expect({ exit, stderr }).toEqual({ exit: 0, stderr: expect.stringContaining('Attached volume "data"') })
  expect(await shellHere(provision.text, place)).toMatchObject({
    exit: 0,
    stderr: expect.not.stringMatching(/Created|Attached|Resizing/),
  })
  const { stdout } = await shellHere(
    "skyctl volumes view data --query '[size, compute_id]' --json | tr -d ' \\n'",
    place,
  )
  expect(stdout).toBe('[40,1001]')
})

test.for(others.map(({ page, text }) => [page, text.split('\n', 1)[0], text] as const))(
  'the script in %s that begins with %s runs',
  async ([, , text], { fresh, sandbox, shellTerminal }) => {
    // Whoever is told to edit a file does so.
    const script = `set -e\n${text.replaceAll(/# edit it/g, '; nano web.yaml #')}`
    const asks = text.includes('# show the changes, ask')
    // Only a process takes other certificates.
    const bare = text.includes('https:') ? fresh('started') : fresh()
    const place = placeFor(text, withScript(bare), sandbox)
    const terminal = shellTerminal(script, { ...place, columns: 300, rows: 100 })
    if (asks) await walk(terminal, [step('(y/N)', `y${enter}`)])
    const { exit, screen } = await terminal.end
    expect({ exit, screen }).toEqual({ exit: 0, screen: expect.anything() })
    expect(screen.join('\n')).not.toMatch(/not found|no such|^no changes$/im)
  },
)

test('the commands of the README run one after the other, from top to bottom', async ({ fresh, shellHere }) => {
  const own = (language: string) => blocks(language).filter(({ page }) => page === 'README.md')
  // Sessions show failures, too.
  const sessions = own('console').flatMap(({ text }) =>
    [...text.matchAll(/^\$ (.*)$/gm)].map(([, line]) => `${line} || :`),
  )
  const script = [...sessions, 'set -e', ...own('sh').map(({ text }) => text)].join('\n')
  const { exit, stderr } = await shellHere(script, fresh())
  expect({ exit, stderr }).toEqual({ exit: 0, stderr: expect.stringContaining('data-2') })
})

describe('the account file with every key', () => {
  const [file = ''] = blocks('yaml')
    .filter(({ page }) => page === 'docs/account-file.md')
    .map(({ text }) => text)

  test('can be planned and applied; then nothing differs', async ({ fresh, shellHere }) => {
    const place = fresh()
    writeFileSync(join(place.cwd, 'every-key.yaml'), file)
    const { exit, stdout, stderr } = await shellHere(
      'skyctl apply every-key.yaml --yes >&2 && skyctl plan every-key.yaml --exit-code',
      place,
    )
    expect({ exit, stdout, stderr }).toEqual({ exit: 0, stdout: expect.stringMatching(/^No changes/), stderr })
  })

  test('has every key of the schema', () => {
    const written = new Set([...file.matchAll(/(?:^|[{,] )\s*(?:- )?([a-z]\w*):/gm)].map(([, key]) => key))
    expect(keysIn(schema).filter((key) => !written.has(key))).toEqual([])
  })
})

/** Returns the names of properties anywhere in a schema. */
function keysIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return []
  const { properties } = value as { properties?: object }
  return [...Object.keys(properties ?? {}), ...Object.values(value).flatMap(keysIn)]
}

test.for(blocks('json').map(({ page, text }) => [page, text] as const))(
  'the world in %s is one to start with',
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

/** Where the service has what a world names. */
const paths: Readonly<Record<string, string>> = { volumes: 'volumes', firewalls: 'networking/firewalls' }

test('the table of exit codes is that of the program', () => {
  const rows = [...readme.matchAll(/^\| (\d+) \| `(\w+)` \| (.*) \|$/gm)].map(([, exit, code, meaning]) => [
    Number(exit),
    code,
    meaning,
  ])
  expect(rows).toEqual(
    Object.entries(exitCodes).map(([code, exit]) => [exit, code, meanings[code as keyof typeof meanings]]),
  )
})
