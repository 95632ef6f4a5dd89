/**
 * Changes of which nobody reads what they print, or no disk takes it: the built program, in a shell. Each is made to its
 * end or the exit code says that it was not, and what the service shows once is kept (interface.md, Safety).
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { systemClock } from '../../src/system-clock'
import { type Kept, type Loss, lossFaults, type Told } from './lost-output'
import { openPlace } from './place'
import { words } from './run'
import { commands, type Sample, samples } from './samples'

/** The lines, and how many requests that change something each of them is. */
export const changes: readonly (readonly [requests: number, line: string])[] = [
  [1, 'volumes create --label new --region us-east --tag a'],
  [1, 'volumes create --label new --region us-east --wait'],
  [1, 'volumes update 3002 --label renamed'],
  [1, 'volumes clone 3002 --label copy'],
  [1, 'volumes attach 3002 --compute-id 1001 --wait'],
  [1, 'volumes resize 3002 --size 60 --debug'],
  [3, 'volumes delete 3002 3004 3005 --yes'],
  [3, 'volumes delete 3002 3004 3005 --yes --concurrency 1'],
  [1, 'firewalls create --label new --inbound-policy DROP --outbound-policy ACCEPT'],
  [2, 'firewalls disable web database --yes'],
  [2, 'firewalls delete spare web-strict --yes'],
  [1, 'firewalls devices add spare --compute-id 1009'],
  [1, 'firewalls rules add spare inbound --action ACCEPT --protocol TCP --port 22 --from 198.51.100.7/32 --label ssh'],
  [1, 'ips allocate --compute-id 1001 --public'],
  [1, 'ips rdns 192.0.2.11 --reset --yes'],
  [1, 'ipv6 ranges create --prefix-length 64 --compute-id 1010'],
  [1, 'ipv6 ranges delete 2001:db8:114:100::/64 --yes'],
  [1, 'profile update --timezone Europe/Berlin'],
  [2, 'profile apps revoke 1 2 --yes'],
  [2, 'profile sshkeys delete laptop desktop --yes'],
  [
    1,
    'profile sshkeys add --label new --ssh-key "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIBYkTw1mRkPLs3AWdWp0tE0vPc0tVUiyy5zRVrkwGyLc me"',
  ],
  [1, 'profile preferences set --body -'],
  [2, 'tokens revoke 4 5 --yes'],
  [1, 'api DELETE /volumes/3002 --yes'],
]

/** What `profile preferences set` reads. */
export const someBody = '{"theme": "dark"}'

type Line = Required<Pick<Sample, 'line'>> & Omit<Sample, 'line'>

/** What they show the service shows once. */
const showsOnce = /^(tokens (create|rotate)|profile tfa (enable|confirm)) /

const ofSamples = commands.flatMap(({ path, command }): Line[] => {
  const sample = samples[path]
  const changesService = command.operations?.some(({ method }) => method !== 'GET')
  const changesContexts = /^(auth (login|logout)|context (delete|rename|update|use))$/.test(path)
  return sample && (changesService || changesContexts) ? [{ ...sample, line: `${path} ${sample.line} --yes` }] : []
})

export const lines: readonly Line[] = [...changes.map(([, line]) => ({ line, stdin: someBody })), ...ofSamples]

interface Way extends Loss {
  /** Around `$RUN`; OUT and ERR are files, and GATE is a FIFO. */
  shell: string
}

/** A reader that has gone before anything is written. */
const wait = ': < "$GATE"'
const gone = '{ exec <&-; : > "$GATE"; }'

/** How what is printed is lost. */
export const ways: Readonly<Record<string, Way>> = {
  'the reader of both leaves after a line': { shell: '$RUN 2>&1 | head -n 1', stdout: 'maybe', stderr: 'maybe' },
  'the reader of both leaves some time': { shell: '$RUN 2>&1 | true', stdout: 'maybe', stderr: 'maybe' },
  'nobody reads either': { shell: `{ ${wait}; $RUN 2>&1; } | ${gone}`, stdout: 'gone', stderr: 'gone' },
  'nobody reads stdout': { shell: `{ ${wait}; $RUN 2> "$ERR"; } | ${gone}`, stdout: 'gone' },
  'nobody reads stderr': { shell: `{ ${wait}; $RUN 2>&1 > "$OUT"; } | ${gone}`, stderr: 'gone' },
  'stdout is closed': { shell: '$RUN 2> "$ERR" >&-', stdout: 'gone' },
  'stderr is closed': { shell: '$RUN > "$OUT" 2>&-', stderr: 'gone' },
  'both are closed': { shell: '$RUN >&- 2>&-', stdout: 'gone', stderr: 'gone' },
  'stdout is a full disk': { shell: '$RUN 2> "$ERR" > /dev/full', stdout: 'full' },
  'stderr is a full disk': { shell: '$RUN > "$OUT" 2> /dev/full', stderr: 'full' },
  'both are a full disk': { shell: '$RUN > /dev/full 2>&1', stdout: 'full', stderr: 'full' },
}

