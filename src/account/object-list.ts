/**
 * Looks up many objects in their list, which is read once for all of them: a request for each would take far more time,
 * and more of the rate limit. A list answers only what it proves: an object that it has once, or a label that nobody has.
 * Anything else is looked up by a request of its own. So an object that moved to another page while the pages were read
 * is never called missing, and two objects with a label are never taken for one. Before a label is called missing, the list
 * is read once more for all of them.
 */
import { groupBy } from '../rules/records'

/** A list is relied on for so long, in milliseconds: after a pause for the rate limit, for example, it is read again. */
const reliableFor = 10_000

type Id = number | string

type Listed = Record<string, unknown> & { id: number; label?: string }

type Named = { id: Id } | { label: string }

/** Names of the objects that are looked up: a list keeps the records of no others. */
export interface LookedUpNames {
  ids: ReadonlySet<Id>
  labels: ReadonlySet<string>
}

export interface ListReading {
  /** Records of the objects that are looked up, by their ids. */
  records: ReadonlyMap<Id, Listed>
  /** Number of requests that it took. */
  pages: number
  /** True if a record lacks its label, which may be any. */
  hasUnlabeled: boolean
  /** Labels of the first page, for hints. */
  firstLabels: readonly string[]
}

export interface ListSource {
  /** Reads the list; undefined if the token has no permission, or if that takes more than so many requests. */
  read(names: LookedUpNames, mostRequests: number): Promise<ListReading | undefined>
  /** Returns the monotonic time in milliseconds. */
  now(): number
  /** Waits until more look-ups have come that can share a list; undefined if there are few. */
  gather?(): Promise<void>
}

interface Snapshot {
  /** Time at which the read began. */
  readAt: number
  byId: ReadonlyMap<Id, Listed>
  byLabel: ReadonlyMap<string | undefined, readonly Listed[]>
  pages: number
  hasUnlabeled: boolean
  firstLabels: readonly string[]
  /** Number of look-ups since it was read. */
  lookUps: number
  /** The list once more, which must lack the same labels. */
  second?: Promise<Snapshot | undefined>
}

/** Requests that look up a label which no object has: with a filter, and the first page. */
const requestsForAbsent = 2

export class ObjectList {
  #reading: Promise<Snapshot | undefined> | undefined
  /** Names of objects that this command has changed since: the list no longer describes them. */
  readonly #changed = new Set<Id>()
  readonly #changedLabels = new Set<string>()

  /** The next read, and the number of look-ups that share it. */
  #next: Promise<Snapshot | undefined> | undefined
  #sharing = 0
  /** The read before it. */
  #anew: Promise<Snapshot | undefined> | undefined
  /** Records that were read by themselves since. */
  readonly #readAlone = new Map<Id, { record: Listed; readAt: number }>()

  /** `earlier` is the list as the caller has read it, and when it began to. */
  constructor(
    private readonly names: LookedUpNames,
    private readonly source: ListSource,
    earlier?: ListReading & { readAt: number },
  ) {
    if (earlier) this.#reading = Promise.resolve(snapshotOf(earlier))
  }

