/** The lines of the history: a request is begun on one, and how it ended stands on another. */
import { parseJson } from '../../data/json'
import type { Code } from '../../errors'
import { isRecord } from '../../rules/records'
import type { User } from '../../session'
import { isUser } from '../identity'

type Holes = Readonly<Record<string, string | number>>

/** Stands in the file before the request leaves. */
export interface Begun {
  /** The same on all lines of a request. */
  entry: string
  /** As toISOString writes it. */
  time: string
  /** The context that brought address and token; null where none did. */
  context: string | null
  /** The base URL, or `sandbox`. */
  service: string
  /** Who changed it, where that was known before. */
  user?: User
  /** The words of the command: `volumes update`. */
  command: string
  /** The same on all changes of one apply. */
  apply?: string
  method: string
  /** Of an operation, with the holes that `holes` fill; otherwise as it was sent, without its query. */
  path: string
  holes?: Holes
  label?: string
  /** What stood in the fields that were replaced. */
  before?: Readonly<Record<string, unknown>>
  /** `before` is all that there was. */
  whole?: true
  /** When the copy of what stood before was kept, in milliseconds since the epoch. */
  copy?: number
}

/** Stands there after; the last one of a request holds. */
export interface Told {
  entry: string
  ended: string
  outcome: 'ok' | 'failed' | 'unknown'
  code?: Code
  status?: number
  request_id?: string
  /** What was made, or named anew. */
  id?: string | number
  label?: string
  /** Tells whether what was written still stands. */
  after?: string
  /** Who changed it, where that was asked for only now. */
  user?: User
}

/** A request that changed something, or may have. */
export interface Past extends Begun {
  /** As `history view` takes it. */
  number: number
  /** Undefined: the process did not live to tell. */
  told: Told | undefined
  requestIds: readonly string[]
}

/**
 * The requests of a file whose first one has the number `first`. `open` are those of earlier files, which are told of
 * here: a line that is torn is passed over.
 */
export async function readLines(text: string, first: number, open: Map<string, Past>): Promise<void> {
  let number = first
  for (const line of text.split('\n')) {
    const value = line === '' ? undefined : await parseJson(line).catch(() => undefined)
    if (isBegun(value)) {
      open.set(value.entry, { ...value, number, told: undefined, requestIds: [] })
      number += 1
    } else if (isTold(value)) {
      const past = open.get(value.entry)
      if (past) open.set(value.entry, toldOf(past, value))
    }
  }
}

function toldOf(past: Past, told: Told): Past {
  const ids = told.request_id === undefined ? [] : [told.request_id]
  const { user = past.user } = told
  return {
    ...past,
    ...(user && { user }),
    told,
    requestIds: [...past.requestIds, ...ids.filter((id) => !past.requestIds.includes(id))],
  }
}

const texts = ['entry', 'time', 'service', 'command', 'method', 'path'] as const

function isBegun(value: unknown): value is Begun {
  if (!isRecord(value) || texts.some((key) => typeof value[key] !== 'string')) return false
  const { time, context, holes = {}, before = {}, label = '', user, apply = '' } = value
  if (user !== undefined && !isUser(user)) return false
  if (Number.isNaN(Date.parse(String(time)))) return false
  return (
    (context === null || typeof context === 'string') &&
    isRecord(holes) &&
    isRecord(before) &&
    isText(label) &&
    isText(apply)
  )
}

function isTold(value: unknown): value is Told {
  if (!isRecord(value) || typeof value.entry !== 'string' || typeof value.ended !== 'string') return false
  if (value.user !== undefined && !isUser(value.user)) return false
  return ['ok', 'failed', 'unknown'].includes(String(value.outcome)) && isText(value.label ?? '')
}

const isText = (value: unknown) => typeof value === 'string'
