/**
 * Required before a program: writes how much memory it had at most, in KiB, and its CPU time in seconds to the file that
 * PEAK_FILE names.
 */
const { readFileSync, writeFileSync } = require('node:fs')

/** Of the program alone: on Linux, maxRSS includes that of the process that started it. */
function peak() {
  try {
    return Number(/VmHWM:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))[1])
  } catch {
    return process.resourceUsage().maxRSS
  }
}

process.on('exit', () => {
  const { userCPUTime, systemCPUTime } = process.resourceUsage()
  writeFileSync(process.env.PEAK_FILE, `${peak()} ${((userCPUTime + systemCPUTime) / 1e6).toFixed(1)}`)
})
