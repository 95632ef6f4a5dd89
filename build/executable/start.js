'use strict'
const { writeSync } = require('node:fs')
const { version } = require('../../package.json')

/** Starts the program, as bin/skyctl.js does. An executable is the whole program, and starts itself again. */
module.exports = function start(loadMain, loadCompletion) {
  const program = [process.execPath]
  if (printVersion(process.argv.slice(2))) return
  if (process.argv[2] === '__complete') loadCompletion().complete(process, program)
  else loadMain().main(process, { program })
}

/** Answers the most frequent question of installers and scripts without loading anything. */
function printVersion(words) {
  if (words.length !== 1 || (words[0] !== '--version' && words[0] !== '-V')) return false
  try {
    writeSync(1, `${version}\n`)
    return true
  } catch {
    // The pipe is closed or full, or the disk is full: the program handles that.
    return false
  }
}
