/** Reads account files from texts, without a service. */
import { expect } from 'vitest'
import { readDesiredState } from '../../src/account-file/desired-state'
import type { SourceFile } from '../../src/account-file/included-files'
import { Problem } from '../../src/errors'
import { withoutColumn } from './columns'

export type Files = Readonly<Record<string, string>>

/** Returns a file among others, which it may include. */
export const source = (name: string, files: Files): SourceFile => ({
  name,
  text: files[name] ?? '',
  read(path) {
    if (path in files) return Promise.resolve(source(path, files))
    return Promise.reject(new Problem('local', `cannot read "${path}"`))
  },
})

export const read = (files: Files, names = Object.keys(files), defaults = {}) =>
  readDesiredState(
    names.map((name) => source(name, files)),
    defaults,
  )

/** Returns the problems, one per line, and their common cause. */
export async function problemsIn(
  files: Files,
  names?: readonly string[],
): Promise<{ code: string; problems: string[] }> {
  try {
    await read(files, names && [...names])
    return { code: '', problems: [] }
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    const { failures = [] } = error.details
    const count = failures.length === 1 ? '1 problem' : `${failures.length} problems`
    expect(error.message).toBe(`${count}; nothing was sent`)
    return {
      code: error.code,
      problems: failures.map(({ target, problem }) => withoutColumn(`${target}: ${problem.message}`)),
    }
  }
}
