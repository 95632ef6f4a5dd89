/**
 * `edit`: a text is changed in a person's editor, and is never lost. What cannot be used is opened again, with each
 * problem above its line, as kubectl and visudo do.
 */
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { placesIn } from '../data/places'
import { Problem } from '../errors'
import { regularStatus } from '../files/named'
import { fileProblem } from '../files/problem'
import { randomMark } from '../files/temporary'
import { writePrivately } from '../files/write'
import type { Session } from '../session'
import { type Note, withNotes, withoutNotes } from './notes'
import { openStateFolder } from './state-folder'

interface Draft<T> {
  /** Such as `firewall-2001.yaml`: the ending tells an editor what it is. Lines that begin with # are comments there. */
  name: string
  text: string
  /** Nothing is sent, so what was written is not done with. */
  dry: boolean
  /** How to go on with a kept text: a sentence without its full stop. */
  goOn(path: string): string
  /** What a text means; throws `usage` for what is wrong with it. */
  read(text: string, path: string): Promise<T>
  /** Carries it out; may throw an `Objection`. */
  use(value: T): Promise<void>
}

/** What a person has to decide before their text can be used; to take the notes out is to decide. */
export class Objection extends Error {
  constructor(
    /** Thrown where they leave it at that. */
    readonly problem: Problem,
    readonly notes: readonly Note[],
  ) {
    super(problem.message)
    this.name = 'Objection'
  }
}

/** What stands in the way of a text that came back. */
interface Refused {
  problem: Problem
  notes: readonly Note[]
  /** The notes taken out are a change, even where the text is the same. */
  decidable: boolean
}

/** A script in the editor's place may change the text each time, and never for the better. */
const mostOpenings = 5

/**
 * Opens a text in the editor and uses what came back. The file lies in the state folder and is removed when all has
 * gone well, or nothing was written; otherwise it stays, and the problem names it.
 */
export async function editDraft<T>(draft: Draft<T>, session: Session): Promise<void> {
  const path = join(await openStateFolder('drafts', session), `${randomMark()}-${draft.name}`)
  let text = draft.text
  let refused: Refused | undefined
  try {
    for (let opened = 1; ; opened += 1) {
      const shown = withNotes(text, refused?.notes ?? [])
      writePrivately(path, shown)
      const left = await editorOf(path, session).finally(() => {
        text = written(path, refused) || text
      })
      if (left.trim() === '') throw refused?.problem ?? new Problem('usage', 'the text is empty; nothing was sent')
      if (refused && isSame({ shown, left }, refused)) throw refused.problem
      refused = await attempt(draft, text, path)
      if (!refused) break
      if (!session.interactive && opened === mostOpenings) throw refused.problem
    }
  } catch (error) {
    throw keep(error, { draft, text, path })
  }
  if (!draft.dry || text === draft.text) return rmSync(path, { force: true })
  await session.say(`Your text is kept in "${path}"`)
}

/** The text as the editor has left it. */
async function editorOf(path: string, session: Session): Promise<string> {
  try {
    await session.openEditor(path)
  } catch (error) {
    // Ctrl-C ends the editor too, which is not what went wrong.
    session.signal.throwIfAborted()
    throw error
  }
  return read(path)
}

/** What the person has in the file by now; nothing where they have emptied it or taken it away. */
function written(path: string, refused: Refused | undefined): string {
  try {
    const text = withoutNotes(read(path), refused?.notes ?? [])
    return text.trim() === '' ? '' : text
  } catch {
    return ''
  }
}

function isSame({ shown, left }: { shown: string; left: string }, { notes, decidable }: Refused): boolean {
  return left === shown || (!decidable && withoutNotes(left, notes) === withoutNotes(shown, notes))
}

/** What stands in the way; undefined where all was done. */
async function attempt<T>({ read, use }: Draft<T>, text: string, path: string): Promise<Refused | undefined> {
  let isRead = false
  try {
    const value = await read(text, path)
    isRead = true
    await use(value)
    return undefined
  } catch (error) {
    if (error instanceof Objection) return { problem: error.problem, notes: error.notes, decidable: true }
    if (!(error instanceof Problem) || !(isRead ? isAboutFields(error) : isAboutText(error))) throw error
    return { problem: error, notes: await notesOf(error, text), decidable: false }
  }
}

const isAboutText = ({ code }: Problem) => code === 'usage' || code === 'too_large'

/** By our own check, or by the service's. */
function isAboutFields({ code, details: { errors = [], status } }: Problem): boolean {
  return errors.length > 0 && (code === 'usage' || status === 400)
}

async function notesOf({ message, details: { errors = [] } }: Problem, text: string): Promise<Note[]> {
  const { lineOf } = await placesIn(text)
  const said = errors.length > 0 ? errors : [{ field: null, reason: message }]
  return said.map(({ field, reason }) => ({
    line: lineOf(field),
    // The lines move by the notes themselves.
    text: withField(field, reason.replace(/ \(line \d+(, column \d+)?\)/, '')),
  }))
}

const withField = (field: string | null, reason: string) =>
  field === null || reason.startsWith(field) ? reason : `${field}: ${reason}`

/** Keeps what the person wrote, and the problem tells where; what they did not touch is no work to keep. */
function keep<T>(error: unknown, { draft, text, path }: { draft: Draft<T>; text: string; path: string }): unknown {
  if (text === draft.text) {
    rmSync(path, { force: true })
    return error
  }
  writePrivately(path, text)
  if (!(error instanceof Problem)) return error
  const { hint } = error.details
  const kept = `Your text is kept in "${path}". ${draft.goOn(path)}`
  return new Problem(error.code, error.message, {
    ...error.details,
    hint: hint ? `${hint}. ${kept}` : kept,
    cause: error,
  })
}

function read(path: string): string {
  try {
    regularStatus(path)
    return readFileSync(path, 'utf8')
  } catch (error) {
    throw fileProblem('read', path, error)
  }
}
