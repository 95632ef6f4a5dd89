/**
 * `--journal FILE`: what a command has done of many things, so that `--resume FILE` goes on where it was killed.
 *
 * - The first line binds the file to the command, the account and what was given. It is on the disk before anything is
 *   sent, so a file that ends within it tells that nothing was.
 * - `sending` is on the disk before a request leaves, with what proves later whether it was done: the id of the object,
 *   or what had the label before, and the service's time then.
 * - `done` has the answer; `undone` means that it is known not to have been done.
 * - A killed process leaves at most one line without an end, which is cut off: what it would have told is open again.
 * - One process at a time: a lock file stands beside it.
 */
import {
  closeSync,
  constants,
  existsSync,
  fchmodSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  writeFileSync,
} from 'node:fs'
import { dirname } from 'node:path'
import type { Operation } from '../catalogue/operation'
import { formatJson } from '../data/json'
import { Problem } from '../errors'
import { holdLock, type Lock } from '../files/lock'
import { readPrivately } from '../files/private'
import { fileProblem } from '../files/problem'
import { markLength } from '../files/text'
import { syncFolder } from '../files/write'
import { safe } from '../output/safe'
import type { Identity, Session } from '../session'
import { confirm } from './confirm'
import { heard } from './heard'
import { expectOwnAccount } from './identity'
import {
  accountIn,
  type Entry,
  type Header,
  type Known,
  type Parsed,
  type Past,
  parseJournal,
  pastOf,
  shortened,
} from './journal-lines'

export interface Opening {
  session: Session
  /** The file, and whether an earlier run has begun it. */
  path: string
  resume: boolean
  /** Nothing is to be written. */
  dry: boolean
}

/** What a journal is bound to, besides the account. */
export interface Bound {
  name: string
  operation: Operation
  inputs: Header['inputs']
}

export class Journal {
  readonly #opening: Opening
  readonly #lock: Lock | undefined
  /** What stands in the file; undefined where there is none yet. */
  readonly #parsed: Parsed | undefined
  readonly #past: Map<number, Past>
  #first = ''
  #file: number | undefined
  #length = 0

  private constructor(opening: Opening, lock: Lock | undefined, parsed?: Parsed) {
    this.#opening = opening
    this.#lock = lock
    this.#parsed = parsed
    this.#past = pastOf(parsed?.lines ?? [])
  }

  /** Throws `local` where a new file is there already, where another process has it, or it cannot be read. */
  static async open(opening: Opening): Promise<Journal> {
    const { path, resume, dry } = opening
    if (!resume && existsSync(path)) {
      throw new Problem('local', `${path} is there already`, {
        hint: 'Go on with it by --resume, or name another file',
      })
    }
    const lock = dry ? undefined : await holdLock(`${path}.lock`)
    try {
      if (!resume) return new Journal(opening, lock)
      return new Journal(opening, lock, await parseJournal(await readText(opening), path))
    } catch (error) {
      lock?.release()
      throw error
    }
  }

  /** What the earlier run was given: it stands for a stdin that is empty now. */
  get inputs(): Header['inputs'] | undefined {
    return this.#parsed?.header?.inputs
  }

