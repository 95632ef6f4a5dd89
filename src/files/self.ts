/** Who this process is to the operating system, and which others live. The one place below main that looks at `process`. */
import { readFileSync, readlinkSync } from 'node:fs'
import process from 'node:process'
import { errorCode } from './problem'

/** What tells a process from all others, those before and those elsewhere included. Linux tells more than the first two. */
export interface ProcessName {
  pid: number
  host: string
  /** The run of the kernel. */
  boot?: string
  /** The namespace that gave the pid: every container has one of its own. */
  pids?: string
  /** When it began, in clock ticks since the kernel did: a pid is used again, and then with another time. */
  start?: string
}

let own: ProcessName | undefined

export function self(): ProcessName {
  own ??= {
    pid: process.pid,
    // Loaded for those that write only.
    host: process.getBuiltinModule('node:os').hostname(),
    ...known('boot', () => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()),
    ...known('pids', () => readlinkSync('/proc/self/ns/pid')),
    ...known('start', () => statOf(process.pid).start),
  }
  return own
}

/** Whether another process runs; undefined where nobody here can tell: it is on another machine, in another container. */
export function isRunning(other: ProcessName): boolean | undefined {
  const here = self()
  const comparable = other.boot !== undefined && here.boot !== undefined
  const isHere = comparable ? other.boot === here.boot && other.pids === here.pids : other.host === here.host
  if (!isHere) return undefined
  if (!isAlive(other.pid)) return false
  const { state, start } = statOf(other.pid)
  // It has ended, and whoever started it has not asked yet how; in some containers nobody ever does.
  if (state === 'Z') return false
  if (start !== undefined && other.start !== undefined) return start === other.start
  // Without the times it may be one that has the number again; ours has.
  return other.pid === here.pid ? false : undefined
}

/**
 * Milliseconds since the machine started: the same for all of its processes, and whoever sets its clock does not move
 * it. On Linux it goes on while the machine sleeps.
 */
export function sinceBoot(): number {
  return process.getBuiltinModule('node:os').uptime() * 1000
}

/** The user whose files these are; undefined on Windows, where files have no mode and no numeric owner. */
export function userId(): number | undefined {
  return process.geteuid?.()
}

/** Keeps no folder busy: a file system is not unmounted, and a folder on Windows not removed, while a process is in it. */
export function leaveFolder(): void {
  process.chdir('/')
}

/** Sends a signal to a process and, where it leads a group, to all of that; to this process without a number. */
export function sendSignal(signal: NodeJS.Signals, pid = process.pid, isGroup = false): void {
  try {
    process.kill(isGroup ? -pid : pid, signal)
  } catch (error) {
    // It has ended by itself.
    if (errorCode(error) !== 'ESRCH') throw error
  }
}

/** Whether a process of that number runs here, whoever owns it. */
function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return errorCode(error) === 'EPERM'
  }
}

/** The 3rd and the 22nd field of proc(5), behind a name that may hold anything; none where there is no /proc, or not ours. */
function statOf(pid: number): { state?: string | undefined; start?: string | undefined } {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    if (!stat.startsWith(`${pid} (`)) return {}
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return { state: fields[0], start: fields[19] }
  } catch {
    return {}
  }
}

/** Nothing where it is not known. */
function known<K extends keyof ProcessName>(key: K, read: () => ProcessName[K]): Pick<ProcessName, K> | object {
  try {
    const value = read()
    return value === undefined ? {} : { [key]: value }
  } catch {
    return {}
  }
}

/** What runs this program: the version of Node that it is, or stands in for, and the machine. */
export function runtime(): { node: string; bun: string | undefined; platform: string; arch: string } {
  const { versions, platform, arch } = process
  return { node: versions.node, bun: versions.bun, platform, arch }
}
