/**
 * Lines of the shell whose `skyctl` runs in the process of the tests, which saves most of the CPU time of a start: the
 * shell starts a script that asks for it, and the run gets what the kernel knows of that script.
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
import { once } from '../../src/rules/once'
import { systemClock } from '../../src/system-clock'
import { test as base, type Ended, environment, type ProcessOptions } from './process'
import { executable, program } from './program'
import { words } from './skyctl'

export interface Here {
  /** For PATH: `skyctl` in it runs here, with files, pipes and terminals. Ctrl-C reaches it, other signals do not. */
  folder: string
  /** Runs a line of the shell to its end. */
  shellHere(line: string, options: ProcessOptions): Promise<Ended>
  /** Throws what went wrong in a run outside of skyctl. */
  close(): void
}

/** The folder is made. */
export async function openHere(folder: string): Promise<Here> {
  const faults: unknown[] = []
  let lines = 0
  const server = createServer(async (socket) => {
    // A test may end, and its terminal with it, before the line does.
    socket.on('error', () => {})
    const [bytes] = await event(socket, 'data').catch(() => [''])
    const pid = Number.parseInt(bytes, 10)
    // A client of another test may still ask the server that had the port before.
    if (Number.isNaN(pid)) return void socket.destroy()
    const exit = await runInsteadOf(pid, socket).catch((error: unknown) => faults.push(error))
    socket.end(`${exit}\n`)
  })
  await event(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  mkdirSync(folder)
  // Only Linux tells what the streams of another process are.
  const isHere = !executable && process.platform === 'linux'
  const started = `#!/bin/sh\nexec ${program.map((word) => `'${word}'`).join(' ')} "$@"\n`
  writeFileSync(join(folder, 'skyctl'), isHere ? script(port) : started)
  chmodSync(join(folder, 'skyctl'), 0o755)
  return {
    folder,
    async shellHere(line, { cwd, env = {}, stdin = '' }) {
      lines += 1
      const [input = '', ...files] = ['stdin', 'stdout', 'stderr'].map((name) => join(folder, `${lines}.${name}`))
      for (const file of files) writeFileSync(file, '')
      const opened = files.map((file) => openSync(file, 'a'))
      const options = { env: environment(env), stdio: ['ignore' as const, ...opened], ...(cwd && { cwd }) }
      if (stdin !== '') writeFileSync(input, stdin)
      // A pipe, as a process of a test has it.
      const words = stdin === '' ? [line] : ['cat "$0" | /bin/sh -c "$1"', input, line]
      const [exit, signal] = await event(spawn('/bin/sh', ['-c', ...words], options), 'exit')
      for (const file of opened) closeSync(file)
      // It may hold a secret, which tests look for.
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

/** While `echo` and `read` run, 0 and 1 are the socket; the run takes 7 and 8. */
const script = (port: number) => `#!/bin/bash
exec 7<&0 8>&1 9<> /dev/tcp/127.0.0.1/${port}
echo $$ >&9
trap 'echo interrupted >&9' INT
until read -r exit <&9 || [ $? -le 128 ]; do :; done
exit $exit
`

const root = process.cwd()

/** Runs skyctl with arguments, environment, folder and streams of a process, and returns the exit code. */
async function runInsteadOf(pid: number, script: Socket): Promise<number> {
  const strings = (name: string) => readFileSync(`/proc/${pid}/${name}`, 'utf8').split('\0').slice(0, -1)
  const env = Object.fromEntries(strings('environ').map((entry) => entry.split(/=(.*)/s, 2)))
  let opened: ReturnType<typeof readable> | undefined
  const stdin = once(() => {
    opened = readable(`/proc/${pid}/fd/7`)
    return opened
  })
  const [stdout, stderr] = [writable(`/proc/${pid}/fd/8`), writable(`/proc/${pid}/fd/2`)]
  // The commands of one line work in one folder; `close` goes back.
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
    onSignal(heard) {
      const [interrupt, terminate] = [() => heard('SIGINT'), () => heard('SIGTERM')]
      script.once('data', interrupt).once('close', terminate)
      return () => void script.off('data', interrupt).off('close', terminate)
    },
    catchSignals: () => () => {},
    program,
    loadAll() {},
  })
  await Promise.all([stdout, stderr].map(closed))
  opened?.destroy()
  return exit
}

/** Resolves when all of it is written, or cannot be. */
async function closed(stream: ReturnType<typeof writable>): Promise<void> {
  const end = event(stream, 'close').catch(() => {})
  stream.end(() => stream.destroy())
  await end
}

const { O_RDONLY, O_WRONLY, O_APPEND, O_NONBLOCK, O_NOCTTY } = constants

/** What is opened must not wait for the other end of a pipe. */
function writable(path: string) {
  const fd = openSync(path, O_WRONLY | O_APPEND | O_NONBLOCK | O_NOCTTY)
  if (readlinkSync(path).startsWith('/dev/pts/')) return unblocked(new WriteStream(fd))
  return fstatSync(fd).isFIFO() ? new Socket({ fd, readable: false, writable: true }) : createWriteStream(path, { fd })
}

/** Node waits until a terminal has taken all, and here the other end of it is read by the same process. */
function unblocked(stream: WriteStream): WriteStream {
  const handle: { setBlocking(isBlocking: boolean): void } = Reflect.get(stream, '_handle')
  handle.setBlocking(false)
  return stream.on('error', () => {})
}

function readable(path: string) {
  const fd = openSync(path, O_RDONLY | O_NONBLOCK | O_NOCTTY)
  // A file stream would keep a thread waiting for the next key.
  if (readlinkSync(path).startsWith('/dev/pts/')) return new ReadStream(fd).on('error', () => {})
  return fstatSync(fd).isFIFO() ? new Socket({ fd, readable: true, writable: false }) : createReadStream(path, { fd })
}

interface HereOptions extends ProcessOptions {
  /** Starts the program, for what only a process gets: signals, locales, certificates, a closed stream. */
  isProcess?: boolean
}

interface HereFixtures {
  here: Here
  shell(line: string, options?: HereOptions): Promise<Ended>
  /** Runs skyctl with the words of the line to its end, as `start(line).end` does in a process. */
  ended(line: string, options?: ProcessOptions): Promise<Ended>
}

/** For tests whose rule is about the command, and not about its process. */
export const test = base.extend<HereFixtures>({
  here: async ({ home }, use) => {
    const here = await openHere(join(home, 'here'))
    await use(here)
    here.close()
  },
  shell: async ({ here: { folder, shellHere }, surroundings, started }, use) => {
    const PATH = `${folder}:${surroundings.PATH}`
    await use((line, { isProcess = false, ...options } = {}) => {
      if (isProcess) return started(['/bin/sh', '-c', line], { stdin: '', ...options }).end
      return shellHere(line, { ...options, env: { ...surroundings, PATH, ...options.env } })
    })
  },
  ended: async ({ shell }, use) =>
    use((line, options) => shell(['skyctl', ...words(line).map(quoted)].join(' '), options)),
})

const quoted = (word: string) => `'${word.replaceAll("'", `'\\''`)}'`
