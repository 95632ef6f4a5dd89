import type { TargetOutcome } from './target-outcomes'

/** Messages about changes; those of several targets are printed in the targets' order. */
export class OrderedMessages<T> {
  readonly #pending: Map<T, string[]>

  constructor(
    targets: readonly T[],
    private readonly status: (text: string) => Promise<void>,
  ) {
    this.#pending = new Map(targets.length === 1 ? [] : targets.map((target) => [target, []]))
  }

  async add(target: T, text: string): Promise<void> {
    const pending = this.#pending.get(target)
    if (pending) pending.push(text)
    else await this.status(text)
  }

  async print(target: T): Promise<void> {
    for (const text of this.#pending.get(target)?.splice(0) ?? []) await this.status(text)
  }

  /** Prints the messages of each target before its outcome. */
  async *before<R>(outcomes: AsyncIterable<TargetOutcome<T, R>>) {
    for await (const outcome of outcomes) {
      await this.print(outcome.target)
      yield outcome
    }
  }
}
