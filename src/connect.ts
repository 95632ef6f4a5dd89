/** From a credential to clients: of the account's service, or of the embedded sandbox started for this run. */
import { version } from '../package.json'
import { tokenOf } from './config/credential'
import type { DebugFile } from './debug-file'
import type { Flags } from './engine/command'
import { countFlag, durationFlag } from './engine/flag-values'
import { retriesRange } from './engine/variable-flags'
import { Problem } from './errors'
import { refuseUnverified } from './http/certificates'
import { type Client, createClient, type Settings } from './http/client'
import type { RequestLog, Told } from './http/settings'
import { tokenVariable } from './rules/variables'
import type { ContextSandbox } from './sandbox-context'
import type { ClientOptions, Session, SignedIn } from './session'

export interface Connections {
  /** The same options give the same client. */
  client(options: ClientOptions): Promise<Client>
  /** What is used where nothing else is asked for. */
  signedIn(): Promise<SignedIn>
  /** Ends the connections and the embedded sandbox. */
  close(): Promise<void>
}

interface Address extends Partial<Pick<ContextSandbox, 'failure'>> {
  baseUrl: string
  token?: string
}

interface Options {
  flags: Flags
  random(): number
  debugFile: DebugFile | undefined
}

/** How long somebody waits for what is only written down. */
const briefMs = 5_000

export function createConnections(session: Session, options: Options): Connections {
  const { random } = options
  const limits = settings(session, options)
  // As many connections as a command has targets or pages under way.
  const atOnce = countFlag(options.flags, 'concurrency', 1, 64) ?? 8
  const clients = new Map<string, Promise<Client>>()
  let sandbox: Promise<ContextSandbox> | undefined
  let signedIn: Promise<SignedIn & Address> | undefined

  const openSandbox = () => {
    sandbox ??= import('./sandbox-context').then(({ openContextSandbox }) => openContextSandbox(session))
    return sandbox
  }
  const signIn = async (): Promise<SignedIn & Address> => {
    const credential = await session.credential()
    if (credential.sandbox) return openSandbox()
    return { baseUrl: credential.baseUrl, token: await tokenOf(credential, session.env, session.signal) }
  }
  const addressOf = async ({ open, as }: ClientOptions): Promise<Address> => {
    if (as) return as
    const credential = await (open ? session.credential().catch(withoutAddress) : session.credential())
    // What needs no token is not worth running a token command for.
    if (open && !credential.sandbox) return { baseUrl: credential.baseUrl }
    signedIn ??= signIn()
    return signedIn
  }
  const connect = async (options: ClientOptions) => {
    const { baseUrl, token, failure } = await addressOf(options)
    refuseUnverified(baseUrl, session.env)
    const { concurrency = atOnce, brief } = options
    const onWait = () => {
      const shown = session.progress(`Waiting for ${new URL(baseUrl).host}`)
      return () => void shown.then((progress) => progress.done())
    }
    const variable = token !== undefined && !options.as && (await variableOf(session))
    return createClient({
      ...{ ...limits, random, concurrency, baseUrl, onWait },
      ...(token && { token }),
      ...(brief && { retries: 0, timeoutMs: Math.min(limits.timeoutMs, briefMs) }),
      ...(variable && { tokenVariable: variable }),
      ...(failure && { failure }),
      ...(options.isSteady && { signal: new AbortController().signal }),
    })
  }
  return {
    client(options) {
      const key = JSON.stringify(options)
      const client = clients.get(key) ?? connect(options)
      clients.set(key, client)
      return client
    },
    signedIn() {
      signedIn ??= signIn()
      return signedIn
    },
    async close() {
      await Promise.allSettled([...clients.values()].map(async (client) => (await client).close()))
      await (await sandbox?.catch(() => undefined))?.close()
    },
  }
}

function settings(
  session: Session,
  { flags, debugFile }: Options,
): Omit<Settings, 'baseUrl' | 'token' | 'tokenVariable' | 'random' | 'concurrency' | 'onWait'> {
  const { clock, env, signal } = session
  const note = (text: string) => {
    if (flags.verbose || flags.debug) void session.tell('note', text)
    debugFile?.note(text)
  }
  const tell = (told: Told) => {
    if (flags.debug) void session.tell('debug', told.text)
    debugFile?.tell(told)
  }
  return {
    timeoutMs: durationFlag(flags, 'timeout') ?? 120_000,
    retries: countFlag(flags, 'retries', retriesRange.min, retriesRange.max) ?? 2,
    maxWaitMs: durationFlag(flags, 'max-wait') ?? 60_000,
    signal,
    looked: new Map(),
    clock,
    env,
    secrets: session.secrets,
    userAgent: `skyctl/${version}`,
    ...((flags.debug || debugFile) && { debug: numbering(tell) }),
    note,
    recording: () => session.recording(),
    warn: ({ title, details }) => void session.warn(details ? `${title}: ${details}` : title),
  }
}

/** Where a token of the environment was taken from: to sign in would not replace it. */
async function variableOf(session: Session): Promise<string | undefined> {
  const credential = await session.credential()
  const own = !credential.sandbox && !(credential.secret instanceof Problem) && credential.secret.from === 'environment'
  return own ? tokenVariable(session.env) : undefined
}

/** Numbers the requests of a run from 1. */
function numbering(tell: (told: Told) => void): () => RequestLog {
  let requests = 0
  return () => {
    requests += 1
    const request = requests
    return (line) => tell({ ...line, request })
  }
}

/** Where no token is needed, to be signed in is not what is missing. */
function withoutAddress(error: unknown): never {
  if (!(error instanceof Problem) || error.code !== 'not_signed_in') throw error
  throw new Problem('not_signed_in', 'no service is known to ask; it needs no token for this, but an address', {
    hint: 'Give --base-url, sign in with skyctl auth login, or try the sandbox: skyctl --context sandbox regions list',
  })
}
