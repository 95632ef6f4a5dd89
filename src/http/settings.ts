/** What a client is told about the account, the command and the machine that it works for. */
import type { Problem } from '../errors'
import type { Clock } from '../rules/clock'
import type { Environment } from '../rules/environment'
import type { KnownSecrets } from '../rules/known-secrets'
import type { Recording } from './recording'

export interface Settings {
  /** Validated, without a slash at its end: `https://api.example.net/v4`. */
  baseUrl: string
  /** Validated. Sent to the origin of the base URL only, and not with operations that need none. */
  token?: string
  /** The environment variable that the token is from: then signing in would not replace it. */
  tokenVariable?: string
  /** Those of the run: the token is one of them, and so is what is sent. */
  secrets?: KnownSecrets
  /** How long a request may take, with its further attempts. */
  timeoutMs: number
  /** Further attempts after the first. */
  retries: number
  /** The longest pause that the service may ask for. */
  maxWaitMs: number
  /** Pages in flight. */
  concurrency: number
  /** SIGINT and SIGTERM, with a problem as its reason: reads stop at once, a write in flight is given a moment. */
  signal?: AbortSignal
  /** Whether the API is below an address that lacks its version, where that was looked at: shared by the clients of a run. */
  looked?: Map<string, Promise<boolean>>
  clock: Clock
  /** 0 up to 1, as Math.random. */
  random(): number
  /** Where a proxy may be named. */
  env: Environment
  userAgent: string
  /** Called when the service is waited for; what it returns, when it is not any more. */
  onWait?: () => () => void
  /** Called for each request; what it returns takes lines about it and its answers, without secrets. */
  debug?: () => RequestLog
  /** Where what changes something is written down. */
  recording?: () => Promise<Recording | undefined>
  /** Why the embedded service failed to answer, where that was a file of this machine. */
  failure?: () => Problem | undefined
  /** Takes a line about a retry. */
  note?: (text: string) => void
  /** Takes a caveat that the service gave with a success, and why an interrupt does not stop at once. */
  warn?: (warning: Warning) => void
}

export type RequestLog = (line: Omit<Told, 'request'>) => void

/** A line about an attempt of a request. */
export interface Told {
  /** From 1 in each run. */
  request: number
  /** From 1. */
  attempt: number
  text: string
  /** What the service calls this exchange; only with the line that tells of the answer. */
  serviceId?: string
}

export interface Warning {
  title: string
  details?: string
}
