/**
 * skyctl against a service with each kind of fault: correct exit code before the deadline, no stack trace, stdout empty
 * or complete. Here with one command that reads and two that change something, and one fault in ten by the built
 * program; `npm run faults` tries every command that sends requests, always by the program.
 */
import { execFile } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { env as surroundings } from 'node:process'
import { describe } from 'vitest'
import type { Operation } from '../src/catalogue/operation'
import { systemClock } from '../src/platform/system'
import { keepCode, linkCode } from './support/compiled-code'
import {
  type Certificate,
  certificateFile,
  openFaultServer,
  type RawRequest,
  reply,
  type Script,
  silence,
} from './support/fault-server'
import { expectedExit, type Fault, faults, pageFaults, type WholeAnswer } from './support/faults'
import { unreachableUrl } from './support/nonexistent'
import { preloading, program } from './support/program'
import { commands, samples } from './support/samples'
import { openTestSandbox } from './support/sandbox'
import { test as base, type Fixtures, type Result, runSkyctl, words } from './support/skyctl'

const [start = '', ...before] = program
/** Writes the peak memory of its process, in KiB, to PEAK_FILE. */
const peak = join(import.meta.dirname, 'support/peak.cjs')
/** Value of --timeout; answers are late on a busy machine. */
const timeout = '10s'
/** Factor for all time limits: a campaign beside other work needs longer ones. */
const patience = Number(surroundings.FAULTS_PATIENCE ?? 1)
/** Time after which a process counts as hanging, in milliseconds. */
const deadline = 20_000 * patience

interface Line {
  /** Words of the command. */
  path: string
  /** Operation that meets the fault. */
  operation: Operation
  /** Whether the line can set the page size. */
  paged: boolean
}

/** Commands that report each object, with exit codes of their own, tested in account-*.test.ts and doctor.test.ts. */
const reportsEachObject = /^(apply|doctor)$/

const lines: Line[] = commands.flatMap(({ path, command: { operations = [], flags } }) => {
  const operation = operations.find(({ method }) => method !== 'GET') ?? operations[0]
  if (!operation || reportsEachObject.test(path)) return []
  return [{ path, operation, paged: operation.paged === true && flags.some(({ name }) => name === 'page-size') }]
})
const testedLines =
  surroundings.FAULTS === 'all' ? lines : lines.filter(({ path }) => /^volumes (list|create|update)$/.test(path))
const pagedLines = testedLines.filter(({ paged }) => paged)
/** One fault in so many is met by a process; the others by this one, which needs a tenth of the CPU time. */
const oneIn = Number(surroundings.FAULTS_ONE_IN ?? 10)
const withSampling = (faults: Readonly<Record<string, Fault>>) =>
  Object.entries(faults).map(([name, fault], index) => [name, { ...fault, inProcess: index % oneIn !== 0 }] as const)

/** Place and environment of a run. */
interface RunPlace {
  /** Whether it runs in this process. */
  inProcess?: boolean
  env?: Record<string, string>
}

interface FaultyRun extends Result {
  /** Requests that met the fault. */
  received: RawRequest[]
}

interface FaultFixtures {
  /** Runs a command's sample against the sandbox with the fault. */
  meet(
    line: Line,
    fault: Fault & { inProcess?: boolean },
    flags?: string,
    env?: Record<string, string>,
  ): Promise<FaultyRun>
  /** Runs a command's sample, and counts the requests that reached the sandbox. */
  start(line: Line, flags: string, place: RunPlace): Promise<Result & { reached: number }>
}

/** Ready at once: a process waits by a clock of its own, which does not move that of the sandbox. */
const readyAtOnce = base.extend<Pick<Fixtures, 'sandbox'>>({
  sandbox: async ({ clock }, use) => {
    const sandbox = await openTestSandbox({ clock, transitionMs: 0 })
    await use(sandbox)
    await sandbox.close()
  },
})

