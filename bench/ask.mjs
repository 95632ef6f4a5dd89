/** Asks a question: starts the service that it needs, measures, and ends the service. */
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { measure } from './measure.mjs'
import { variantsOf } from './questions.mjs'

/**
 * @param question one of questions.mjs
 * @param {number} rounds
 * @returns the results of `measure`
 */
export async function ask(question, rounds = question.rounds) {
  const home = mkdtempSync(join(tmpdir(), 'skyctl-bench-'))
  const service = question.server && (await startService(question.server, home))
  // An environment made up from nothing: on Node 20, NODE_EXTRA_CA_CERTS alone costs 38 ms at every start.
  const env = { PATH: process.env.PATH, HOME: home, ...service?.env }
  try {
    return await measure(variantsOf(question, { url: service?.url, env }), rounds)
  } finally {
    service?.stop()
    rmSync(home, { recursive: true, force: true })
  }
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
