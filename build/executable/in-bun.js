// What an executable of bun runs: all is in one file, and compiled.

/** What takes longer than a start is worth compiling to machine code as soon as bun otherwise does (see bun.mjs). */
const startMs = 50

require('./start.js')(() => {
  setTimeout(() => globalThis.Bun.unsafe.setJITPolicy(1), startMs).unref()
  return require('../../dist/main.js')
})
