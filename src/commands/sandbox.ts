import type { Command, CommandGroup, Flags } from '../engine/command'
import { eagerCommands } from '../engine/command-tree'
import { confirm } from '../engine/confirm'
import { countFlag, listFlag, textFlag } from '../engine/flag-values'
import { hiddenOutputFlags, outputFlags, shortListFlags } from '../engine/flags'
import { printAnswer } from '../engine/print-answers'
import { viewOf } from '../engine/printing'
import type { Session } from '../engine/session'
import { Problem } from '../errors'
import { columnsFor, type FieldPath } from '../output/column'
import { isForPeople, isJson } from '../output/formats'
import { isDrawn, printMany, printOne } from '../output/print'
import { parseTimestamp } from '../rules/times'
import type { InjectedFailure, Occasion } from '../sandbox/faults'
import type { Sandbox, SandboxOptions } from '../sandbox/sandbox'
import type { Message } from '../sandbox/world'

const start: Command = {
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
  const { openSandbox } = await import('../sandbox/sandbox')
  const { heldFile } = await import('../sandbox/file-storage')
  return openSandbox({
    clock: session.clock,
    storage: file === undefined ? undefined : heldFile(file),
    seed,
    ...options,
  })
}

const longestMs = 600_000

function readOptions(flags: Flags): SandboxOptions {
  return {
    startsAt: readTime(textFlag(flags, 'clock')),
    transitionMs: countFlag(flags, 'transition', 0, longestMs),
    latencyMs: countFlag(flags, 'latency', 0, longestMs),
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

async function readSeed(source: string | undefined, session: Session) {
  if (source === undefined) return undefined
  const { readObject } = await import('../engine/body-file')
  const world = await readObject(source, session, { bytes: mostOfAWorld, memory: mostMemory })
  const { seedFrom } = await import('../sandbox/restore-world')
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

const world: Command = {
  name: 'world',
  summary: 'List the resources of the context "sandbox"',
  paged: true,
  flags: outputFlags.filter(({ name }) => name === 'query'),
  examples: [
    {
      what: 'The compute instances to attach volumes to',
      line: "skyctl sandbox world --json --query 'computes[].[id, label, region]'",
    },
    {
      what: 'Tokens of other users, or with few scopes',
      line: "skyctl sandbox world --json --query 'tokens[].[label, token]'",
    },
  ],
  async run({ flags }, session) {
    const view = await viewOf({ fields: [], columns: [] }, flags, session)
    const format = isDrawn(view) ? 'yaml' : view.format
    const description = await readWorld(session, (sandbox) => sandbox.describe())
    for (const { token } of description.tokens) session.account.local.secrets.reveal(token)
    await printOne(description, { ...view, format }, session.ui.stdout)
  },
}

/** Reads the state of the context "sandbox". */
async function readWorld<T>(session: Session, read: (sandbox: Sandbox) => T): Promise<T> {
  const { openSandbox } = await import('../sandbox/sandbox')
  const { sharedFile } = await import('../sandbox/file-storage')
  const { sandboxFile } = await import('../sandbox/context')
  const sandbox = await openSandbox({ storage: sharedFile(await sandboxFile(session.account)), clock: session.clock })
  try {
    return read(sandbox)
  } finally {
    await sandbox.close()
  }
}

const messageFields: readonly FieldPath<Message>[] = ['id', 'sent', 'user', 'to', 'text', 'code']

const outbox: Command = {
  name: 'outbox',
  summary: 'List messages, such as SMS with phone codes',
  paged: true,
  details: 'The messages that the context "sandbox" has sent, oldest first.',
  flags: shortListFlags,
  examples: [
    {
      what: 'The code of the last message',
      line: "skyctl sandbox outbox -o tsv --query '[-1].code'",
    },
  ],
  async run({ flags }, session) {
    const columns = columnsFor<Message>(['id', 'sent', 'to', { path: 'text', priority: 'high' }])
    const view = await viewOf({ fields: messageFields, columns }, flags, session)
    const limit = countFlag(flags, 'limit', 0, Number.MAX_SAFE_INTEGER)
    const messages = await readWorld(session, (sandbox) => sandbox.outbox())
    await printMany(messages, { ...view, limit }, session.ui.stdout)
    if (messages.length === 0 && isForPeople(session.ui.format)) await session.ui.status('No messages')
  },
}

const reset: Command = {
  name: 'reset',
  asks: true,
  summary: 'Reset the context "sandbox" to its initial state',
  flags: hiddenOutputFlags.filter(({ name }) => name === 'query'),
  examples: [{ what: 'Before a test', line: 'skyctl sandbox reset --yes' }],
  async run({ flags }, session) {
    const view = await viewOf({ fields: [], columns: [] }, flags, session)
    await confirm('All changes in it will be lost. Reset the sandbox', session, { local: true })
    const { resetState } = await import('../sandbox/file-storage')
    const { sandboxFile } = await import('../sandbox/context')
    await resetState(await sandboxFile(session.account))
    await session.ui.status('Reset the sandbox')
    await printAnswer({}, { view, session })
  },
}

const group: CommandGroup = {
  name: 'sandbox',
  summary: 'Embedded sandbox of the service, for tests',
  commands: eagerCommands(start, world, outbox, reset),
}

export default group