  /** Returns the record of an object that was named; undefined if the list does not prove which one that is. */
  async find(named: Named): Promise<Listed | undefined> {
    if (!('label' in named)) {
      const alone = this.readAlone(named.id)
      if (alone) return alone
      if (!this.names.ids.has(named.id) || this.#changed.has(named.id)) return undefined
      return (await this.#current())?.byId.get(named.id)
    }
    if (!this.names.labels.has(named.label) || this.#changedLabels.has(named.label)) return undefined
    const [match, ...others] = (await this.#current())?.byLabel.get(named.label) ?? []
    return match && others.length === 0 && !this.#changed.has(match.id) ? match : undefined
  }

  /**
   * Returns the objects that have a name from now on; undefined if the list does not show that. It is read after this
   * call, for all such calls that come at about the same time.
   */
  async findAnew(named: Named): Promise<readonly Listed[] | undefined> {
    if (!this.source.gather) return undefined
    this.#sharing += 1
    this.#next ??= this.#readForAll(this.source.gather)
    const list = await this.#next
    if (!list) return undefined
    if ('label' in named) return list.hasUnlabeled ? undefined : list.byLabel.get(named.label)
    const record = list.byId.get(named.id)
    return record && [record]
  }

  async #readForAll(gather: () => Promise<void>): Promise<Snapshot | undefined> {
    let last: Snapshot | undefined
    let lookUps = 0
    try {
      await Promise.all([gather(), this.#anew])
      last = await this.#reading
    } finally {
      lookUps = this.#sharing
      this.#sharing = 0
      this.#next = undefined
    }
    // Without a list so far, the token may not read it, or it is too long.
    if (!last || lookUps <= last.pages) return undefined
    const reading = this.#read()
    this.#anew = reading
    return reading
  }

  /** Reports whether no object has a label; false if the list cannot tell. */
  async lacks(label: string): Promise<boolean> {
    return (await this.#listWithout(label)) !== undefined
  }

  /**
   * Returns the labels of the first page if no object has this one; undefined if that is not proven. A list may be late, so
   * a second one must lack the label, too: it is read if that takes fewer requests than to look up each missing label.
   */
  async labelsWithout(label: string): Promise<readonly string[] | undefined> {
    const list = this.source.gather && (await this.#listWithout(label))
    if (!list) return undefined
    list.second ??= this.#readAgain(list)
    const second = await list.second
    return second && lacksLabel(second, label) && !this.#changedLabels.has(label) ? second.firstLabels : undefined
  }

  async #listWithout(label: string): Promise<Snapshot | undefined> {
    if (!this.names.labels.has(label) || this.#changedLabels.has(label)) return undefined
    const list = await this.#current()
    return list && lacksLabel(list, label) ? list : undefined
  }

  async #readAgain({ byLabel, pages }: Snapshot): Promise<Snapshot | undefined> {
    const absent = [...this.names.labels].filter((label) => !byLabel.has(label))
    return requestsForAbsent * absent.length > pages ? this.#read() : undefined
  }

  /** Notes that this command changes an object, or gives it a label. */
  change({ id, label }: { id?: Id | undefined; label?: unknown }): void {
    if (id !== undefined) {
      this.#changed.add(id)
      this.#readAlone.delete(id)
    }
    if (typeof label === 'string') this.#changedLabels.add(label)
  }

  /** Notes a record that was just read by itself, so that it is not read again for the change that follows. */
  read(record: Listed): void {
    this.#readAlone.set(record.id, { record, readAt: this.source.now() })
  }

  /** Returns a record that was just read by itself; undefined if there is none. */
  readAlone(id: Id): Listed | undefined {
    const alone = this.#readAlone.get(id)
    return alone && this.#isReliable(alone) ? alone.record : undefined
  }

  readonly #isReliable = ({ readAt }: { readAt: number }) => this.source.now() - readAt < reliableFor

  /** Returns a reliable list; undefined if there is none, or if reading it again costs more than single look-ups. */
  async #current(): Promise<Snapshot | undefined> {
    for (;;) {
      this.#reading ??= this.#read()
      const reading = this.#reading
      const list = await reading
      if (!list) return undefined
      const isWorthIt = list.lookUps >= list.pages
      list.lookUps += 1
      if (this.#isReliable(list)) return list
      if (!isWorthIt) return undefined
      // Others may have begun to read it again meanwhile.
      if (this.#reading === reading) this.#reading = undefined
    }
  }

  async #read(): Promise<Snapshot | undefined> {
    const readAt = this.source.now()
    const { ids, labels } = this.names
    const list = await this.source.read(this.names, ids.size + labels.size)
    return list && snapshotOf({ ...list, readAt })
  }
}

const lacksLabel = ({ hasUnlabeled, byLabel }: Snapshot, label: string) => !hasUnlabeled && !byLabel.has(label)

function snapshotOf({ records: byId, ...reading }: ListReading & Pick<Snapshot, 'readAt'>): Snapshot {
  // An answer may lack labels.
  return { ...reading, byId, byLabel: groupBy(byId.values(), ({ label }) => label), lookUps: 0 }
}
