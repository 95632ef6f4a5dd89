/**
 * Knows the active mutant and records reached mutants, in every process that runs mutated code. The first line of every
 * mutated module loads it from the copy of that module, so that it works with a cleared environment and any way to
 * start a process. Reads the file `state` beside this one: `{"active": ID, "reached": FILE}`.
 */
'use strict'
const { openSync, readFileSync, writeSync } = require('node:fs')
const { join } = require('node:path')

/** Limit for a loop that a mutant makes endless. No test comes near it. */
const mostHits = 10_000_000

const { active, reached } = read()
const mutants = {
  active,
  /** Number of times that the active mutant was reached. */
  hits: 0,
  /** Reached mutants, if they are to be recorded. */
  seen: reached || active === undefined ? new Set() : undefined,
  cover,
  isActive,
}
let reachedFile = reached && openSync(reached, 'a')
/** Number of files that this process has started, besides the shared one. */
let files = 0

function cover(...ids) {
  if (mutants.seen === undefined) return
  for (const id of ids) {
    if (mutants.seen.has(id)) continue
    mutants.seen.add(id)
    if (reachedFile) record(`${id}\n`)
  }
}

/**
 * Writes line by line: a process may be killed at any time. If a file cannot grow (`ulimit -f`), continues in another.
 */
function record(line) {
  try {
    if (writeSync(reachedFile, line) === line.length) return
  } catch {
    // No part of it was written.
  }
  files += 1
  reachedFile = openSync(`${reached}.${process.pid}.${files}`, 'a')
  writeSync(reachedFile, line)
}

function isActive(id) {
  if (id !== mutants.active) return false
  mutants.hits += 1
  if (mutants.hits > mostHits) throw new Error(`mutant ${id} goes on for ever`)
  return true
}

function read() {
  try {
    return JSON.parse(readFileSync(join(__dirname, 'state'), 'utf8'))
  } catch {
    return {}
  }
}

globalThis.__mutants__ = mutants
module.exports = mutants
// Tests count the files that a program has loaded, and this one is not part of it.
delete require.cache[__filename]
