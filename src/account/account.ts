/** The account that a run works on: whose it is, the way to it, and whom to tell about changes. */
import type { ChosenContext, Credential } from '../config/contexts'
import type { Paths } from '../config/paths'
import { Problem } from '../errors'
import type { Client } from '../http/client'
import type { Environment } from '../rules/environment'
import type { KnownSecrets } from '../rules/secrets'
import { shellWord } from '../rules/texts'
import type { History } from './history/history'
import type { ObjectList } from './object-list'
import type { AccountClock, WhileWaiting } from './wait-limit'

export interface ClientOptions {
  /** True if the operation needs no token. */
  isPublic?: boolean
  /** Maximum number of pages in flight. */
  concurrency?: number
  /** True if requests continue when the run is interrupted. */
  isSteady?: boolean
  /** Address and token to use instead of those from flags, environment and contexts. */
  as?: SignedIn
  /** True for one attempt of each request. */
  single?: true
  /** True for an optional request: one attempt, with a short time limit. */
  brief?: true
}

export interface SignedIn {
  baseUrl: string
  token: string
}

export interface User {
  uid: number
  username: string
}

/** The user at a service, or the problem that prevented reading it. */
export type AccountIdentity = { service: string } & ({ user: User } | { user: undefined; problem: Problem })

/** Progress that is shown until `done` is called. */
interface Waiting {
  /** True if there is a terminal to draw on. */
  readonly shown: boolean
  done(): void
}

export interface Access {
  credential(): Promise<Credential>
  /** Returns the address of the service and the token. */
  signedIn(): Promise<SignedIn>
  /** Returns the selected context; undefined if none is named or current. */
  context(): Promise<ChosenContext | undefined>
}

/** Data of this machine for the account: folders, variables, and the secrets that no file may have. */
export interface LocalState {
  readonly env: Environment
  readonly paths: Paths
  readonly secrets: KnownSecrets
}

/** Listener for messages while an account is read or changed; that of a command prints them. */
export interface Reporter {
  /** Tells a person about a result. */
  status(text: string): Promise<void>
  warn(text: string): Promise<void>
  /** Tells that work is under way; `state` returns the shorter text for use beside an object's name. */
  progress(text: () => string, state?: () => string): Promise<Waiting>
}

/** Services for changes and reads of an account. Nothing below the commands prints or asks. */
export interface Account {
  readonly access: Access
  readonly local: LocalState
  readonly reporter: Reporter
  readonly clock: AccountClock
  /** Aborted by SIGINT and SIGTERM, with a problem as its reason. */
  readonly signal: AbortSignal
  /** Lists that serve look-ups of many objects, by their paths. */
  readonly lists?: ReadonlyMap<string, ObjectList>
  client(options?: ClientOptions): Promise<Client>
  /** Returns the user whose account this is; asks the service once, and only if needed. */
  identity(): Promise<AccountIdentity>
  /** Returns the history in which changes are recorded; undefined if it is turned off or unavailable. */
  history(): Promise<History | undefined>
}

/** From so many objects on, they are looked up in their list. */
export const manyObjects = 10

/** Names an account in files. */
export interface AccountName {
  /** Context of both address and token; null if they come from elsewhere. */
  context: string | null
  /** The base URL, or `sandbox`. */
  service: string
}

/** Name of the embedded sandbox in files, instead of an address. */
const sandbox = 'sandbox'

/** Returns the base URL, or `sandbox`: the embedded sandbox has a different address in each run. */
export async function serviceOf(account: Account): Promise<string> {
  const credential = await account.access.credential()
  return credential.sandbox ? sandbox : credential.baseUrl
}

export async function accountOf(account: Account): Promise<AccountName> {
  const credential = await account.access.credential()
  if (credential.sandbox) return { context: credential.context.name, service: sandbox }
  const { baseUrl, baseUrlFrom, secret, context } = credential
  const own = baseUrlFrom === 'context' && !(secret instanceof Problem) && secret.from === 'context'
  return { context: context && own ? context.name : null, service: baseUrl }
}

/** Returns ` --context NAME` for commands in hints, and ` --base-url URL`, if the command line has these flags. */
export async function sameAccount({ access }: Account): Promise<string> {
  // An unreadable config must not hide the result of a change.
  const chosen = await access.context().catch(() => undefined)
  const credential = await access.credential().catch(() => undefined)
  const isAddressed = credential && !credential.sandbox && credential.baseUrlFrom === 'flag'
  const flags = [
    ...(chosen?.from === 'flag' ? ['--context', chosen.name] : []),
    ...(isAddressed ? ['--base-url', credential.baseUrl] : []),
  ]
  return flags.map((word) => ` ${shellWord(word)}`).join('')
}

/** Returns the account for a task that leaves its place to others while it waits. */
export const sharingPlace = (account: Account, whileWaiting: WhileWaiting): Account => ({
  ...account,
  clock: { ...account.clock, whileWaiting },
})
