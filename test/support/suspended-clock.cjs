// Simulates a machine that was suspended for a day as soon as the file `SUSPENDED` exists: timers do not notice it.
const { existsSync } = require('node:fs')
const { env } = require('node:process')
const os = require('node:os')

const { uptime } = os
os.uptime = () => uptime() + (existsSync(env.SUSPENDED) ? 86_400 : 0)
