/** Defines kinds of objects that a file can have (state.md). All functions but `read` are pure. */

import type { ActionName } from '../account/actions'
import type { ServiceKind } from '../account/service-kinds'
import type { Operation, Schema } from '../catalogue/operation'
import type { Service } from '../firewall/effects'
import type { Client } from '../http/client'
import type { PlanStep } from './plan-step'
import type { OnUnreadable } from './unreadable-records'

/** Reason why the desired state cannot be reached; `field` is below the object, null is the object itself. */
export interface PlanRefusal {
  field: string | null
  reason: string
  /** The cause; `refused` by default. */
  code?: RefusalCode
  /** True for a failed test: the entry only expects something, and no field of the object differs. */
  isTest?: true
}

export type RefusalCode = 'refused' | 'conflict' | 'protected' | 'not_found' | 'usage' | 'defect'

export interface StepOutcome {
  steps: readonly PlanStep[]
  refusals: readonly PlanRefusal[]
  /** Parts that the plan leaves unchanged although the file sets them: sentences without full stop. */
  notes?: readonly string[]
}

/** State of an account by kind: records from `read`, for the kinds that were read. `regions` has all region IDs. */
export type AccountState = ReadonlyMap<string, readonly unknown[]>

/** A service that no enabled firewall protects after a plan. */
export interface UnprotectedService extends Service {
  /** Whether an enabled firewall protects it now. */
  was_protected: boolean
}

export interface FileOptions {
  /** Tag of everything that the file creates. */
  owner?: string | undefined
  /** True if existing objects get that tag, too. */
  adopts?: boolean | undefined
  defaults: { region?: string | undefined }
}

/** Desired and current state of one object. */
export interface PlanInput<E, R> {
  name: string
  desired: E
  /** Undefined if the object must be created. */
  record: R | undefined
  world: AccountState
  /** Desired state of all objects of this kind, by name. */
  entries: ReadonlyMap<string, E>
  settings: FileOptions
  /** Reports whether this plan makes the changes of an entry; all by default. */
  isSelected?(name: string): boolean
  /** Reports whether this plan removes an object that the file does not have. */
  isRemoved(record: R): boolean
}

/** An entry, and all others of its kind: what is known without an account. */
export type CheckInput<E> = Pick<PlanInput<E, unknown>, 'name' | 'desired' | 'entries'>

/** Context of a removal: the owner, and the desired state of the remaining objects. */
export interface RemovalInput<E> extends Pick<PlanInput<E, unknown>, 'entries' | 'world'> {
  owner: string
}

/** An entry that is only expected, and the records with its name. */
export interface ExpectationInput<E, R> {
  name: string
  desired: E
  records: readonly R[]
  /** Undefined if the time does not matter. */
  now: number | undefined
}

/** Result of comparing an entry that is only expected. */
export interface ExpectationOutcome {
  differences: readonly { field: string | null; text: string }[]
  /** Command that a person can run to end the differences. */
  fix?: string
}

/** A field with a file name: `rules: web.yaml` includes the rules, `file: key.pub` the text of `ssh_key`. */
export interface Included {
  field: string
  fills: string
  holds: 'an object' | 'a text'
}

/** Part of a kind for files: names and entries of its objects. */
export interface KindShape {
  /** Key in files and in the world: `volumes`. */
  key: string
  /** Noun for messages: `volume`. */
  noun: string
  /** Set if an account has one object of the kind: its entry has no name. */
  single?: true
  entry: Schema
  /** Field that may name a file instead, and the field that it fills. */
  included?: Included
  /** Fields with ids of services, which may name them by label instead, too. */
  services?: Readonly<Record<string, ServiceKind>>
  /** Normalizes an entry for the schema. */
  tidy?(entry: Record<string, unknown>): Record<string, unknown>
  /** Normalizes a name to the form of `nameOf`. */
  tidyName?(name: string): string
  /** Returns the error in a name; undefined for a valid one. */
  nameFault?(name: string): string | undefined
}

export interface ReadPurpose {
  /** True if they are only reported: no change relies on them. */
  isReport?: boolean
  /** Objects of the files by name, whose long lists the records share. */
  desired?: ReadonlyMap<string, { value: unknown }> | undefined
}

