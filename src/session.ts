/** The context of one run: what flags, environment and contexts amount to, each part made when it is asked for. */
import type { Defaults } from './config/contexts'
import type { Choice } from './config/credential'
import { configPaths } from './config/paths'
import { connect } from './connect'
import type { ClientOptions, Context } from './context'
import { type Flags, textFlag } from './engine/command'
import { Problem } from './errors'
import type { Io } from './io'
import { type Format, formats } from './output/print'
import { safeLines } from './output/safe'
import { type Sink, streamSink } from './output/sink'
import { colorWanted } from './output/style'

export interface Session extends Context {
  /** Ends connections and the embedded sandbox, so that the process can end. */
  close(): Promise<void>
}

export function openSession(io: Io, flags: Flags, signal: AbortSignal): Session {
  const { env, clock } = io
  const stdout = streamSink(io.stdout)
  let errors: Sink | undefined
  const stderr = () => {
    errors ??= streamSink(io.stderr)
    return errors
  }
  const quiet = flags.quiet === true
  const paths = configPaths(io)
  const closers: (() => Promise<void>)[] = []
  const format = chooseFormat(flags, env.SKYCTL_OUTPUT)
  // What reads JSON on stdout reads the problem as JSON on stderr, so nothing else is said there.
  const forScripts = format === 'json' || format === 'ndjson'
  const write = (text: string) => stderr().write(`${safeLines(text)}\n`)
  const warn = (text: string) =>
    forScripts ? write(JSON.stringify({ warning: { message: text } })) : write(`skyctl: warning: ${text}`)

  const store = () => import('./config/store')
  // The store repairs and tells while it reads, so what it has to say is kept until it can be written.
  const hearing = async <T>(work: (warn: (text: string) => void) => T | Promise<T>): Promise<T> => {
    const heard: string[] = []
    try {
      return await work((text) => heard.push(text))
    } finally {
      for (const text of heard) await warn(text)
    }
  }
  const config = once(async () => {
    const { readConfig } = await store()
    return hearing((warn) => readConfig(paths, { warn }))
  })
  const choice = async (): Promise<Choice> => {
    const read = await config().then(
      (config) => () => config,
      (error: unknown) => () => {
        throw error
      },
    )
    return { flags: { context: textFlag(flags, 'context'), baseUrl: textFlag(flags, 'base-url') }, env, config: read }
  }
  const chosen = once(async () => (await import('./config/credential')).chooseContext(await choice()))
  const credential = once(async () => (await import('./config/credential')).chooseCredential(await choice()))

  const session: Session = {
    env,
    clock,
    signal,
    stdout,
    get stderr() {
      return stderr()
    },
    get interactive() {
      return io.stdin.isTTY === true && io.stderr.isTTY === true
    },
    format,
    color: colorWanted({ flag: colorFlag(flags), env, isTTY: stdout.isTTY }),
    quiet,
    yes: flags.yes === true,
    paths,
    readStdin: () => readAll(io.stdin),
    say: async (text) => (quiet || forScripts ? undefined : write(text)),
    warn,
    async progress(text) {
      const { progress } = await import('./output/progress')
      const { columns } = io.stderr
      const shown = progress({
        stream: { write: (text) => io.stderr.write(text, () => {}), ...(columns && { columns }) },
        isTTY: stderr().isTTY && !quiet,
        color: session.color,
        clock,
      })
      shown.update(text)
      return shown
    },
    config,
    async changeConfig(change) {
      const { changeConfig } = await store()
      return hearing((warn) => changeConfig(paths, change, { warn }))
    },
    chosen,
    credential,
    defaults: async (): Promise<Defaults> => (await chosen())?.record?.defaults ?? {},
    async client(options: ClientOptions = {}) {
      const { client, close } = await connect(session, io, flags, options)
      closers.push(close)
      return client
    },
    async ask() {
      const { createAsk } = await import('./prompt/ask')
      return createAsk({ input: io.stdin as NodeJS.ReadStream, output: io.stderr as NodeJS.WriteStream, signal })
    },
    async close() {
      await Promise.allSettled(closers.map((close) => close()))
    },
  }
  return session
}

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined
  return () => {
    made ??= make()
    return made
  }
}

/** What was asked for on the command line or by the environment; `table` where nothing was. */
export function chooseFormat(flags: Flags, variable: string | undefined): Format {
  const output = textFlag(flags, 'output')
  if (flags.json && output !== undefined && output !== 'json') {
    throw new Problem('usage', `--json and --output ${output} contradict each other`)
  }
  const named = flags.json ? 'json' : output || variable || 'table'
  const known = formats.find((format) => format === named)
  if (known) return known
  throw new Problem('usage', `${output ? '--output' : 'SKYCTL_OUTPUT'}: "${named}" is not one of ${formats.join(', ')}`)
}

function colorFlag(flags: Flags): 'auto' | 'always' | 'never' {
  const value = textFlag(flags, 'color') ?? 'auto'
  if (value === 'auto' || value === 'always' || value === 'never') return value
  throw new Problem('usage', `--color: "${value}" is not one of auto, always, never`)
}

async function readAll(stream: NodeJS.ReadableStream): Promise<string> {
  const { readAll } = await import('./input')
  return readAll(stream)
}
