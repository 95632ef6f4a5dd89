/** Kills runs of skyctl again and again, resumes them until all is done, and checks the outcome. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { openSandbox, type Sandbox } from '../../src/sandbox/sandbox'
import { randomFrom } from './random'

export interface Campaign {
  /** Command that starts skyctl, before the words of the line. */
  program: readonly string[]
  verb: 'create' | 'delete'
  targets: number
  kills: number
  /** Determines the requests at which runs are killed. */
  seed: number
}

export interface Figures {
  /** Number of killed runs: fewer than planned if all was done before. */
  killed: number
  /** Number of changes that the service made and whose answers nobody received. */
  unanswered: number
  /** Number of targets that the last strict run left unknown. None of them had been done. */
  unknown: number
  /** Must be empty. */
  faults: string[]
}

/** Progress of a request at which its process is killed. */
const moments = ['done', 'arrived', 'answered'] as const

interface Kill {
  /** Number of changing requests of this run until then. */
  after: number
  moment: (typeof moments)[number]
}

interface Exchange {
  method: string
  url: string
  status: number
}

export async function campaign(plan: Campaign): Promise<Figures> {
  const sandbox = await openSandbox({ rateLimit: false })
  const { baseUrl } = await sandbox.listen()
  const folder = mkdtempSync(join(tmpdir(), 'skyctl-crashes-'))
  const trial = plan.verb === 'create' ? creating(plan, sandbox, folder) : deleting(plan, sandbox)
  const gate = await openGate(baseUrl, trial.passed)
  const random = randomFrom(plan.seed)
  const journal = join(folder, 'journal.ndjson')
  const run = async (flags: readonly string[], kill?: Kill) => {
    const env = { ...environmentIn(folder), SKYCTL_BASE_URL: gate.baseUrl, SKYCTL_TOKEN: sandbox.ownerToken }
    const [file = '', ...argv] = plan.program
    const child = spawn(file, [...argv, ...trial.line, '--yes', '--json', ...flags], { env })
    const texts = { stdout: '', stderr: '' }
    for (const name of ['stdout', 'stderr'] as const) {
      child[name].setEncoding('utf8').on('data', (text: string) => {
        texts[name] += text
      })
    }
    gate.watch(kill, () => child.kill('SIGKILL'))
    const [exit] = await once(child, 'close')
    // Its requests may still be in progress.
    await gate.quiet()
    return { exit, ...texts }
  }
  try {
    // Requests in flight at a kill may be done, too.
    const most = Math.ceil(plan.targets / plan.kills / 2)
    let killed = 0
    for (; killed < plan.kills; killed += 1) {
      const moment = moments[killed % moments.length] ?? 'done'
      const kill = { after: 1 + Math.floor(random() * most), moment }
      const { exit } = await run(killed === 0 ? ['--journal', journal] : ['--resume', journal], kill)
      if (exit !== null) break
    }
    const strict = await run(['--resume', journal])
    const unknown = trial.unknown(strict)
    const resend = plan.verb === 'create' ? ['--resend-unknown'] : []
    const last = await run(['--resume', journal, ...resend])
    const faults = [
      ...(last.exit === 0 ? [] : [`ends with ${last.exit}: ${last.stderr}`]),
      ...trial.faults(last.stdout),
    ]
    return { killed, unanswered: gate.unanswered(), unknown, faults }
  } finally {
    await gate.close()
    await sandbox.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

interface RunResult {
  exit: number | null
  stderr: string
}

interface Trial {
  line: readonly string[]
  /** Is called with each answered request. */
  passed(exchange: Exchange): void
  /** Returns the number of unknown targets, or NaN unless all others are done. */
  unknown(result: RunResult): number
  /** Lists targets that were done twice or not at all, and wrong output. */
  faults(stdout: string): string[]
}

const labelOf = (index: number) => `crash-${index}`

function creating({ targets }: Campaign, { world }: Sandbox, folder: string): Trial {
  const file = join(folder, 'volumes.ndjson')
  const labels = Array.from({ length: targets }, (_, index) => labelOf(index))
  const bodies = labels.map((label, index) => ({ label, region: 'us-east', size: 10 + (index % 50) }))
  writeFileSync(file, bodies.map((body) => `${JSON.stringify(body)}\n`).join(''))
  const volumesOf = (label: string) => world.volumes.all().filter((volume) => volume.label === label)
  return {
    line: ['volumes', 'create', '--body', file],
    passed() {},
    unknown({ stderr }) {
      const { failures = [] } = errorIn(stderr)
      const open = failures.filter(({ error }) => error.code === 'outcome_unknown')
      // A volume with this label is ours, so skyctl must have found it.
      const done = open.filter(({ target }) => volumesOf(labelOf(Number(target.slice('line '.length)) - 1)).length > 0)
      return done.length > 0 || open.length < failures.length ? Number.NaN : open.length
    },
    faults(stdout) {
      const ids = new Map(recordsIn(stdout).map(({ id, label }) => [label, id]))
      const order = [...ids.keys()].join() === labels.join() ? [] : ['stdout does not list all targets in order']
      const wrong = bodies.flatMap(({ label, size }) => {
        const volumes = volumesOf(label)
        const isRight = volumes.length === 1 && volumes[0]?.size === size && volumes[0].id === ids.get(label)
        return isRight ? [] : [`${label}: ${volumes.length} exist, stdout has ${ids.get(label)}`]
      })
      return [...order, ...wrong]
    },
  }
}

function deleting({ targets }: Campaign, { world }: Sandbox): Trial {
  const ids = Array.from({ length: targets }, (_, index) => world.volumes.add({ label: labelOf(index) }).id)
  const strangers: number[] = []
  const times = new Map<number, number>()
  return {
    line: ['volumes', 'delete', ...ids.map((_, index) => labelOf(index))],
    passed({ method, url, status }) {
      if (method !== 'DELETE' || status !== 200) return
      const id = Number(url.split('/').at(-1))
      times.set(id, (times.get(id) ?? 0) + 1)
      // Somebody else takes the label that is free now.
      const index = ids.indexOf(id)
      if (index >= 0) strangers.push(world.volumes.add({ label: labelOf(index) }).id)
    },
    unknown: ({ exit }) => (exit === 0 ? 0 : Number.NaN),
    faults(stdout) {
      const listed = recordsIn(stdout).map(({ id, ok }) => (ok === true ? id : undefined))
      return [
        ...(listed.join() === ids.join() ? [] : ['stdout does not list all targets in order']),
        ...ids.filter((id) => world.volumes.get(id)).map((id) => `${id} still exists`),
        ...strangers.filter((id) => !world.volumes.get(id)).map((id) => `${id} belonged to somebody else`),
        ...[...times].filter(([, count]) => count > 1).map(([id]) => `${id} was deleted twice`),
      ]
    },
  }
}

function recordsIn(stdout: string): Record<string, unknown>[] {
  try {
    return JSON.parse(stdout)
  } catch {
    return []
  }
}

function errorIn(stderr: string): { failures?: { target: string; error: { code: string } }[] } {
  const last = stderr.trimEnd().split('\n').at(-1)
  return last ? JSON.parse(last).error : {}
}

/** Opens a proxy that counts the changing requests of a run and kills it at one of them. */
async function openGate(target: string, passed: (exchange: Exchange) => void) {
  const base = new URL(target)
  const sockets = new Set<Socket>()
  const open = new Set<Promise<unknown>>()
  let count = 0
  let lost = 0
  let plan: Kill | undefined
  let kill = () => {}
  async function pass(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const { method = '', url = '', headers } = incoming
    const body = await buffer(incoming)
    const changes = method !== 'GET'
    if (changes) count += 1
    const fatal = changes && count === plan?.after ? plan.moment : undefined
    if (fatal === 'arrived') return kill()
    const answer = await forward(base, { method, url, headers }, body)
    passed({ method, url, status: answer.status })
    if (changes && (fatal === 'done' || outgoing.destroyed) && answer.status === 200) lost += 1
    if (fatal === 'done') return kill()
    outgoing.writeHead(answer.status, answer.headers).end(answer.body)
    if (fatal === 'answered') outgoing.once('finish', kill)
  }
  const server = createServer((incoming, outgoing) => {
    // A killed process leaves requests that break off.
    const work = pass(incoming, outgoing).catch(() => outgoing.destroy())
    open.add(work)
    work.finally(() => open.delete(work))
  })
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  return {
    baseUrl: `http://127.0.0.1:${port}${base.pathname}`,
    unanswered: () => lost,
    watch(next: Kill | undefined, killer: () => void) {
      count = 0
      plan = next
      kill = killer
    },
    /** Resolves when no request of an ended process is in progress. */
    async quiet() {
      for (const socket of sockets)
        await new Promise<void>((resolve) => (socket.destroyed ? resolve() : socket.once('close', () => resolve())))
      await Promise.all(open)
    },
    close: () => new Promise((resolve) => server.close(resolve)),
  }
}

interface Forwarded extends Pick<Required<IncomingMessage>, 'headers'> {
  status: number
  body: Buffer
}

async function forward(
  { hostname, port }: URL,
  {
    headers: { host: _host, ...headers },
    ...options
  }: { method: string; url: string; headers: IncomingMessage['headers'] },
  body: Buffer,
): Promise<Forwarded> {
  const onward = request({ hostname, port, method: options.method, path: options.url, headers, agent: false })
  onward.end(body)
  const [answer] = (await once(onward, 'response')) as [IncomingMessage]
  return { status: answer.statusCode ?? 500, headers: answer.headers, body: await buffer(answer) }
}

function environmentIn(folder: string): Record<string, string> {
  return {
    PATH: '/usr/bin:/bin',
    HOME: folder,
    SKYCTL_CONFIG_DIR: join(folder, 'config'),
    SKYCTL_STATE_DIR: join(folder, 'state'),
  }
}
