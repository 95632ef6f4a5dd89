/**
 * What the contexts file must survive (reliability.md): 16 processes that write 100 times each lose no change, and
 * writers killed at 200 random moments leave a valid file and no token that is not in it. By hand:
 * `node bench/config-torture.mjs`.
 */
import assert from 'node:assert/strict'
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const WRITERS = 16
const WRITES = 100
const KILLS = 200
const BASE_URL = 'https://api.example.net/v4'
/** The lock, and its claims: a file beside it for a moment, to take it from the dead, and that from a dead claimant. */
const ofLock = /\.lock(\.[0-9a-f]{16}\.tmp)*$/

const [role, bundle, folder, name] = process.argv.slice(2)
if (role === 'writer') await write()
else await torture()

function store(bundled, folder) {
  const { changeConfig, readConfig } = createRequire(import.meta.url)(bundled)
  const config = join(folder, 'skyctl')
  const paths = { config, file: join(config, 'contexts.json') }
  const options = { warn: (message) => assert.fail(message) }
  return {
    read: () => readConfig(paths, options),
    change: (change) => changeConfig(paths, change, options),
    text: (file) => readFileSync(join(config, file), 'utf8'),
    files: () => readdirSync(config).sort(),
  }
}

/** Replaces one token by the next, as often as it may; says "ready" before the first. */
async function write() {
  const { change } = store(bundle, folder)
  process.send('ready')
  const writes = name === 'victim' ? Number.POSITIVE_INFINITY : WRITES
  for (let count = 0; count < writes; count += 1) {
    await change(({ contexts }) => {
      const token = `token-${process.pid}-${count}-`
      contexts.set(name === 'victim' ? name : `${name}-${count}`, { base_url: BASE_URL, token })
    })
  }
  process.disconnect()
}

async function torture() {
  const temporary = mkdtempSync(join(tmpdir(), 'skyctl-torture-'))
  try {
    const outfile = join(temporary, 'store.cjs')
    const entry = fileURLToPath(new URL('../src/config/store.ts', import.meta.url))
    await build({ entryPoints: [entry], bundle: true, platform: 'node', format: 'cjs', outfile, logLevel: 'error' })
    await manyWriters(outfile, mkdtempSync(join(temporary, 'many-')))
    await killedWriters(outfile, mkdtempSync(join(temporary, 'killed-')))
  } finally {
    rmSync(temporary, { recursive: true })
  }
}

function start(bundled, folder, name) {
  return fork(fileURLToPath(import.meta.url), ['writer', bundled, folder, name], { stdio: 'inherit' })
}

async function manyWriters(bundled, folder) {
  const began = performance.now()
  const writers = Array.from({ length: WRITERS }, (_, index) => once(start(bundled, folder, `w${index}`), 'exit'))
  const ends = await Promise.all(writers)
  assert.deepEqual(new Set(ends.map(([code]) => code)), new Set([0]))
  const { contexts } = store(bundled, folder).read()
  assert.equal(contexts.size, WRITERS * WRITES)
  console.log(`${contexts.size} of ${WRITERS * WRITES} writes kept, ${seconds(began)}`)
}

async function killedWriters(bundled, folder) {
  const began = performance.now()
  const { read, change, text, files } = store(bundled, folder)
  await change(({ contexts }) => void contexts.set('victim', { base_url: BASE_URL, token: 'token-0-0-' }))
  let interrupted = 0
  for (let kill = 0; kill < KILLS; kill += 1) {
    const victim = start(bundled, folder, 'victim')
    await once(victim, 'message')
    // Loading and the first write take about 80 ms, each later write about 10 ms.
    await delay(Math.random() * 150)
    victim.kill('SIGKILL')
    await once(victim, 'exit')
    if (files().length > 2) interrupted += 1
    const { token } = read().contexts.get('victim')
    for (const file of files()) {
      const held = text(file).match(/token-\d+-\d+-/g) ?? []
      assert.deepEqual(new Set(held), new Set(ofLock.test(file) ? [] : [token]), file)
    }
    // A lock or a claim without a holder counts for five seconds, and nobody cleans up meanwhile.
    const expected = isTorn('contexts.json.lock', { files, text }) ? ofLock : /\.lock$/
    assert.deepEqual(
      files().filter((file) => !/^contexts\.json(\.bak)?$/.test(file) && !expected.test(file)),
      [],
    )
  }
  await change(() => {})
  assert.deepEqual(files(), ['contexts.json', 'contexts.json.bak'])
  console.log(
    `${KILLS} writers killed, ${interrupted} of them in a write; the file was always whole, ${seconds(began)}`,
  )
}

/** Whether its holder was killed before writing who it is, or the claimant of its dead holder was. */
function isTorn(lock, { files, text }) {
  if (!files().includes(lock)) return false
  const held = text(lock)
  return held === '' || isTorn(`${lock}.${JSON.parse(held).mark}.tmp`, { files, text })
}

function seconds(began) {
  return `${((performance.now() - began) / 1000).toFixed(1)} s`
}
