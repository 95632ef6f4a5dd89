// What an executable runs: bin/skyctl.js without what that has to say of files beside it, of Node and of a code cache.
'use strict'
const { writeSync } = require('node:fs')
const { version } = require('../../package.json')

if (!answeredVersion(process.argv.slice(2))) require('../../dist/main.js').main(process)

/** The commonest question of installers and scripts needs nothing evaluated. */
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
