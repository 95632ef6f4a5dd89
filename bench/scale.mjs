/**
 * Scaling of a list and of many starts: `node bench/scale.mjs` prints the points of the lines in docs/performance.md.
 * Measures a list of 100 to 100,000 volumes in each format, without latency and with 50 ms per request, a million rows
 * of 500 bytes, and 1,000 starts, 8 at once. `node bench/scale.mjs --large` measures only the second part.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import build from '../build/build.mjs'
import { ask, openPlace } from './ask.mjs'
import { items, lines } from './questions.mjs'

const sizes = [100, 1000, 10_000, 100_000]
const forms = [
  { flags: '--json', prints: items },
  { flags: '-o ndjson', prints: lines },
  { flags: '-q', prints: lines },
  { flags: '-o table', prints: (count) => lines(count + 1) },
]

/** A list of 500 MB, for formats that are printed while it is read. */
const large = { rows: 1_000_000, rowBytes: 500 }
const largeOnly = process.argv.includes('--large')

await build()
console.log('| rows | latency, ms | form | min ms | CPU ms | peak MB |\n| --: | --: | --- | --: | --: | --: |')
for (const latency of largeOnly ? [] : [0, 50]) {
  for (const rows of sizes) {
    const ours = forms.map(({ flags, prints }) => ({ line: `volumes list ${flags}`, prints: prints(rows) }))
    const [, ...results] = await ask({ server: { rows, latency }, ours, rounds: 5 })
    for (const { line, min, cpu, memory } of results) {
      const figures = [min, cpu, memory].map((figure) => figure?.toFixed(0) ?? '–')
      console.log(`| ${[rows, latency, `\`${line}\``, ...figures].join(' | ')} |`)
    }
  }
}

console.log('\n| rows of 500 bytes | form | min ms | CPU ms | peak MB |\n| --: | --- | --: | --: | --: |')
const ours = ['-o ndjson', '-o csv'].map((form) => ({
  line: `volumes list ${form}`,
  prints: (text) => text.length > 1,
}))
const [, ...results] = await ask({ server: large, ours, rounds: 1 })
for (const { line, min, cpu, memory } of results) {
  const figures = [min, cpu, memory].map((figure) => figure?.toFixed(0) ?? '–')
  console.log(`| ${[large.rows, `\`${line}\``, ...figures].join(' | ')} |`)
}
if (largeOnly) process.exit()

const starts = 1000
const atOnce = 8
const place = await openPlace({ server: { rows: 100 } })
for (const line of ['-e 0', 'bin/skyctl.js --version', 'bin/skyctl.js volumes list --page-size 100 --json']) {
  const begin = performance.now()
  let left = starts
  const work = async () => {
    while (left-- > 0) await start(line.split(' '))
  }
  await Promise.all(Array.from({ length: atOnce }, work))
  const each = (performance.now() - begin) / starts
  console.log(`${starts} starts of node ${line}, ${atOnce} at once: ${each.toFixed(1)} ms each`)
}
place.close()

async function start(words) {
  const child = spawn(process.execPath, words, {
    stdio: 'ignore',
    env: place.env,
    cwd: join(import.meta.dirname, '..'),
  })
  const [code] = await once(child, 'exit')
  if (code !== 0) throw new Error(`node ${words.join(' ')} ended with ${code}`)
}
