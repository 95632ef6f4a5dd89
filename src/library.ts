/** skyctl for programs: reads and changes an account as the commands do. It asks nothing, and prints nothing. */
import { setMaxListeners } from 'node:events'
import { homedir } from 'node:os'
import process from 'node:process'
import type { Account, AccountIdentity, User } from './account/account'
import { readIdentity } from './account/identity'
import { rejecting } from './account/method'
import { expectOptions, must, type ValueCheck } from './account/method-options'
import { bound, methods } from './account/methods'
import { namedByOptions, withOptionNames } from './account/option-names'
import { accountClock } from './account/wait-limit'
import { defaultIdempotency, type Method } from './catalogue/operation'
import { AccountClients } from './cli/clients'
import { secretSources } from './cli/secret-sources'
import { parseBaseUrl } from './config/base-url'
import type { ChosenContext, Config, Credential } from './config/contexts'
import { chooseContext, chooseCredential } from './config/credential'
import { configPaths } from './config/paths'
import { readConfig } from './config/read-config'
import { parseToken } from './config/token'
import { Problem } from './errors'
import { deferWarnings } from './files/deferred-warnings'
import { systemClock } from './platform/system'
import type { Environment } from './rules/environment'
import { once } from './rules/once'
import { isRecord } from './rules/records'
import { openContextSandbox } from './sandbox/context'

export { Problem }

export interface AccountOptions {
  /** A stored context, or `sandbox`; by default what a command would use: the environment, or the current context. */
  context?: string | undefined
  /** Address and token, instead of a context. */
  baseUrl?: string | undefined
  token?: string | undefined
  /** Ends requests and waits. */
  signal?: AbortSignal | undefined
  /** Limit of a request with its retries, in milliseconds. */
  timeoutMs?: number | undefined
  retries?: number | undefined
  /** Longest pause that the service may request, in milliseconds. */
  maxWaitMs?: number | undefined
  /** Maximum number of requests in flight. */
  concurrency?: number | undefined
  /** Called with each warning; what it throws is ignored. */
  onWarning?: ((text: string) => unknown) | undefined
  /** Variables instead of those of the process. */
  env?: Environment | undefined
}

/** A request beyond the methods, as `skyctl api` sends it. */
interface AnyRequest {
  method: Method
  /** Below the base URL, with its query: `/volumes?page=2`. */
  path: string
  body?: unknown
}

const isText = must('a text', (value) => typeof value === 'string' && value !== '')
const isCount = must('a whole number', (value) => Number.isSafeInteger(value) && Number(value) >= 0)
const isAnything = must('anything', () => true)

const accountOptions = {
  context: isText,
  baseUrl: isText,
  token: isText,
  signal: must('an AbortSignal', (value) => value instanceof AbortSignal),
  timeoutMs: isCount,
  retries: isCount,
  maxWaitMs: isCount,
  concurrency: isCount,
  onWarning: must('a function', (value) => typeof value === 'function'),
  env: must('an object of variables', isRecord),
} satisfies Record<keyof AccountOptions, ValueCheck>

const requestParts = {
  method: must('GET, POST, PUT or DELETE', (value) => Object.hasOwn(defaultIdempotency, String(value))),
  path: must(
    'a path below the base URL, such as /volumes',
    (value) => typeof value === 'string' && value.startsWith('/'),
  ),
  body: isAnything,
} satisfies Record<keyof AnyRequest, ValueCheck>

/** Opens an account. It sends nothing yet; close it, so that the process can end. Throws `usage` for wrong options. */
export function openAccount(options: AccountOptions = {}): OpenAccount {
  try {
    if (!isRecord(options)) throw new Problem('usage', 'the options must be an object')
    expectOptions(options, accountOptions, { by: 'openAccount' })
    return methodsOf(accountFor(options))
  } catch (error) {
    throw namedByOptions(error)
  }
}

function methodsOf(account: ClosableAccount): OpenAccount {
  const user = once(async () => userOf(await account.identity()))
  return {
    ...bound(methods, account),
    user: () => rejecting(user),
    request: (request) => rejecting(() => send(request, account)),
    close: account.close,
    [Symbol.asyncDispose]: account.close,
  }
}

async function send(request: AnyRequest, account: Account): Promise<{ status: number; body: unknown }> {
  if (!isRecord(request)) throw new Problem('usage', 'the request must be an object')
  const parts: Partial<AnyRequest> = request
  expectOptions({ method: '', path: '', ...parts }, requestParts, { by: 'request' })
  const { method, path, body } = request
  const client = await account.client()
  const got = await client.onceAny({ method, path, body, idempotency: defaultIdempotency[method] })
  if (got.is !== 'ok') throw got.problem
  return { status: got.status, body: got.answer }
}

