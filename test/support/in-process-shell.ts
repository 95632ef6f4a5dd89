/**
 * Runs shell lines whose `skyctl` runs in the test process, which saves most of the CPU time of a start. The shell
 * starts a script that requests a run, which gets the script's arguments, environment, folder and streams from the
 * kernel.
 */
import { spawn } from 'node:child_process'
import { once as event } from 'node:events'
import {
  chmodSync,
  closeSync,
  constants,
  createReadStream,
  createWriteStream,
  fstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { type AddressInfo, createServer, Socket } from 'node:net'
import { join } from 'node:path'
import { ReadStream, WriteStream } from 'node:tty'
import { run } from '../../src/main'
import { systemClock } from '../../src/platform/system'
import { once } from '../../src/rules/once'
import { test as base, environment, type ProcessOptions, type ProcessResult } from './process'
import { executable, program } from './program'
import { words } from './skyctl'

export interface InProcessShell {
  /**
   * For PATH: a `skyctl` that runs in this process, with files, pipes and terminals. It receives Ctrl-C, but no other
   * signals.
   */
  folder: string
  /** Runs a line of the shell to its end. */
  runShell(line: string, options: ProcessOptions): Promise<ProcessResult>
  /** Throws the first error of a run that did not come from skyctl. */
  close(): void
}

/** Creates the folder. */
export async function openInProcessShell(folder: string): Promise<InProcessShell> {
  const faults: unknown[] = []
  let lines = 0
  const server = createServer(async (socket) => {
    // A test, and its terminal, may end before the line does.
    socket.on('error', () => {})
    const [bytes] = await event(socket, 'data').catch(() => [''])
    const pid = Number.parseInt(bytes, 10)
    // A client of another test may still connect to a server that had the port before.
    if (Number.isNaN(pid)) return void socket.destroy()
    const exit = await runInsteadOf(pid, socket).catch((error: unknown) => faults.push(error))
    socket.end(`${exit}\n`)
  })
  await event(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  mkdirSync(folder)
  // Only Linux shows the streams of another process.
  const runsInProcess = !executable && process.platform === 'linux'
  const launcher = `#!/bin/sh\nexec ${program.map((word) => `'${word}'`).join(' ')} "$@"\n`
  writeFileSync(join(folder, 'skyctl'), runsInProcess ? script(port) : launcher)
  chmodSync(join(folder, 'skyctl'), 0o755)
  return {
    folder,
    async runShell(line, { cwd, env = {}, stdin = '' }) {
      lines += 1
      const [input = '', ...files] = ['stdin', 'stdout', 'stderr'].map((name) => join(folder, `${lines}.${name}`))
      for (const file of files) writeFileSync(file, '')
      const descriptors = files.map((file) => openSync(file, 'a'))
      const options = { env: environment(env), stdio: ['ignore' as const, ...descriptors], ...(cwd && { cwd }) }
      if (stdin !== '') writeFileSync(input, stdin)
      // A pipe, as in tests that start a process.
      const words = stdin === '' ? [line] : ['cat "$0" | /bin/sh -c "$1"', input, line]
      const [exit, signal] = await event(spawn('/bin/sh', ['-c', ...words], options), 'exit')
      for (const file of descriptors) closeSync(file)
      // It may contain a secret, which tests search for.
      rmSync(input, { force: true })
      const [stdout = '', stderr = ''] = files.map((file) => readFileSync(file, 'utf8'))
      return { exit, signal, stdout, stderr }
    },
    close() {
      server.close()
      process.chdir(root)
      if (faults.length > 0) throw faults[0]
    },
  }
}

/** While `echo` and `read` run, descriptors 0 and 1 are the socket. The run uses 7 and 8. */
const script = (port: number) => `#!/bin/bash
exec 7<&0 8>&1 9<> /dev/tcp/127.0.0.1/${port}
echo $$ >&9
trap 'echo interrupted >&9' INT
until read -r exit <&9 || [ $? -le 128 ]; do :; done
exit $exit
`

const root = process.cwd()

/** Runs skyctl with the arguments, environment, folder and streams of a process, and returns the exit code. */
async function runInsteadOf(pid: number, script: Socket): Promise<number> {
  const strings = (name: string) => readFileSync(`/proc/${pid}/${name}`, 'utf8').split('\0').slice(0, -1)
  const env = Object.fromEntries(strings('environ').map((entry) => entry.split(/=(.*)/s, 2)))
  let input: ReturnType<typeof readable> | undefined
  const stdin = once(() => {
    input = readable(`/proc/${pid}/fd/7`)
    return input
  })
  const [stdout, stderr] = [writable(`/proc/${pid}/fd/8`), writable(`/proc/${pid}/fd/2`)]
  // All commands of a line have the same folder; `close` restores the process's own.
  process.chdir(readlinkSync(`/proc/${pid}/cwd`))
  const exit = await run({
    argv: strings('cmdline').slice(2),
    env,
    get stdin() {
      return stdin()
    },
    stdout,
    stderr,
    platform: 'linux',
    homedir: () => env.HOME ?? '',
    clock: systemClock,
    random: Math.random,
    onSignal(notify) {
      const [interrupt, terminate] = [() => notify('SIGINT'), () => notify('SIGTERM')]
      script.once('data', interrupt).once('close', terminate)
      return () => void script.off('data', interrupt).off('close', terminate)
    },
    catchSignals: () => () => {},
    program,
    loadAll() {},
  })
  await Promise.all([stdout, stderr].map(close))
  input?.destroy()
  return exit
}

/** Ends a stream. Resolves when everything is written, or cannot be. */
async function close(stream: ReturnType<typeof writable>): Promise<void> {
  const end = event(stream, 'close').catch(() => {})
  stream.end(() => stream.destroy())
  await end
}

const { O_RDONLY, O_WRONLY, O_APPEND, O_NONBLOCK, O_NOCTTY } = constants

/** Opens a stream without waiting for the other end of a pipe. */
function writable(path: string) {
  const fd = openSync(path, O_WRONLY | O_APPEND | O_NONBLOCK | O_NOCTTY)
  if (readlinkSync(path).startsWith('/dev/pts/')) return unblocked(new WriteStream(fd))
  return fstatSync(fd).isFIFO() ? new Socket({ fd, readable: false, writable: true }) : createWriteStream(path, { fd })
}

/** Makes writing asynchronous: Node would wait until a terminal has read everything, and this process is its reader. */
function unblocked(stream: WriteStream): WriteStream {
  const handle: { setBlocking(isBlocking: boolean): void } = Reflect.get(stream, '_handle')
  handle.setBlocking(false)
  return stream.on('error', () => {})
}

function readable(path: string) {
  const fd = openSync(path, O_RDONLY | O_NONBLOCK | O_NOCTTY)
  // A file stream would keep a thread that waits for the next key.
  if (readlinkSync(path).startsWith('/dev/pts/')) return new ReadStream(fd).on('error', () => {})
  return fstatSync(fd).isFIFO() ? new Socket({ fd, readable: true, writable: false }) : createReadStream(path, { fd })
}

interface HereOptions extends ProcessOptions {
  /** Starts a process, for what only a process has: signals, locales, certificates, a closed stream. */
  isProcess?: boolean
}

interface HereFixtures {
  inProcessShell: InProcessShell
  shell(line: string, options?: HereOptions): Promise<ProcessResult>
  /** Runs skyctl with the words of the line to its end, as `start(line).end` does in a process. */
  runCommand(line: string, options?: ProcessOptions): Promise<ProcessResult>
}

/** For tests of commands that do not depend on a process of their own. */
export const test = base.extend<HereFixtures>({
  inProcessShell: async ({ home }, use) => {
    const here = await openInProcessShell(join(home, 'here'))
    await use(here)
    here.close()
  },
  shell: async ({ inProcessShell: { folder, runShell }, processEnv, startProgram }, use) => {
    const PATH = `${folder}:${processEnv.PATH}`
    await use((line, { isProcess = false, ...options } = {}) => {
      if (isProcess) return startProgram(['/bin/sh', '-c', line], { stdin: '', ...options }).end
      return runShell(line, { ...options, env: { ...processEnv, PATH, ...options.env } })
    })
  },
  runCommand: async ({ shell }, use) =>
    use((line, options) => shell(['skyctl', ...words(line).map(quote)].join(' '), options)),
})

const quote = (word: string) => `'${word.replaceAll("'", `'\\''`)}'`
