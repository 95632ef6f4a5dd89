/** The shortest of several runs, in milliseconds: what the work takes, whatever else the machine is doing. */
export function fastest(work: () => unknown, runs = 10): number {
  let best = Number.POSITIVE_INFINITY
  for (let run = 0; run < runs; run += 1) {
    const started = performance.now()
    work()
    best = Math.min(best, performance.now() - started)
  }
  return best
}
