/** What the README shows is what happens. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { exitCodes, meanings } from '../src/errors'
import { test } from './support/skyctl'

const readme = readFileSync(join(import.meta.dirname, '..', 'README.md'), 'utf8')

/** What a terminal shows in a line that goes when the wait is over. */
const waited = /^Waiting for .*\n/gm

const signedOut = { SKYCTL_TOKEN: undefined, SKYCTL_BASE_URL: undefined }

test('the tour prints what the README shows', async ({ skyctl }) => {
  const [, tour = ''] = /```console\n(.*?)```/s.exec(readme) ?? []
  const steps = [...tour.matchAll(/^\$ skyctl (.*)\n((?:(?!\$ ).*\n)*)/gm)]
  expect(steps.length).toBeGreaterThanOrEqual(10)
  for (const [, line = '', shown] of steps) {
    const { stdout, stderr } = await skyctl(line, { env: { SKYCTL_CONTEXT: 'sandbox', ...signedOut } })
    const said = line.includes('--dry-run') ? stdout + stderr : stderr + stdout
    expect({ line, shown: said.replaceAll(/ +$/gm, '').replaceAll(waited, '') }).toEqual({ line, shown })
  }
})

test('the table of exit codes is that of the program', () => {
  const rows = [...readme.matchAll(/^\| (\d+) \| (.*) \|$/gm)].map(([, exit, meaning]) => [Number(exit), meaning])
  const own = Object.entries(exitCodes)
    .filter(([, exit]) => exit < 100)
    .map(([code, exit]) => [exit, meanings[code as keyof typeof meanings]])
  expect(rows).toEqual([[0, 'done, also where a list is empty'], ...own])
})
