/** Adds created objects to every later failure, so that the user does not create them twice. */
import type { Operation } from '../catalogue/operation'
import { type Created, Problem } from '../errors'
import { escapeText } from '../rules/escape'
import { nameList } from '../rules/texts'
import type { RequestBody } from './change-context'

export class CreationLog {
  readonly #created: Created[] = []
  #isUnprinted = false

  /** Notes the object of an answer; addresses and ranges are their own names. */
  note({ creates }: Operation, answer: RequestBody): Created | undefined {
    const { id = answer.address ?? answer.range, label = null } = answer
    if (!creates || id === undefined) return undefined
    const one = { kind: creates, id, label }
    this.#created.push(one)
    return one
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
    return new Problem(error.code, `${error.message}; ${text}`, {
      ...error.details,
      created,
      retryable: false,
      cause: error,
    })
  }
}

function nameOf({ kind, id, label }: Created): string {
  return typeof label === 'string' ? `${kind} "${escapeText(label)}" (${id})` : `${kind} ${id}`
}

/** Adds the answer and the created object to a problem after a change, so that the user does not repeat it. */
export function afterChange(problem: Problem, answer: RequestBody, created: Created | undefined): Problem {
  return new Problem(problem.code, problem.message, {
    ...(created && { created }),
    ...problem.details,
    answer,
    retryable: false,
    cause: problem,
  })
}
