/** Adds created objects to every later failure, so that the user does not create them twice. */
import type { Operation } from '../catalogue/operation'
import { type Created, Problem } from '../errors'
import { escapeText } from '../rules/escape'
import { nameList } from '../rules/texts'
import type { RequestBody } from './change-context'

export class CreatedObjects {
  readonly #created: Created[] = []
  #isUnprinted = false

  add(created: Created): void {
    this.#created.push(created)
  }

  /** Notes whether printing failed, or reached nobody as the output was closed at the start. */
  async print(printing: Promise<unknown>, { wasClosed }: { wasClosed?: boolean | undefined }): Promise<void> {
    try {
      await printing
      this.#isUnprinted = wasClosed === true
    } catch (error) {
      this.#isUnprinted = true
      throw error
    }
  }

  /** Returns created objects that were not printed, and a clause that names them; undefined without any. */
  unprinted(): { created: Created | readonly Created[]; text: string } | undefined {
    const [first, ...others] = this.#created
    if (!this.#isUnprinted || !first) return undefined
    const text = `${nameList(this.#created.map(nameOf))} ${others.length > 0 ? 'were' : 'was'} created`
    return { created: others.length > 0 ? this.#created : first, text }
  }

  /** Adds created objects to a problem if they were not printed. */
  explain(error: unknown): unknown {
    const unprinted = this.unprinted()
    if (!(error instanceof Problem) || !unprinted) return error
    const { created, text } = unprinted
    return error.with({ message: `${error.message}; ${text}`, created, retryable: false })
  }
}

/** Returns the object that an operation has created; addresses and ranges are their own names. */
export function createdBy({ creates }: Operation, answer: RequestBody): Created | undefined {
  const { id = answer.address ?? answer.range, label = null } = answer
  return creates && id !== undefined ? { kind: creates, id, label } : undefined
}

function nameOf({ kind, id, label }: Created): string {
  return typeof label === 'string' ? `${kind} "${escapeText(label)}" (${id})` : `${kind} ${id}`
}

/** Does what comes after a change; a failure has its answer and the created object, so that nobody repeats it. */
export async function afterChange<T>(
  { answer, created }: { answer: RequestBody; created?: Created | undefined },
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    const object = error.details.created ?? created
    throw error.with({ ...(object && { created: object }), answer, retryable: false })
  }
}