export interface Case {
  line: Line
  way: string
  /** Added to the line. */
  flags: string
}

/** Every other with all that can be said. */
export const cases: readonly Case[] = Object.keys(ways).flatMap((way, turn) =>
  lines.map((line, index) => ({ line, way, flags: (turn + index) % 2 === 0 ? '' : '--json --debug' })),
)

/** Starts a background process, which only the built program can. */
const startsWatcher = /^firewalls open /
const everythingRead: Way = { shell: '$RUN > "$OUT" 2> "$ERR"' }

/** Runs of which everything is read, by their lines: what the others are compared with. */
const read = new Map<string, Promise<Told>>()

/** What is wrong with a case; nothing should be. The run of which everything is read is mostly one of the process of the tests. */
export async function play({ line, way, flags }: Case, program: readonly string[]): Promise<string[]> {
  const loss = ways[way]
  if (!loss) throw new Error(`no way to lose output is called "${way}"`)
  const full = { ...line, line: `${line.line} ${flags}` }
  const isProcess = startsWatcher.test(full.line)
  const open = read.get(full.line) ?? runIn(full, isProcess ? { way: everythingRead, program } : undefined)
  read.set(full.line, open)
  const lost = await runIn(full, { way: loss, program })
  const faults = lossFaults(await open, lost, { ...loss, showsOnce: showsOnce.test(full.line) })
  const last = lost.stderr.trimEnd().split('\n').at(-1)
  return faults.map((fault) => `${full.line}, ${way}: ${fault}\n    ${lost.exit} ${last}`)
}

/** Who runs a line, and what becomes of what it prints. */
interface Started {
  way: Way
  program: readonly string[]
}

/** On a sandbox of its own, in a home of its own. */
async function runIn({ line, stdin: typed = '', arrange }: Line, started?: Started): Promise<Told> {
  // The process waits by a clock of its own, which does not move that of the sandbox.
  const place = await openPlace({ transitionMs: 0 })
  const { home, env, sandbox, skyctl } = place
  try {
    await arrange?.(place)
    const before = sandbox.world.requests().length
    const surroundings = {
      env: { ...env, HOME: home, PATH: '/usr/bin:/bin' },
      stdin: typed.replace('TOKEN', sandbox.ownerToken),
    }
    const ended = await (started
      ? runShell(line, home, { ...surroundings, ...started })
      : skyctl(line, { ...surroundings, clock: systemClock }))
    const sent = sandbox.world
      .requests()
      .slice(before)
      .filter(({ method }) => method !== 'GET')
    return {
      ...ended,
      sent: sent.map(({ method, path }) => `${method} ${path}`).sort(),
      contexts: textOf(join(home, 'config', 'contexts.json')).replaceAll(sandbox.baseUrl, 'BASE'),
      kept: keptIn(join(home, 'state', 'unread')),
    }
  } finally {
    await place.close()
  }
}

interface ShellOptions extends Started {
  env: Record<string, string>
  stdin: string
}

/** What a shell does with a line; a stream that goes elsewhere is empty. */
async function runShell(typed: string, home: string, { way, program, env, stdin }: ShellOptions) {
  const argv = [...program, ...words(typed)].map((word) => `'${word}'`).join(' ')
  const line = way.shell.replace('$RUN', `{ ${argv}; echo $? > "$EXIT"; }`)
  const file = (name: string) => join(home, name)
  const files = { IN: file('in'), OUT: file('out'), ERR: file('err'), EXIT: file('exit'), GATE: file('gate') }
  writeFileSync(files.IN, stdin)
  const script = `mkfifo "$GATE"; exec < "$IN"; ${line}`
  await once(spawn('/bin/sh', ['-c', script], { env: { ...env, ...files }, stdio: 'ignore' }), 'close')
  return { exit: Number(textOf(files.EXIT) || Number.NaN), stdout: textOf(files.OUT), stderr: textOf(files.ERR) }
}

function textOf(path: string): string {
  return existsSync(path) ? readFileSync(path, 'utf8') : ''
}

function keptIn(folder: string): Kept[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder).map((name) => {
    const path = join(folder, name)
    return { path, mode: statSync(path).mode & 0o777, text: readFileSync(path, 'utf8') }
  })
}
