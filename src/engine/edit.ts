/** `edit`: a text is changed in a person's editor, and is never lost. */
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Context } from '../context'
import { Problem } from '../errors'
import { fileProblem } from '../files/problem'
import { randomMark } from '../files/temporary'
import { writePrivately } from '../files/write'
import { openStateFolder } from './state-folder'

export interface Draft {
  /** Such as `firewall-2001.yaml`: the ending tells an editor what it is. */
  name: string
  text: string
  /** The command that takes up a kept text. */
  takeUp(path: string): string
}

/**
 * Opens a text in the editor and hands on what came back. The file lies in the state folder and is removed when all
 * has gone well; where anything fails, it stays, and the problem names it.
 */
export async function editDraft(
  { name, text, takeUp }: Draft,
  context: Context,
  use: (text: string, path: string) => Promise<void>,
): Promise<void> {
  const path = await writeDraft(name, text, context)
  try {
    await context.openEditor(path)
    await use(read(path), path)
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    const kept = `Your text is kept: ${takeUp(path)}`
    const { hint } = error.details
    throw new Problem(error.code, error.message, {
      ...error.details,
      hint: hint ? `${hint}. ${kept}` : kept,
      cause: error,
    })
  }
  rmSync(path, { force: true })
}

async function writeDraft(name: string, text: string, context: Context): Promise<string> {
  const path = join(await openStateFolder('drafts', context), `${randomMark()}-${name}`)
  writePrivately(path, text)
  return path
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    throw fileProblem('read', path, error)
  }
}
