/** Required before a program: writes how much memory it had at most, in KiB, to the file that PEAK_FILE names. */
const { writeFileSync } = require('node:fs')

process.on('exit', () => writeFileSync(process.env.PEAK_FILE, String(process.resourceUsage().maxRSS)))
