/**
 * Changes whose output nobody reads or no disk stores, run by the built program in a shell. Each change completes, or
 * the exit code reports that it did not; a secret that the service shows once is saved (interface.md, Safety).
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { systemClock } from '../../src/platform/system'
import { type Loss, lossFaults, type RunOutput, type SavedFile } from './lost-output'
import { words } from './run'
import { commands, type Sample, samples } from './samples'
import { openEnvironment } from './test-environment'

/** Command lines with the number of changing requests of each. */
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
  [1, 'firewalls devices add spare --compute-id 1009 --yes'],
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

/** Input of `profile preferences set`. */
export const someBody = '{"theme": "dark"}'

type Line = Required<Pick<Sample, 'line'>> & Omit<Sample, 'line'>

/** Commands that print a secret that the service shows once. */
const showsOnce = /^(tokens (create|rotate)|profile tfa (enable|confirm)) /

const ofSamples = commands.flatMap(({ path, command }): Line[] => {
  const sample = samples[path]
  const changesService = command.operations?.some(({ method }) => method !== 'GET')
  const changesContexts = /^(auth (login|logout)|context (delete|rename|update|use))$/.test(path)
  return sample && (changesService || changesContexts) ? [{ ...sample, line: `${path} ${sample.line} --yes` }] : []
})

export const lines: readonly Line[] = [...changes.map(([, line]) => ({ line, stdin: someBody })), ...ofSamples]

interface Way extends Loss {
  /** Shell code around `$RUN`. OUT and ERR are files, and GATE is a FIFO. */
  shell: string
}

/** A reader that leaves before anything is written. */
const awaitReader = ': < "$GATE"'
const leavingReader = '{ exec <&-; : > "$GATE"; }'

/** Ways to lose output. */
export const ways: Readonly<Record<string, Way>> = {
  'the reader of both leaves after a line': { shell: '$RUN 2>&1 | head -n 1', stdout: 'maybe', stderr: 'maybe' },
  'the reader of both leaves at any time': { shell: '$RUN 2>&1 | true', stdout: 'maybe', stderr: 'maybe' },
  'nobody reads either': { shell: `{ ${awaitReader}; $RUN 2>&1; } | ${leavingReader}`, stdout: 'gone', stderr: 'gone' },
  'nobody reads stdout': { shell: `{ ${awaitReader}; $RUN 2> "$ERR"; } | ${leavingReader}`, stdout: 'gone' },
  'nobody reads stderr': { shell: `{ ${awaitReader}; $RUN 2>&1 > "$OUT"; } | ${leavingReader}`, stderr: 'gone' },
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

/** Every line in every way, half of them with as much output as possible. */
export const cases: readonly Case[] = Object.keys(ways).flatMap((way, turn) =>
  lines.map((line, index) => ({ line, way, flags: (turn + index) % 2 === 0 ? '' : '--json --debug' })),
)

/** Starts a background process, which only the built program can. */
const startsWatcher = /^firewalls open /
const everythingRead: Way = { shell: '$RUN > "$OUT" 2> "$ERR"' }

/** Complete output by command line: the other runs are compared with it. */
const completeRuns = new Map<string, Promise<RunOutput>>()

/** Lists the faults of a case. The run with complete output mostly takes place in the process of the tests. */
export async function play({ line, way, flags }: Case, program: readonly string[]): Promise<string[]> {
  const loss = ways[way]
  if (!loss) throw new Error(`no way to lose output is called "${way}"`)
  const full = { ...line, line: `${line.line} ${flags}` }
  const isProcess = startsWatcher.test(full.line)
  const complete = completeRuns.get(full.line) ?? runIn(full, isProcess ? { way: everythingRead, program } : undefined)
  completeRuns.set(full.line, complete)
  const lost = await runIn(full, { way: loss, program })
  const faults = lossFaults(await complete, lost, { ...loss, showsOnce: showsOnce.test(full.line) })
  const last = lost.stderr.trimEnd().split('\n').at(-1)
  return faults.map((fault) => `${full.line}, ${way}: ${fault}\n    ${lost.exit} ${last}`)
}

/** The way to lose output, and the program that a shell starts. */
interface ShellRun {
  way: Way
  program: readonly string[]
}

/** Runs a line on a sandbox and in a home of its own. */
async function runIn({ line, stdin: input = '', arrange }: Line, shell?: ShellRun): Promise<RunOutput> {
  // The process waits by a clock of its own, which does not move the sandbox's.
  const place = await openEnvironment({ transitionMs: 0 })
  const { home, env, sandbox, skyctl } = place
  try {
    await arrange?.(place)
    const before = sandbox.world.requests().length
    const surroundings = {
      env: { ...env, HOME: home, PATH: '/usr/bin:/bin' },
      stdin: input.replace('TOKEN', sandbox.ownerToken),
    }
    const result = await (shell
      ? runShell(line, home, { ...surroundings, ...shell })
      : skyctl(line, { ...surroundings, clock: systemClock }))
    const sent = sandbox.world
      .requests()
      .slice(before)
      .filter(({ method }) => method !== 'GET')
    return {
      ...result,
      sent: sent.map(({ method, path }) => `${method} ${path}`).sort(),
      contexts: textOf(join(home, 'config', 'contexts.json')).replaceAll(sandbox.baseUrl, 'BASE'),
      savedFiles: savedOutputs(join(home, 'state', 'unread')),
    }
  } finally {
    await place.close()
  }
}

interface ShellOptions extends ShellRun {
  env: Record<string, string>
  stdin: string
}

/** Runs a line in a shell. A stream that is redirected elsewhere is empty. */
async function runShell(commandLine: string, home: string, { way, program, env, stdin }: ShellOptions) {
  const argv = [...program, ...words(commandLine)].map((word) => `'${word}'`).join(' ')
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

function savedOutputs(folder: string): SavedFile[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder).map((name) => {
    const path = join(folder, name)
    return { path, mode: statSync(path).mode & 0o777, text: readFileSync(path, 'utf8') }
  })
}
