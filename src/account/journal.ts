/**
 * Implements `--journal FILE`: the progress of a command with many targets, so that `--resume FILE` can continue it.
 *
 * - The first line binds the file to the command, the account and the inputs. It is on the disk before anything is
 *   sent, so if it is incomplete, nothing was.
 * - `sending` is on the disk before a request is sent. Its data shows later whether the request succeeded: the id of
 *   the object, or the objects with the label before, and the service's time.
 * - `done` has the answer; `undone` means that the request certainly had no effect.
 * - A killed process leaves at most one incomplete line, which is removed: its target is open again.
 * - A lock file beside it allows one process at a time.
 */
import { closeSync, constants, existsSync, ftruncateSync, openSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Operation } from '../catalogue/operation'
import { formatJson } from '../data/json'
import { Problem } from '../errors'
import { byteOrderMarkLength } from '../files/byte-order-mark'
import { deferWarnings } from '../files/deferred-warnings'
import { syncFile } from '../files/descriptors'
import { attempt } from '../files/file-problem'
import { holdLock, type Lock } from '../files/lock'
import { readPrivately } from '../files/private'
import { randomMark } from '../files/temporary'
import { syncFolder } from '../files/write'
import { escapeText } from '../rules/escape'
import type { Account, AccountIdentity } from './account'
import { expectOwnAccount } from './expect-own-account'
import {
  accountIn,
  type BeforeRequest,
  type Header,
  isUndone,
  type JournalEntry,
  type Parsed,
  type PastAttempt,
  parseJournal,
  pastAttempt,
  shortened,
} from './journal-lines'

export interface JournalOptions {
  account: Account
  /** Asks, and throws if the answer is no. */
  confirm(question: string): Promise<void>
  /** Path of the file, and whether an earlier run has created it. */
  path: string
  resume: boolean
  /** True if nothing must be written. */
  dry: boolean
}

/** The command that a journal is bound to, besides the account. */
export interface Bound {
  name: string
  operation: Operation
  inputs: Header['inputs']
}

export class Journal {
  readonly #past: Map<number, PastAttempt>
  #first = ''
  #file: number | undefined
  #length = 0

  private constructor(
    private readonly opening: JournalOptions,
    private readonly lock: Lock | undefined,
    /** Contents of the file; undefined for a new one. */
    private readonly parsed?: Parsed,
  ) {
    this.#past = pastAttempt(parsed?.lines ?? [])
  }

