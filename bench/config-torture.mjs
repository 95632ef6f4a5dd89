/**
 * Stress test of the contexts file (reliability.md): 16 processes that write 100 times each lose no change, and writers
 * killed at 200 random moments leave a valid file, with no old tokens in other files. Run it by hand: `node
 * bench/config-torture.mjs`.
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
/**
 * The lock and its claims: short-lived files beside it that take over a dead holder's lock, or a dead claimant's claim.
 */
const ofLock = /\.lock(\.[0-9a-f]{16}\.tmp)*$/

const [role, bundle, folder, name] = process.argv.slice(2)
if (role === 'writer') await write()
else await torture()

function store(bundleFile, folder) {
  const { changeConfig, readConfig } = createRequire(import.meta.url)(bundleFile)
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

/** Replaces a token again and again, at most as often as allowed. Sends "ready" before the first time. */
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
    const stdin = {
      contents: "export * from './store'\nexport * from './change-config'",
      resolveDir: fileURLToPath(new URL('../src/config', import.meta.url)),
    }
    await build({ stdin, bundle: true, platform: 'node', format: 'cjs', outfile, logLevel: 'error' })
    await manyWriters(outfile, mkdtempSync(join(temporary, 'many-')))
    await killedWriters(outfile, mkdtempSync(join(temporary, 'killed-')))
  } finally {
    rmSync(temporary, { recursive: true })
  }
}

function start(bundleFile, folder, name) {
  return fork(fileURLToPath(import.meta.url), ['writer', bundleFile, folder, name], { stdio: 'inherit' })
}

async function manyWriters(bundleFile, folder) {
  const startTime = performance.now()
  const writers = Array.from({ length: WRITERS }, (_, index) => once(start(bundleFile, folder, `w${index}`), 'exit'))
  const ends = await Promise.all(writers)
  assert.deepEqual(new Set(ends.map(([code]) => code)), new Set([0]))
  const { contexts } = await store(bundleFile, folder).read()
  assert.equal(contexts.size, WRITERS * WRITES)
  console.log(`${contexts.size} of ${WRITERS * WRITES} writes kept, ${seconds(startTime)}`)
}

async function killedWriters(bundleFile, folder) {
  const startTime = performance.now()
  const { read, change, text, files } = store(bundleFile, folder)
  await change(({ contexts }) => void contexts.set('victim', { base_url: BASE_URL, token: 'token-0-0-' }))
  let interrupted = 0
  for (let kill = 0; kill < KILLS; kill += 1) {
    const victim = start(bundleFile, folder, 'victim')
    await once(victim, 'message')
    // Loading and the first write take about 80 ms, each later write about 10 ms.
    await delay(Math.random() * 150)
    victim.kill('SIGKILL')
    await once(victim, 'exit')
    if (files().length > 2) interrupted += 1
    const { token } = (await read()).contexts.get('victim')
    for (const file of files()) {
      const tokens = text(file).match(/token-\d+-\d+-/g) ?? []
      assert.deepEqual(new Set(tokens), new Set(ofLock.test(file) ? [] : [token]), file)
    }
    // An incomplete lock or claim counts as held for five seconds, and nobody removes it meanwhile.
    const expected = isIncomplete('contexts.json.lock', { files, text }) ? ofLock : /\.lock$/
    assert.deepEqual(
      files().filter((file) => !/^contexts\.json(\.bak)?$/.test(file) && !expected.test(file)),
      [],
    )
  }
  await change(() => {})
  assert.deepEqual(files(), ['contexts.json', 'contexts.json.bak'])
  console.log(
    `${KILLS} writers killed, ${interrupted} of them in a write; the file was always whole, ${seconds(startTime)}`,
  )
}

/** Reports whether the holder was killed before it wrote its identity, or the claimant of a dead holder's lock was. */
function isIncomplete(lock, { files, text }) {
  if (!files().includes(lock)) return false
  const content = text(lock)
  return content === '' || isIncomplete(`${lock}.${JSON.parse(content).mark}.tmp`, { files, text })
}

function seconds(startTime) {
  return `${((performance.now() - startTime) / 1000).toFixed(1)} s`
}
