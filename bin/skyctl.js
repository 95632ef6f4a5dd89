#!/usr/bin/env node
// Hands the process to dist/main.js. Written for any Node, so that an old one gets a sentence instead of a syntax error.
'use strict'
const { existsSync, writeSync } = require('node:fs')
const { version } = require('../package.json')

const [major, minor] = process.versions.node.split('.').map(Number)
const main = `${__dirname}/../dist/main.js`

if (major < 20 || (major === 20 && minor < 19)) {
  fail(`needs Node.js 20.19 or newer; this is ${process.versions.node}`)
} else if (!answeredVersion(process.argv.slice(2))) {
  if (existsSync(main)) require(main).main(process)
  else fail('is not built yet. Run "npm run build" first')
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

function fail(reason) {
  process.stderr.write(`skyctl: ${reason}\n`)
  process.exitCode = 1
}
