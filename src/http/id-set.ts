/**
 * Set of the identities of items. Many integers are kept in sorted arrays outside of the heap, with 8 bytes each instead
 * of 20 to 60: the ids of a million items would let the heap grow to three times its size.
 */
export class IdSet {
  readonly #recent = new Set<unknown>()
  /** Sorted, the largest one first. */
  readonly #runs: Float64Array[] = []
  #sorted = 0

  constructor(readonly mostRecent = 65_536) {}

  get size(): number {
    return this.#recent.size + this.#sorted
  }

  /** Adds an identity; returns false if it was there. */
  add(identity: unknown): boolean {
    if (this.#recent.has(identity)) return false
    if (typeof identity === 'number' && this.#runs.some((run) => holds(run, identity))) return false
    this.#recent.add(identity)
    if (this.#recent.size >= this.mostRecent) this.#sort()
    return true
  }

  #sort(): void {
    const numbers = [...this.#recent].filter((identity) => typeof identity === 'number')
    // Texts are few: lists of addresses are not that long.
    if (numbers.length * 2 < this.#recent.size) return
    for (const number of numbers) this.#recent.delete(number)
    this.#sorted += numbers.length
    let run: Float64Array = Float64Array.from(numbers).sort()
    for (let last = this.#runs.at(-1); last && last.length <= run.length; last = this.#runs.at(-1)) {
      this.#runs.pop()
      run = merged(last, run)
    }
    this.#runs.push(run)
  }
}

function merged(one: Float64Array, other: Float64Array): Float64Array {
  const both = new Float64Array(one.length + other.length)
  both.set(one)
  both.set(other, one.length)
  return both.sort()
}

function holds(run: Float64Array, number: number): boolean {
  let [low, high] = [0, run.length]
  // Ids usually ascend.
  if (number > (run[high - 1] ?? 0)) return false
  while (low < high) {
    const middle = (low + high) >> 1
    if ((run[middle] ?? 0) < number) low = middle + 1
    else high = middle
  }
  return run[low] === number
}
