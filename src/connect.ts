/** From a credential to a client: the account's service, or the embedded sandbox started for this run. */

import { version } from '../package.json'
import { tokenOf } from './config/credential'
import type { ClientOptions, Context } from './context'
import type { Flags } from './engine/command'
import { countFlag } from './engine/view'
import { durationFlag } from './engine/wait'
import { type Client, createClient, type Settings } from './http/client'
import type { Io } from './io'
import { safeLines } from './output/safe'

export interface Connection {
  client: Client
  close(): Promise<void>
}

export async function connect(context: Context, io: Io, flags: Flags, options: ClientOptions): Promise<Connection> {
  const { baseUrl, token, close } = await address(context, options)
  const client = createClient({
    ...settings(context, io, flags),
    baseUrl,
    ...(token && { token }),
    ...(options.concurrency && { concurrency: options.concurrency }),
  })
  return {
    client,
    close: async () => {
      await client.close()
      await close?.()
    },
  }
}

interface Address {
  baseUrl: string
  token?: string
  close?(): Promise<void>
}

async function address(context: Context, { open, as }: ClientOptions): Promise<Address> {
  if (as) return as
  const credential = await context.credential()
  if (credential.sandbox) {
    const { openContextSandbox } = await import('./sandbox-context')
    return openContextSandbox(context)
  }
  const { baseUrl } = credential
  // An operation that needs no token is not worth running a token command for.
  if (open) return { baseUrl }
  return { baseUrl, token: await tokenOf(credential, context.env) }
}

function settings({ clock, env, signal, ...context }: Context, io: Io, flags: Flags): Omit<Settings, 'baseUrl'> {
  const aside = (text: string) => void context.stderr.write(`${safeLines(text)}\n`)
  return {
    timeoutMs: durationFlag(flags, 'timeout') ?? 120_000,
    retries: countFlag(flags, 'retries', 0, 20) ?? 2,
    maxWaitMs: durationFlag(flags, 'max-wait') ?? 60_000,
    concurrency: 8,
    signal,
    clock,
    random: io.random,
    env,
    userAgent: `skyctl/${version}`,
    ...(flags.debug && { debug: aside }),
    ...((flags.verbose || flags.debug) && { note: aside }),
    warn: ({ title, details }) => void context.warn(details ? `${title}: ${details}` : title),
  }
}
