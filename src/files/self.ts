/** Who this process is to the operating system. The one place below main that looks at `process`. */
import { hostname } from 'node:os'
import process from 'node:process'
import { errorCode } from './problem'

export const self = { pid: process.pid, host: hostname() }

/** The user whose files these are; undefined on Windows, where files have no mode and no numeric owner. */
export function userId(): number | undefined {
  return process.geteuid?.()
}

/** Whether a process of this host runs, whoever owns it. */
export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return errorCode(error) === 'EPERM'
  }
}
