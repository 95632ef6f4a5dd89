/**
 * Implements `edit`: opens a text in the user's editor, and never loses it. An invalid text is opened again with each
 * error above its line, as kubectl and visudo do.
 */
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { openStateFolder } from '../account/state-subfolders'
import { sourcePositions } from '../data/yaml'
import { Problem } from '../errors'
import { attempt } from '../files/file-problem'
import { regularStatus } from '../files/named-file'
import { randomMark } from '../files/temporary'
import { writePrivately } from '../files/write'
import { escapeText } from '../rules/escape'
import type { Session } from './session'

interface Draft<T> {
  /** Name such as `firewall-2001.yaml`: editors recognise the extension. Lines that begin with # are comments in it. */
  name: string
  text: string
  /** True in a dry run: nothing is sent, so the text is kept. */
  dry: boolean
  /** Commands that change the same without an editor. */
  instead: string
  /** Returns the next step for a kept text: a sentence without its full stop. */
  goOn(path: string): string
  /** Parses the text; throws `usage` for errors in it. */
  read(text: string): Promise<T>
  /** Applies the parsed text; may throw an `Objection`. */
  use(value: T): Promise<void>
}

/** A conflict that the user must decide before their text is used; deleting the notes counts as a decision. */
export class Objection extends Error {
  constructor(
    /** Thrown if the user does not decide. */
    readonly problem: Problem,
    readonly notes: readonly Note[],
  ) {
    super(problem.message)
    this.name = 'Objection'
  }
}

/** Reason why a text from the editor was not used. */
interface Refused {
  problem: Problem
  notes: readonly Note[]
  /** True if deleting the notes counts as a change, even with the same text. */
  decidable: boolean
}

/** Limit for a script in place of an editor, which may change the text forever without fixing it. */
const mostOpenings = 5

/**
 * Opens a text in the editor and uses the result. The file is in the state folder. It is removed after success, or if
 * nothing was written; otherwise it is kept, and the problem names it.
 */
export async function editDraft<T>(draft: Draft<T>, session: Session): Promise<void> {
  const path = join(await openStateFolder('drafts', session.account), `${randomMark()}-${draft.name}`)
  let text = draft.text
  let refused: Refused | undefined
  try {
    for (let opened = 1; ; opened += 1) {
      const shown = withNotes(text, refused?.notes ?? [])
      writePrivately(path, shown)
      const left = await editorOf(path, draft, session).finally(() => {
        text = written(path, refused) || text
      })
      if (left.trim() === '') throw refused?.problem ?? new Problem('usage', 'the text is empty; nothing was sent')
      if (refused && isSame({ shown, left }, refused)) throw refused.problem
      refused = await useText(draft, text)
      if (!refused) break
      if (!session.ui.interactive && opened === mostOpenings) throw refused.problem
    }
  } catch (error) {
    throw keep(error, { draft, text, path })
  }
  if (!draft.dry || text === draft.text) return rmSync(path, { force: true })
  await session.ui.status(`Your text is kept in "${path}"`)
}

/** Returns the text that the editor has saved. */
async function editorOf<T>(path: string, { instead }: Draft<T>, session: Session): Promise<string> {
  try {
    const [{ openEditor }, { run, platform }] = await Promise.all([import('../platform/editor'), session.host()])
    await openEditor(path, { run, platform, instead, env: session.env, interactive: session.ui.interactive })
  } catch (error) {
    // Ctrl-C ends the editor, too; that is not an error of the editor.
    session.signal.throwIfAborted()
    throw error
  }
  return read(path)
}

/** Returns the text in the file; an empty string if the user has emptied or removed it. */
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

/** Uses the text; resolves to the reason if it was not used, and to undefined after success. */
async function useText<T>({ read, use }: Draft<T>, text: string): Promise<Refused | undefined> {
  let isRead = false
  try {
    const value = await read(text)
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

/** Reports whether a problem is about fields, from skyctl's validation or the service's. */
function isAboutFields({ code, details: { errors = [], status } }: Problem): boolean {
  return errors.length > 0 && (code === 'usage' || status === 400)
}

async function notesOf({ message, details: { errors = [] } }: Problem, text: string): Promise<Note[]> {
  const { lineOf } = await sourcePositions(text)
  const fieldErrors = errors.length > 0 ? errors : [{ field: null, reason: message }]
  return fieldErrors.map(({ field, reason }) => ({
    line: lineOf(field),
    // Notes move the lines, so line numbers would be wrong.
    text: withField(field, reason.replace(/ \((first on )?line \d+(, column \d+)?\)/, '')),
  }))
}

const withField = (field: string | null, reason: string) =>
  field === null || reason.startsWith(field) ? reason : `${field}: ${reason}`

/** Keeps a text that the user has changed, and adds its path to the problem; removes an unchanged one. */
function keep<T>(error: unknown, { draft, text, path }: { draft: Draft<T>; text: string; path: string }): unknown {
  if (text === draft.text) {
    rmSync(path, { force: true })
    return error
  }
  writePrivately(path, text)
  if (!(error instanceof Problem)) return error
  const { hint } = error.details
  const nextStep = `Your text is kept in "${path}". ${draft.goOn(path)}`
  return error.with({ hint: hint ? `${hint}. ${nextStep}` : nextStep })
}

function read(path: string): string {
  return attempt('read', path, () => {
    regularStatus(path)
    return readFileSync(path, 'utf8')
  })
}

export interface Note {
  /** Counted from 1, in the text without notes; a note without a line is at the top. */
  line?: number | undefined
  text: string
}

/** Begins with `#!`, as lines with `#` are the user's own comments. */
const shown = ({ text }: Note) => escapeText(`#! ${text}`)

/** Adds notes to a text that a person edits: errors, as comments above their lines. */
export function withNotes(text: string, notes: readonly Note[]): string {
  const lines = text.split('\n')
  const noted = lines.flatMap((line, index) => {
    const indent = line.slice(0, line.search(/[^ ]|$/))
    const above = notes.filter(({ line: at = 1 }) => at === index + 1)
    return [...above.map((note) => indent + shown(note)), line]
  })
  const below = notes.filter(({ line = 1 }) => line > lines.length)
  return [...noted, ...below.map(shown)].join('\n')
}

export function withoutNotes(text: string, notes: readonly Note[]): string {
  const ours = new Set(notes.map((note) => shown(note).trim()))
  return text
    .split('\n')
    .filter((line) => !ours.has(line.trim()))
    .join('\n')
}
