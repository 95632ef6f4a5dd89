/** From a credential to clients: of the account's service, or of the embedded sandbox started for this run. */
import { version } from '../package.json'
import { tokenOf } from './config/credential'
import type { Flags } from './engine/command'
import { countFlag, durationFlag } from './engine/flag-values'
import { Problem } from './errors'
import { type Client, createClient, type Settings } from './http/client'
import type { ClientOptions, Session, SignedIn } from './session'

export interface Connections {
  /** The same options give the same client. */
  client(options: ClientOptions): Promise<Client>
  /** What is used where nothing else is asked for. */
  signedIn(): Promise<SignedIn>
  /** Ends the connections and the embedded sandbox. */
  close(): Promise<void>
}

interface Address {
  baseUrl: string
  token?: string
}

export function createConnections(
  session: Session,
  { flags, random }: { flags: Flags; random(): number },
): Connections {
  const limits = settings(session, flags)
  // As many connections as a command has targets or pages under way.
  const atOnce = countFlag(flags, 'concurrency', 1, 64) ?? 8
  const clients = new Map<string, Promise<Client>>()
  let sandbox: Promise<SignedIn & { close(): Promise<void> }> | undefined
  let signedIn: Promise<SignedIn> | undefined

  const openSandbox = () => {
    sandbox ??= import('./sandbox-context').then(({ openContextSandbox }) => openContextSandbox(session))
    return sandbox
  }
  const signIn = async (): Promise<SignedIn> => {
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
    const { baseUrl, token } = await addressOf(options)
    const { concurrency = atOnce } = options
    const onWait = () => {
      const shown = session.progress(`Waiting for ${new URL(baseUrl).host}`)
      return () => void shown.then((progress) => progress.done())
    }
    const variable = token !== undefined && token === session.env.SKYCTL_TOKEN && { tokenVariable: 'SKYCTL_TOKEN' }
    return createClient({ ...limits, random, concurrency, baseUrl, onWait, ...(token && { token }), ...variable })
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
  flags: Flags,
): Omit<Settings, 'baseUrl' | 'token' | 'tokenVariable' | 'random' | 'concurrency' | 'onWait'> {
  const { clock, env, signal } = session
  const telling = (kind: 'note' | 'debug') => (text: string) => void session.tell(kind, text)
  return {
    timeoutMs: durationFlag(flags, 'timeout') ?? 120_000,
    retries: countFlag(flags, 'retries', 0, 20) ?? 2,
    maxWaitMs: durationFlag(flags, 'max-wait') ?? 60_000,
    signal,
    clock,
    env,
    userAgent: `skyctl/${version}`,
    ...(flags.debug && { debug: telling('debug') }),
    ...((flags.verbose || flags.debug) && { note: telling('note') }),
    warn: ({ title, details }) => void session.warn(details ? `${title}: ${details}` : title),
  }
}

/** Where no token is needed, to be signed in is not what is missing. */
function withoutAddress(error: unknown): never {
  if (!(error instanceof Problem) || error.code !== 'not_signed_in') throw error
  throw new Problem('not_signed_in', 'no service is known to ask; it needs no token for this, but an address', {
    hint: 'Give --base-url, sign in with skyctl auth login, or try the sandbox: skyctl --context sandbox regions list',
  })
}
