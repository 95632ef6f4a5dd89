/**
 * Required before a program: writes how much memory it had at most, in KiB, and its CPU time in seconds to the file that
 * PEAK_FILE names.
 */
const { writeFileSync } = require('node:fs')

process.on('exit', () => {
  const { maxRSS, userCPUTime, systemCPUTime } = process.resourceUsage()
  writeFileSync(process.env.PEAK_FILE, `${maxRSS} ${((userCPUTime + systemCPUTime) / 1e6).toFixed(1)}`)
})
