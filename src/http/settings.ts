/** Settings of a client: account, command and machine. */
import type { Problem } from '../errors'
import type { Environment } from '../rules/environment'
import type { KnownSecrets } from '../rules/secrets'
import type { Clock } from '../rules/times'

export interface ClientSettings {
  /** Validated, without a trailing slash: `https://api.example.net/v4`. */
  baseUrl: string
  /** Validated. Sent only to the origin of the base URL, and not with public operations. */
  token?: string
  /** Environment variable of the token: signing in would not replace such a token. */
  tokenVariable?: string
  /** Name of the context that has the token. */
  context?: string
  /** Secrets of the run, including the token and secrets in sent bodies. */
  secrets?: KnownSecrets
  /** Time limit of a request in milliseconds, including its retries. */
  timeoutMs: number
  /** Time limit of a creation that the rate limit refuses again and again; `timeoutMs` by default. */
  refusedMs?: number
  /** Number of retries after the first attempt. */
  retries: number
  /** Longest pause that the service may request, in milliseconds; a minute by default; none for creations. */
  maxWaitMs?: number | undefined
  /** Maximum number of pages in flight. */
  concurrency: number
  /** Maximum number of connections: one for each request in flight. By default as many as pages. */
  connections?: number
  /**
   * Aborted by SIGINT and SIGTERM, with a problem as its reason: reads stop at once, a write in flight gets a moment.
   */
  signal?: AbortSignal
  /** Addresses where the API was looked for, with the result; shared by the clients of a run. */
  looked?: Map<string, Promise<boolean>>
  /** Last answer to a request with the token, from any client of the run, and the listener for each of them. */
  last?: { answer?: LastAnswer; onAnswer?: AnswerListener }
  clock: Clock
  /** Returns a number from 0 up to 1, as Math.random. */
  random(): number
  /** Source of the proxy settings. */
  env: Environment
  userAgent: string
  /** Called when requests wait for the service; the returned function is called when none does any more. */
  onWait?: () => () => void
  /** Called for each request; the returned function logs lines about it and its answers, without secrets. */
  debug?: () => RequestLog
  /** Returns the reason if the embedded service failed because of a file or a limit of this machine. */
  failure?: () => Problem | undefined
  /** Prints a line about a retry. */
  note?: (text: string) => void
  /** Prints a line that people need in any case: how long many requests take. */
  inform?: (text: string) => void
  /**
   * Prints a warning: one that the service sent with a success, or the reason why an interrupt does not stop at once.
   */
  warn?: (warning: ApiWarning) => void
}

export interface LastAnswer {
  headers: Readonly<Record<string, string>>
  /** Time of the answer, by the local clock and by the monotonic one. */
  at: number
  receivedAt: number
}

/** Gets each answer; `family` names requests that the API counts together (./requests). */
export type AnswerListener = (answer: LastAnswer, status: number, family: string | undefined) => void

export type RequestLog = (line: Omit<AttemptLine, 'request'>) => void

/** A log line about one attempt of a request. */
export interface AttemptLine {
  /** Counted from 1 in each run. */
  request: number
  /** Counted from 1. */
  attempt: number
  text: string
  /** The service's id of this exchange; only on the line about the answer. */
  serviceId?: string
}

export interface ApiWarning {
  title: string
  details?: string
}
