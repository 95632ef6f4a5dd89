/** Records that lack a part by which commands decide. They are named and left unchanged, and all others go on. */
import { Problem } from '../errors'
import { escapeText } from '../rules/escape'
import { joinNames } from '../rules/texts'

export interface UnreadableRecord {
  /** Key of the kind or part: `firewalls`. */
  kind: string
  noun: string
  id: number | string | null
  /** Label, or null if it is what is missing. */
  name: string | null
  /** Clause without a subject: `rules.inbound[0].action is missing`. */
  reason: string
}

/** Called for each such record of a list, instead of failing. */
export type OnUnreadable = (record: Readonly<Record<string, unknown>>, reason: string) => void

export function unreadableRecord(
  { kind, noun }: Pick<UnreadableRecord, 'kind' | 'noun'>,
  record: Readonly<Record<string, unknown>>,
  reason: string,
): UnreadableRecord {
  const { id, address, label } = record
  const key = id ?? address
  const isKey = typeof key === 'number' || typeof key === 'string'
  const name = label ?? address
  return { kind, noun, id: isKey ? key : null, name: typeof name === 'string' ? name : null, reason }
}

/** Returns `firewall "web" (4006) cannot be read: rules.inbound[0].action is missing`. */
export function unreadableText({ noun, id, name, reason }: UnreadableRecord): string {
  const key = id === null || id === name ? '' : ` (${id})`
  return escapeText(`${noun}${name === null ? '' : ` "${name}"`}${key} cannot be read: ${reason}`)
}

const mostNamed = 3

/** Throws `some_failed` if there are such records. */
export function expectAllRead(records: readonly UnreadableRecord[] = []): void {
  if (records.length === 0) return
  const texts = [...new Set(records.map(unreadableText))]
  const more = texts.length - mostNamed
  const named = joinNames([...texts.slice(0, mostNamed), ...(more > 0 ? [`${more} more`] : [])], 'and')
  throw new Problem('some_failed', `${named}; left unchanged`, {
    hint: 'Check it in the web console: its answer lacks what skyctl decides by',
  })
}
