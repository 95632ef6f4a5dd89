/** From a credential to a client: the account's service, or the embedded sandbox started for this run. */

import { version } from '../package.json'
import { tokenOf } from './config/credential'
import type { ClientOptions, Context } from './context'
import type { Flags } from './engine/command'
import { countFlag, durationFlag } from './engine/given'
import { type Client, createClient, type Settings } from './http/client'

export interface Connection {
  client: Client
  close(): Promise<void>
}

interface Address {
  baseUrl: string
  token?: string
  close?(): Promise<void>
}

export async function connect(
  context: Context,
  { flags, random, ...options }: ClientOptions & { flags: Flags; random: () => number },
): Promise<Connection> {
  const limits = settings(context, flags)
  const { baseUrl, token, close } = await address(context, options)
  const { concurrency = 8 } = options
  const client = createClient({ ...limits, random, concurrency, baseUrl, ...(token && { token }) })
  return {
    client,
    close: async () => {
      await client.close()
      await close?.()
    },
  }
}

async function address(context: Context, { open, as }: ClientOptions): Promise<Address> {
  if (as) return as
  const credential = await context.credential()
  if (credential.sandbox) {
    const { openContextSandbox } = await import('./sandbox-context')
    return openContextSandbox(context)
  }
  const { baseUrl } = credential
  // What needs no token is not worth running a token command for.
  return open ? { baseUrl } : { baseUrl, token: await tokenOf(credential, context.env) }
}

function settings(context: Context, flags: Flags): Omit<Settings, 'baseUrl' | 'token' | 'random' | 'concurrency'> {
  const { clock, env, signal } = context
  const aside = (text: string) => void context.aside(text)
  return {
    timeoutMs: durationFlag(flags, 'timeout') ?? 120_000,
    retries: countFlag(flags, 'retries', 0, 20) ?? 2,
    maxWaitMs: durationFlag(flags, 'max-wait') ?? 60_000,
    signal,
    clock,
    env,
    userAgent: `skyctl/${version}`,
    ...(flags.debug && { debug: aside }),
    ...((flags.verbose || flags.debug) && { note: aside }),
    warn: ({ title, details }) => void context.warn(details ? `${title}: ${details}` : title),
  }
}