const test = readyAtOnce.extend<FaultFixtures>({
  start: async ({ skyctl, sandbox, world, env, home, clock }, use) =>
    use(async ({ path }, flags, { inProcess, env: extraEnv = {} }) => {
      const sample = samples[path]
      await sample?.arrange?.({ skyctl, sandbox, world, env, home, clock })
      moveCopies(env, extraEnv)
      const stdin = sample?.stdin?.replace('TOKEN', sandbox.ownerToken) ?? ''
      const before = world.requests().length
      const fullEnv = { ...env, HOME: home, ...extraEnv }
      const argv = words(`${path} ${sample?.line} ${flags}`)
      const cache = join(home, 'cache')
      if (!inProcess) linkCode(cache)
      const result = await (inProcess
        ? runSkyctl(argv, { env: fullEnv, stdin, clock: systemClock })
        : run(argv, fullEnv, stdin))
      if (!inProcess) keepCode(cache)
      return { ...result, reached: world.requests().length - before }
    }),
  meet: async ({ start, sandbox }, use) => {
    const servers: { close(): void }[] = []
    await use(async (line, fault, flags = '', extraEnv = {}) => {
      const received: RawRequest[] = []
      const server = await openFaultServer(faultyService(line, fault, { sandbox, received }))
      servers.push(server)
      const limit = `${Number.parseInt(fault.timeout ?? timeout, 10) * patience}s`
      const limits = `--json --yes --retries 1 --max-wait 1s --timeout ${limit} ${flags}`
      const env = { SKYCTL_BASE_URL: `http://${server.host}/v4`, SKYCTL_WAIT_TIMEOUT: '1s', ...extraEnv }
      return { ...(await start(line, limits, { inProcess: fault.inProcess === true, env })), received }
    })
    for (const server of servers) server.close()
  },
})

/** Moves rule backups to the faulty address, since the sample was arranged at the sandbox. */
function moveCopies(
  { SKYCTL_BASE_URL: from = '', SKYCTL_STATE_DIR: state = '' },
  { SKYCTL_BASE_URL: to = from },
): void {
  const path = join(state, 'history/1.ndjson')
  if (!existsSync(path)) return
  const [old = '', next = ''] = [from, to].map((url) => `"account":"${encodeURIComponent(new URL(url).host)}"`)
  writeFileSync(path, readFileSync(path, 'utf8').replaceAll(old, next))
}

function run(argv: string[], env: Record<string, string>, stdin: string): Promise<Result> {
  return new Promise((resolve) => {
    const options = { env, timeout: deadline, killSignal: 'SIGKILL', maxBuffer: 2 ** 26 } as const
    const child = execFile(start, [...before, ...argv], options, (error, stdout, stderr) => {
      const exit = error === null ? 0 : typeof error.code === 'number' ? error.code : -1
      resolve({ exit, stdout, stderr })
    })
    // Some commands do not read stdin.
    child.stdin?.on('error', () => {}).end(stdin)
  })
}

/**
 * A list and a change meet the fault at their own operation; a command for one object meets it at every read, since a
 * lookup by label may be its only request.
 */
function faultyService(
  { operation: { method, path, paged } }: Line,
  { instead, spoil = whole }: Fault,
  { sandbox, received }: Pick<Fixtures, 'sandbox'> & { received: RawRequest[] },
): Script {
  const pattern = new RegExp(`^/v4${path.replaceAll(/\{\w+\}/g, '[^/]+')}(\\?|$)`)
  return async (socket, request) => {
    const isFaulty = request.method === method && ((method === 'GET' && !paged) || pattern.test(request.path))
    if (isFaulty) received.push(request)
    if (isFaulty && instead) return instead(socket, request)
    const answer = await ask(sandbox, request)
    const script = isFaulty ? spoil(answer) : whole(answer)
    script(socket, request)
  }
}

const whole = ({ status, headers, body }: WholeAnswer) => reply(status, body, headers)

async function ask(
  { baseUrl }: { baseUrl: string },
  { method, path, headers, body }: RawRequest,
): Promise<WholeAnswer> {
  const forwarded = Object.entries(headers).filter(([name]) => !/^(host|connection|content-length)$/.test(name))
  const answer = await fetch(new URL(path, baseUrl), { method, headers: forwarded, ...(body !== '' && { body }) })
  const serviceHeaders = Object.fromEntries([...answer.headers].filter(([name]) => name.startsWith('x-')))
  return { status: answer.status, headers: serviceHeaders, body: Buffer.from(await answer.arrayBuffer()) }
}

/** Summarizes a run for comparison with `expectedSummary`. */
function judge({ exit, stdout, stderr }: Result) {
  const lines = stderr.split('\n').filter((line) => line !== '')
  const failure = lines.map(parseRecord).find((record) => record?.error)
  return {
    exit,
    reported: failure?.error?.exit_code ?? 0,
    onlyJson: lines.every((line) => parseRecord(line)),
    stdout: stdout === '' ? 'empty' : parseRecord(stdout) === undefined ? 'broken' : 'whole',
  }
}

