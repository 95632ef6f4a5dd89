/**
 * How a list and many starts grow: `node bench/scale.mjs` prints the points that docs/performance.md draws its lines
 * through. A list of 100 to 100,000 volumes in each form, without and with 50 ms a request, lists of rows of 500 bytes in
 * every format, sorted and queried, and 1,000 starts, 8 at once. `node bench/scale.mjs --large` has the second part only.
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

/** Lists of rows of 500 bytes: 50 MB, and those that are printed as they are read once more with 500 MB. */
const largeLists = [
  {
    rows: 100_000,
    lines: [
      ...['--json', '-o yaml', '-o table', '-o csv', '-o ndjson', '-q', '--sort size --json', '--sort size -q'],
      ...['--query length(@) --json', '--query [].label --json', '--query sort_by(@,&size)[].id --json'],
    ],
  },
  { rows: 1_000_000, lines: ['-o ndjson', '-o csv'] },
]
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
for (const { rows, lines: all } of largeLists) {
  const ours = all.map((flags) => ({ line: `volumes list ${flags}`, prints: (text) => text.length > 1 }))
  const [, ...results] = await ask({ server: { rows, rowBytes: 500 }, ours, rounds: 1 })
  for (const { line, min, cpu, memory } of results) {
    const figures = [min, cpu, memory].map((figure) => figure?.toFixed(0) ?? '–')
    console.log(`| ${[rows, `\`${line}\``, ...figures].join(' | ')} |`)
  }
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
