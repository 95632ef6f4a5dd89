/**
 * `npm run bench` asks all questions; words after `--` choose those whose titles contain one (`npm run bench -- P1 P2`).
 * `--write` also writes docs/performance.md.
 */
import { writeFile } from 'node:fs/promises'
import { cpus } from 'node:os'
import { join } from 'node:path'
import build from '../build/build.mjs'
import { ask } from './ask.mjs'
import { questions } from './questions.mjs'

const words = process.argv.slice(2)
const chosen = words.filter((word) => word !== '--write')
const parts = []

await build()
for (const question of questions) {
  if (chosen.length > 0 && !chosen.some((word) => question.title.includes(word))) continue
  const part = `## ${question.title}\n\n${table(await ask(question))}\n\n${question.rounds} rounds.\n`
  console.log(part)
  parts.push(part)
}
if (words.includes('--write')) await writeFile(join(import.meta.dirname, '../docs/performance.md'), page(parts))

function table(results) {
  const head = ['', 'min ms', 'median ms', 'ratio', 'ratio of minimums', 'CPU ms', 'peak MB', 'goal']
  const rows = results.map(({ name, min, median, ratio, ratioOfMins, cpu, memory, goal }) => [
    `\`${name}\``,
    min.toFixed(1),
    median.toFixed(1),
    ratio.toFixed(2),
    ratioOfMins.toFixed(2),
    cpu?.toFixed(0) ?? '–',
    memory?.toFixed(0) ?? '–',
    goal ? `≤ ${goal}` : '',
  ])
  return [head, head.map((_, index) => (index === 0 ? '---' : '--:')), ...rows]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n')
}

function page(parts) {
  const [{ model }] = cpus()
  const date = new Date().toISOString().slice(0, 10)
  return `# How fast it is

Measured by \`npm run bench -- --write\` on ${date}: Node ${process.versions.node}, ${process.platform} ${process.arch}, ${cpus().length} × ${model}.
Each question runs its variants in shuffled rounds; ratios are to bare \`node\` of the same rounds, of medians and of minimums.
What a variant prints is checked before it is timed.

${parts.join('\n')}`
}
