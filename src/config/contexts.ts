/** Contexts, and what a command uses of them; ./contexts-file has their format. */
import { lstatSync } from 'node:fs'
import { Problem } from '../errors'
import type { Paths } from './paths'

/** Stored context: a service, its user and token, and defaults. Unknown keys are kept. */
export interface StoredContext {
  base_url: string
  user?: string
  token?: string
  /** Shell command that prints the token. */
  token_command?: string
  defaults?: Defaults
}

/** Default values of flags, used if neither the flag nor its variable is set. */
export interface Defaults {
  region?: string
  output?: string
  /** Traffic that firewall changes must not block: `tcp/22@198.51.100.7`. */
  keep_open?: readonly string[]
  /** Path of a file with names of networks. */
  networks?: string
}

export interface Config {
  current?: string
  contexts: Map<string, StoredContext>
  /** Unknown keys of the file, kept because a later version may use them. */
  others?: Record<string, unknown>
}

/** Built-in context, which is never stored. */
export const SANDBOX = 'sandbox'

/** Checks the name of a new context. Older files may have names with blanks, which stay valid. */
export function parseContextName(name: string): string {
  if (name.trim() === '') throw new Problem('usage', 'a context needs a name')
  if (!/\s/.test(name)) return name
  throw new Problem('usage', `the context name "${name}" has blanks`, {
    hint: `Write it without: ${name.trim().replaceAll(/\s+/g, '-')}`,
  })
}

export const noContexts = (): Config => ({ contexts: new Map() })

/** Reports whether contexts may be stored. Most CI jobs have none, and then load nothing that reads them. */
export function mayHaveContexts({ config: folder }: Pick<Paths, 'config'>): boolean {
  try {
    return lstatSync(folder, { throwIfNoEntry: false }) !== undefined
  } catch {
    // What reads the folder has the reason.
    return true
  }
}

/** Origin of a value, in order of precedence. */
export type ValueSource = 'flag' | 'environment' | 'context'

/** Selected context; the sandbox has no record. `from` is `context` if it is the current one of the contexts file. */
export interface ChosenContext {
  name: string
  from: ValueSource
  record: StoredContext | undefined
}

export type Credential = { sandbox: true; context: ChosenContext } | RemoteCredential

export interface RemoteCredential {
  sandbox: false
  context: ChosenContext | undefined
  baseUrl: string
  baseUrlFrom: ValueSource
  /** Token, its source, or the reason for its absence: public endpoints need none. */
  secret: Secret | Problem
}

/** Token, the command that prints it, or the file that contains it. */
export type Secret =
  | { from: ValueSource; token: string }
  | { from: ValueSource; command: string }
  | { from: ValueSource; file: string }
