#!/usr/bin/env node
// Hands the process to dist/main.js. Written for any Node, so that an old one gets a sentence instead of a syntax error.
'use strict'
const { existsSync, readdirSync, readFileSync, writeSync } = require('node:fs')
const { dirname } = require('node:path')

const [major, minor] = process.versions.node.split('.').map(Number)
const dist = `${__dirname}/../dist`

if (major < 20 || (major === 20 && minor < 19)) {
  fail(`needs Node.js 20.19 or newer; this is ${process.versions.node}`)
} else if (!answeredVersion(process.argv.slice(2))) {
  try {
    start()
  } catch (error) {
    if (error.code !== 'ERR_ACCESS_DENIED') throw error
    const folder = dirname(__dirname)
    fail(`Node's permission model denies reading ${folder}. Start Node with --allow-fs-read=${folder}`, 12)
  }
}

function start() {
  if (!existsSync(`${dist}/main.js`)) fail('is not built yet. Run "npm run build" first')
  else if (process.argv[2] === '__complete') require('../dist/completion.js').complete(process, program())
  else if (process.env.SKYCTL_CODE_CACHE === '0') run((path) => require(`${dist}/${path}`))
  else runCached()
}

/** The commonest question of installers and scripts needs nothing loaded. */
function answeredVersion(words) {
  if (words.length !== 1 || (words[0] !== '--version' && words[0] !== '-V')) return false
  try {
    // To require it would look for it first: as long as reading it takes.
    const { version } = JSON.parse(readFileSync(`${__dirname}/../package.json`, 'utf8'))
    writeSync(1, `${version}\n`)
    return true
  } catch {
    // A pipe that is closed or full, or a full disk: the program itself knows what to do.
    return false
  }
}

/** The words that start this program again. */
function program() {
  return [process.execPath, ...process.execArgv, __filename]
}

function runCached() {
  const { load, keep } = require('../dist/code-cache.js').codeCache(process, require, dist)
  process.on('exit', keep)
  run(load)
}

/** All the rest is loaded at once by what outlives an update. */
function run(load) {
  const loadAll = () => {
    for (const name of readdirSync(dist)) if (name.endsWith('.js')) load(`./${name}`)
  }
  load('./main.js').main(process, { loadAll })
}

function fail(reason, exitCode = 1) {
  process.stderr.write(`skyctl: ${reason}\n`)
  process.exitCode = exitCode
}