function parseRecord(text: string): { error?: { exit_code: number } } | undefined {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const expectedSummary = (exit: number) => ({
  exit,
  reported: exit,
  onlyJson: true,
  stdout: exit === 0 ? 'whole' : 'empty',
})

describe.for(testedLines)('$path', (line) => {
  test.concurrent.for(withSampling(faults))(
    'survives %s',
    { timeout: deadline },
    async ([, fault], { meet, expect }) => {
      const result = await meet(line, fault)
      // audit reports the parts without faulty grants, and fails for the others.
      const isAudit = line.path === 'audit' && fault.exits.none !== undefined
      const exit = isAudit ? 8 : expectedExit(fault, line.operation)
      // The overview reports the other parts unless the token is rejected; a missing permission is no failure.
      const isOverview = line.path === 'overview' && exit !== 3
      const expected = expectedSummary(isOverview && exit === 4 ? 0 : exit)
      expect(judge(result), result.stderr).toEqual({ ...expected, ...((isAudit || isOverview) && { stdout: 'whole' }) })
      if (result.exit === 11 && line.operation.idempotency === 'never') expect(result.received).toHaveLength(1)
    },
  )
})

describe.for(pagedLines)('$path', (line) => {
  test.concurrent.for(withSampling(pageFaults))(
    'survives %s',
    { timeout: deadline },
    async ([, fault], { meet, expect }) => {
      const result = await meet(line, fault, '--page-size 25')
      expect(judge(result), result.stderr).toEqual(expectedSummary(fault.exits.again))
    },
  )
})

interface Address {
  where: string
  /** Returns the base URL from the hosts of a silent server and of the sandbox. */
  baseUrl(mute: string, sandbox: string): string
  certificate?: Certificate
  /** Whether the certificate authority is trusted. */
  trusted?: true
}

const addresses: Address[] = [
  { where: 'a port where nobody listens', baseUrl: () => unreachableUrl },
  { where: 'a name that does not exist', baseUrl: () => 'https://api.invalid' },
  { where: 'a self-signed certificate', baseUrl: (host) => `https://${host}`, certificate: 'good' },
  {
    where: 'an expired certificate',
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
  { where: 'a silent port instead of TLS', baseUrl: (host) => `https://${host}` },
  { where: 'plain HTTP instead of TLS', baseUrl: (_, sandbox) => `https://${sandbox}` },
]

describe.for(testedLines)('$path', (line) => {
  // Only a process can use other certificates, so each of them is tried with one of the commands.
  const testedAddresses = addresses.filter(
    ({ trusted }, index) => oneIn === 1 || !trusted || testedLines[index % testedLines.length] === line,
  )

  test.concurrent.for(testedAddresses)('sends nothing to $where', async (address, { start, sandbox, expect }) => {
    const { baseUrl, certificate, trusted } = address
    const server = await openFaultServer(silence, certificate)
    const authority = certificate && trusted ? { NODE_EXTRA_CA_CERTS: certificateFile(certificate) } : {}
    const url = baseUrl(server.host, new URL(sandbox.baseUrl).host)
    const inProcess = oneIn > 1 && !trusted && (certificate === undefined || line.path !== 'volumes list')
    const env = { SKYCTL_BASE_URL: url, ...authority }
    const result = await start(line, '--json --yes --retries 1 --timeout 2s', { inProcess, env })
    server.close()
    expect(judge(result), result.stderr).toEqual(expectedSummary(8))
    expect({ received: server.received, reached: result.reached }).toEqual({ received: [], reached: 0 })
  })
})

describe('memory', () => {
  test.for(['a body of 1 GiB', 'a gzip bomb'])('stays under 200 MiB for %s', async (name, { home, meet, expect }) => {
    const [line] = pagedLines
    const fault = faults[name]
    if (!line || !fault) throw new Error('nothing to measure')
    const file = join(home, 'peak')
    const result = await meet(line, fault, '', { ...preloading(peak), PEAK_FILE: file })
    expect(judge(result)).toEqual(expectedSummary(12))
    expect(Number.parseInt(readFileSync(file, 'utf8'), 10) / 1024).toBeLessThan(200)
  })
})
