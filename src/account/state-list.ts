/**
 * Reads the present records of many objects with few requests. It trusts no filter: a service may reject or ignore it, or
 * answer with other objects (gaps.md, Filtering). A list may also be older than its objects, so a record that it lacks
 * proves nothing.
 */
import { type ErrorCode, Problem } from '../errors'
import type { Client } from '../http/client'
import { isFilterRefusal } from './filter-refusal'
import { type Id, type Item, placeOf, type Resource } from './resource'

/** Objects that one filter names: a longer header may be refused. */
const batchSize = 100

type Records = Map<Id, Item>

export class StateList {
  #isFilterable: boolean
  /** True when a filtered list has once had one of the objects. */
  #isFilterProven = false

  constructor(
    private readonly resource: Resource,
    private readonly client: Client,
  ) {
    this.#isFilterable = resource.list.filterable?.includes('id') === true
  }

  /** Returns the records that the list has; none if it cannot be read for a reason that concerns only the list. */
  async read(ids: readonly Id[]): Promise<Records> {
    try {
      const filtered: Records = this.#isFilterable ? await this.#readFiltered(ids) : new Map()
      if (filtered.size === ids.length || (this.#isFilterable && this.#isFilterProven)) return filtered
      const all = only(ids, await this.#items())
      // The filter hid them. If the whole list lacks them as well, they may be too new for both.
      if (filtered.size === 0 && all.size > 0) this.#isFilterable = false
      return new Map([...filtered, ...all])
    } catch (error) {
      if (error instanceof Problem && ofListAlone.has(error.code)) return new Map()
      throw error
    }
  }

  async #readFiltered(ids: readonly Id[]): Promise<Records> {
    const batches: Id[][] = []
    for (let start = 0; start < ids.length; start += batchSize) batches.push(ids.slice(start, start + batchSize))
    try {
      const lists = await Promise.all(batches.map((batch) => this.#items({ '+or': batch.map((id) => ({ id })) })))
      const items = lists.flat()
      const records = only(ids, items)
      // Others come only if the filter is ignored.
      this.#isFilterable = records.size === items.length
      this.#isFilterProven ||= records.size > 0
      return records
    } catch (error) {
      if (!isFilterRefusal(error)) throw error
      this.#isFilterable = false
      return new Map()
    }
  }

  async #items(filter?: Readonly<Record<string, unknown>>): Promise<Item[]> {
    const items: Item[] = []
    // An unreadable record is read by itself, and then its error has a name.
    const call = { ...placeOf(this.resource), ...(filter && { filter }), onUnreadable: () => {} }
    for await (const page of this.client.pages(this.resource.list, call)) items.push(...page)
    return items
  }
}

/** Problems with a list that its objects may not have: it cannot be read, or its pages do not fit together. */
const ofListAlone = new Set<ErrorCode>(['defect', 'not_allowed', 'not_found', 'refused', 'too_large'])

function only(ids: readonly Id[], items: readonly Item[]): Records {
  const idSet = new Set(ids)
  return new Map(items.flatMap((item) => (idSet.has(item.id) ? [[item.id, item]] : [])))
}
