/**
 * A service that is unavailable for a minute when a watcher undoes a change. The clock of skyctl's processes is fast here;
 * `bench/watch.mjs --away 60` runs in real time.
 */
import { join } from 'node:path'
import { env as outer } from 'node:process'
import { expect } from 'vitest'
import { answer503, cut, type Loss } from '../support/lossy-proxy'
import { initialRules, test, until } from '../support/openings'
import { preloading } from '../support/program'

const [seconds, faster] = outer.WATCH_AWAY ? [Number(outer.WATCH_AWAY), 1] : [60, 30]
const awayMs = (seconds * 1000) / faster

const fast = { ...preloading(join(import.meta.dirname, '../support/fast-clock.cjs')), FASTER: String(faster) }

const open = 'firewalls open gate --port 22 --from 198.51.100.7'
const change = 'firewalls rules remove gate inbound label:ssh --yes --confirm-within 1h'

/** Answers 404 as a gateway in front of the API would, which does not know the firewall. */
const foreign =
  (body: string, type = 'application/json'): Loss['reply'] =>
  (outgoing) =>
    void outgoing.writeHead(404, { 'content-type': type }).end(body)

interface Case {
  line: string
  /** Reason for the undo: the first process is killed, its command ends, or the time is over. */
  ends: 'killed' | 'command' | 'time'
  reply?: Loss['reply']
}

const cases: readonly (readonly [string, Case])[] = [
  [
    'an expired opening, the service resets each connection',
    { line: `${open} --for ${2 * faster}s`, ends: 'time', reply: cut },
  ],
  [
    'an expired opening, a gateway answers 404 with a page',
    { line: `${open} --for ${2 * faster}s`, ends: 'time', reply: foreign('<html>404 Not Found</html>', 'text/html') },
  ],
  [
    'an expired opening, a gateway answers an empty 404',
    { line: `${open} --for ${2 * faster}s`, ends: 'time', reply: foreign('') },
  ],
  [
    'an opening whose first process is killed, a gateway answers 404 with its own JSON',
    {
      ...{ line: `${open} -- sh -c "echo running; read -r _"`, ends: 'killed' },
      reply: foreign('{"message":"no Route matched with those values"}'),
    },
  ],
  [
    'a change whose first process is killed, a gateway answers 404 with a page',
    {
      ...{ line: `${change} --keep-if "echo running >&2; false"`, ends: 'killed' },
      reply: foreign('<html>404 Not Found</html>', 'text/html'),
    },
  ],
  ['an opening whose command has ended', { line: `${open} -- sh -c "echo running; read -r _"`, ends: 'command' }],
  ['an opening whose first process is killed', { line: `${open} -- sh -c "echo running; read -r _"`, ends: 'killed' }],
  ['a change whose first process is killed', { line: `${change} --keep-if "echo running >&2; false"`, ends: 'killed' }],
]

test.concurrent.for(cases)(
  'A watcher retries while the service is unavailable for a minute: %s',
  { timeout: 60_000 + 2 * awayMs },
  async ([what, { line, ends, reply = answer503 }], { start, shell, gate, proxy, watchers, records }) => {
    const { stdin, until: waitFor, kill, end } = start(line, { env: { ...fast, SKYCTL_BASE_URL: proxy.baseUrl } })
    if (ends === 'time') await end
    else await waitFor('running')
    expect(gate.rules()).not.toEqual(initialRules)
    const { lost } = proxy.away(awayMs, reply)
    if (ends === 'killed') kill('SIGKILL')
    if (ends === 'command') stdin.write('\n')
    await until(() => lost() > 0)
    const began = performance.now()
    await until(() => watchers().length === 0, awayMs * 2)
    const tookMs = performance.now() - began
    expect(gate.rules()).toEqual(initialRules)
    if (ends === 'command') {
      expect(await end).toMatchObject({ exit: 0, stderr: expect.stringContaining('; trying again\n') })
      expect(records()).toEqual([])
    } else {
      expect((await shell('skyctl regions view us-east -q')).stderr).toMatch(
        /^Since the last command, .*: (Closed|Restored)/,
      )
    }
    const delay = `${((tookMs * faster) / 1000).toFixed(0)} s after the first request`
    console.log(`${what}: unavailable for ${seconds} s, ${lost()} requests lost, and undone ${delay}`)
  },
)
