/** Files and tables of the README and the guides match the program. test/guides.test.ts runs their blocks. */
import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import schema from '../docs/account.schema.json'
import { meanings } from '../src/engine/command-exit-codes'
import { exitCodes } from '../src/errors'
import { test } from './support/example-world'
import { accountFile, accountFileIn, blocks, pages } from './support/page-examples'

/** The repeatable script of docs/scripting.md, which other blocks run. */
const [provision = { text: '' }] = blocks('sh').filter(({ text }) => text.startsWith('#!'))

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

test('the script for cron prints nothing until somebody changes something', async ({ fresh, runShell }) => {
  const place = fresh()
  const [script = ''] = /#!\/bin\/sh\n# skyctl-nightly[^`]*/.exec(readFileSync('docs/recipes.md', 'utf8')) ?? []
  const nightly = script.replace(/^cd .*$/m, '').replace(/^export .*$/m, '')
  writeFileSync(join(place.cwd, 'account.yaml'), 'volumes: { data-2: { tags: [cron] } }')
  expect(await runShell('skyctl apply account.yaml --yes --quiet', place)).toMatchObject({ exit: 0 })
  expect(await runShell(nightly, place)).toMatchObject({ exit: 0, stdout: '', stderr: '' })
  expect(await runShell('skyctl volumes update data-2 --no-tags --quiet', place)).toMatchObject({ exit: 0 })
  expect(await runShell(nightly, place)).toMatchObject({ exit: 0, stdout: expect.stringContaining('data-2') })
})

test('the demo ends as it expects', () => {
  // With a program of its own it builds nothing: other tests run the built one.
  const { status, stderr } = spawnSync(process.execPath, ['build/demo.mjs', 'bin/skyctl.js'], { encoding: 'utf8' })
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
})

test('the guide to account files begins with the file of the README', () => {
  expect(accountFile).toContain('office')
  expect(accountFileIn('docs/account-file.md')).toBe(accountFile)
})

describe('the account file with every key', () => {
  const [file = ''] = blocks('yaml')
    .filter(({ page }) => page === 'docs/account-file-reference.md')
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
  const scripting = pages.find(({ path }) => path === 'docs/scripting.md')?.text ?? ''
  const rows = [...scripting.matchAll(/^\| (\d+) \| `(\w+)` \| (.*) \|$/gm)].map(([, exit, code, meaning]) => [
    Number(exit),
    code,
    meaning,
  ])
  expect(rows).toEqual(
    Object.entries(exitCodes).map(([code, exit]) => [exit, code, meanings[code as keyof typeof meanings]]),
  )
})
