/** Progress of apply on a terminal, which is erased at the end. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { test } from '../support/terminal'

const file = `
defaults: { region: us-east }
volumes:
  logs: { size: 20 }
  pgdata: { size: 60 }
`

describe('The progress of apply', () => {
  test.for([80, 40])(
    'has a line for each object in progress: %i columns',
    async (columns, { terminal, clock, home }) => {
      writeFileSync(join(home, 'account.yaml'), file)
      const { until, end } = terminal('apply account.yaml --yes', { cwd: home, columns, rows: 40 })
      const shown = await until(/"pgdata" .* [1-9]s {2}creating/)
      const below = shown.slice(shown.findIndex((line) => / Applying /.test(line)))
      expect(below).toEqual([
        expect.stringMatching(/^[-\\|/] Applying 1 of 2$/),
        expect.stringMatching(/^ {2}volume "logs" {8}\ds {2}creating/),
        expect.stringMatching(/^ {2}volume "pgdata" {6}\ds {2}creating/),
      ])
      if (columns === 80) expect(below[1]).toMatch(/ creating, until it is active$/)
      clock.advance(600_000)
      const { exit, screen } = await end
      expect(exit).toBe(0)
      expect(screen.join('\n')).not.toMatch(/Applying|creating/)
      expect(screen).toContain('2 of 2 applied')
    },
  )

  test('has no line for a finished object', async ({ terminal, clock, home }) => {
    writeFileSync(join(home, 'account.yaml'), file)
    const { until, end } = terminal('apply account.yaml --yes --concurrency 1', { cwd: home })
    await until(/ {2}volume "logs" .* creating/)
    clock.advance(600_000)
    const shown = await until(/ {2}volume "pgdata" .* creating/)
    const below = shown.slice(shown.findIndex((line) => / Applying /.test(line)))
    expect(below).toEqual([
      expect.stringMatching(/ Applying /),
      expect.stringMatching(/^ {2}volume "pgdata" .* creating/),
    ])
    clock.advance(600_000)
    expect((await end).exit).toBe(0)
  })

  test('shows the object that another one waits for', async ({ terminal, clock, home }) => {
    const text = 'owner: team\nvolumes:\n  logs: { size: 20, region: us-east }\n  data-2: { tags: [at-once] }\n'
    writeFileSync(join(home, 'account.yaml'), text)
    const first = terminal('volumes create --label old --region us-east --size 20 --tag team --json', { cwd: home })
    expect((await first.end).exit).toBe(0)
    clock.advance(600_000)
    const { until, end } = terminal('apply account.yaml --prune --yes', { cwd: home })
    await until(/ {2}volume "old" .* waits for volume "logs"$/)
    clock.advance(600_000)
    expect((await end).screen).toContain('3 of 3 applied')
  })
})