/** The methods are described by the generated types of the package. */
interface OpenAccount extends AsyncDisposable {
  readonly [group: string]: unknown
  user(): Promise<User>
  request(request: AnyRequest): Promise<{ status: number; body: unknown }>
  close(): Promise<void>
}

function userOf(identity: AccountIdentity): User {
  if (identity.user === undefined) throw identity.problem
  return identity.user
}

interface ClosableAccount extends Account {
  close(): Promise<void>
}

/** Returns an account without a history: it belongs to the command line. */
function accountFor(options: AccountOptions): ClosableAccount {
  const { env = process.env } = options
  const { signal, end } = endOf(options.signal)
  const paths = configPaths({ env, platform: process.platform, homedir })
  const warn = warner(options)
  const access = accessOf(options, () => deferWarnings({ warn }, (tell) => readConfig(paths, { warn: tell })))
  const account: Account = {
    access: { ...access, signedIn: () => clients.signedIn() },
    local: { env, paths, secrets: secretSources(env) },
    reporter: { warn, status: async () => {}, progress: async () => ({ shown: false, done() {} }) },
    // Programs may wait for many objects at once, which then share their reads.
    clock: { ...accountClock(systemClock, Math.random), whileWaiting: (wait) => wait() },
    signal,
    async client(clientOptions = {}) {
      signal.throwIfAborted()
      return clients.client(clientOptions)
    },
    identity: once(() => readIdentity(account)),
    history: async () => undefined,
  }
  const clients = new AccountClients(account, {
    flags: flagsOf(options),
    random: Math.random,
    debugFile: undefined,
    log: async () => {},
    openSandbox: () => openContextSandbox(account),
  })
  return {
    ...account,
    async close() {
      end()
      await clients.close()
    },
  }
}

function accessOf(options: AccountOptions, read: () => Promise<Config>): Omit<Account['access'], 'signedIn'> {
  const { context, env = process.env } = options
  const credential = givenCredential(options)
  const config = once(read)
  const choice = async () => ({ flags: { context }, env, config: await config().catch(orThrown) })
  return {
    context: once(async (): Promise<ChosenContext | undefined> => chooseContext(await choice())),
    credential: once(async () => credential ?? chooseCredential(await choice())),
  }
}

/** Returns a signal for the program's, and for the end of the account. Its reason is a problem, as changes add to it. */
function endOf(outer: AbortSignal | undefined): { signal: AbortSignal; end(): void } {
  const ended = new AbortController()
  // Each wait listens.
  setMaxListeners(0, ended.signal)
  const stop = () => ended.abort(interruption(outer?.reason))
  if (outer?.aborted) stop()
  outer?.addEventListener('abort', stop, { once: true })
  return {
    signal: ended.signal,
    end() {
      outer?.removeEventListener('abort', stop)
      ended.abort(new Problem('usage', 'the account is closed', { hint: 'Open another one with openAccount()' }))
    },
  }
}

function interruption(reason: unknown): Problem {
  const text = reason instanceof Error ? reason.message : String(reason)
  // The usual reason says nothing more.
  const isUsual = reason instanceof DOMException && reason.name === 'AbortError'
  return new Problem('interrupted', isUsual ? 'aborted' : `aborted: ${text}`, { cause: reason })
}

/** Returns a function that passes warnings on. An error of the program must not hide the result of a change. */
function warner({ onWarning }: AccountOptions): Account['reporter']['warn'] {
  return async (text) => {
    new Promise((resolve) => resolve(onWarning?.(withOptionNames(text)))).catch(() => {})
  }
}

function orThrown(error: unknown): Problem {
  if (error instanceof Problem) return error
  throw error
}

/** Returns the credential of an address and a token; undefined if neither is given. */
function givenCredential({ baseUrl, token, context }: AccountOptions): Credential | undefined {
  if (baseUrl === undefined && token === undefined) return undefined
  if (baseUrl === undefined || token === undefined || context !== undefined) {
    throw new Problem('usage', 'baseUrl and token belong together, without a context')
  }
  const secret = { from: 'flag', token: parseToken(token) } as const
  return { sandbox: false, context: undefined, baseUrl: parseBaseUrl(baseUrl, 'baseUrl'), baseUrlFrom: 'flag', secret }
}

/** The limits, as the command line would give them. */
function flagsOf({ timeoutMs, maxWaitMs, retries, concurrency }: AccountOptions) {
  return {
    ...(timeoutMs !== undefined && { timeout: `${timeoutMs}ms` }),
    ...(maxWaitMs !== undefined && { 'max-wait': `${maxWaitMs}ms` }),
    ...(retries !== undefined && { retries: `${retries}` }),
    ...(concurrency !== undefined && { concurrency: `${concurrency}` }),
  }
}
