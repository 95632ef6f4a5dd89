/**
 * What rotations have begun: `rotations/SERVICE/ID-MARK.json` in the state folder, from before a token is made until the
 * one that it replaces is gone. One that is killed leaves its record, and the next command tells what else it left
 * (./left-over). `ID.lock` beside it lets one process at a time replace a token. Nothing here is secret.
 */
import { existsSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { formatJson, parsedWithin } from '../../data/json'
import { heard } from '../../engine/heard'
import { openStateFolder, stateFolderIfAny } from '../../engine/state-folder'
import { Problem, passOver } from '../../errors'
import { withLock } from '../../files/lock'
import type { Warn } from '../../files/own'
import { readPrivately } from '../../files/private'
import { randomMark } from '../../files/temporary'
import { writePrivately } from '../../files/write'
import { isRecord } from '../../rules/records'
import type { Session } from '../../session'

export interface Rotation {
  /** The login name of whose tokens these are. */
  user: string
  /** And the user ID, which older records lack. */
  uid?: number
  /** The token to replace. */
  old: number
  /** What was asked for. */
  body: Record<string, unknown>
  /** The tokens that had the label before, and those that are known to come from elsewhere. */
  others: number[]
  /** When those were looked at, by the service's own clock, in milliseconds; null where it does not tell. */
  since: number | null
  /** The new token, once it is known. */
  made?: number
}

export interface RotationFile {
  path: string
  lock: string
  rotation: Rotation
}

/** The record of a rotation on its way. Where there is no folder for it, nothing is kept. */
export interface Progress {
  made(id: number): Promise<void>
  /** Nothing is left that a person must know of. */
  end(): void
}

/** Lets one process of this machine at a time replace a token; `work` is given the folder of the records. */
export async function withoutOthers<T>(
  old: number,
  session: Session,
  work: (folder: string | undefined) => Promise<T>,
): Promise<T> {
  const loss = 'other rotations are not waited for, and what this one leaves if it is killed is not told later'
  const folder = await stateFolderIfAny(await folderName(session), session, loss)
  if (folder === undefined) return work(undefined)
  const options = { waitMs: 60_000, signal: session.signal }
  return withLock(lockOf(folder, old), () => work(folder), options)
}

/** Throws `local` where the record cannot be written: then no token must be made. */
export async function beginRotation(folder: string | undefined, rotation: Rotation): Promise<Progress> {
  if (folder === undefined) return { async made() {}, end() {} }
  const path = join(folder, `${rotation.old}-${randomMark()}.json`)
  await keep({ path, rotation })
  return {
    made: (id) => keepIfPossible({ path, rotation: { ...rotation, made: id } }),
    end: () => rmSync(path, { force: true }),
  }
}

async function keep({ path, rotation }: Pick<RotationFile, 'path' | 'rotation'>): Promise<void> {
  writePrivately(path, `${await formatJson(rotation, 0)}\n`)
}

/** The token is there, and is to be given out whatever becomes of its record: without this, it is found by proof. */
export function keepIfPossible(file: Pick<RotationFile, 'path' | 'rotation'>): Promise<void> {
  return keep(file).catch(passOver)
}

/** The records of the service in play, those of rotations on their way too; a folder that cannot be read has none. */
export async function rotationFiles(session: Session): Promise<RotationFile[]> {
  try {
    const name = await folderName(session)
    if (!existsSync(join(session.paths.state, name))) return []
    const folder = await openStateFolder(name, session)
    return await heard(session, (warn) => readdirSync(folder).flatMap((file) => readRotation(folder, file, warn)))
  } catch (error) {
    if (error instanceof Problem) return []
    throw error
  }
}

function readRotation(folder: string, file: string, warn: Warn): RotationFile[] {
  if (!/^\d+-[0-9a-f]{16}\.json$/.test(file)) return []
  const path = join(folder, file)
  const rotation = parsed(path, warn)
  return rotation ? [{ path, rotation, lock: lockOf(folder, rotation.old) }] : []
}

/** Undefined where another process has just removed it, and for what is no record. */
function parsed(path: string, warn: Warn): Rotation | undefined {
  try {
    const record = parsedWithin(readPrivately(path, warn) ?? '').value
    return isRotation(record) ? record : undefined
  } catch (error) {
    // A token that nobody knows of may be in it.
    if (error instanceof Problem) warn(`skipped a record of a token rotation: ${error.message}`)
    return undefined
  }
}

function isRotation(record: unknown): record is Rotation {
  if (!isRecord(record) || !isRecord(record.body) || !Array.isArray(record.others)) return false
  return typeof record.user === 'string' && Number.isInteger(record.old) && typeof record.body.label === 'string'
}

const lockOf = (folder: string, old: number) => join(folder, `${old}.lock`)

async function folderName(session: Session): Promise<string> {
  const credential = await session.credential()
  const service = credential.sandbox ? credential.context.name : new URL(credential.baseUrl).host
  return join('rotations', encodeURIComponent(service))
}
