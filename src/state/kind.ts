/** What a kind of object must tell so that a file can hold it (state.md). All of this is pure, but for `read` and `guard`. */
import type { Answer, Operation, Schema } from '../catalogue/operation'
import { isGone, Problem } from '../errors'
import type { RulesChange } from '../firewall/diff'
import type { Service, Shift } from '../firewall/effects'
import type { Traffic } from '../firewall/traffic'
import type { Call, Client } from '../http/client'

/** One command line that brings an object nearer to what is wanted. */
export interface Step {
  /** For scripts: `create`, `resize`, `detach`, `rules`. */
  action: string
  /** The words of the command: `['volumes', 'resize']`. */
  command: readonly string[]
  arguments: readonly string[]
  /** The request's body, which the command takes from its stdin. */
  body?: Readonly<Record<string, unknown>>
  /** What stood in the fields that the body replaces when the account was read. */
  replaced?: Readonly<Record<string, unknown>>
  /** As the command line has them, without dashes: `{ wait: true }`. */
  flags?: Readonly<Record<string, string | boolean>>
  /** What becomes different, a line each: `size: 40 GiB -> 60 GiB`. */
  changes: readonly string[]
  /** The same of rules. */
  rules?: readonly RulesChange[]
  consequences?: readonly Consequence[]
  /** What it changes for services that firewalls protect. */
  shifts?: readonly Shift[]
  /** Makes room for another object, and goes before it. */
  first?: true
  /** Names what it releases, such as the protection of a service, and what it claims: `./schedule` brings both together. */
  frees?: readonly string[]
  takes?: readonly string[]
  /** Restores what the step took away, where the next steps of its job fail. `answer` is that of the step. */
  undo?(answer: Readonly<Record<string, unknown>>): UndoStep
  /** Looks right before it is done whether it still may be; throws `refused` where it may not. */
  guard?(client: Client): Promise<void>
}

export type UndoStep = Pick<Step, 'command' | 'arguments' | 'body' | 'flags'>

/** What somebody should know before they say yes. */
export interface Consequence {
  kind: 'starts billing' | 'destroys' | 'cuts off' | 'opens' | 'unprotects'
  text: string
  /** Where traffic is refused or let in by other rules: for whom, and which. */
  services?: readonly Service[]
  traffic?: readonly Traffic[]
}

/** What cannot be reached, and why; `field` is below the object, null is the object itself. */
export interface Refusal {
  field: string | null
  reason: string
  /** The cause; `refused` where none is named. */
  code?: 'refused' | 'exists' | 'conflict'
}

export interface Outcome {
  steps: readonly Step[]
  refusals: readonly Refusal[]
  /** What is left alone although the file seems to say otherwise, a sentence each without its full stop. */
  notes?: readonly string[]
}

/** What an account has, by kind: what `read` gave, of those kinds that were read. */
export type World = ReadonlyMap<string, readonly unknown[]>

/** What holds for a whole file. */
export interface Settings {
  /** The tag that everything made by the file carries. */
  owner?: string | undefined
  defaults: { region?: string | undefined }
}

/** How one object is wanted, and what there is of it. */
export interface Case<E, R> {
  name: string
  wanted: E
  /** Undefined: it has to be made. */
  record: R | undefined
  world: World
  /** What the file wants of all objects of this kind, by name. */
  entries: ReadonlyMap<string, E>
  settings: Settings
  /** Whether this plan removes an object that the file does not name. */
  isRemoved(record: R): boolean
}

/** What there is to know of a removal: who owns what is removed, and what the file wants of those that stay. */
export interface Removal<E> extends Pick<Case<E, unknown>, 'entries' | 'world'> {
  owner: string
}

/** `rules: web.yaml` holds the rules themselves, `file: key.pub` the text of `ssh_key`. */
export interface Included {
  field: string
  fills: string
  holds: 'an object' | 'a text'
}