/** Part of a kind for plans: reads its objects, compares them with their entries, and changes them. */
export interface KindPlanner<E = unknown, R = unknown> {
  /** Keys of other kinds that must be read, too. */
  needs?: readonly string[]
  /** Reads all records of the account. Kinds with the same function have the same records, which are read once. */
  read(client: Client, onUnreadable?: OnUnreadable, purpose?: ReadPurpose): Promise<R[]>
  nameOf(record: R): string
  idOf(record: R): number | string | undefined
  /** Returns the entry for a record: everything that a file can set. */
  entryOf(record: R): E
  /** Fields of a record that entries set; the record itself by default. A file may set none that the answer lacked. */
  settable?: readonly string[]
  /** Returns the part of a record that has its tags; kinds without this method have none. */
  tagged?(record: R): { tags: readonly string[] }
  plan(one: PlanInput<E, R>): StepOutcome
  /** Returns the refusals of `plan` that hold whatever the account has. */
  check?(one: CheckInput<E>): readonly PlanRefusal[]
  /** Plans an object if several have the name and the right one is certain; otherwise undefined. */
  planSeveral?(
    one: Pick<PlanInput<E, R>, 'desired'>,
    records: readonly R[],
  ): { record: R; steps: readonly PlanStep[] } | undefined
  /** Returns a sentence about records that are in no file; undefined if there is nothing to say. */
  noteOfUnlisted?(records: readonly R[]): string | undefined
  /** Compares the records of a name with an entry that is only expected: no plan changes them. */
  expect?(one: ExpectationInput<E, R>): ExpectationOutcome
  /** Returns the fields of the entry after the plan, without tags; by default, those of the file. */
  fieldsAfter?(one: PlanInput<E, R>): Readonly<Record<string, unknown>>
  /** Returns the services that nothing of this kind protects after the plan; undefined if that is unknown. */
  unprotectedAfter?(around: Pick<PlanInput<E, R>, 'entries' | 'world' | 'isRemoved'>): UnprotectedService[] | undefined
  /** Renames an object that an entry names by its former label, with `was`. */
  rename?: Renaming<E, R>
  /**
   * Returns the steps to remove an object with the owner's tag; undefined without the tag. Without this method,
   * `--prune` does not remove the kind.
   */
  remove?(record: R, removal: RemovalInput<E>): readonly PlanStep[] | undefined
}

interface Renaming<E, R> {
  does: ActionName
  relabel(record: R, label: string): R
  /** Returns more lines for people about the new label. */
  effects?(record: R): readonly string[]
  /** Finds the objects without an entry that an entry without an object may be meant for. */
  likeness?: Likeness<E>
}

/** Holder of an object by its tags; unknown if the files have no owner. */
export type Holder = 'owner' | 'another' | 'unknown'

/** Two entries describe one object if they have a trait in common: a text of several values. */
interface Likeness<E> {
  /** Returns the traits of an object of the account. */
  traitsOf(present: E, holder: Holder): readonly string[]
  /** Returns the traits of an entry, the most exact first. */
  desiredTraits(desired: E, defaults: FileOptions['defaults']): readonly string[]
  /** Reports whether two entries describe two objects nevertheless. */
  areApart?(present: E, desired: E): boolean
}

/** Part of a kind for exports, and for the outputs of an apply. */
export interface KindReport<R = unknown> {
  /** Returns facts that identify the object and that no file can set; they only change with the object itself. */
  noteOf(record: R): string
  /** The list operation, and its record: for `--filter`. */
  list?: Operation
  listed?(record: R): unknown
  /** True if exports have it only when it is named. */
  isOnRequest?: true
  /** Reports whether a file can set anything of a record: exports leave out others without a word. */
  isSettable?(record: R, now: number | undefined): boolean
  /** Reports whether a record is as the service sets it by itself: exports of everything only count such records. */
  isDefault?(record: R): boolean
  /** Returns the parts of a record that no file can have, as clauses. */
  leftOut?(record: R): readonly string[]
  /** Returns the path in the record of a field of its entry, if the entry lacks parts of its lists. */
  pathInRecord?(record: R, field: string): string
  /** Fields of a record that the next step of a job may need, beside its id. */
  outputs?: readonly string[]
}

/** A kind of object. `E` is its entry in a file, `R` its record in the account. */
export interface Kind<E = unknown, R = unknown> extends KindShape, KindPlanner<E, R>, KindReport<R> {}
