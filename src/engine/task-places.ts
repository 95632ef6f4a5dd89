/** Limits the tasks that run at the same time. A task that only waits leaves its place to another one. */
import type { WhileWaiting } from '../account/wait-limit'

export class TaskPlaces {
  /** Number of tasks that only wait for a state. */
  waiting = 0
  /** Tasks that have reached the state for which they waited: `active`, and their number. */
  readonly reached = new Map<string, number>()
  #free: number
  /** Tasks that have waited, which come before others. */
  readonly #returning: (() => void)[] = []
  readonly #starting: (() => void)[] = []

  constructor(most: number) {
    this.#free = most
  }

  /** Runs a task in the order of the calls, once there is a place. */
  async run<R>(task: (whileWaiting: WhileWaiting) => Promise<R>): Promise<R> {
    let hasPlace = false
    const enter = async (queue: (() => void)[]) => {
      if (!hasPlace) await this.#enter(queue)
      hasPlace = true
    }
    const leave = () => {
      if (hasPlace) this.#leave()
      hasPlace = false
    }
    await enter(this.#starting)
    try {
      return await task(async (wait, state) => {
        leave()
        const result = await this.#counted(wait, state)
        await enter(this.#returning)
        return result
      })
    } finally {
      leave()
    }
  }

  async #counted<T>(wait: () => Promise<T>, state: string | undefined): Promise<T> {
    if (state === undefined) return wait()
    const count = (more: number) => this.reached.set(state, (this.reached.get(state) ?? 0) + more)
    count(0)
    this.waiting += 1
    try {
      const result = await wait()
      count(1)
      return result
    } finally {
      this.waiting -= 1
    }
  }

  async #enter(queue: (() => void)[]): Promise<void> {
    if (this.#free > 0) this.#free -= 1
    else await new Promise<void>((resolve) => queue.push(resolve))
  }

  /** Gives the place to the next task. */
  #leave(): void {
    const next = this.#returning.shift() ?? this.#starting.shift()
    if (next) next()
    else this.#free += 1
  }
}
