/**
 * Calls on open files that Node's permission model disables, although it allows the same by path: seen with Node 24.21
 * and 26.10 and all permissions for files (`node --permission --allow-fs-read=* --allow-fs-write=*`).
 */
import { chmodSync, fchmodSync, fsyncSync } from 'node:fs'
import { errorCode } from './file-problem'

/** Sets the mode of an open file, by its path where Node disables that. */
export function setMode({ file, path }: { file: number; path: string }, mode: number): void {
  unlessDisabled(
    () => fchmodSync(file, mode),
    () => chmodSync(path, mode),
  )
}

/** Waits until an open file is on disk. Where Node disables that, a power failure may lose what was written last. */
export function syncFile(file: number): void {
  unlessDisabled(
    () => fsyncSync(file),
    () => {},
  )
}

function unlessDisabled(call: () => void, instead: () => void): void {
  try {
    call()
  } catch (error) {
    if (errorCode(error) !== 'ERR_ACCESS_DENIED') throw error
    instead()
  }
}
