/** The lines of a journal: what they hold, and what they tell of each target. */
import { roomFor, TooLarge } from '../data/bounds'
import { parseJson } from '../data/json'
import { Problem } from '../errors'
import { isRecord } from '../rules/records'
import type { GivenBody } from './body-lines'
import type { Look } from './look'
import type { Id, Item } from './resource'

export interface Header {
  /** The version of this form. */
  skyctl_journal: 1
  /** `delete: DELETE /volumes/{volumeId}`. */
  command: string
  /** `https://api.example.net/v4 17 owner`: service, uid and user name; older ones have no name, and `?` is not known. */
  account: string
  inputs: {
    /** As they were typed, or read from stdin. */
    targets?: readonly string[]
    /** The bodies of what is made, completed by flags and defaults. */
    bodies?: readonly GivenBody[]
    /** What is the same for all. */
    [more: string]: unknown
  }
}

/** The account of a header; a user without a name is one of an older journal. */
export function accountIn(text: string): { service: string; uid?: number; username?: string | undefined } {
  const [, service = text, uid, username] = /^(\S+) (\d+)(?: (.+))?$/s.exec(text) ?? []
  return uid === undefined ? { service: service.replace(/ \?$/, '') } : { service, uid: Number(uid), username }
}

/** What tells later whether a request was done. */
export interface Known {
  id?: Id
  before?: Look | undefined
}

/** What an earlier run knows of a target. */
export type Past = Known & ({ state: 'sending' } | Done)

interface Done {
  state: 'done'
  label?: string
  /** As the service sent it: `{}` has no id. */
  answer: Partial<Item>
}

/** `target` counts from 1, in the order of the inputs. */
export type Line = { target: number } & (Past | { state: 'undone' })

/** A target in the journal of its command. */
export interface Entry {
  past: Past | undefined
  /** The ids of what other targets have made. */
  others(): unknown[]
  /** To be on the disk before the request leaves. */
  sending(known: Known): Promise<void>
  done(known: Omit<Done, 'state'> & Pick<Known, 'id'>): Promise<void>
  /** It is known that nothing was done. */
  undone(): Promise<void>
}

export interface Parsed {
  /** All lines that are whole; where not even the first is, all that there is. */
  text: string
  header?: Header
  lines: Line[]
}

/** Throws `local` where a line other than the last is none of a journal, `too_large`. */
export async function parseJournal(text: string, path: string): Promise<Parsed> {
  const whole = text.slice(0, text.lastIndexOf('\n') + 1)
  const [first = '', ...others] = whole.split('\n').slice(0, -1)
  const header = await valueIn(first, path)
  if (!isHeader(header)) return { text, lines: [] }
  const lines = others.map(async (line, index) => {
    const value = await valueIn(line, path)
    if (isLine(value)) return value
    throw new Problem('local', `line ${index + 2} of ${path} is damaged`, {
      hint: 'Look what was done, and begin anew with what is left',
    })
  })
  return { text: whole, header, lines: await Promise.all(lines) }
}

/** In bytes, for a line. The first holds all bodies, which the first run has read one at a time. */
const mostMemory = 64 * 2 ** 20

function valueIn(line: string, path: string): Promise<unknown> {
  return parseJson(line, roomFor(mostMemory)).catch((error: unknown) => {
    if (error instanceof TooLarge) throw new Problem('too_large', `${path} is too large: ${error.message}`)
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

/** The last line of each target tells; of what is known not to be done there is nothing to know. */
export function pastOf(lines: readonly Line[]): Map<number, Past> {
  const past = new Map<number, Past>()
  for (const { target, ...line } of lines) {
    if (line.state === 'undone') past.delete(target)
    else past.set(target, line)
  }
  return past
}

/** Only ids are needed to tell what is new. */
export function shortened({ label, items, serviceTime }: Look): Look {
  return { label, items: items.map(({ id }): Item => ({ id })), serviceTime }
}
