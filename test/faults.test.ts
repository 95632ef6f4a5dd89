/**
 * skyctl against a service that fails in every way of reliability.md: the right exit code inside the deadline, no stack
 * trace, stdout empty or complete. Here with one command that reads and two that change something, and one fault in ten
 * by the built program; `npm run faults` takes every command that asks the service for something, always by the program.
 */
import { execFile } from 'node:child_process'
import { existsSync, readFileSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { env as surroundings } from 'node:process'
import { describe } from 'vitest'
import type { Operation } from '../src/catalogue/operation'
import { systemClock } from '../src/system-clock'
import {
  type Certificate,
  certificateFile,
  type Heard,
  openFaultServer,
  reply,
  type Script,
  silence,
} from './support/fault-server'
import { expectedExit, type Fault, faults, pageFaults, type WholeAnswer } from './support/faults'
import { deadEnd } from './support/nowhere'
import { linkCode } from './support/process'
import { preloading, program } from './support/program'
import { commands, samples } from './support/samples'
import { test as base, type Fixtures, type Result, runSkyctl, words } from './support/skyctl'

const [start = '', ...before] = program
/** Writes the most memory that its process had, in KiB, to PEAK_FILE. */
const peak = join(import.meta.dirname, 'support/peak.cjs')
/** For --timeout; a busy machine makes answers late that are on their way. */
const patience = '10s'
/** When a process is taken for one that hangs, in milliseconds. */
const deadline = 20_000

interface Line {
  /** The words of the command. */
  path: string
  /** The one that is to meet the fault. */
  operation: Operation
  /** Whether it says how long its pages are. */
  paged: boolean
}

/** They tell what became of each thing, with exit codes of their own: account-*.test.ts and doctor.test.ts hold them. */
const tellOfEach = /^(apply|doctor)$/

const lines: Line[] = commands.flatMap(({ path, command: { operations = [], flags } }) => {
  const operation = operations.find(({ method }) => method !== 'GET') ?? operations[0]
  if (!operation || tellOfEach.test(path)) return []
  return [{ path, operation, paged: operation.paged === true && flags.some(({ name }) => name === 'page-size') }]
})
const chosen =
  surroundings.FAULTS === 'all' ? lines : lines.filter(({ path }) => /^volumes (list|create|update)$/.test(path))
const lists = chosen.filter(({ paged }) => paged)
/** One fault in so many is met by a process; the others by this one, for a tenth of the CPU time. */
const oneIn = surroundings.FAULTS === 'all' ? 1 : 10
const sampled = (faults: Readonly<Record<string, Fault>>) =>
  Object.entries(faults).map(([name, fault], index) => [name, { ...fault, here: index % oneIn !== 0 }] as const)

/** Where skyctl is tried. */
interface Tried {
  /** In this process. */
  here?: boolean
  env?: Record<string, string>
}

interface Met extends Result {
  /** The requests that met the fault. */
  heard: Heard[]
}

interface Faulty {
  /** Runs a command's sample against a service that is as the sandbox is, but for the fault. */
  meet(line: Line, fault: Fault & { here?: boolean }, flags?: string, env?: Record<string, string>): Promise<Met>
  /** Runs a command's sample, and counts the requests that reached the sandbox. */
  start(line: Line, flags: string, tried: Tried): Promise<Result & { reached: number }>
}

const test = base.extend<Faulty>({
  start: async ({ skyctl, sandbox, world, env, home, clock }, use) =>
    use(async ({ path }, flags, { here, env: more = {} }) => {
      const sample = samples[path]
      await sample?.arrange?.({ skyctl, sandbox, world, env, home, clock })
      moveCopies(env, more)
      const stdin = sample?.stdin?.replace('TOKEN', sandbox.ownerToken) ?? ''
      const before = world.requests().length
      const whole = { ...env, HOME: home, ...more }
      const argv = words(`${path} ${sample?.line} ${flags}`)
      if (!here) linkCode(join(home, 'cache'))
      const ended = await (here ? runSkyctl(argv, { env: whole, stdin, clock: systemClock }) : run(argv, whole, stdin))
      return { ...ended, reached: world.requests().length - before }
    }),
  meet: async ({ start, sandbox }, use) => {
    const servers: { close(): void }[] = []
    await use(async (line, fault, flags = '', more = {}) => {
      const heard: Heard[] = []
      const server = await openFaultServer(faultyService(line, fault, { sandbox, heard }))
      servers.push(server)
      const limits = `--json --yes --retries 1 --max-wait 1s --timeout ${fault.timeout ?? patience} ${flags}`
      const env = { SKYCTL_BASE_URL: `http://${server.host}/v4`, ...more }
      return { ...(await start(line, limits, { here: fault.here === true, env })), heard }
    })
    for (const server of servers) server.close()
  },
})

/** Copies of rules belong to an address, and what was arranged at the sandbox is met at another. */
function moveCopies(
  { SKYCTL_BASE_URL: from = '', SKYCTL_STATE_DIR: state = '' },
  { SKYCTL_BASE_URL: to = from },
): void {
  const [old, next] = [from, to].map((url) => join(state, 'rules', encodeURIComponent(new URL(url).host)))
  if (old && next && existsSync(old)) renameSync(old, next)
}

function run(argv: string[], env: Record<string, string>, stdin: string): Promise<Result> {
  return new Promise((resolve) => {
    const options = { env, timeout: deadline, killSignal: 'SIGKILL', maxBuffer: 2 ** 26 } as const
    const child = execFile(start, [...before, ...argv], options, (error, stdout, stderr) => {
      const exit = error === null ? 0 : typeof error.code === 'number' ? error.code : -1
      resolve({ exit, stdout, stderr })
    })
    // Not every command reads it.
    child.stdin?.on('error', () => {}).end(stdin)
  })
}

/**
 * A list and a change meet the fault where they ask for what they are about; what shows one object meets it at every
 * read, since a look for its label may be all that is sent.
 */
function faultyService(
  { operation: { method, path, paged } }: Line,
  { instead, spoil = whole }: Fault,
  { sandbox, heard }: Pick<Fixtures, 'sandbox'> & { heard: Heard[] },
): Script {
  const pattern = new RegExp(`^/v4${path.replaceAll(/\{\w+\}/g, '[^/]+')}(\\?|$)`)
  return async (socket, request) => {
    const met = request.method === method && ((method === 'GET' && !paged) || pattern.test(request.path))
    if (met) heard.push(request)
    if (met && instead) return instead(socket, request)
    const answer = await ask(sandbox, request)
    const script = met ? spoil(answer) : whole(answer)
    script(socket, request)
  }
}

const whole = ({ status, headers, body }: WholeAnswer) => reply(status, body, headers)

async function ask({ baseUrl }: { baseUrl: string }, { method, path, headers, body }: Heard): Promise<WholeAnswer> {
  const kept = Object.entries(headers).filter(([name]) => !/^(host|connection|content-length)$/.test(name))
  const answer = await fetch(new URL(path, baseUrl), { method, headers: kept, ...(body !== '' && { body }) })
  const told = Object.fromEntries([...answer.headers].filter(([name]) => name.startsWith('x-')))
  return { status: answer.status, headers: told, body: Buffer.from(await answer.arrayBuffer()) }
}

/** What must hold of a run, whatever it met. */
function judge({ exit, stdout, stderr }: Result) {
  const said = stderr.split('\n').filter((line) => line !== '')
  const failure = said.map(parsed).find((record) => record?.error)
  return {
    exit,
    told: failure?.error?.exit_code ?? 0,
    onlyJson: said.every((line) => parsed(line)),
    stdout: stdout === '' ? 'empty' : parsed(stdout) === undefined ? 'broken' : 'whole',
  }
}

function parsed(text: string): { error?: { exit_code: number } } | undefined {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const survived = (exit: number) => ({ exit, told: exit, onlyJson: true, stdout: exit === 0 ? 'whole' : 'empty' })

describe.for(chosen)('$path', (line) => {
  test.concurrent.for(sampled(faults))('survives %s', { timeout: deadline }, async ([, fault], { meet, expect }) => {
    const met = await meet(line, fault)
    // What answers for grants is not all that audit reads: it reports the rest, and fails for them.
    const isAudit = line.path === 'audit' && fault.exits.none !== undefined
    const exit = isAudit ? 8 : expectedExit(fault, line.operation)
    // The overview reports the other parts, unless the token is rejected; what the token may not read is no failure.
    const isOverview = line.path === 'overview' && exit !== 3
    const expected = survived(isOverview && exit === 4 ? 0 : exit)
    expect(judge(met), met.stderr).toEqual({ ...expected, ...((isAudit || isOverview) && { stdout: 'whole' }) })
    if (met.exit === 11 && line.operation.idempotency === 'never') expect(met.heard).toHaveLength(1)
  })
})

describe.for(lists)('$path', (line) => {
  test.concurrent.for(sampled(pageFaults))(
    'survives %s',
    { timeout: deadline },
    async ([, fault], { meet, expect }) => {
      const met = await meet(line, fault, '--page-size 25')
      expect(judge(met), met.stderr).toEqual(survived(fault.exits.again))
    },
  )
})

interface Address {
  where: string
  /** From the hosts of a server that does not say a word and of the sandbox. */
  baseUrl(mute: string, sandbox: string): string
  certificate?: Certificate
  /** Whether the certificate would be trusted, were nothing else wrong with it. */
  trusted?: true
}

const addresses: Address[] = [
  { where: 'a port where nobody listens', baseUrl: () => deadEnd },
  { where: 'a name that does not exist', baseUrl: () => 'https://api.invalid' },
  { where: 'a certificate that is self-signed', baseUrl: (host) => `https://${host}`, certificate: 'good' },
  {
    where: 'a certificate that has expired',
    baseUrl: (host) => `https://${host}`,
    certificate: 'expired',
    trusted: true,
  },
  {
    where: 'a certificate for another name',
    baseUrl: (host) => `https://${host}`,
    certificate: 'wrong-name',
    trusted: true,
  },
  { where: 'silence where TLS is expected', baseUrl: (host) => `https://${host}` },
  { where: 'plain HTTP where TLS is expected', baseUrl: (_, sandbox) => `https://${sandbox}` },
]

describe.for(chosen)('$path', (line) => {
  // Only a process takes other certificates, so each of them is tried with one of the commands.
  const tried = addresses.filter(
    ({ trusted }, index) => oneIn === 1 || !trusted || chosen[index % chosen.length] === line,
  )

  test.concurrent.for(tried)('sends nothing to $where', async (address, { start, sandbox, expect }) => {
    const { baseUrl, certificate, trusted } = address
    const server = await openFaultServer(silence, certificate)
    const authority = certificate && trusted ? { NODE_EXTRA_CA_CERTS: certificateFile(certificate) } : {}
    const url = baseUrl(server.host, new URL(sandbox.baseUrl).host)
    const here = oneIn > 1 && !trusted && (certificate === undefined || line.path !== 'volumes list')
    const env = { SKYCTL_BASE_URL: url, ...authority }
    const result = await start(line, '--json --yes --retries 1 --timeout 2s', { here, env })
    server.close()
    expect(judge(result), result.stderr).toEqual(survived(8))
    expect({ heard: server.heard, reached: result.reached }).toEqual({ heard: [], reached: 0 })
  })
})

describe('memory', () => {
  test.for(['a body of 1 GiB', 'a gzip bomb'])('stays under 200 MiB for %s', async (name, { home, meet, expect }) => {
    const [line] = lists
    const fault = faults[name]
    if (!line || !fault) throw new Error('nothing to measure')
    const file = join(home, 'peak')
    const met = await meet(line, fault, '', { ...preloading(peak), PEAK_FILE: file })
    expect(judge(met)).toEqual(survived(12))
    expect(Number.parseInt(readFileSync(file, 'utf8'), 10) / 1024).toBeLessThan(200)
  })
})
