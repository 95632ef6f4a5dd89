/** Reports what a file of tests took: `bench/suite.mjs` runs it before each. */
import { channel } from 'node:diagnostics_channel'
import { appendFileSync, readFileSync } from 'node:fs'
import { relative } from 'node:path'
import { afterAll, beforeAll, expect } from 'vitest'

/** In seconds. Linux counts the time of a process in hundredths, and that of others once they have been waited for. */
function times() {
  const [, fields = ''] = readFileSync('/proc/self/stat', 'utf8').split(') ')
  const [user = 0, system = 0, ofOthers = 0, systemOfOthers = 0] = fields.split(' ').slice(11, 15).map(Number)
  return { own: (user + system) / 100, started: (ofOthers + systemOfOthers) / 100, wall: Date.now() / 1000 }
}

let processes = 0
const count = () => {
  processes += 1
}
channel('child_process').subscribe(count)

const before = times()
let loading = 0

beforeAll(() => {
  loading = times().own - before.own
})

afterAll(() => {
  channel('child_process').unsubscribe(count)
  const { own, started, wall } = times()
  const spent = {
    loading,
    own: own - before.own,
    started: started - before.started,
    wall: wall - before.wall,
    processes,
  }
  const file = relative(process.cwd(), expect.getState().testPath ?? '')
  appendFileSync(process.env.COSTS ?? '', `${JSON.stringify({ file, ...spent })}\n`)
})
