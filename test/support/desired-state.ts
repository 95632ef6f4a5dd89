/** Files of an account as texts, read without a service. */
import { expect } from 'vitest'
import { Problem } from '../../src/errors'
import { readDesiredState } from '../../src/state/desired-state'
import type { SourceFile } from '../../src/state/included-files'

export type Files = Readonly<Record<string, string>>

/** A file beside others, which it may name. */
export const source = (name: string, files: Files): SourceFile => ({
  name,
  text: files[name] ?? '',
  read(path) {
    if (path in files) return Promise.resolve(source(path, files))
    return Promise.reject(new Problem('local', `cannot read "${path}"`))
  },
})

export const read = (files: Files, names = Object.keys(files), usual = {}) =>
  readDesiredState(
    names.map((name) => source(name, files)),
    usual,
  )

/** What is wrong, a line each, and the cause of all of it. */
export async function wrong(files: Files, names?: readonly string[]): Promise<{ code: string; problems: string[] }> {
  try {
    await read(files, names && [...names])
    return { code: '', problems: [] }
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    const { failures = [] } = error.details
    const count = failures.length === 1 ? '1 problem' : `${failures.length} problems`
    expect(error.message).toBe(`${count}; nothing was sent`)
    return { code: error.code, problems: failures.map(({ target, problem }) => `${target}: ${problem.message}`) }
  }
}
