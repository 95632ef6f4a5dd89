/** Collects the data of a changed object for the history. */
import { isMissing } from '../../catalogue/normalize'
import type { Account } from '../account'
import type { RecordedAction } from '../action'
import { byWay } from '../action-functions'
import type { RequestBody } from '../change-context'
import type { ResolvedTarget } from '../resolved-target'
import type { Undo } from '../undo'
import { partOf } from './compare-states'
import type { About } from './history'

interface Changing {
  subject: ResolvedTarget | undefined
  body: RequestBody
  account: Account
  /** True if a request for this data alone is allowed. */
  looks: boolean
}

export async function readBefore(
  { operation, undo }: RecordedAction,
  { subject, body, account, looks }: Changing,
): Promise<About> {
  const cached = (await subject?.find())?.record
  const { keeps } = operation
  const record = cached ?? (looks ? await (subject?.record() ?? readUnnamed(undo, account)) : undefined)
  if (!record) return {}
  return replaced(record, keeps ? Object.fromEntries(keeps.map((field) => [field, null])) : body)
}

/** Reads something that an account has once. */
async function readUnnamed(undo: Undo, account: Account): Promise<RequestBody | undefined> {
  const none = () => undefined
  const view = byWay(undo, { restoring: (way) => way.view, device: none, rules: none, hand: none })
  return view && (await account.client()).call(view)
}

/** Returns the history's data: label and previous values of the body's fields, unless the answer lacked one of them. */
export function replaced(record: RequestBody, body: RequestBody): About {
  const { label } = record
  const isWhole = !Object.keys(body).some((field) => isMissing(record, field))
  return {
    ...(typeof label === 'string' ? { label } : {}),
    ...(isWhole && { before: partOf(record, { before: body }) }),
  }
}
