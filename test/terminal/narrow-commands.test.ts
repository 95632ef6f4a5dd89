/** Commands to copy on a terminal that is too narrow for them. */
import { expect } from 'vitest'
import { test } from '../support/terminal'

const env = { SKYCTL_PAGER: '', NO_COLOR: '1', SHELL: '/bin/bash' }

/** Joins the lines that end with a backslash, as a shell does, and returns those that are commands. */
const commandsIn = (screen: readonly string[]) =>
  screen
    .join('\n')
    .replaceAll(/ \\\n +/g, ' ')
    .split('\n')
    .flatMap((line) => /^(?: {6}(?:or: )?| {9}-> )([a-z].*)$/.exec(line)?.[1] ?? [])

test.for([40, 60])(
  'audit continues its commands between words on %i columns',
  async (columns, { terminal, skyctl }) => {
    const { stdout } = await skyctl('audit --json')
    const commands: string[] = JSON.parse(stdout).findings.flatMap(
      (one: { command: string; alternatives: string[] }) => [one.command, ...one.alternatives],
    )
    const { screen } = await terminal('audit', { columns, rows: 400, env }).end
    expect(screen.some((line) => line.endsWith(' \\'))).toBe(true)
    const shown = commandsIn(screen).filter((line) => line.startsWith('skyctl '))
    expect(shown.length).toBeGreaterThan(1)
    expect(shown.filter((line) => !commands.includes(line))).toEqual([])
  },
)

test('doctor continues its commands between words on a narrow terminal', async ({ terminal }) => {
  const { screen } = await terminal('doctor', { columns: 50, rows: 50, env }).end
  expect(commandsIn(screen)).toContain("echo 'source <(skyctl completion bash)' >> ~/.bashrc")
})
