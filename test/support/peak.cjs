/**
 * Required before a program: writes how much memory it had at most, in KiB, its CPU time in seconds, and the KiB of its young
 * generation at the end to the file that PEAK_FILE names.
 */
const { readFileSync, writeFileSync } = require('node:fs')
const { getHeapSpaceStatistics } = require('node:v8')

/** Of the program alone: on Linux, maxRSS includes that of the process that started it. */
function peak() {
  try {
    return Number(/VmHWM:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))[1])
  } catch {
    return process.resourceUsage().maxRSS
  }
}

function young() {
  // It has no such space, and does not tell the others.
  if (process.versions.bun) return 0
  const space = getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space')
  return Math.round((space?.space_size ?? 0) / 1024)
}

process.on('exit', () => {
  const { userCPUTime, systemCPUTime } = process.resourceUsage()
  writeFileSync(process.env.PEAK_FILE, `${peak()} ${((userCPUTime + systemCPUTime) / 1e6).toFixed(1)} ${young()}`)
})
