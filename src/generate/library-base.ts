/** Types of the library that do not depend on the catalogue; src/library.ts and src/account/methods.ts implement them. */
export const base = `/** skyctl for programs: docs/library.md. */
/// <reference lib="esnext.disposable" />

/** Opens an account. It sends nothing yet; close it, so that the process can end. */
function openAccount(options?: AccountOptions): Account

interface AccountOptions {
  /** A stored context, or \`sandbox\`; by default what a command would use: the environment, or the current context. */
  context?: string | undefined
  /** Address and token, instead of a context. */
  baseUrl?: string | undefined
  /** Belongs to the address. */
  token?: string | undefined
  /** Ends requests and waits. */
  signal?: AbortSignal | undefined
  /** Limit of a request with its retries, in milliseconds; 120,000 by default. */
  timeoutMs?: number | undefined
  /** Maximum number of retries; 2 by default. */
  retries?: number | undefined
  /** Longest pause that the service may request, in milliseconds; 60,000 by default. */
  maxWaitMs?: number | undefined
  /** Maximum number of requests in flight; 8 by default. */
  concurrency?: number | undefined
  /** Called with each warning; what it throws is ignored. */
  onWarning?: ((text: string) => unknown) | undefined
  /** Variables instead of those of the process. */
  env?: Readonly<Record<string, string | undefined>> | undefined
}

interface AccountBase {
  /** Returns the user whose account this is. */
  user(): Promise<{ uid: number; username: string }>
  /** Sends any request below the base URL, as \`skyctl api\` does; throws a \`Problem\` if it fails. */
  request(request: {
    method: 'GET' | 'POST' | 'PUT' | 'DELETE'
    path: string
    body?: unknown
  }): Promise<{ status: number; body: unknown }>
  /** Ends requests and waits, and closes the connections; from then on every method throws \`usage\`. */
  close(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

/** Value of a field, to select records by. */
type FieldValue = string | number | boolean | null | undefined

interface WaitOption {
  /** Waits for the result, up to 5 minutes, or so many milliseconds. */
  wait?: boolean | number | undefined
}

interface IfAbsentOption {
  /** Takes an existing object with the label, if it matches, instead of creating another. */
  ifAbsent?: boolean | undefined
}

interface IfPresentOption {
  /** Takes an object that does not exist as deleted. */
  ifPresent?: boolean | undefined
}

interface IfMatchOption {
  /** Hash that rules must have, unless they are the requested ones already. */
  ifMatch?: string | undefined
}

interface ForceOption {
  /** Changes a protected object, too, and revokes the token in use. */
  force?: boolean | undefined
}

interface AllowDuplicateOption {
  /** Allows a label that another object has. */
  allowDuplicate?: boolean | undefined
}

interface KeepOpenOption {
  /** Refuses a change that blocks this traffic: \`tcp/22@198.51.100.7\`; by default what the context keeps open. */
  keepOpen?: readonly string[] | undefined
}

interface AllowLockoutOption {
  /** Allows changes that block this traffic, or the SSH connection through which the program runs. */
  allowLockout?: boolean | undefined
}

interface Change<T> {
  /**
   * \`done\`: made. \`already\`: nothing had to be made. \`exists\`: an object with the label is there (\`ifAbsent\`).
   * \`absent\`: there is no such object (\`ifPresent\`). \`unchanged\`: a part of the object had the requested state.
   */
  outcome: 'done' | 'already' | 'exists' | 'absent' | 'unchanged'
  /** The object after the change, or what the service answered. */
  record: T
  /** The object before the change, if it was read. */
  before?: Record<string, unknown> | undefined
}

/** A failure with its cause. Any method may throw it. */
class Problem extends Error {
  readonly code: ErrorCode
  readonly exitCode: number
  readonly details: {
    readonly hint?: string
    readonly errors?: readonly { field: string | null; reason: string }[]
    readonly status?: number | undefined
    /** True if the same call may succeed later, and has no effect twice. */
    readonly retryable?: boolean | undefined
    /** The object that was created before the failure, and still exists. */
    readonly created?: { readonly kind: string; readonly id: unknown; readonly label: unknown } | undefined
    readonly [detail: string]: unknown
  }
}`
