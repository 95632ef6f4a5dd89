'use strict'
const { writeSync } = require('node:fs')
const { version } = require('../../package.json')

/** Hands the process to the program, as bin/skyctl.js does; an executable is all that there is, and what starts it again. */
module.exports = function start(loadMain) {
  if (!answeredVersion(process.argv.slice(2))) loadMain().main(process, { program: [process.execPath] })
}

/** The commonest question of installers and scripts needs nothing loaded. */
function answeredVersion(words) {
  if (words.length !== 1 || (words[0] !== '--version' && words[0] !== '-V')) return false
  try {
    writeSync(1, `${version}\n`)
    return true
  } catch {
    // A pipe that is closed or full, or a full disk: the program itself knows what to do.
    return false
  }
}
