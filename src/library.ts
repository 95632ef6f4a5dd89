/** skyctl for programs: reads and changes an account as the commands do. It asks nothing, and prints nothing. */
import { homedir } from 'node:os'
import process from 'node:process'
import type { Account, AccountIdentity, User } from './account/account'
import { deferWarnings } from './account/deferred-warnings'
import { readIdentity } from './account/identity'
import { bound, methods } from './account/methods'
import { usualWaitMs, WaitLimit } from './account/wait-limit'
import { defaultIdempotency, type Method } from './catalogue/operation'
import { AccountClients } from './clients'
import { parseBaseUrl } from './config/base-url'
import { type ChosenContext, type Credential, chooseContext, chooseCredential } from './config/credential'
import { configPaths } from './config/paths'
import { readConfig } from './config/store'
import { parseToken } from './config/token'
import { Problem } from './errors'
import type { Environment } from './rules/environment'
import { once } from './rules/once'
import { openContextSandbox } from './sandbox-context'
import { secretSources } from './secret-sources'
import { systemClock } from './system-clock'

export { Problem }

export interface AccountOptions {
  /** A stored context, or `sandbox`; by default what a command would use: the environment, or the current context. */
  context?: string
  /** Address and token, instead of a context. */
  baseUrl?: string
  token?: string
  /** Ends requests and waits. */
  signal?: AbortSignal
  /** Limit of a request with its retries, in milliseconds. */
  timeoutMs?: number
  retries?: number
  /** Maximum number of requests in flight. */
  concurrency?: number
  /** Called with each warning. */
  onWarning?(text: string): void
  /** Variables instead of those of the process. */
  env?: Environment
}

/** A request beyond the methods, as `skyctl api` sends it. */
interface AnyRequest {
  method: Method
  /** Below the base URL, with its query: `/volumes?page=2`. */
  path: string
  body?: unknown
}

/** Opens an account. It sends nothing yet; close it, so that the process can end. */
export function openAccount(options: AccountOptions = {}): OpenAccount {
  const account = accountFor(options)
  const user = once(async () => userOf(await account.identity()))
  return {
    ...bound(methods, account),
    user,
    async request({ method, path, body }) {
      const idempotency = Object.hasOwn(defaultIdempotency, method) ? defaultIdempotency[method] : undefined
      if (idempotency === undefined) throw new Problem('usage', 'the method must be GET, POST, PUT or DELETE')
      const { status, body: answer } = await (await account.client()).send({ method, path, body, idempotency })
      return { status, body: answer }
    },
    close: () => account.close(),
    [Symbol.asyncDispose]: () => account.close(),
  }
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

/** Returns an account without a history: it belongs to the command line. */
function accountFor(options: AccountOptions): Account & Pick<AccountClients, 'close'> {
  const { env = process.env, signal = new AbortController().signal, onWarning = () => {} } = options
  const paths = configPaths({ env, platform: process.platform, homedir })
  const warn = async (text: string) => onWarning(text)
  const config = once(() => deferWarnings({ warn }, (tell) => readConfig(paths, { warn: tell })))
  const choice = async () => {
    const read = await config().catch(orThrown)
    return { flags: { context: options.context }, env, config: read }
  }
  const account: Account = {
    access: {
      context: once(async (): Promise<ChosenContext | undefined> => chooseContext(await choice())),
      credential: once(async () => givenCredential(options) ?? chooseCredential(await choice())),
      signedIn: () => clients.signedIn(),
    },
    local: { env, paths, secrets: secretSources(env) },
    reporter: { warn, status: async () => {}, progress: async () => ({ shown: false, done() {} }) },
    clock: { ...systemClock, waitLimit: new WaitLimit(usualWaitMs, systemClock) },
    signal,
    client: (clientOptions = {}) => clients.client(clientOptions),
    identity: once(() => readIdentity(account)),
    changeLog: async () => undefined,
  }
  const clients = new AccountClients(account, {
    flags: flagsOf(options),
    random: Math.random,
    debugFile: undefined,
    log: async () => {},
    openSandbox: () => openContextSandbox(account),
  })
  return { ...account, close: () => clients.close() }
}

function orThrown(error: unknown): Problem {
  if (error instanceof Problem) return error
  throw error
}

/** Returns the credential of an address and a token; undefined if neither is given. */
function givenCredential({ baseUrl, token, context }: AccountOptions): Credential | undefined {
  if (baseUrl === undefined && token === undefined) return undefined
  if (baseUrl === undefined || token === undefined || context !== undefined) {
    throw new Problem('usage', 'give baseUrl and token together, and no context with them')
  }
  const secret = { from: 'flag', token: parseToken(token) } as const
  return { sandbox: false, context: undefined, baseUrl: parseBaseUrl(baseUrl, 'baseUrl'), baseUrlFrom: 'flag', secret }
}

/** The limits, as the command line would give them. */
function flagsOf({ timeoutMs, ...counts }: AccountOptions) {
  return {
    timeout: numberText('timeoutMs', timeoutMs, 'ms'),
    retries: numberText('retries', counts.retries),
    concurrency: numberText('concurrency', counts.concurrency),
  }
}

/** Programs without types may give anything; the message must not name a flag. */
function numberText(name: string, value: number | undefined, unit = ''): string | undefined {
  if (value === undefined) return undefined
  if (!Number.isSafeInteger(value) || value < 0) throw new Problem('usage', `${name} must be a whole number`)
  return `${value}${unit}`
}
