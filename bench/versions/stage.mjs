/** A home that two versions of skyctl share, and a service: a running sandbox, or the context "sandbox". */
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { createInterface } from 'node:readline'

/** Ends a trial with its outcome. */
export class Outcome extends Error {}

const fault = (what) => new Outcome(`FAULT: ${what}`)

/** @param {{ writer: object, reader: object, folder: string, sandbox?: boolean }} options */
export async function openStage({ writer, reader, folder, sandbox = false }) {
  const at = (...names) => join(folder, ...names)
  for (const part of ['config', 'state', 'files']) mkdirSync(at(part), { recursive: true, mode: 0o700 })
  const home = {
    ...{ PATH: process.env.PATH, HOME: folder, XDG_CACHE_HOME: at('cache'), LANG: 'C.UTF-8', NO_COLOR: '1' },
    ...{ SKYCTL_CONFIG_DIR: at('config'), SKYCTL_STATE_DIR: at('state') },
  }
  const server = sandbox ? undefined : await serve(writer, ['--state', at('world.json')], home)
  const env = sandbox ? { SKYCTL_CONTEXT: 'sandbox' } : server.env
  const earlier = new Set(recordNames(at('state', 'watches')))
  const run = (version, line, options = {}) =>
    runLine(version, line, { ...options, cwd: at('files'), env: { ...home, ...env, ...options.env } })

  /** Runs a line. Any other exit code than the expected one ends the trial, with `verdict` in its outcome. */
  const expecting = (version, verdict) => (line, options) => {
    const result = run(version, line, options)
    const expected = options?.exit ?? 0
    if (result.exit === expected) return result
    throw new Outcome(`${verdict}, exit ${result.exit}: ${firstLine(result.stderr)}`)
  }
  return {
    folder,
    state: (...names) => at('state', ...names),
    config: (...names) => at('config', ...names),
    cache: (...names) => at('cache', ...names),
    /** Returns the path of a file for --file, --journal and others, and writes its text if there is one. */
    file(name, text) {
      if (text !== undefined) writeFileSync(at('files', name), text, { mode: 0o600 })
      return at('files', name)
    },
    read: (path) => readFileSync(path, 'utf8'),
    names: (path) => (existsSync(path) ? readdirSync(path) : []),
    write: expecting(writer, 'not written'),
    use: expecting(reader, 'refused'),
    again: expecting(writer, 'works, and then its own version refuses'),
    /** Starts a line of the writer, and returns a function that kills it. */
    start: (line, served) => startLine(writer, line, { ...home, ...served }),
    signedOut: { SKYCTL_BASE_URL: undefined, SKYCTL_TOKEN: undefined, SKYCTL_CONTEXT: undefined },
    /**
     * Runs a line as another user of the same service: it must end with one of these exit codes, or warn that the user
     * of the file is unknown. Reports whether it was refused.
     */
    stranger(line, exits) {
      if (!server) return true
      const { exit, stderr } = run(reader, line, { env: { SKYCTL_TOKEN: server.stranger } })
      const isWarned = /user is unknown|an unknown user/.test(stderr)
      if (!exits.includes(exit) && !isWarned) throw fault(`another user: exit ${exit}: ${firstLine(stderr)}`)
      return exits.includes(exit)
    },
    expect(isWhole, what) {
      if (!isWhole) throw fault(what)
    },
    /** Runs `work` against a running service with the same world. */
    async served(work) {
      if (server) return work(server.env)
      const ownServer = await serve(writer, ['--state', at('state', 'sandbox.json')], home)
      try {
        return await work(ownServer.env)
      } finally {
        await ownServer.close()
      }
    },
    serve: (version, words) => serve(version, words, home),
    writer,
    reader,
    close: async () => {
      for (const { name, watcher } of watchRecords(at('state', 'watches'))) {
        if (!earlier.has(name)) end(watcher.pid)
      }
      await server?.close()
      if (!sandbox) rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

function runLine({ launcher }, line, { env, cwd, stdin = '' }) {
  const words = Array.isArray(line) ? line : line.split(' ')
  const definedEnv = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined))
  const result = spawnSync(process.execPath, [launcher, ...words], {
    ...{ env: definedEnv, cwd, input: stdin, encoding: 'utf8', timeout: 120_000, maxBuffer: 2 ** 28 },
  })
  const { status: exit, stdout, stderr } = result
  // Exit code 1 is a defect of skyctl (skyctl help exit-codes).
  if (exit === null || exit === 1 || /\n\s+at .+:\d+:\d+/.test(stderr))
    throw fault(`crashed with ${words.join(' ')}: ${stderr}`)
  return { exit, stdout, stderr }
}

function startLine({ launcher }, line, env) {
  const child = spawn(process.execPath, [launcher, ...line.split(' ')], { env, stdio: 'ignore' })
  const exit = new Promise((resolve) => child.once('exit', resolve))
  return () => {
    child.kill('SIGKILL')
    return exit
  }
}

/** Starts a sandbox; `stranger` is the token of another user who may create volumes. */
async function serve({ launcher }, words, env) {
  const child = spawn(process.execPath, [launcher, 'sandbox', 'start', '--json', ...words], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const lines = createInterface({ input: child.stdout })
  const [line] = await Promise.race([
    new Promise((resolve) => lines.once('line', (first) => resolve([first]))),
    new Promise((resolve) => child.once('exit', (exit) => resolve([undefined, exit]))),
  ])
  if (line === undefined) throw new Outcome(`refused, exit ${child.exitCode}: ${firstLine(await textOf(child.stderr))}`)
  const { base_url, token } = JSON.parse(line)
  const answer = await fetch(`${base_url.replace(/\/v4$/, '')}/sandbox/world`, {
    headers: { 'X-Skyctl-Sandbox': 'control' },
  })
  const { tokens } = await answer.json()
  return {
    env: { SKYCTL_BASE_URL: base_url, SKYCTL_TOKEN: token },
    stranger: tokens.find(({ user }) => user === 'proxy').token,
    async close(signal = 'SIGTERM') {
      if (child.exitCode !== null || child.signalCode !== null) return
      const exit = new Promise((resolve) => child.once('exit', resolve))
      child.kill(signal)
      await exit
    },
  }
}

async function textOf(stream) {
  let text = ''
  for await (const part of stream) text += part
  return text
}

const firstLine = (text) =>
  text
    .trim()
    .split('\n')
    .find((line) => !line.includes('warning:')) ?? ''

const recordNames = (folder) =>
  existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.ndjson')) : []

/** Reads the watches: later lines of a file replace the fields of earlier ones. */
export function watchRecords(folder) {
  return recordNames(folder).map((name) => {
    const lines = readFileSync(join(folder, name), 'utf8').split('\n').filter(Boolean)
    return Object.assign({ name }, ...lines.map((line) => JSON.parse(line)))
  })
}

/** Kills a watcher that this campaign has started. */
export function end(pid) {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It has ended.
  }
}
