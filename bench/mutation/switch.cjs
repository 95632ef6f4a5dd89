/**
 * Which mutant is active, and which are reached: in every process that runs mutated code. Loaded by the first line of
 * every mutated module from the copy that the module is in, so that neither a cleared environment nor another way to
 * start it goes past it. The file `state` beside this one says what is wanted: `{"active": ID, "reached": FILE}`.
 */
'use strict'
const { openSync, readFileSync, writeSync } = require('node:fs')
const { join } = require('node:path')

/** A loop that a mutant makes endless ends here; no test comes near it. */
const mostHits = 10_000_000

const { active, reached } = read()
const mutants = {
  active,
  /** How often the active mutant was reached. */
  hits: 0,
  /** The mutants that were reached, where someone wants to know. */
  seen: reached || active === undefined ? new Set() : undefined,
  cover,
  isActive,
}
let told = reached && openSync(reached, 'a')
/** How many files this process has begun besides the one that all share. */
let files = 0

function cover(...ids) {
  if (mutants.seen === undefined) return
  for (const id of ids) {
    if (mutants.seen.has(id)) continue
    mutants.seen.add(id)
    if (told) tell(`${id}\n`)
  }
}

/** One by one: a process may be killed at any time. Where files may not grow (`ulimit -f`), it goes on in another. */
function tell(line) {
  try {
    if (writeSync(told, line) === line.length) return
  } catch {
    // Not even a part of it was written.
  }
  files += 1
  told = openSync(`${reached}.${process.pid}.${files}`, 'a')
  writeSync(told, line)
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
// Tests count the files that a program has loaded, and this one is none of its own.
delete require.cache[__filename]
