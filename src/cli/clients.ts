/** Creates clients from credentials: for the account's service, or for the embedded sandbox, which it starts. */
import { version } from '../../package.json'
import type { Account, ClientOptions, SignedIn } from '../account/account'
import { refuseUnverified } from '../config/base-url'
import { tokenOf } from '../config/credential'
import type { Flags } from '../engine/command'
import { countFlag, durationFlag, mostAtOnce, usualAtOnce } from '../engine/flag-values'
import { retriesRange } from '../engine/variable-flags'
import { Problem } from '../errors'
import { Client, type ClientSettings } from '../http/client'
import type { AttemptLine, RequestLog } from '../http/settings'
import { tokenVariable } from '../rules/environment'
import type { ContextSandbox } from '../sandbox/context'
import type { DebugFile } from './debug-file'

interface Address extends Partial<Pick<ContextSandbox, 'failure'>> {
  baseUrl: string
  token?: string
}

interface Options {
  flags: Flags
  random(): number
  debugFile: DebugFile | undefined
  /** Prints a line of -v (`note`) or of --debug. */
  log(kind: 'note' | 'debug', text: string): Promise<void>
  openSandbox(): Promise<ContextSandbox>
}

/** Maximum time of an optional request, in milliseconds. */
const briefMs = 5_000

/** Time limit of a request by default, in milliseconds. */
const usualTimeoutMs = 120_000

export class AccountClients {
  readonly #limits: ReturnType<typeof settings>
  /** Maximum number of pages and targets in flight, if a flag sets it. */
  readonly #atOnce: number | undefined
  readonly #last = {}
  readonly #clients = new Map<string, Promise<Client>>()
  #sandbox: Promise<ContextSandbox> | undefined
  #signedIn: Promise<SignedIn & Address> | undefined

  constructor(
    private readonly account: Account,
    private readonly options: Options,
  ) {
    this.#limits = settings(account, options)
    this.#atOnce = countFlag(options.flags, 'concurrency', 1, 64)
  }

  client(options: ClientOptions): Promise<Client> {
    const key = JSON.stringify(options)
    const client = this.#clients.get(key) ?? this.#connect(options)
    this.#clients.set(key, client)
    return client
  }

  /** Returns the default address and token. */
  signedIn(): Promise<SignedIn & Address> {
    this.#signedIn ??= this.#signIn()
    return this.#signedIn
  }

  /** Closes the connections and the embedded sandbox. */
  async close(): Promise<void> {
    await Promise.allSettled([...this.#clients.values()].map(async (client) => (await client).close()))
    await (await this.#sandbox?.catch(() => undefined))?.close()
  }

  async #signIn(): Promise<SignedIn & Address> {
    const { account } = this
    const credential = await account.access.credential()
    if (credential.sandbox) {
      this.#sandbox ??= this.options.openSandbox()
      return this.#sandbox
    }
    const { baseUrl, secret } = credential
    const token = await tokenOf(credential, account.local.env, account.signal)
    if ('command' in secret) {
      const { forgetNamesOfOthers } = await import('../account/name-cache')
      await forgetNamesOfOthers({ service: baseUrl, token }, account)
    }
    return { baseUrl, token }
  }

  async #addressOf({ isPublic, as }: ClientOptions): Promise<Address> {
    if (as) return as
    const { access } = this.account
    const credential = await (isPublic ? access.credential().catch(withoutAddress) : access.credential())
    // A public operation is not worth running a token command.
    return isPublic && !credential.sandbox ? { baseUrl: credential.baseUrl } : this.signedIn()
  }

  async #connect(options: ClientOptions): Promise<Client> {
    const { local, reporter } = this.account
    const { baseUrl, token, failure } = await this.#addressOf(options)
    refuseUnverified(baseUrl, local.env)
    const { concurrency = this.#atOnce ?? usualAtOnce, brief, single } = options
    const connections = Math.max(concurrency, this.#atOnce ?? mostAtOnce)
    const isOwn = !options.as && !options.isPublic
    const onWait = () => {
      const shown = reporter.progress(() => `Waiting for ${new URL(baseUrl).host}`)
      return () => void shown.then((progress) => progress.done())
    }
    const source = token !== undefined && !options.as ? await sourceOf(this.account) : {}
    const { timeoutMs } = this.#limits
    return new Client({
      ...{ ...this.#limits, random: this.options.random, concurrency, connections, baseUrl, onWait },
      ...(token && { token }),
      ...(isOwn && { last: this.#last }),
      ...((brief || single) && { retries: 0 }),
      ...(brief && { timeoutMs: Math.min(timeoutMs, briefMs) }),
      ...source,
      ...(failure && { failure }),
      ...(options.isSteady && { signal: new AbortController().signal }),
    })
  }
}

function settings(
  account: Account,
  { flags, debugFile, log }: Options,
): Omit<
  ClientSettings,
  'baseUrl' | 'token' | 'tokenVariable' | 'context' | 'random' | 'concurrency' | 'connections' | 'onWait'
> {
  const { clock, local, reporter, signal } = account
  const note = (text: string) => {
    if (flags.verbose || flags.debug) void log('note', text)
    debugFile?.note(text)
  }
  const tell = (line: AttemptLine) => {
    if (flags.debug) void log('debug', line.text)
    debugFile?.tell(line)
  }
  const timeout = durationFlag(flags, 'timeout')
  return {
    timeoutMs: timeout ?? usualTimeoutMs,
    refusedMs: timeout ?? Math.max(usualTimeoutMs, clock.waitLimit.milliseconds),
    retries: countFlag(flags, 'retries', retriesRange.min, retriesRange.max) ?? 2,
    maxWaitMs: durationFlag(flags, 'max-wait'),
    signal,
    looked: new Map(),
    clock,
    env: local.env,
    secrets: local.secrets,
    userAgent: `skyctl/${version}`,
    ...((flags.debug || debugFile) && { debug: numbering(tell) }),
    note,
    inform: (text) => void log('note', text),
    warn: ({ title, details }) => void reporter.warn(details ? `${title}: ${details}` : title),
  }
}

/** Returns where the token is from: signing in would not replace that of a variable. */
async function sourceOf({ access, local }: Account): Promise<Pick<ClientSettings, 'tokenVariable' | 'context'>> {
  const credential = await access.credential()
  if (credential.sandbox || credential.secret instanceof Problem) return {}
  const { secret, context } = credential
  const variable = secret.from === 'environment' ? tokenVariable(local.env) : undefined
  if (variable !== undefined) return { tokenVariable: variable }
  return secret.from === 'context' && context ? { context: context.name } : {}
}

/** Numbers the requests of a run from 1. */
function numbering(tell: (line: AttemptLine) => void): () => RequestLog {
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
