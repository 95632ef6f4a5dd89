/** What the history keeps of an object that a command changes. */
import type { Operation } from '../../catalogue/operation'
import type { About } from '../../http/recording'
import type { Session } from '../../session'
import type { ChangeCommand } from '../change-command'
import type { RequestBody } from '../situation'
import type { Subject } from '../subject'
import { partOf } from './snapshot'

interface Changing {
  subject: Subject | undefined
  body: RequestBody
  session: Session
  /** It may be read for this alone. */
  looks: boolean
}

export async function aboutOf(
  { operation, standing }: Pick<ChangeCommand<Operation>, 'operation' | 'standing'>,
  { subject, body, session, looks }: Changing,
): Promise<About> {
  const known = (await subject?.found())?.record
  const { method, keeps } = operation
  if (method !== 'PUT' && !keeps) return { label: known?.label }
  const read = () => (subject ? subject.record() : standing?.(session))
  const record = known ?? (looks ? await read() : undefined)
  if (!record) return {}
  return replaced(record, keeps ? Object.fromEntries(keeps.map((field) => [field, null])) : body)
}

/** Of a record of which the fields of a body are replaced. */
export function replaced(record: RequestBody, body: RequestBody): About {
  const { label } = record
  return { ...(typeof label === 'string' && { label }), before: partOf(record, { before: body }) }
}
