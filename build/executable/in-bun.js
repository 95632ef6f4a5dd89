// Entry of an executable of bun: everything is in one file, and compiled.

/**
 * After this time, more than a start, compiling to machine code pays off as early as bun does it by default (see
 * bun.mjs).
 */
const startMs = 50

require('./start.js')(
  () => {
    setTimeout(() => globalThis.Bun.unsafe.setJITPolicy(1), startMs).unref()
    return require('../../dist/main.js')
  },
  () => require('../../dist/completion.js'),
)
