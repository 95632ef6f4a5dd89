/** Identity of this process, and checks of other processes. Below main, only ./ownership uses `process` besides. */
import { readFileSync, readlinkSync } from 'node:fs'
import process from 'node:process'
import { errorCode } from './file-problem'

/** Unique identity of a process, across restarts and machines. The optional fields exist only on Linux. */
export interface ProcessName {
  pid: number
  host: string
  /** Id of the kernel's boot. */
  boot?: string | undefined
  /** Process namespace of the pid: each container has its own. */
  pids?: string | undefined
  /** Start time in clock ticks since boot, which tells processes with a reused pid apart. */
  start?: string | undefined
}

let own: ProcessName | undefined

export function self(): ProcessName {
  own ??= {
    pid: process.pid,
    // Loaded on demand, because only writing commands need it.
    host: process.getBuiltinModule('node:os').hostname(),
    boot: ifReadable(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()),
    pids: ifReadable(() => readlinkSync('/proc/self/ns/pid')),
    start: statOf(process.pid).start,
  }
  return own
}

/** Reports whether a process is running; undefined if it is on another machine or in another container. */
export function isRunning(other: ProcessName): boolean | undefined {
  const here = self()
  const comparable = other.boot !== undefined && here.boot !== undefined
  const isHere = comparable ? other.boot === here.boot && other.pids === here.pids : other.host === here.host
  // A restarted machine has no process of before.
  if (!isHere)
    return other.host === here.host && other.boot !== undefined && other.boot !== here.boot ? false : undefined
  if (!isAlive(other.pid)) return false
  const { state, start } = statOf(other.pid)
  // Zombie: it has ended but was not reaped; some containers never reap.
  if (state === 'Z') return false
  if (start !== undefined && other.start !== undefined) return start === other.start
  // Without start times, another process may have reused the pid; it has, if the pid is this process's.
  return other.pid !== here.pid
}

/**
 * Returns milliseconds since boot: equal in all processes, and unaffected by clock changes. On Linux it includes sleep.
 */
export function sinceBoot(): number {
  return process.getBuiltinModule('node:os').uptime() * 1000
}

/** Leaves the current folder, so that it can be unmounted, or removed on Windows. */
export function leaveFolder(): void {
  process.chdir('/')
}

/** Sends a signal to a process or its group; by default to this process. Returns whether any process got it. */
export function sendSignal(signal: NodeJS.Signals, pid = process.pid, isGroup = false): boolean {
  try {
    return process.kill(isGroup ? -pid : pid, signal)
  } catch {
    // The process has already ended, or belongs to another user, such as a program that sudo starts.
    return false
  }
}

/** Reports whether a process with this pid exists, whoever owns it. */
function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return errorCode(error) === 'EPERM'
  }
}

/** Reads fields 3 and 22 of proc(5), after a name that may hold anything; empty without an accessible /proc. */
function statOf(pid: number): { state?: string | undefined; start?: string | undefined } {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return { state: fields[0], start: fields[19] }
  } catch {
    return {}
  }
}

/** Returns a text; undefined if it cannot be read, as on other systems than Linux. */
function ifReadable(read: () => string): string | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}

/** Returns the versions of Node and bun, and the machine. Node's version may be emulated by bun. */
export function runtime(): { node: string; bun: string | undefined; platform: string; arch: string } {
  const { versions, platform, arch } = process
  return { node: versions.node, bun: versions.bun, platform, arch }
}
