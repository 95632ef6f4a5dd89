/** Measures a question of questions.mjs, with the service that it needs. */
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { goalsOf } from './goals.mjs'
import { measure } from './measure.mjs'
import { variantsOf } from './questions.mjs'
import { loadSources } from './sources.mjs'

/**
 * @param question one of questions.mjs
 * @param {{ node?: string, rounds?: number }} how `node` is the program to run
 * @returns the results of `measure`, each with its `goals`
 */
export async function ask(question, { node = process.execPath, rounds = question.rounds } = {}) {
  const place = await openPlace(question)
  try {
    const results = await measure(variantsOf(question, { ...place, node }), rounds)
    return results.map((result) => ({ ...result, goals: goalsOf(result, results) }))
  } finally {
    place.close()
  }
}

/** Opens a home of its own, with the service of a question. */
export async function openPlace({ server, sandbox }) {
  const home = mkdtempSync(join(tmpdir(), 'skyctl-bench-'))
  const service = server && (await startService(server, home))
  if (sandbox) await fillSandbox(home, sandbox)
  return {
    url: service?.url,
    // Contains nothing else: on Node 20, NODE_EXTRA_CA_CERTS alone costs 38 ms at every start.
    env: { PATH: process.env.PATH, HOME: home, ...service?.env },
    close() {
      service?.stop()
      rmSync(home, { recursive: true, force: true })
    },
  }
}

/** Creates so many volumes in the context `sandbox`. */
async function fillSandbox(home, volumes) {
  const { openSandbox, sharedFile, sandboxFile } = await loadSources(
    'src/sandbox/sandbox.ts',
    'src/sandbox/file-storage.ts',
    'src/sandbox/context.ts',
  )
  const warn = async (text) => console.error(text)
  const file = await sandboxFile({
    local: { paths: { state: join(home, '.local/state/skyctl') } },
    reporter: { warn },
  })
  let state
  const storage = async (...world) => {
    state = await sharedFile(file)(...world)
    return state
  }
  const { world, close } = await openSandbox({ storage })
  // One transaction each, as with requests: records that change together are one line of the file.
  while (world.volumes.size < volumes) await state.transaction(() => world.volumes.add({}))
  await close()
}

async function startService({ tls, ...settings }, folder) {
  const pair = tls && makeCertificate(folder)
  const script = join(import.meta.dirname, 'server.mjs')
  const child = spawn(process.execPath, [script, JSON.stringify({ ...settings, tls: pair })], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const [port] = await once(child.stdout, 'data')
  const host = `127.0.0.1:${String(port).trim()}`
  const scheme = tls ? 'https' : 'http'
  const url = `${scheme}://${host}/v4`
  return {
    url,
    env: {
      SKYCTL_BASE_URL: url,
      SKYCTL_TOKEN: 'bench',
      LINODE_CLI_API_SCHEME: scheme,
      LINODE_CLI_API_HOST: host,
      LINODE_CLI_TOKEN: 'bench',
      HCLOUD_ENDPOINT: `${scheme}://${host}/hcloud`,
      HCLOUD_TOKEN: 'bench',
      ...(tls && { NODE_EXTRA_CA_CERTS: join(folder, 'cert.pem'), LINODE_CLI_CA: join(folder, 'cert.pem') }),
    },
    stop: () => child.stdin.end(),
  }
}

function makeCertificate(folder) {
  const [key, cert] = ['key.pem', 'cert.pem'].map((name) => join(folder, name))
  const words = `req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 1 -subj /CN=bench -addext subjectAltName=IP:127.0.0.1`
  execFileSync('openssl', [...words.split(' '), '-keyout', key, '-out', cert], { stdio: 'pipe' })
  return { key: readFileSync(key, 'utf8'), cert: readFileSync(cert, 'utf8') }
}