  /** Throws `usage` where the file is that of something else, `conflict` where it is that of another account. */
  async bind(bound: Bound): Promise<void> {
    const { session, path, dry } = this.#opening
    const theirs = this.#parsed?.header
    const account = theirs?.account ?? (dry ? '' : accountLine(await session.identity()))
    // A dry run asks nobody who acts.
    if (theirs && !dry) await expectAccount(path, theirs, session)
    const header = headerOf(bound, account)
    this.#first = `${await formatJson(header, 0)}\n`
    if (!this.#parsed || this.#first.startsWith(this.#parsed.text)) return
    if (!theirs) throw new Problem('usage', `${path} is no journal of skyctl`)
    const difference =
      (header.command !== theirs.command && `the command is ${safe(theirs.command)}`) ||
      ((await formatJson(header.inputs)) !== (await formatJson(theirs.inputs)) && 'what was given is not the same')
    if (!difference) return
    throw new Problem('usage', `${path} is the journal of something else: ${difference}`, {
      hint: 'Run the same command line; what came from stdin is kept: give it again, or nothing (< /dev/null)',
    })
  }

  /** Makes the file, or takes it up again; nothing may be sent before. */
  async begin(total: number): Promise<void> {
    const { session, path } = this.#opening
    const { O_RDWR, O_APPEND, O_CREAT, O_EXCL, O_NOFOLLOW } = constants
    const create = this.#parsed ? 0 : O_CREAT | O_EXCL
    const { header, text } = this.#parsed ?? {}
    this.#attempt('open', () => {
      this.#file = openSync(path, O_RDWR | O_APPEND | O_NOFOLLOW | create, 0o600)
      fchmodSync(this.#file, 0o600)
      this.#length = header && text ? markLength(this.#file) + Buffer.byteLength(text) : 0
      ftruncateSync(this.#file, this.#length)
    })
    if (!header) {
      this.#append(this.#first)
      return syncFolder(dirname(path))
    }
    const done = [...this.#past.values()].filter(({ state }) => state === 'done').length
    await session.say(`Going on with ${path}: ${done} of ${total} are done`)
  }

  /** Of a target, by its place from 0. */
  entry(place: number): Entry {
    const target = place + 1
    const past = this.#past.get(target)
    const { secrets } = this.#opening.session
    const write = async (line: Past | { state: 'undone' }) =>
      this.#append(`${secrets.inData(await formatJson({ target, ...line }, 0))}\n`)
    return {
      past,
      others: () =>
        [...this.#past].flatMap(([other, one]) => (other !== target && one.state === 'done' ? [one.answer.id] : [])),
      sending: ({ id, before }: Known) => {
        this.#refuseTakenOver()
        return write({
          state: 'sending',
          ...(id !== undefined && { id }),
          ...(before && { before: shortened(before) }),
        })
      },
      done: (known) => {
        this.#past.set(target, { state: 'done', ...known })
        return write({ state: 'done', ...known })
      },
      undone: () => write({ state: 'undone' }),
    }
  }

  /** Another machine that resumes it has sent by now what this one would send. */
  #refuseTakenOver(): void {
    if (this.#lock === undefined || this.#lock.isHeld()) return
    const { path } = this.#opening
    throw new Problem('local', `${path} was taken over by another process while this one stood still`)
  }

  close(): void {
    if (this.#file !== undefined) closeSync(this.#file)
    this.#file = undefined
    this.#lock?.release()
  }

  #append(line: string): void {
    const file = this.#file
    if (file === undefined) return
    this.#attempt('write', () => {
      try {
        writeFileSync(file, line)
        fsyncSync(file)
      } catch (error) {
        // What follows half a line would be lost with it.
        ftruncateSync(file, this.#length)
        throw error
      }
      this.#length += Buffer.byteLength(line)
    })
  }

  #attempt(doing: string, work: () => void): void {
    try {
      work()
    } catch (error) {
      throw fileProblem(doing, this.#opening.path, error)
    }
  }
}

async function readText({ path, session }: Opening): Promise<string> {
  const text = await heard(session, (warn) => readPrivately(path, warn))
  if (text !== undefined) return text
  throw new Problem('local', `cannot read ${path}: no such file`)
}

const accountLine = ({ service, user }: Identity) => (user ? `${service} ${user.uid} ${user.username}` : `${service} ?`)

/** Throws `conflict` for the journal of another account; where that is not known, it asks. */
async function expectAccount(path: string, { account }: Header, session: Session): Promise<void> {
  const { service, uid, username } = accountIn(account)
  const now = await session.identity()
  // An older journal has no name.
  const user = uid === undefined ? undefined : { uid, username: username ?? nameOf(uid, now) }
  const hint = 'Sign in to that account to resume it, or start a new journal'
  const belonging = { made: `${path} is the journal of`, account: { service, user }, hint }
  if (await expectOwnAccount(belonging, session)) return
  await confirm(`Resume ${path}, which may be the journal of another account`, session)
}

const nameOf = (uid: number, { user }: Identity) => (user?.uid === uid ? user.username : '')

function headerOf({ name, operation, inputs }: Bound, account: string): Header {
  return { skyctl_journal: 1, command: `${name}: ${operation.method} ${operation.path}`, account, inputs }
}