/** `E` is what a file says of an object, `R` what the account has of it. */
export interface Kind<E = unknown, R = unknown> {
  /** The key of the file, and of the world: `volumes`. */
  key: string
  /** `volume`. */
  noun: string
  /** The file has one of it, below the key itself. */
  single?: true
  /** What stands below a name. */
  entry: Schema
  /** Fields that may name a file instead, and which field that fills. */
  files?: readonly Included[]
  /** An entry in the form that `entry` takes; `writtenAs` tells what was typed for a number. */
  tidy?(entry: Record<string, unknown>, writtenAs: (field: string) => string | undefined): Record<string, unknown>
  /** A name in the form that `nameOf` has. */
  tidyName?(name: string): string
  /** What is wrong with a name; undefined where nothing is. */
  nameFault?(name: string): string | undefined
  /** Kinds that have to be read as well to plan these entries. */
  needs?(entries: readonly E[]): readonly string[]
  /** The compute instances that an entry names. */
  computesIn?(entry: E): readonly number[]
  /** Everything that the account has of it. */
  read(client: Client): Promise<R[]>
  nameOf(record: R): string
  idOf(record: R): number | string | undefined
  /** The list that it is read from, and the record that stands there: for `--filter`. */
  list?: Operation
  listed?(record: R): unknown
  /** What tells it from others and no file can set; it changes only with the object itself. */
  noteOf(record: R): string
  /** What a file would say of it: all that a file can set. */
  entryOf(record: R): E
  /** What no file can say of it, a clause each. */
  leftOut?(record: R): readonly string[]
  plan(one: Case<E, R>): Outcome
  /** The same where several have the name, and one of them is known to be meant; otherwise undefined. */
  planSeveral?(
    one: Pick<Case<E, R>, 'wanted'>,
    records: readonly R[],
  ): { record: R; steps: readonly Step[] } | undefined
  /** How it is removed where it carries the owner's tag; undefined where it does not. Without it, `--prune` leaves the kind alone. */
  remove?(record: R, removal: Removal<E>): readonly Step[] | undefined
}

/** All records of a list. */
export async function readAll<O extends Operation>(client: Client, list: O, call: Call = {}): Promise<Answer<O>[]> {
  const records: Answer<O>[] = []
  for await (const page of client.pages(list, call)) records.push(...page)
  return records
}

/** A line of `changes`. */
export const changed = (field: string, from: string, to: string) => `${field}: ${from} -> ${to}`

/** What has no order, in the one that every export has. */
export const inOrder = <T extends string | number>(values: readonly T[]): T[] =>
  [...values].sort((a, b) => (a < b ? -1 : 1))

/** Tags for a person: `db, edge`, or `none`. */
export const listed = (values: readonly (string | number)[]) => (values.length === 0 ? 'none' : values.join(', '))

/** Whether two lists hold the same, in any order. */
export function isSameSet(one: readonly (string | number)[], other: readonly (string | number)[]): boolean {
  const [a, b] = [new Set<string | number>(one), new Set<string | number>(other)]
  return a.size === b.size && [...a].every((value) => b.has(value))
}

/** The tags of an object that is made, or changed: one that carries the owner's keeps it. */
export function tagsOf(
  wanted: readonly string[],
  present: readonly string[] | undefined,
  { owner }: Settings,
): readonly string[] {
  const keeps = owner !== undefined && (present === undefined || present.includes(owner)) && !wanted.includes(owner)
  return keeps ? [...wanted, owner] : wanted
}

/** For what is removed: throws `refused` where the owner's tag was taken off meanwhile. What is gone is as good as removed. */
export async function expectOwned(reading: Promise<{ tags: readonly string[] }>, owner: string): Promise<void> {
  const { tags } = await reading.catch((error: unknown) => {
    if (isGone(error)) return { tags: [owner] }
    throw error
  })
  if (!tags.includes(owner)) throw new Problem('changed', `it carries the tag "${owner}" no more, and is left`)
}

/** The step that replaces the tags of an object; none where they are as wanted. */
export function retag(
  command: readonly string[],
  id: number,
  {
    wanted,
    present,
    settings,
  }: { wanted: readonly string[] | undefined; present: readonly string[]; settings: Settings },
): Step[] {
  if (wanted === undefined) return []
  const tags = tagsOf(wanted, present, settings)
  if (isSameSet(tags, present)) return []
  return [
    {
      action: 'update',
      command,
      arguments: [String(id)],
      body: { tags },
      replaced: { tags: present },
      changes: [changed('tags', listed(present), listed(tags))],
    },
  ]
}
