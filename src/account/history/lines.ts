/** Parses the requests in the ledger: each begins on one line and ends on another. */
import { parseJson } from '../../data/json'
import type { ErrorCode } from '../../errors'
import { isRecord } from '../../rules/records'
import type { User } from '../account'
import { isUser } from '../identity'

/** Line that is written before the request is sent. */
export interface StartedChange {
  /** Id that all lines of a request share. */
  entry: string
  /** In the format of toISOString. */
  time: string
  /** Context of address and token; null without one. */
  context: string | null
  /** Base URL, or `sandbox`. */
  service: string
  /** User who made the change, if known before it. */
  user?: User
  /** Name of the command: `volumes update`. */
  command: string
  /** Id that all changes of one apply share. */
  apply?: string
  method: string
  /** Template of an operation's path, with `path_parameters` for its parameters; otherwise the sent path, without its query. */
  path: string
  path_parameters?: Readonly<Record<string, string | number>>
  label?: string
  /** Previous values of the replaced fields. */
  before?: Readonly<Record<string, unknown>>
  /** True if `before` is the whole previous state. */
  whole?: true
  /** Id of the entry with the previous state. */
  copy?: string | undefined
  /** Entry of the change, or id of the apply, that this change undoes; older versions do not write it. */
  undoes?: string
}

/**
 * Line that is written after a request, or before another attempt at one whose object was busy, then `unknown` without a
 * code. The last one of a request is valid.
 */
export interface ChangeOutcome {
  entry: string
  ended: string
  outcome: 'ok' | 'failed' | 'unknown'
  code?: ErrorCode
  status?: number
  request_id?: string
  /** Id and label of the created or renamed object. */
  id?: string | number
  label?: string
  /** Hash of the written state: shows later whether it is still current. */
  after?: string
  /** User who made the change, if known only after it. */
  user?: User
}

export interface RecordedChange extends StartedChange {
  /** Argument of `history view`. */
  number: number
  /** Undefined if the process ended before the outcome was known. */
  result: ChangeOutcome | undefined
  requestIds: readonly string[]
}

/**
 * Parses a file whose first request has the number `first`. `open` has the requests of earlier files, which may end
 * here. Incomplete lines are skipped. Returns the number of requests that only a newer version can read: they have
 * numbers, too, as a number must mean the same change in all versions.
 */
export async function readHistoryLines(
  text: string,
  first: number,
  open: Map<string, RecordedChange>,
): Promise<number> {
  let number = first
  let unreadable = 0
  for (const value of await valuesIn(text)) {
    if (isBegun(value)) {
      open.set(value.entry, { ...value, number, result: undefined, requestIds: [] })
      number += 1
    } else if (isOutcome(value)) {
      const past = open.get(value.entry)
      if (past) open.set(value.entry, withResult(past, value))
    } else if (isOfNewerVersion(value, open)) {
      number += 1
      unreadable += 1
    }
  }
  return unreadable
}

/** Parses the lines of a file. Incomplete lines are undefined. */
export function valuesIn(text: string): Promise<unknown[]> {
  const lines = text.split('\n').filter((line) => line !== '')
  return Promise.all(lines.map((line) => parseJson(line).catch(() => undefined)))
}

function isOfNewerVersion(value: unknown, open: ReadonlyMap<string, RecordedChange>): boolean {
  return isRecord(value) && isText(value.entry) && value.ended === undefined && !open.has(String(value.entry))
}

function withResult(past: RecordedChange, result: ChangeOutcome): RecordedChange {
  const ids = result.request_id === undefined ? [] : [result.request_id]
  // An attempt begins, after one that was refused because the object was busy: the ids of refusals explain nothing.
  const earlierIds = result.outcome === 'unknown' && result.code === undefined ? [] : past.requestIds
  return {
    ...past,
    ...(result.user && { user: result.user }),
    result,
    requestIds: [...earlierIds, ...ids.filter((id) => !earlierIds.includes(id))],
  }
}

const texts = ['entry', 'time', 'service', 'command', 'method', 'path'] as const

function isBegun(value: unknown): value is StartedChange {
  if (!isRecord(value) || !texts.every((key) => isText(value[key]))) return false
  const { time, context, path_parameters: pathParameters = {}, before = {}, user } = value
  const { label = '', apply = '', undoes = '' } = value
  return (
    (user === undefined || isUser(user)) &&
    !Number.isNaN(Date.parse(String(time))) &&
    (context === null || isText(context)) &&
    [pathParameters, before].every(isRecord) &&
    [label, apply, undoes].every(isText)
  )
}

function isOutcome(value: unknown): value is ChangeOutcome {
  if (!isRecord(value) || typeof value.entry !== 'string' || typeof value.ended !== 'string') return false
  if (value.user !== undefined && !isUser(value.user)) return false
  return ['ok', 'failed', 'unknown'].includes(String(value.outcome)) && isText(value.label ?? '')
}

const isText = (value: unknown) => typeof value === 'string'
