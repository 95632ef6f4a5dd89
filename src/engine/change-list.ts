/** A list of an object that is added to, or taken from: what others do to the same list at the same time is kept. */
import { type Change, send } from './change'
import { type Contended, changeContended, type Settled } from './contended'
import { replaced } from './history/about'
import { compareFields } from './look'
import { nameOf } from './resource'
import type { RequestBody, Situation } from './situation'
import type { Subject } from './subject'

type Listed = Record<string, unknown>

/** What has the list. */
export interface Holder {
  /** The same for all that change it. */
  what: readonly unknown[]
  /** As sentences name it: `volume 3001`. */
  name: string
  look(): Promise<Listed>
}

export async function holderOf({ found, reread, resource }: Subject): Promise<Holder> {
  const { id, record } = await found()
  return { what: [resource.noun, id], name: nameOf(resource, { id, ...(record && { record }) }), look: reread }
}

export interface ListChange {
  /** The field that holds the list: `tags`. */
  field: string
  add: readonly string[]
  remove: readonly string[]
}

/** The list with the change in it; what stands keeps its order. */
export function changedList(standing: unknown, { add, remove }: ListChange): string[] {
  const items = new Set<string>([...(Array.isArray(standing) ? standing : []), ...add])
  for (const item of remove) items.delete(item)
  return [...items]
}

/** The same change, made of whatever list stands when it is sent. */
export function changeList(change: Change, list: ListChange, holder: Holder, { session }: Situation): Change {
  let settled: Settled<Listed> | undefined
  return {
    ...change,
    async send() {
      settled = await changeContended(contended(change, list, { holder, session }), session)
      return settled.standing
    },
    done(answer) {
      if (!settled || settled.written) return change.done(answer)
      return `The ${wordsOf(list)} of ${holder.name} are so already: nothing to do`
    },
  }
}

const wordsOf = ({ field }: ListChange) => field.replaceAll('_', ' ')

function contended(
  { operation, path, body = {}, explain }: Change,
  list: ListChange,
  { holder, session }: { holder: Holder } & Pick<Situation, 'session'>,
): Contended<Listed, RequestBody> {
  const { [list.field]: _, ...others } = body
  // A second request is made of what stands then.
  const request = { operation: { ...operation, repeat: 'check first' as const }, ...(path && { path }) }
  return {
    what: holder.what,
    name: `the ${wordsOf(list)} of ${holder.name}`,
    look: () => holder.look(),
    // What else was asked for is written once: others may change that too.
    make: async (standing, last) => bodyFor(standing, last && !last.lost ? {} : others, list),
    write: (wanted, standing) => {
      const about = async () => replaced(standing, wanted)
      return send({ ...request, body: wanted, about, ...(explain && { explain }) }, session)
    },
    holds: (now, { lost }) => isIn(now, list) && (!lost || compareFields(now, others).length === 0),
  }
}

/** Undefined where all is so already. */
function bodyFor(standing: Listed, others: RequestBody, list: ListChange): RequestBody | undefined {
  const body = { ...others, [list.field]: changedList(standing[list.field], list) }
  return Object.keys(body).length === 1 && isIn(standing, list) ? undefined : body
}

function isIn(item: Listed, { field, add, remove }: ListChange): boolean {
  const value = item[field]
  const items: readonly unknown[] = Array.isArray(value) ? value : []
  return remove.every((one) => !items.includes(one)) && add.every((one) => remove.includes(one) || items.includes(one))
}
