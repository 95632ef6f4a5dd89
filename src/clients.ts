/** Creates clients from credentials: for the account's service, or for the embedded sandbox, which it starts. */
import { version } from '../package.json'
import type { ClientOptions, SignedIn } from './account/account'
import { tokenOf } from './config/credential'
import type { DebugFile } from './debug-file'
import type { Flags } from './engine/command'
import { countFlag, durationFlag } from './engine/flag-values'
import { retriesRange } from './engine/variable-flags'
import { Problem } from './errors'
import { refuseUnverified } from './http/certificates'
import { type Client, type ClientSettings, createClient } from './http/client'
import type { AttemptLine, RequestLog } from './http/settings'
import { tokenVariable } from './rules/environment'
import type { ContextSandbox } from './sandbox-context'
import type { Session } from './session'

export interface Clients {
  /** Returns the same client for the same options. */
  client(options: ClientOptions): Promise<Client>
  /** Returns the default address and token. */
  signedIn(): Promise<SignedIn>
  /** Closes the connections and the embedded sandbox. */
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

/** Maximum time of an optional request, in milliseconds. */
const briefMs = 5_000

export function createClients(session: Session, options: Options): Clients {
  const { random } = options
  const limits = settings(session, options)
  // Connections: one for each target or page in flight.
  const atOnce = countFlag(options.flags, 'concurrency', 1, 64) ?? 8
  const last = {}
  const clients = new Map<string, Promise<Client>>()
  let sandbox: Promise<ContextSandbox> | undefined
  let signedIn: Promise<SignedIn & Address> | undefined

  const openSandbox = () => {
    sandbox ??= import('./sandbox-context').then(({ openContextSandbox }) => openContextSandbox(session))
    return sandbox
  }
  const signIn = async (): Promise<SignedIn & Address> => {
    const credential = await session.account.access.credential()
    if (credential.sandbox) return openSandbox()
    const { baseUrl, secret } = credential
    const token = await tokenOf(credential, session.env, session.signal)
    if ('command' in secret) {
      const { forgetNamesOfOthers } = await import('./account/name-cache')
      await forgetNamesOfOthers({ service: baseUrl, token }, session.account)
    }
    return { baseUrl, token }
  }
  const addressOf = async ({ isPublic, as }: ClientOptions): Promise<Address> => {
    if (as) return as
    const credential = await (isPublic
      ? session.account.access.credential().catch(withoutAddress)
      : session.account.access.credential())
    // A public operation is not worth running a token command.
    if (isPublic && !credential.sandbox) return { baseUrl: credential.baseUrl }
    signedIn ??= signIn()
    return signedIn
  }
  const connect = async (options: ClientOptions) => {
    const { baseUrl, token, failure } = await addressOf(options)
    refuseUnverified(baseUrl, session.env)
    const { concurrency = atOnce, brief } = options
    const isOwn = !options.as && !options.isPublic
    const onWait = () => {
      const shown = session.ui.progress(`Waiting for ${new URL(baseUrl).host}`)
      return () => void shown.then((progress) => progress.done())
    }
    const source = token !== undefined && !options.as ? await sourceOf(session) : {}
    return createClient({
      ...{ ...limits, random, concurrency, baseUrl, onWait },
      ...(token && { token }),
      ...(isOwn && { last }),
      ...(brief && { retries: 0, timeoutMs: Math.min(limits.timeoutMs, briefMs) }),
      ...source,
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
): Omit<ClientSettings, 'baseUrl' | 'token' | 'tokenVariable' | 'context' | 'random' | 'concurrency' | 'onWait'> {
  const { clock, env, signal } = session
  const note = (text: string) => {
    if (flags.verbose || flags.debug) void session.ui.log('note', text)
    debugFile?.note(text)
  }
  const tell = (told: AttemptLine) => {
    if (flags.debug) void session.ui.log('debug', told.text)
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
    secrets: session.account.local.secrets,
    userAgent: `skyctl/${version}`,
    ...((flags.debug || debugFile) && { debug: numbering(tell) }),
    note,
    recording: () => session.account.changeLog(),
    warn: ({ title, details }) => void session.ui.warn(details ? `${title}: ${details}` : title),
  }
}

/** Returns where the token is from: signing in would not replace that of a variable. */
async function sourceOf(session: Session): Promise<Pick<ClientSettings, 'tokenVariable' | 'context'>> {
  const credential = await session.account.access.credential()
  if (credential.sandbox || credential.secret instanceof Problem) return {}
  const { secret, context } = credential
  const variable = secret.from === 'environment' ? tokenVariable(session.env) : undefined
  if (variable !== undefined) return { tokenVariable: variable }
  return secret.from === 'context' && context ? { context: context.name } : {}
}

/** Numbers the requests of a run from 1. */
function numbering(tell: (told: AttemptLine) => void): () => RequestLog {
  let requests = 0
  return () => {
    requests += 1
    const request = requests
    return (line) => tell({ ...line, request })
  }
}

/** Replaces the error of a missing sign-in: a public operation only needs an address. */
function withoutAddress(error: unknown): never {
  if (!(error instanceof Problem) || error.code !== 'not_signed_in') throw error
  throw new Problem('not_signed_in', 'no base URL is set; this command needs one, but no token', {
    hint: 'Pass --base-url, sign in with skyctl auth login, or try the sandbox: skyctl --context sandbox regions list',
  })
}
