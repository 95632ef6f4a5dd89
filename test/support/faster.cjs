// Time passes `FASTER` times as fast in the process that runs this first: its clock, its timers and its uptime.
const { env } = require('node:process')
const os = require('node:os')

const factor = Number(env.FASTER)
const { now } = Date
const { uptime } = os
const start = setTimeout
const began = now()
Date.now = () => began + (now() - began) * factor
os.uptime = () => uptime() * factor
globalThis.setTimeout = (work, delay, ...given) => start(work, delay / factor, ...given)
