/** Parses the lines of a journal, and derives the state of each target. */

import type { Operation } from '../catalogue/operation'
import { parseJson } from '../data/json'
import { LimitExceeded } from '../data/memory-limits'
import { Problem, tellsOfObject } from '../errors'
import { isNewer, newerFile } from '../files/newer-format'
import { isRecord } from '../rules/records'
import type { AccountIdentity } from './account'
import type { LabelLookup } from './label-lookup'
import type { Id, Item } from './resource'

/** A body, and its line, counted from 1, if it is one of several. */
export interface BodyInput {
  body: Record<string, unknown>
  line?: number | undefined
}

export interface Header {
  /** Version of the format. */
  skyctl_journal: 1
  /** Command and operation: `delete: DELETE /volumes/{volumeId}`. */
  command: string
  /**
   * Service, uid and user name: `https://api.example.net/v4 17 owner`; `?` is an unknown user.
   */
  account: string
  inputs: {
    /** Names as typed, or read from stdin. */
    targets?: readonly string[]
    /** Bodies of the objects to create, completed by flags and defaults. */
    bodies?: readonly BodyInput[]
    /** Inputs that all targets share. */
    [more: string]: unknown
  }
}

/** Parses the account of a header. */
export function accountIn(text: string): Pick<AccountIdentity, 'service' | 'user'> {
  const [, service, uid, username = ''] = /^(\S+) (\d+) (.+)$/s.exec(text) ?? []
  return service === undefined
    ? { service: text.replace(/ \?$/, ''), user: undefined }
    : { service, user: { uid: Number(uid), username } }
}

/** Data that shows later whether a request succeeded. */
export interface BeforeRequest {
  id?: Id | undefined
  before?: LabelLookup | undefined
}

/** A request that was sent. `history` is the id of its entry in the history; older journals have none. */
type Sending = BeforeRequest & { state: 'sending'; history?: string | undefined }

/** State of a target after an earlier run. */
export type PastAttempt = Sending | (BeforeRequest & Done)

interface Done {
  state: 'done'
  label?: string | undefined
  /** The service's answer: `{}` has no id. */
  answer: Partial<Item>
}

/** `target` counts from 1, in the order of the inputs. */
export type Line = { target: number } & (PastAttempt | { state: 'undone' })

export interface JournalEntry {
  past: PastAttempt | undefined
  /** Returns the ids of objects that other targets have created. */
  others(): unknown[]
  /** Writes to the disk before the request is sent; resolves to the id of its entry in the history: a new one by default. */
  sending(before: BeforeRequest, history?: string): Promise<string>
  done(result: Omit<Done, 'state'> & Pick<BeforeRequest, 'id'>): Promise<void>
  /** Records a failure if the request certainly had no effect. */
  failed(error: unknown, operation: Operation): Promise<void>
}

export interface Parsed {
  /** All complete lines; the whole text if not even the first line is complete. */
  text: string
  header?: Header
  lines: Line[]
}

/**
 * Parses a journal. Throws `local` for a newer version's journal, or if a line other than the last is invalid, and
 * `too_large`.
 */
export async function parseJournal(text: string, path: string): Promise<Parsed> {
  const whole = text.slice(0, text.lastIndexOf('\n') + 1)
  const [first = '', ...others] = whole.split('\n').slice(0, -1)
  const header = await valueIn(first, path)
  if (isRecord(header) && isNewer(header.skyctl_journal)) throw newerFile(path, 'resume it with that version')
  if (!isHeader(header)) return { text, lines: [] }
  const lines = others.map(async (line, index) => {
    const value = await valueIn(line, path)
    if (isLine(value)) return value
    throw new Problem('local', `line ${index + 2} of ${path} is damaged`, {
      hint: 'Check the completed targets, and start a new journal with the rest',
    })
  })
  return { text: whole, header, lines: await Promise.all(lines) }
}

/** Maximum memory of a line in bytes. The first line has all bodies, which the first run has read one at a time. */
const mostMemory = 64 * 2 ** 20

function valueIn(line: string, path: string): Promise<unknown> {
  return parseJson(line, mostMemory).catch((error: unknown) => {
    if (error instanceof LimitExceeded) throw new Problem('too_large', `${path} is too large: ${error.message}`)
  })
}

function isHeader(value: unknown): value is Header {
  return isRecord(value) && value.skyctl_journal === 1 && typeof value.command === 'string' && isInputs(value.inputs)
}

function isInputs(value: unknown): boolean {
  if (!isRecord(value)) return false
  const { targets = [], bodies = [] } = value
  const areTexts = Array.isArray(targets) && targets.every((target) => typeof target === 'string')
  return areTexts && Array.isArray(bodies) && bodies.every((one) => isRecord(one) && isRecord(one.body))
}

function isLine(value: unknown): value is Line {
  if (!isRecord(value) || !Number.isInteger(value.target)) return false
  const { state, before, answer } = value
  if (state === 'done') return isRecord(answer)
  return state === 'undone' || (state === 'sending' && (before === undefined || isLook(before)))
}

function isLook(value: unknown): boolean {
  return isRecord(value) && Array.isArray(value.items) && value.items.every(isRecord)
}

/** Returns the state of each target from its last line; targets that certainly had no effect have none. */
export function pastAttempt(lines: readonly Line[]): Map<number, PastAttempt> {
  const past = new Map<number, PastAttempt>()
  for (const { target, ...line } of lines) {
    if (line.state === 'undone') past.delete(target)
    else past.set(target, line)
  }
  return past
}

/** Drops all fields but the ids, which are enough to detect new objects. */
export function shortened({ label, items, serviceTime }: LabelLookup): LabelLookup {
  return { label, items: items.map(({ id }): Item => ({ id })), serviceTime }
}

/**
 * Reports whether a failed request certainly had no effect. A request that can be retried may have been tried before it
 * failed. Then only an answer of the service decides; after an earlier run has sent it, nothing does.
 */
export function isUndone(error: unknown, { idempotency }: Operation, { past }: Pick<JournalEntry, 'past'>): boolean {
  if (!(error instanceof Problem)) return false
  if (idempotency === 'idempotent')
    return past?.state !== 'sending' && (tellsOfObject(error.code) || error.code === 'usage')
  return error.code !== 'outcome_unknown'
}
