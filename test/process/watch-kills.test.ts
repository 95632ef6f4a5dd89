/** Openings and changes to confirm, killed at random moments; `bench/watch.mjs` does it more often. */
import { env as outer } from 'node:process'
import { setTimeout as pause } from 'node:timers/promises'
import { expect } from 'vitest'
import type { FirewallRules } from '../../src/catalogue/firewall-rules'
import { diffRules } from '../../src/firewall/diff'
import { before, ping, test, until } from '../support/openings'
import { randomFrom } from '../support/random'
import { kill } from '../support/watchers'

const [kills, seed] = [Number(outer.WATCH_KILLS ?? 4), Number(outer.WATCH_SEED ?? 1)]
const written = { ...before, inbound: [ping] }

/** Lines that each take about a second, with what may stand when they and their watchers are over. */
const lines: readonly (readonly [line: string, allowed: readonly FirewallRules[]])[] = [
  ['firewalls open gate --port 22 --from 198.51.100.7 --for 2s', [before]],
  ['firewalls open gate --port 22 --from 198.51.100.7 --for 1h -- sleep 0.5', [before]],
  ['firewalls rules remove gate inbound label:ssh --yes --confirm-within 2s --keep-if false', [before]],
  ['firewalls rules remove gate inbound label:ssh --yes --keep-if "sleep 0.3"', [before, written]],
]
const longestMs = 1_500

test.for(['first', 'watcher'] as const)(
  'Whatever stands is what stood, or was confirmed, or the next command says what stands: the %s process is killed at random',
  { timeout: 60_000 + kills * 30_000 },
  async (which, { start, shell, gate, watchers, records }) => {
    const random = randomFrom(seed)
    const faults: string[] = []
    let told = 0
    for (let run = 0; run < kills; run += 1) {
      const [line, allowed] = lines[run % lines.length] ?? ['', []]
      const moment = Math.round(random() * longestMs)
      const { kill: killFirst, end } = start(line)
      await pause(moment)
      if (which === 'first') killFirst('SIGKILL')
      else for (const pid of watchers()) kill(pid)
      await end
      await until(() => watchers().length === 0)
      const next = await shell('skyctl regions view us-east -q')
      const stands = gate.rules()
      const names = next.stderr.includes('was killed: ') && next.stderr.includes('. Run: skyctl firewalls ')
      if (names) told += 1
      if (!allowed.some((rules) => diffRules(rules, stands).length === 0) && !names)
        faults.push(`${line}, at ${moment} ms: ${JSON.stringify(stands)}; ${next.stderr}`)
      if (records().length > 0) faults.push(`${line}, at ${moment} ms: leaves ${records()}`)
      gate.write(() => before)
    }
    expect(faults).toEqual([])
    console.log(`${which}: ${kills} kills, ${told} of them told by the next command to have left something`)
  },
)
