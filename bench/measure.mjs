/** Runs variants of a question side by side, and measures each of them. */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'

const options = { maxBuffer: 2 ** 30 }

/**
 * Times each variant `rounds` times, in rounds of shuffled order, so that other processes affect all variants alike.
 * Throws if a variant does not print its expected output; a peer is left out instead.
 *
 * @param {{ name: string, argv: string[], env: object, input?: string, silent?: boolean, prints: (stdout: string) =>
 * boolean, peer?: true }[]}
 *   variants the first is the base of the ratios
 * @returns each with its min and median (ms), ratios to the base, CPU (ms per run, and of the run with the least) and peak
 * memory (MB), undefined if unknown
 */
export async function measure(variants, rounds) {
  const measured = variants.filter(printsExpected).map((variant) => ({ ...variant, times: [], cpus: [] }))
  for (let round = 0; round < rounds; round += 1) {
    for (const variant of shuffle(measured)) time(variant)
  }
  const [base] = measured
  const results = []
  for (const variant of measured) {
    const { times, cpus } = variant
    const isCounted = childrenCpu() !== undefined
    results.push({
      ...variant,
      min: Math.min(...times),
      median: median(times),
      ratio: median(times) / median(base.times),
      ratioOfMins: Math.min(...times) / Math.min(...base.times),
      cpu: isCounted ? cpus.reduce((sum, one) => sum + one, 0) / rounds : undefined,
      leastCpu: isCounted ? Math.min(...cpus) : undefined,
      memory: await peakMemory(variant),
    })
  }
  return results
}

function printsExpected({ name, argv: [command, ...words], env, input = '', prints, peer }) {
  const { error, stdout, stderr } = spawnSync(command, words, { ...options, env, input, encoding: 'utf8' })
  if (peer && error?.code === 'ENOENT') return false
  if (!error && prints(stdout)) return true
  if (!peer) throw error ?? new Error(`${name} does not print what it should\n${stdout.slice(0, 500)}${stderr}`)
  console.error(`${name} is left out: it does not print what it should`)
  return false
}

function time(variant) {
  const { argv, env, input = '', silent } = variant
  const [command, ...words] = argv
  const cpu = childrenCpu()
  const start = process.hrtime.bigint()
  spawnSync(command, words, { ...options, env, input, ...(silent && { stdio: ['pipe', 'ignore', 'ignore'] }) })
  variant.times.push(Number(process.hrtime.bigint() - start) / 1e6)
  variant.cpus.push(childrenCpu() - cpu)
}

/** Returns the CPU time of exited children in ms: proc(5), cutime and cstime, counted in 1/100 s. Linux only. */
function childrenCpu() {
  const stat = read('/proc/self/stat')
  if (stat === undefined) return undefined
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[13]) + Number(fields[14])) * 10
}

/** Returns the peak resident memory of a run that is not timed, in MB, sampled every millisecond. Linux only. */
async function peakMemory({ argv: [command, ...words], env, input }) {
  const child = spawn(command, words, { env, stdio: ['pipe', 'pipe', 'ignore'] })
  // It may end without reading its input.
  child.stdin.on('error', () => {}).end(input)
  child.stdout.resume()
  let peak
  const timer = setInterval(() => {
    const match = /VmHWM:\s+(\d+)/.exec(read(`/proc/${child.pid}/status`) ?? '')?.[1]
    if (match) peak = Number(match) / 1024
  }, 1)
  await once(child, 'close')
  clearInterval(timer)
  return peak
}

function read(path) {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}

function median(values) {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
}

function shuffle(items) {
  const keys = new Map(items.map((item) => [item, Math.random()]))
  return [...items].sort((a, b) => keys.get(a) - keys.get(b))
}
