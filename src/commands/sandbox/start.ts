import type { Command, Flags } from '../../engine/command'
import { countFlag, listFlag, parseCount, textFlag } from '../../engine/flag-values'
import type { Session } from '../../engine/session'
import { Problem } from '../../errors'
import { isJson } from '../../output/formats'
import { unitHint } from '../../rules/flag-units'
import { parseTimestamp } from '../../rules/times'
import type { InjectedFailure, Occasion } from '../../sandbox/faults'
import type { SandboxOptions } from '../../sandbox/sandbox'

export const startSandbox: Command = {
  name: 'start',
  summary: 'Run the sandbox as a server',
  details:
    'Prints the base URL and the token of the owner; with --json one line {"base_url","token"} as soon as it answers. ' +
    'It starts with a new world in memory, or continues the world of --state. Stop it with Ctrl-C.',
  moreDetails:
    'A path at the end of --fail and --drop-answer limits them to it. --strict rejects unknown keys, null and trailing ' +
    'slashes in paths. Faults and time can be changed while it runs: see docs/sandbox.md.',
  flags: [
    { name: 'port', value: 'n', description: 'Port on loopback (default: any free port)' },
    { name: 'state', value: 'file', description: 'Store the world in this file', values: 'files' },
    { name: 'memory', description: 'Keep the world in memory (the default)', rare: true },
    {
      name: 'seed',
      value: 'file',
      description: 'Start with the world of "sandbox world"; - is stdin',
      values: 'files',
    },
    { name: 'clock', value: 'time', description: 'Start at this time, 2026-01-31T12:00:00 in UTC' },
    { name: 'stop-clock', description: 'Stop the clock until it is moved', rare: true },
    {
      name: 'transition',
      value: 'ms',
      description: 'Duration of creating, cloning and resizing',
      defaultText: '1000',
    },
    { name: 'latency', value: 'ms', description: 'Delay every answer by this many milliseconds' },
    {
      name: 'fail',
      value: 'status:count',
      list: 'commas',
      description: 'Fail the next requests: 503:2 or 503:2:/volumes',
    },
    {
      name: 'drop-answer',
      value: 'count',
      list: 'commas',
      description: 'Lose answers of the next writes: 2 or 2:/volumes',
      rare: true,
    },
    { name: 'rate-limit', description: 'Enforce the rate limits of the service' },
    { name: 'strict', description: 'Reject what the service tolerates, such as unknown keys' },
  ],
  examples: [
    { what: 'A service for a test script', line: 'skyctl sandbox start --port 8080 --state world.json' },
    { what: 'Test a script with failures', line: 'skyctl sandbox start --fail 503:2,429:1 --latency 200' },
    {
      what: 'The same world, at the same time, in every run',
      line: 'skyctl sandbox start --seed world.json --clock 2026-01-31T12:00:00 --stop-clock --transition 0',
    },
  ],
  async run({ flags }, session) {
    const port = countFlag(flags, 'port', 0, 65_535)
    const sandbox = await openServer(flags, session)
    try {
      const { baseUrl } = await sandbox.listen({ port })
      session.account.local.secrets.reveal(sandbox.ownerToken)
      await announce({ base_url: baseUrl, token: sandbox.ownerToken }, session)
      await stopped(session.signal)
    } finally {
      await sandbox.close()
    }
  },
}

async function openServer(flags: Flags, session: Session) {
  const file = textFlag(flags, 'state')
  if (file !== undefined && flags.memory) throw new Problem('usage', '--state and --memory contradict each other')
  const options = readOptions(flags)
  const seed = await readSeed(textFlag(flags, 'seed'), session)
  const { openSandbox } = await import('../../sandbox/sandbox')
  const { heldFile } = await import('../../sandbox/file-storage')
  return openSandbox({
    clock: session.clock,
    storage: file === undefined ? undefined : heldFile(file),
    seed,
    ...options,
  })
}

/** Parses a delay in milliseconds; throws `usage` for `3s`, with the number for it. */
function milliseconds(flags: Flags, name: string): number | undefined {
  const text = textFlag(flags, name)
  const from = `--${name}`
  return text === undefined ? undefined : parseCount(text, { min: 0, max: 600_000 }, from, unitHint(from, text, 'ms'))
}

function readOptions(flags: Flags): SandboxOptions {
  return {
    startsAt: readTime(textFlag(flags, 'clock')),
    transitionMs: milliseconds(flags, 'transition'),
    latencyMs: milliseconds(flags, 'latency'),
    stopped: flags['stop-clock'] === true,
    failures: (listFlag(flags, 'fail') ?? []).map(readFailure),
    droppedAnswers: (listFlag(flags, 'drop-answer') ?? []).map(readDroppedAnswer),
    rateLimit: flags['rate-limit'] === true,
    strict: flags.strict === true,
  }
}

function readTime(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const time = parseTimestamp(text)
  if (!Number.isNaN(time)) return time
  throw new Problem('usage', `--clock: "${text}" is not a time`, { hint: 'Write it as 2026-01-31T12:00:00, in UTC' })
}

/** 100,000 volumes take 30 MB, 200 firewalls of 25 rules with 255 addresses up to 60 MB; in memory twice as much. */
const mostOfAWorld = 256 * 2 ** 20
const mostMemory = 2 ** 30

/** Reads the world to start with, from a file or stdin. */
async function readSeed(source: string | undefined, session: Session) {
  if (source === undefined) return undefined
  const { readObject } = await import('../../engine/body-file')
  const world = await readObject(source, session, { bytes: mostOfAWorld, memory: mostMemory })
  const { seedFrom } = await import('../../sandbox/restore-world')
  return seedFrom(world)
}

/** Parses `429:3` or `500:1:/volumes`: status, count and path. */
function readFailure(text: string): InjectedFailure {
  const [, status, count, path] = /^([45]\d\d):([1-9]\d{0,5})(?::(\/\S*))?$/.exec(text) ?? []
  if (status !== undefined) return { status: Number(status), count: Number(count), path }
  throw new Problem('usage', `--fail: "${text}" is not a status and a count`, {
    hint: 'Write it as 429:3 or 503:2:/volumes',
  })
}

/** Parses `1` or `2:/volumes`: count and path. */
function readDroppedAnswer(text: string): Occasion {
  const [, count, path] = /^([1-9]\d{0,5})(?::(\/\S*))?$/.exec(text) ?? []
  if (count !== undefined) return { count: Number(count), path }
  throw new Problem('usage', `--drop-answer: "${text}" is not a count`, { hint: 'Write it as 1 or 2:/volumes' })
}

async function announce({ base_url, token }: { base_url: string; token: string }, session: Session): Promise<void> {
  if (isJson(session.ui.format)) {
    return session.ui.stdout.write(`${JSON.stringify({ base_url, token })}\n`)
  }
  await session.ui.stdout.write(`export SKYCTL_BASE_URL=${base_url}\nexport SKYCTL_TOKEN=${token}\n`)
  await session.ui.status('The sandbox is running. Stop it with Ctrl-C.')
}

/** Resolves after a signal, which is how a server is stopped, so it counts as success. */
function stopped(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve()
    signal.addEventListener('abort', () => resolve())
  })
}
