/** Reports the CPU time of a test file. `bench/suite.mjs` loads it before each file. */
import { channel } from 'node:diagnostics_channel'
import { appendFileSync, readFileSync } from 'node:fs'
import { relative } from 'node:path'
import { afterAll, beforeAll, expect } from 'vitest'

/**
 * Returns times in seconds. Linux counts CPU time in hundredths, and that of a child once its parent has waited for it.
 */
function times() {
  const [, fields = ''] = readFileSync('/proc/self/stat', 'utf8').split(') ')
  const [user = 0, system = 0, ofChildren = 0, systemOfChildren = 0] = fields.split(' ').slice(11, 15).map(Number)
  return { own: (user + system) / 100, started: (ofChildren + systemOfChildren) / 100, wall: Date.now() / 1000 }
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
