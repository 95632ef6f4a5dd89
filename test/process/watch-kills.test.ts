/** Openings and changes to confirm, killed or stopped at random moments; `bench/watch.mjs` does it more often. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { env as outer } from 'node:process'
import { setTimeout as pause } from 'node:timers/promises'
import { expect } from 'vitest'
import type { FirewallRules } from '../../src/catalogue/firewall-rules'
import { diffRules } from '../../src/firewall/diff'
import { before, ping, test, until } from '../support/openings'
import { randomFrom } from '../support/random'
import { kill } from '../support/watchers'

const [kills, seed] = [Number(outer.WATCH_KILLS ?? 6), Number(outer.WATCH_SEED ?? 1)]
const written = { ...before, inbound: [ping] }

/** Checks that do not end as they should when they are ended; nothing ends one whose skyctl is killed. */
const loop = 'for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do sleep 0.1; done; exit 1'
const scripts = { obliging: `trap 'exit 0' TERM; ${loop}`, stubborn: `trap '' TERM; ${loop}` }

const remove = 'firewalls rules remove gate inbound label:ssh --yes'

/** Lines that each take about a second, with what may stand when they and their watchers are over. */
const linesIn = (home: string): readonly (readonly [line: string, allowed: readonly FirewallRules[]])[] => [
  ['firewalls open gate --port 22 --from 198.51.100.7 --for 2s', [before]],
  ['firewalls open gate --port 22 --from 198.51.100.7 --for 1h -- sleep 0.5', [before]],
  [`${remove} --confirm-within 2s --keep-if false`, [before]],
  [`${remove} --keep-if "sleep 0.3"`, [before, written]],
  [`${remove} --confirm-within 1s --keep-if "sh ${home}/obliging"`, [before]],
  [`${remove} --confirm-within 1s --keep-if "sh ${home}/stubborn"`, [before]],
]
const longestMs = 1_500

test.for(['first process is killed', 'watcher is killed', 'first process is stopped for a while'] as const)(
  'Whatever stands is what stood, or was confirmed, or the next command says what stands: the %s at a random moment',
  { timeout: 60_000 + kills * 30_000 },
  async (what, { start, shell, gate, home, watchers, records }) => {
    const random = randomFrom(seed)
    const lines = linesIn(home)
    for (const [name, text] of Object.entries(scripts)) writeFileSync(join(home, name), text)
    const faults: string[] = []
    let told = 0
    for (let run = 0; run < kills; run += 1) {
      const [line, allowed] = lines[run % lines.length] ?? ['', []]
      const moment = Math.round(random() * longestMs)
      const { kill: killFirst, end } = start(line)
      await pause(moment)
      if (what === 'watcher is killed') for (const pid of watchers()) kill(pid)
      else if (what === 'first process is killed') killFirst('SIGKILL')
      else {
        killFirst('SIGSTOP')
        await pause(random() * 2 * longestMs)
        killFirst('SIGCONT')
      }
      await end
      await until(() => watchers().length === 0)
      const next = await shell('skyctl regions view us-east -q')
      const stands = gate.rules()
      const names =
        next.stderr.includes('was killed before it could undo') && next.stderr.includes('. Run: skyctl firewalls ')
      if (names) told += 1
      if (!allowed.some((rules) => diffRules(rules, stands).length === 0) && !names)
        faults.push(`${line}, at ${moment} ms: ${JSON.stringify(stands)}; ${next.stderr}`)
      if (records().length > 0) faults.push(`${line}, at ${moment} ms: leaves ${records()}`)
      gate.write(() => before)
    }
    expect(faults).toEqual([])
    console.log(`${what}: ${kills} times, ${told} of them told by the next command to have left something`)
  },
)
