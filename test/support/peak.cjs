/**
 * Required before a program: writes its peak memory in KiB, its CPU time in seconds, and the KiB of its young
 * generation at the end to the file PEAK_FILE.
 */
const { readFileSync, writeFileSync } = require('node:fs')
const { getHeapSpaceStatistics } = require('node:v8')

/** Returns the peak of this program. On Linux, maxRSS includes that of the process that started it. */
function peak() {
  try {
    return Number(/VmHWM:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))[1])
  } catch {
    return process.resourceUsage().maxRSS
  }
}

function youngGeneration() {
  // bun has no such space, and does not report others.
  if (process.versions.bun) return 0
  const space = getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space')
  return Math.round((space?.space_size ?? 0) / 1024)
}

process.on('exit', () => {
  const { userCPUTime, systemCPUTime } = process.resourceUsage()
  writeFileSync(
    process.env.PEAK_FILE,
    `${peak()} ${((userCPUTime + systemCPUTime) / 1e6).toFixed(1)} ${youngGeneration()}`,
  )
})
