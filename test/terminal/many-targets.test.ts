/** Progress of a hundred targets on a terminal: one line, which says how many are active. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { accountFile, volumeNames } from '../support/many-targets'
import { test } from '../support/terminal'

const names = volumeNames(100)
const bodies = names.map((label) => JSON.stringify({ label, region: 'us-east', size: 20 })).join('\n')

const commands = {
  apply: { line: 'apply FILE --yes', input: accountFile(names), verb: 'Applying' },
  create: { line: 'volumes create --body FILE --wait -o csv --columns id', input: bodies, verb: 'Creating' },
}

/** Lines of the screen with a spinner. */
const progressIn = (screen: readonly string[]) => screen.filter((line) => /^[-\\|/] /.test(line))

describe('On a terminal', () => {
  test.for([
    [60, 'apply', '-v'],
    [60, 'create', ''],
    [80, 'apply', ''],
    [80, 'create', '-v'],
  ] as const)(
    'a hundred volumes are one line: %i columns, %s %s',
    async ([columns, name, flag], { terminal, sandbox, clock, home }) => {
      const { line, input, verb } = commands[name]
      const file = join(home, 'input')
      writeFileSync(file, input)
      sandbox.world.transitionMs = 600_000
      const shown = terminal(`${line.replace('FILE', file)} ${flag}`, { columns })
      const frames: string[][] = []
      const active = (count: number) => () => {
        const lines = progressIn(shown.screen())
        frames.push(lines)
        return lines.some((one) => one.includes(`${verb} 100 of 100, ${count} active`))
      }
      await shown.until(active(0))
      const half = sandbox.world.volumes
        .all()
        .filter(({ label }) => names.includes(label))
        .slice(0, 50)
      for (const volume of half) sandbox.world.volumes.put({ ...volume, status: 'active', ready_at: null })
      clock.advance(10_000)
      await shown.until(active(50))
      clock.advance(600_000)
      const { exit, screen } = await shown.end
      expect(exit).toBe(0)
      expect(progressIn(screen)).toEqual([])
      expect(frames.filter((lines) => lines.length > 1)).toEqual([])
      expect(frames.flat().every((one) => one.length <= columns)).toBe(true)
      if (flag) expect(screen.join('\n')).toContain('this takes 100 requests')
    },
  )
})
