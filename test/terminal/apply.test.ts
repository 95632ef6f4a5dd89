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
        expect.stringMatching(/^[-\\|/] Applying 2 of 2, 0 active$/),
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

  test('has no line for a finished object', async ({ terminal, clock, home, sandbox }) => {
    writeFileSync(join(home, 'account.yaml'), file)
    const { until, end } = terminal('apply account.yaml --yes', { cwd: home })
    await until(/ {2}volume "pgdata" .* creating/)
    const logs = sandbox.world.volumes.all().find(({ label }) => label === 'logs')
    if (logs) sandbox.world.volumes.put({ ...logs, status: 'active', ready_at: null })
    const shown = await until(/ Applying 2 of 2, 1 active/)
    const below = shown.slice(shown.findIndex((line) => / Applying /.test(line)))
    expect(below).toEqual([
      expect.stringMatching(/ Applying /),
      expect.stringMatching(/^ {2}volume "pgdata" .* creating/),
    ])
    clock.advance(600_000)
    expect((await end).exit).toBe(0)
  })

  test('is one line for many objects, which has the number of those that are active', async ({
    terminal,
    clock,
    home,
    sandbox,
  }) => {
    const entries = Array.from({ length: 30 }, (_, index) => `  v-${index}: { size: 20 }\n`).join('')
    writeFileSync(join(home, 'account.yaml'), `defaults: { region: us-east }\nvolumes:\n${entries}`)
    const { until, end } = terminal('apply account.yaml --yes', { cwd: home, rows: 50 })
    await until(/ Applying 30 of 30, 0 active/)
    const created = sandbox.world.volumes.all().filter(({ label }) => label.startsWith('v-'))
    for (const volume of created.slice(0, 12))
      sandbox.world.volumes.put({ ...volume, status: 'active', ready_at: null })
    const shown = await until(/ Applying 30 of 30, 12 active/)
    expect(shown.slice(shown.findIndex((line) => / Applying /.test(line))).length).toBe(1)
    clock.advance(600_000)
    expect((await end).screen).toContain('30 of 30 applied')
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
