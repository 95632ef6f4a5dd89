/**
 * What a line is held to (performance.md), as data:
 *
 * - `ratio`: so many times bare node at most; `reached`: what it is where that is not met, so that the gate sees when it grows
 * - `instructions`: how many times those of bare node it takes on Node 20, as recorded; only the gate counts them
 * - `over: { NAME: times }`: so many times what begins with this name, where that was measured
 * - `cpuOver: [NAME, ms]`: at most so much CPU time more than that one; `cpuTimes: [NAME, times]`: so many times that of it
 * - `memory`: MB at their peak
 * - `ms`: so long at most
 *
 * Others on the machine only add time, so a ratio is kept where that of the medians or that of the minimums is.
 */

/** @returns {{ text: string, value: number, most: number, reached?: number }[]} each goal in words, what was measured, and the bound */
export function goalsOf({ holds, ...result }, results) {
  const { ratio, reached, over = {}, cpuOver, cpuTimes, memory, ms } = holds || {}
  const found = []
  const hold = (text, value, most, more) => found.push({ text: `≤ ${most}${text}`, value, most, ...more })
  if (ratio) hold('', leastRatio(result, results[0]), ratio, { reached })
  for (const [name, times] of Object.entries(over)) {
    const other = results.find((each) => each.name.startsWith(name))
    if (other) hold(` × ${name}`, leastRatio(result, other), times)
  }
  const cpuOf = (name) => results.find((each) => each.name.endsWith(name)).cpu
  if (cpuOver && result.cpu !== undefined) {
    const [name, most] = cpuOver
    hold(` ms CPU over ${name}`, result.cpu - cpuOf(name), most)
  }
  if (cpuTimes && result.cpu !== undefined) {
    const [name, most] = cpuTimes
    hold(` × the CPU of ${name}`, result.cpu / cpuOf(name), most)
  }
  if (memory && result.memory !== undefined) hold(' MB', result.memory, memory)
  if (ms) hold(' ms', result.min, ms)
  return found
}

const leastRatio = (one, other) => Math.min(one.median / other.median, one.min / other.min)
