/** Watchers live in the background, and none may outlive its test. */
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'

/** The watchers that keep what they keep below a folder. Elsewhere than on Linux nobody can tell. */
export function watchersOf(home: string): number[] {
  // Of each process the command first: most of them are no watcher, and this is asked again and again.
  return watchersBy('').filter((pid) =>
    told(pid, 'environ')
      .split('\0')
      .some((one) => one.startsWith(`SKYCTL_STATE_DIR=${home}`) || one.startsWith(`HOME=${home}`)),
  )
}

/** The watchers that a program has started, by its file. */
export function watchersBy(file: string): number[] {
  return numbersIn('/proc').filter((pid) => told(pid, 'cmdline').endsWith(`${file}\0firewalls\0watch\0`))
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

/** Whether a process runs; one that has ended and that nobody has asked about does not. */
export const isAlive = (pid: number) => !['', 'Z'].includes(/\) (\w)/.exec(told(pid, 'stat'))?.[1] ?? '')

/** The folder that a process works in. */
export const folderOf = (pid: number) => readlinkSync(`/proc/${pid}/cwd`)

function numbersIn(folder: string): number[] {
  try {
    return readdirSync(folder).map(Number).filter(Number.isInteger)
  } catch {
    return []
  }
}

function told(pid: number, what: string): string {
  try {
    return readFileSync(`/proc/${pid}/${what}`, 'utf8')
  } catch {
    return ''
  }
}
