/** Processes of temporary changes, killed or stopped at random moments; `bench/watch.mjs` does so more often. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { env as outer } from 'node:process'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, describe, expect } from 'vitest'
import type { FirewallRules } from '../../src/catalogue/firewall-rules'
import { diffRules } from '../../src/firewall/diff'
import { initialRules, ping, test, until } from '../support/openings'
import { randomFrom } from '../support/random'
import { kill } from '../support/watchers'

const [kills, seed] = [Number(outer.WATCH_KILLS ?? 6), Number(outer.WATCH_SEED ?? 1)]
const withoutSsh = { ...initialRules, inbound: [ping] }

/** Checks that handle SIGTERM badly. They end by themselves, for runs whose skyctl is killed. */
const loop = 'for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do sleep 0.1; done; exit 1'
const scripts = { exitsOnTerm: `trap 'exit 0' TERM; ${loop}`, ignoresTerm: `trap '' TERM; ${loop}` }

const removeSsh = 'firewalls rules remove gate inbound label:ssh --yes'

/** Lines that take about a second, each with the rules that it may leave. */
const linesIn = (home: string): readonly (readonly [line: string, allowed: readonly FirewallRules[]])[] => [
  ['firewalls open gate --port 22 --from 198.51.100.7 --for 2s', [initialRules]],
  ['firewalls open gate --port 22 --from 198.51.100.7 --for 1h -- sleep 0.5', [initialRules]],
  [`${removeSsh} --confirm-within 2s --keep-if false`, [initialRules]],
  [`${removeSsh} --keep-if "sleep 0.3"`, [initialRules, withoutSsh]],
  [`${removeSsh} --confirm-within 1s --keep-if "sh ${home}/exitsOnTerm"`, [initialRules]],
  [`${removeSsh} --confirm-within 1s --keep-if "sh ${home}/ignoresTerm"`, [initialRules]],
]
const longestMs = 1_500

/** Moments in milliseconds: when to kill or stop after the file was written, and how long to stop. */
function momentsOf(disturbance: Disturbance): { number: number; moment: number; pauseMs: number }[] {
  const random = randomFrom(seed)
  return Array.from({ length: kills }, (_, run) => ({
    number: run + 1,
    moment: Math.round(random() * longestMs),
    pauseMs: disturbance === 'first process is stopped for a while' ? random() * 2 * longestMs : 0,
  }))
}

const disturbances = [
  'first process is killed',
  'watcher is killed',
  'first process and its watcher are killed',
  'first process is stopped for a while',
] as const
type Disturbance = (typeof disturbances)[number]

describe.for(disturbances)(
  'Rules are restored or confirmed, if need be by a watcher of the next command, if the %s at a random moment',
  { concurrent: true },
  (disturbance) => {
    let restarted = 0
    afterAll(() =>
      console.log(`${disturbance}: ${kills} times, the next command started another watcher ${restarted} times`),
    )

    // The last lines take longest.
    test.for(momentsOf(disturbance).toReversed())(
      'run $number, after $moment ms',
      async ({ number, moment, pauseMs }, { start, shell, gate, home, watchers, records }) => {
        for (const [name, text] of Object.entries(scripts)) writeFileSync(join(home, name), text)
        const lines = linesIn(home)
        const [line, allowed] = lines[(number - 1) % lines.length] ?? ['', []]
        const { kill: killFirst, end } = start(line)
        // Before, nothing can be left.
        await Promise.race([until(() => records().length > 0), end])
        await pause(moment)
        if (disturbance.includes('killed')) {
          // A first process that runs would start another watcher.
          if (disturbance !== 'watcher is killed') killFirst('SIGKILL')
          if (disturbance !== 'first process is killed') for (const pid of watchers()) kill(pid)
        } else {
          killFirst('SIGSTOP')
          await pause(pauseMs)
          killFirst('SIGCONT')
        }
        await end
        await until(() => watchers().length === 0)
        const { stderr } = await shell('skyctl regions view us-east -q')
        const isReported = stderr.includes('was killed before it could undo') && stderr.includes('It was started again')
        if (isReported) {
          restarted += 1
          await until(() => watchers().length === 0)
          await shell('skyctl regions view us-east -q')
        }
        const rules = gate.rules()
        const isAllowed = allowed.some((one) => diffRules(one, rules).length === 0)
        expect(isAllowed, `${line}: ${JSON.stringify(rules)}; ${stderr}`).toBe(true)
        expect(records()).toEqual([])
      },
    )
  },
)
