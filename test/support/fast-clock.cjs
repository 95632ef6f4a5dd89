// Makes time pass `FASTER` times as fast in a process that loads this first: its clocks, its timers and its uptime.
const { env } = require('node:process')
const os = require('node:os')

const factor = Number(env.FASTER)
const { now } = Date
const { uptime } = os
const start = setTimeout
const startTime = now()
const monotonic = performance.now.bind(performance)
Date.now = () => startTime + (now() - startTime) * factor
performance.now = () => monotonic() * factor
os.uptime = () => uptime() * factor
globalThis.setTimeout = (work, delay, ...args) => start(work, delay / factor, ...args)
