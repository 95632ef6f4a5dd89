/**
 * `npm run bench` measures all questions; words after `--` select those with one of them in their titles (`npm run
 * bench -- P1 P2`). `--node 22` uses that version of Node; several are measured one after the other. `--write` writes
 * the results to bench/results.md, and the table of goals to docs/performance.md.
 */
import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import build from '../build/build.mjs'
import { ask } from './ask.mjs'
import { nodeOf, versionOf } from './nodes.mjs'
import { questions } from './questions.mjs'

/** The table of goals is between this heading and the next one. */
const goals = { path: join(import.meta.dirname, '../docs/performance.md'), heading: '## Goals of `npm run bench`\n' }
/** The results continue from this word to the end. */
const record = { path: join(import.meta.dirname, 'results.md'), start: '\nBy `npm run bench' }

const { values, positionals: words } = parseArgs({
  allowPositionals: true,
  options: {
    node: { type: 'string', multiple: true, default: [process.versions.node.split('.')[0]] },
    write: { type: 'boolean', default: false },
  },
})
const nodes = values.node.map(nodeOf).map((path) => ({ path, version: versionOf(path) }))
const parts = []
const goalRows = []

await build()
for (const question of questions) {
  if (words.length > 0 && !words.some((word) => question.title.match(/\w+/g).includes(word))) continue
  const measured = []
  for (const { path, version } of nodes) measured.push({ version, results: await ask(question, { node: path }) })
  const part = `## ${question.title}\n\n${[table(measured), missed(measured, question.why)].filter(Boolean).join('\n\n')}\n`
  console.log(part)
  parts.push(part)
  goalRows.push(...goalsIn(question, measured))
}
if (words.length === 0 || words.includes('P9')) {
  const { stdout } = spawnSync(process.execPath, [join(import.meta.dirname, 'tab.mjs')], { encoding: 'utf8' })
  const part = `## P9 · Tab, 10,000 cached labels\n\n${stdout.replace(/^/gm, '- ').slice(0, -2)}`
  console.log(part)
  parts.push(part)
}
if (goalRows.length > 0) console.log(`${goalTable()}\n`)
if (values.write) {
  writeFileSync(goals.path, withGoals(readFileSync(goals.path, 'utf8')))
  writeFileSync(record.path, withResults(readFileSync(record.path, 'utf8')))
}

/** Formats the results: ratios to bare node for each version, and other figures of the first version. */
function table(measured) {
  const [{ results, version: first }] = measured
  const versions = measured.map(({ version }) => version.split('.')[0])
  const head = ['', 'goal', ...versions.map((version) => `ratio, Node ${version}`)]
  const more = ['min ms', 'median ms', 'CPU ms', 'peak MB'].map((name) =>
    measured.length > 1 ? `${name}, ${first.split('.')[0]}` : name,
  )
  const rows = results.map(({ name, goals, min, median, cpu, memory }) => [
    `\`${name}\``,
    goals.map(({ text }) => text).join('; '),
    ...measured.map((each) => ratioOf(each.results.find((result) => result.name === name))),
    min.toFixed(1),
    median.toFixed(1),
    cpu?.toFixed(0) ?? '–',
    memory?.toFixed(0) ?? '–',
  ])
  const line = ['---', '---', ...[...versions, ...more].map(() => '--:')]
  return [[...head, ...more], line, ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}

function ratioOf(result) {
  return result ? Math.min(result.ratio, result.ratioOfMins).toFixed(2) : '–'
}

/** Lists the goals that are not met, by how much, and why. */
function missed(measured, why = []) {
  const lines = measured.flatMap(({ version, results }) =>
    results.flatMap(({ name, goals }) =>
      goals
        .filter(({ value, most }) => value > most)
        .map(
          ({ text, value, most }) =>
            `- Not met on Node ${version}: \`${name}\` ${text}; it is ${value.toFixed(2)}, ${Math.ceil(100 * (value / most - 1))} % over.`,
        ),
    ),
  )
  return lines.length === 0 ? '' : [...lines, ...why.map((text) => `- Why: ${text}`)].join('\n')
}

/** Returns a row for each goal of a question, with the worst of its lines. */
function goalsIn({ title, ours }, measured) {
  const [code, what] = title.split(' · ')
  const [{ results }] = measured
  const command = `\`npm run bench -- ${code.split(', ')[0]}\``
  const texts = new Set(results.flatMap(({ goals }) => goals.map(({ text }) => text)))
  return [...texts].map((text) => {
    const goalsByVersion = measured.map((each) => each.results.flatMap((result) => goalOf(result, text)))
    const names = goalsByVersion[0].map(({ name }) => `\`${name}\``)
    const worst = goalsByVersion.map((goals) => goals.reduce((one, other) => (one.value > other.value ? one : other)))
    const isMet = goalsByVersion.every((goals) => goals.every(({ value, most }) => value <= most))
    const lines = names.length < 3 ? names.join(', ') : `${what}: ${names.length} of ${ours.length} lines, the worst`
    return [code, lines, text, ...worst.map(({ value }) => value.toFixed(2)), isMet ? 'yes' : 'no', command]
  })
}

function goalOf({ name, goals }, text) {
  return goals.filter((goal) => goal.text === text).map((goal) => ({ ...goal, name }))
}

function goalTable() {
  const head = ['', 'what', 'goal', ...nodes.map(({ version }) => `Node ${version.split('.')[0]}`), 'met', 'command']
  const line = head.map((name) => (name.startsWith('Node') ? '--:' : '---'))
  return [head, line, ...goalRows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}

function withGoals(page) {
  const start = page.indexOf(goals.heading) + goals.heading.length
  return `${page.slice(0, start)}
The smaller of both ratios, the time, the CPU time or the memory, of the worst line.

${goalTable()}
${page.slice(page.indexOf('\n## ', start))}`
}

function withResults(page) {
  const [{ model }] = cpus()
  const date = new Date().toISOString().slice(0, 10)
  const versions = nodes.map(({ version }) => version).join(', ')
  return `${page.slice(0, page.indexOf(record.start))}
By \`npm run bench -- ${process.argv.slice(2).join(' ')}\` on ${date}: Node ${versions}, ${process.platform} ${process.arch}, ${cpus().length} × ${model}.

${parts.join('\n')}`
}
