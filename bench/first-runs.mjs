/**
 * Measures a list after other commands have filled the code cache, and after it has filled the cache itself:
 *
 *     node bench/first-runs.mjs [ROUNDS]
 */
import { spawnSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { openPlace } from './ask.mjs'
import { measure } from './measure.mjs'
import { items } from './questions.mjs'

const launcher = join(import.meta.dirname, '../bin/skyctl.js')
const list = 'volumes list --page-size 100 --json'
const ids = Array.from({ length: 1000 }, (_, index) => `${1000 + index}\n`).join('')

/** Command lines of a user before the list. */
const histories = {
  'nothing else': [],
  help: ['--help', 'volumes --help'],
  'other commands': ['volumes create --help', 'firewalls list --help', 'profile view --help', 'volumes view --help'],
  '1,000 deletions': ['volumes delete - --yes --json'],
}

const place = await openPlace({ server: { rows: 100 } })
try {
  const variants = Object.entries(histories).map(([name, lines], index) => {
    const cache = join(place.env.HOME, String(index))
    mkdirSync(cache, { mode: 0o700 })
    const env = { ...place.env, XDG_CACHE_HOME: cache }
    for (const line of lines) spawnSync(process.execPath, [launcher, ...line.split(' ')], { env, input: ids })
    return { name, argv: [process.execPath, launcher, ...list.split(' ')], env, prints: items(100) }
  })
  for (const { name, min, median, cpu } of await measure(variants, Number(process.argv[2] ?? 40)))
    console.log(`${name.padEnd(20)} min ${min.toFixed(1)}  median ${median.toFixed(1)}  CPU ${cpu?.toFixed(0)} ms`)
} finally {
  place.close()
}
