/** What a change has created, told with every failure after it: whoever ran the command again would do it twice. */
import type { Operation } from '../catalogue/operation'
import { type Created, Problem } from '../errors'
import { safe } from '../output/safe'
import { someNames } from '../rules/names'
import type { RequestBody } from './situation'

export class CreationLog {
  readonly #created: Created[] = []
  #isUnprinted = false

  /** Notes the object that an answer shows; an address and a range are their own names. */
  note({ creates }: Operation, answer: RequestBody): Created | undefined {
    const { id = answer.address ?? answer.range, label = null } = answer
    if (!creates || id === undefined) return undefined
    const one = { kind: creates, id, label }
    this.#created.push(one)
    return one
  }

  /** Notes whether what is printed gets to its reader. */
  async print(printing: Promise<unknown>): Promise<void> {
    try {
      await printing
    } catch (error) {
      this.#isUnprinted = true
      throw error
    }
  }

  /** Adds what was created to a failure where it was not printed. */
  explain(error: unknown): unknown {
    const [first, ...others] = this.#created
    if (!this.#isUnprinted || !(error instanceof Problem) || !first) return error
    const names = someNames(this.#created.map(nameOf))
    return new Problem(error.code, `${error.message}; ${names} ${others.length > 0 ? 'were' : 'was'} created`, {
      ...error.details,
      created: others.length > 0 ? this.#created : first,
      retryable: false,
      cause: error,
    })
  }
}

function nameOf({ kind, id, label }: Created): string {
  return typeof label === 'string' ? `${kind} "${safe(label)}" (${id})` : `${kind} ${id}`
}

/** What was done is told, also where what follows failed: whoever ran the command again would do it twice. */
export function afterChange(problem: Problem, answer: RequestBody, created: Created | undefined): Problem {
  return new Problem(problem.code, problem.message, {
    ...(created && { created }),
    ...problem.details,
    answer,
    retryable: false,
    cause: problem,
  })
}