  /**
   * Opens a journal. Throws `local` if a new file already exists, if another process uses it, or if it is unreadable.
   */
  static async open(opening: JournalOptions): Promise<Journal> {
    const { path, resume, dry } = opening
    if (!resume && existsSync(path)) {
      throw new Problem('local', `${path} already exists`, {
        hint: 'Continue it with --resume, or name another file',
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

  /** Inputs of the earlier run, which replace an empty stdin. */
  get inputs(): Header['inputs'] | undefined {
    return this.parsed?.header?.inputs
  }

  /** Throws `usage` for the journal of another command, and `conflict` for that of another account. */
  async bind({ name, operation, inputs }: Bound): Promise<void> {
    const { account, path, dry } = this.opening
    const theirs = this.parsed?.header
    const owner = theirs?.account ?? (dry ? '' : accountLine(await account.identity()))
    // A dry run does not ask for the user.
    if (theirs && !dry) await expectAccount(theirs, this.opening)
    const command = `${name}: ${operation.method} ${operation.path}`
    const header: Header = { skyctl_journal: 1, command, account: owner, inputs }
    this.#first = `${await formatJson(header, 0)}\n`
    if (!this.parsed || this.#first.startsWith(this.parsed.text)) return
    if (!theirs) throw new Problem('usage', `${path} is not a skyctl journal`)
    const difference =
      (header.command !== theirs.command && `the command is ${escapeText(theirs.command)}`) ||
      ((await formatJson(header.inputs)) !== (await formatJson(theirs.inputs)) && 'the input differs')
    if (!difference) return
    throw new Problem('usage', `${path} is the journal of another run: ${difference}`, {
      hint: 'Run the same command line. The journal holds its stdin: pass it again, or nothing (< /dev/null)',
    })
  }

  /** Creates or reopens the file; must be called before anything is sent. */
  async begin(total: number): Promise<void> {
    const { account, path } = this.opening
    const { O_RDWR, O_APPEND, O_CREAT, O_EXCL, O_NOFOLLOW } = constants
    const create = this.parsed ? 0 : O_CREAT | O_EXCL
    const { header, text = '' } = this.parsed ?? {}
    attempt('open', this.opening.path, () => {
      this.#file = openSync(path, O_RDWR | O_APPEND | O_NOFOLLOW | create, 0o600)
      this.#length = header ? byteOrderMarkLength(this.#file) + Buffer.byteLength(text) : 0
      ftruncateSync(this.#file, this.#length)
    })
    if (!header) {
      this.#append(this.#first)
      return syncFolder(dirname(path))
    }
    const done = [...this.#past.values()].filter(({ state }) => state === 'done').length
    await account.reporter.status(`Resuming ${path}: ${done} of ${total} are done`)
  }

  /** Returns the entry of a target, counted from 0. */
  entry(place: number): JournalEntry {
    const target = place + 1
    const past = this.#past.get(target)
    const { secrets } = this.opening.account.local
    const write = async (line: PastAttempt | { state: 'undone' }) =>
      this.#append(`${secrets.inData(await formatJson({ target, ...line }, 0))}\n`)
    // All attempts at the request: the history has them as one change.
    const ownHistory = randomMark()
    return {
      past,
      others: () => [...this.#past.values()].flatMap((one) => (one.state === 'done' ? [one.answer.id] : [])),
      sending: async ({ id, before }: BeforeRequest, history = ownHistory) => {
        this.#refuseTakenOver()
        await write({ state: 'sending', id, history, ...(before && { before: shortened(before) }) })
        return history
      },
      done: (result) => {
        this.#past.set(target, { state: 'done', ...result })
        return write({ state: 'done', ...result })
      },
      failed: async (error, operation) => {
        if (isUndone(error, operation, { past })) await write({ state: 'undone' })
      },
    }
  }

  /** Throws if another machine has resumed the journal: it may have sent the same requests by now. */
  #refuseTakenOver(): void {
    if (this.lock?.isHeld() !== false) return
    const { path } = this.opening
    throw new Problem('local', `${path} was taken over by another process while this one was suspended`)
  }

  close(): void {
    if (this.#file !== undefined) closeSync(this.#file)
    this.#file = undefined
    this.lock?.release()
  }

  #append(line: string): void {
    const file = this.#file
    if (file === undefined) return
    attempt('write', this.opening.path, () => {
      try {
        writeFileSync(file, line)
        syncFile(file)
      } catch (error) {
        // A line after half a line would be lost with it.
        ftruncateSync(file, this.#length)
        throw error
      }
      this.#length += Buffer.byteLength(line)
    })
  }
}

async function readText({ path, account }: JournalOptions): Promise<string> {
  const text = await deferWarnings(account.reporter, (warn) => readPrivately(path, warn))
  if (text !== undefined) return text
  throw new Problem('local', `cannot read ${path}: no such file`)
}

const accountLine = ({ service, user }: AccountIdentity) =>
  user ? `${service} ${user.uid} ${user.username}` : `${service} ?`

/** Throws `conflict` for the journal of another account, and asks if that is unknown. */
async function expectAccount({ account: owner }: Header, { path, account, confirm }: JournalOptions): Promise<void> {
  const hint = 'Sign in to that account to resume it, or start a new journal'
  const belonging = { text: `${path} is the journal of`, owner: accountIn(owner), hint }
  if (await expectOwnAccount(belonging, account)) return
  await confirm(`Resume ${path}, which may be the journal of another account`)
}
