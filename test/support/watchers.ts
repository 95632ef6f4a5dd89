/** Finds and ends watchers, which live in the background: none may outlive its test. */
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'

/** Watchers that were found, by the folder of their state. */
const watchersBelow = new Map<string, Set<number>>()

/** Returns the watchers whose state is below a folder, until they have ended. Only Linux can tell. */
export function watchersOf(home: string): number[] {
  // A killed process loses its command line before it has ended, and until then others see it run.
  const pids = watchersBelow.get(home) ?? new Set()
  watchersBelow.set(home, pids)
  for (const pid of watchersBy('')) if (hasStateBelow(home, pid)) pids.add(pid)
  return [...pids].filter(isAlive)
}

const hasStateBelow = (home: string, pid: number) =>
  processFile(pid, 'environ')
    .split('\0')
    .some((one) => one.startsWith(`SKYCTL_STATE_DIR=${home}`) || one.startsWith(`HOME=${home}`))

/** Returns the watchers that a program has started, by its file. */
export function watchersBy(file: string): number[] {
  return numbersIn('/proc').filter((pid) => processFile(pid, 'cmdline').includes(`${file}\0firewalls\0watch\0`))
}

export function endWatchers(home: string): void {
  for (const pid of watchersOf(home)) kill(pid)
}

export function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It has ended by itself.
  }
}

/** Reports whether a process runs. A zombie does not. */
export const isAlive = (pid: number) => !['', 'Z'].includes(/\) (\w)/.exec(processFile(pid, 'stat'))?.[1] ?? '')

/** Returns the working folder of a process. */
export const folderOf = (pid: number) => readlinkSync(`/proc/${pid}/cwd`)

function numbersIn(folder: string): number[] {
  try {
    return readdirSync(folder).map(Number).filter(Number.isInteger)
  } catch {
    return []
  }
}

function processFile(pid: number, what: string): string {
  try {
    return readFileSync(`/proc/${pid}/${what}`, 'utf8')
  } catch {
    return ''
  }
}
