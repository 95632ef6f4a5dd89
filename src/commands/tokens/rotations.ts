/**
 * Stores records of rotations: `rotations/SERVICE/ID-MARK.json` in the state folder, from before the creation of a
 * token until the old one is gone. A killed rotation leaves its record, and the next command reports its tokens
 * (./orphaned-tokens). `ID.lock` lets one process at a time replace a token. The records have no secrets.
 */
import { existsSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { openStateFolder, stateFolderIfAny } from '../../account/state-subfolders'
import { formatJson, parsedWithin } from '../../data/json'
import type { Session } from '../../engine/session'
import { hintedText, Problem, passOver } from '../../errors'
import { deferWarnings } from '../../files/deferred-warnings'
import { withLock } from '../../files/lock'
import { isNewer, newerFile } from '../../files/newer'
import type { Warn } from '../../files/ownership'
import { readPrivately } from '../../files/private'
import { randomMark } from '../../files/temporary'
import { writePrivately } from '../../files/write'
import { isRecord } from '../../rules/records'

export interface Rotation {
  /** Login name of the tokens' user. */
  user: string
  /** User id, which older records lack. */
  uid?: number
  /** Id of the token to replace. */
  old: number
  /** Body of the request. */
  body: Record<string, unknown>
  /** Earlier tokens with the label, and tokens that are known to be from elsewhere. */
  others: number[]
  /** Time of that lookup by the service's clock, in milliseconds; null if unknown. */
  since: number | null
  /** Id of the new token, when it is known. */
  made?: number
}

export interface RotationFile {
  path: string
  lock: string
  rotation: Rotation
}

/** Record of a running rotation. Without a folder nothing is stored. */
export interface RotationProgress {
  recordCreated(id: number): Promise<void>
  /** Deletes the record, when nothing is left to report. */
  end(): void
}

/** Lets one process of this machine at a time replace a token; `work` gets the folder of the records. */
export async function withoutOthers<T>(
  old: number,
  session: Session,
  work: (folder: string | undefined) => Promise<T>,
): Promise<T> {
  const loss =
    'skyctl does not wait for other rotations, and cannot report tokens that this one leaves behind if it is killed'
  const folder = await stateFolderIfAny(await folderName(session), session.account, loss)
  if (folder === undefined) return work(undefined)
  const options = { waitMs: 60_000, signal: session.signal }
  return withLock(lockOf(folder, old), () => work(folder), options)
}

/** Creates the record. Throws `local` if that fails: then no token must be created. */
export async function beginRotation(folder: string | undefined, rotation: Rotation): Promise<RotationProgress> {
  if (folder === undefined) return { async recordCreated() {}, end() {} }
  const path = join(folder, `${rotation.old}-${randomMark()}.json`)
  await keep({ path, rotation })
  return {
    recordCreated: (id) => keepIfPossible({ path, rotation: { ...rotation, made: id } }),
    end: () => rmSync(path, { force: true }),
  }
}

async function keep({ path, rotation }: Pick<RotationFile, 'path' | 'rotation'>): Promise<void> {
  writePrivately(path, `${await formatJson(rotation, 0)}\n`)
}

/** Updates a record; errors must not prevent the delivery of the token, which could still be found. */
export function keepIfPossible(file: Pick<RotationFile, 'path' | 'rotation'>): Promise<void> {
  return keep(file).catch(passOver)
}

/** Reads the records of the current service, including running rotations; none if the folder is unreadable. */
export async function rotationFiles(session: Session): Promise<RotationFile[]> {
  try {
    const name = await folderName(session)
    if (!existsSync(join(session.account.local.paths.state, name))) return []
    const folder = await openStateFolder(name, session.account)
    return await deferWarnings(session.ui, (warn) =>
      readdirSync(folder).flatMap((file) => readRotation(folder, file, warn)),
    )
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

/** Parses a record; undefined for other files, or if another process has just removed it. */
function parsed(path: string, warn: Warn): Rotation | undefined {
  try {
    const record = parsedWithin(readPrivately(path, warn) ?? '').value
    if (isRecord(record) && isNewer(record.format_version)) throw newerFile(path, 'run a command of that version')
    return isRotation(record) ? record : undefined
  } catch (error) {
    // It may have a token that nobody knows of.
    if (error instanceof Problem) warn(`skipped a record of a token rotation: ${hintedText(error)}`)
    return undefined
  }
}

function isRotation(record: unknown): record is Rotation {
  if (!isRecord(record) || !isRecord(record.body) || !Array.isArray(record.others)) return false
  return typeof record.user === 'string' && Number.isInteger(record.old) && typeof record.body.label === 'string'
}

const lockOf = (folder: string, old: number) => join(folder, `${old}.lock`)

async function folderName(session: Session): Promise<string> {
  const credential = await session.account.access.credential()
  const service = credential.sandbox ? credential.context.name : new URL(credential.baseUrl).host
  return join('rotations', encodeURIComponent(service))
}
