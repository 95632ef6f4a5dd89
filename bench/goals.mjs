/**
 * Limits for a line (performance.md), as data:
 *
 * - `ratio`: at most so many times bare node; `reached`: the current value if that is not met, so that the gate notices
 *   an increase
 * - `instructions`: recorded instructions on Node 20, as a multiple of bare node's; only the gate counts them
 * - `over: { NAME: times }`: at most so many times the variant whose name begins so, if that was measured
 * - `cpuOver: [NAME, ms]`: at most so much more CPU time than that variant; `cpuTimes: [NAME, times]`: at most so many
 *   times its CPU time
 * - `memory`: peak memory in MB
 * - `ms`: duration
 *
 * Other processes on the machine only add time, so a ratio is met if the ratio of the medians or of the minimums is.
 */

/**
 * @returns {{ text: string, value: number, most: number, reached?: number }[]} each goal as text, the measured value,
 * and the limit
 */
export function goalsOf({ holds, ...result }, results) {
  const { ratio, reached, over = {}, cpuOver, cpuTimes, memory, ms } = holds || {}
  const goals = []
  const addGoal = (text, value, most, more) => goals.push({ text: `≤ ${most}${text}`, value, most, ...more })
  if (ratio) addGoal('', leastRatio(result, results[0]), ratio, { reached })
  for (const [name, times] of Object.entries(over)) {
    const other = results.find((each) => each.name.startsWith(name))
    if (other) addGoal(` × ${name}`, leastRatio(result, other), times)
  }
  const cpuOf = (name) => results.find((each) => each.name.endsWith(name)).cpu
  if (cpuOver && result.cpu !== undefined) {
    const [name, most] = cpuOver
    addGoal(` ms CPU over ${name}`, result.cpu - cpuOf(name), most)
  }
  if (cpuTimes && result.cpu !== undefined) {
    const [name, most] = cpuTimes
    addGoal(` × the CPU of ${name}`, result.cpu / cpuOf(name), most)
  }
  if (memory && result.memory !== undefined) addGoal(' MB', result.memory, memory)
  if (ms) addGoal(' ms', result.min, ms)
  return goals
}

const leastRatio = (one, other) => Math.min(one.median / other.median, one.min / other.min)
