/**
 * The sandbox as a test server: the built program with 2,000 volumes, in memory and in a file. `node
 * bench/sandbox-load.mjs` prints the requests that it answers per second of its own CPU time, so that other processes
 * hardly matter, and fails if a goal is missed or a request is lost. Linux only, for the figures of /proc.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const skyctl = join(import.meta.dirname, '../bin/skyctl.js')
const folder = await mkdtemp(join(tmpdir(), 'skyctl-load-'))

/** Questions with their least number of requests per second of CPU time; those without a goal are for information. */
const questions = [
  { name: 'a region', path: () => '/regions/us-east' },
  { name: 'a page of 100 volumes', path: (at) => `/volumes?page=${1 + (at % 20)}` },
  { name: 'volumes with a label', filter: (at) => ({ label: `volume-${at}` }), goal: 1500 },
  { name: 'volumes with a part of a label', filter: () => ({ label: { '+contains': 'olume-19' } }) },
  { name: 'a volume created', body: (at) => ({ label: `new-${at}`, region: 'us-east' }), goal: 2500 },
]

try {
  const volumes = Array.from({ length: 2000 }, (_, at) => ({ label: `volume-${at}`, region: 'us-east', size: 20 }))
  const seed = join(folder, 'seed.json')
  await writeFile(seed, JSON.stringify({ volumes }))
  await measure('in memory', ['--seed', seed], { goals: true })
  await measure('in a file', ['--seed', seed, '--state', join(folder, 'world.json')])
} finally {
  await rm(folder, { recursive: true, force: true })
}

async function measure(title, flags, { goals = false } = {}) {
  const words = [skyctl, 'sandbox', 'start', '--json', '--transition', '0', ...flags]
  // A separate home: a start would print warnings about the user's own.
  const env = { PATH: process.env.PATH, HOME: folder }
  const child = spawn(process.execPath, words, { stdio: ['ignore', 'pipe', 'inherit'], env })
  try {
    const [line] = await once(child.stdout, 'data')
    const { base_url, token } = JSON.parse(line)
    const ready = await coreMs(child)
    console.log(`\n2,000 volumes ${title}: ready after ${ready} ms of its core, ${await peakMiB(child)} MiB`)
    const call = client(base_url, token)
    for (const question of questions) await ask(question, call, { child, goals })
    console.log(`  at the end: ${await peakMiB(child)} MiB`)
  } finally {
    child.kill()
    await once(child, 'exit')
  }
}

async function ask({ name, path = () => '/volumes', filter, body, goal = 0 }, call, { child, goals }) {
  const one = (at) => callOk(call, { path: path(at), filter: filter?.(at), body: body?.(at) })
  const before = body ? JSON.parse(await callOk(call, {})).results : 0
  const begin = await coreMs(child)
  let next = 0
  await Promise.all(
    Array.from({ length: 8 }, async () => {
      while (next < 1000) await one(next++)
    }),
  )
  const rate = Math.round((1000 / ((await coreMs(child)) - begin)) * 1000)
  console.log(`  ${String(rate).padStart(6)} a second: ${name}`)
  if (goals && rate < goal) fail(`${name}: fewer than ${goal} a second`)
  if (body && JSON.parse(await callOk(call, {})).results !== before + 1000) fail('requests were lost')
}

async function callOk(call, { path = '/volumes', filter, body }) {
  const { status, text } = await call(path, { filter, body })
  if (status !== 200) throw new Error(`${path} answered ${status}: ${text}`)
  return text
}

function client(baseUrl, token) {
  const agent = new Agent({ keepAlive: true, maxSockets: 8 })
  return (path, { filter, body }) =>
    new Promise((resolve, reject) => {
      const headers = {
        authorization: `Bearer ${token}`,
        ...(filter && { 'x-filter': JSON.stringify(filter) }),
        ...(body && { 'content-type': 'application/json' }),
      }
      const outgoing = request(baseUrl + path, { method: body ? 'POST' : 'GET', agent, headers }, (answer) => {
        let text = ''
        answer.setEncoding('utf8').on('data', (chunk) => {
          text += chunk
        })
        answer.on('end', () => resolve({ status: answer.statusCode, text }))
      })
      outgoing.on('error', reject).end(body && JSON.stringify(body))
    })
}

/** Returns the CPU time of a process in milliseconds: proc(5), utime and stime in ticks of 10 ms. */
async function coreMs({ pid }) {
  const fields = (await readFile(`/proc/${pid}/stat`, 'utf8')).split(') ')[1].split(' ')
  return 10 * (Number(fields[11]) + Number(fields[12]))
}

async function peakMiB({ pid }) {
  const [, kibibytes] = /VmHWM:\s+(\d+)/.exec(await readFile(`/proc/${pid}/status`, 'utf8'))
  return Math.round(kibibytes / 1024)
}

function fail(reason) {
  console.error(`failed: ${reason}`)
  process.exitCode = 1
}
