/** Tells what a file of tests took: `bench/suite.mjs` runs it before each. */
import { appendFileSync, readFileSync } from 'node:fs'
import { relative } from 'node:path'
import { afterAll, expect } from 'vitest'

/** In seconds. Linux counts the time of a process in hundredths, and that of others once they have been waited for. */
function times() {
  const [, fields = ''] = readFileSync('/proc/self/stat', 'utf8').split(') ')
  const [user = 0, system = 0, ofOthers = 0, systemOfOthers = 0] = fields.split(' ').slice(11, 15).map(Number)
  return { own: (user + system) / 100, started: (ofOthers + systemOfOthers) / 100, wall: Date.now() / 1000 }
}

const before = times()

afterAll(() => {
  const { own, started, wall } = times()
  const spent = { own: own - before.own, started: started - before.started, wall: wall - before.wall }
  const file = relative(process.cwd(), expect.getState().testPath ?? '')
  appendFileSync(process.env.COSTS ?? '', `${JSON.stringify({ file, ...spent })}\n`)
})
