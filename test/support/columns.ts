/** Columns of problems in account files: checked against the text, and left out of the rows of tests that are about others. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const position = /^(?<file>[^\s:]+):(?<line>\d+):(?<column>\d+)(?=:|$)/

/** Returns `a.yaml:3` for `a.yaml:3:5`. */
export const withoutColumn = (problem: string) => problem.replace(position, '$1:$2')

/** Returns a problem without its column. Throws if there is no key or item of its field at the column. */
export function withCheckedColumn(problem: string, folder: string): string {
  const { file, line, column } = position.exec(problem)?.groups ?? {}
  const [, field] = /^\S+ ([^\s:]+): /.exec(problem) ?? []
  if (file === undefined || field === undefined || !existsSync(join(folder, file))) return withoutColumn(problem)
  const text =
    readFileSync(join(folder, file), 'utf8')
      .replace(/^\ufeff/, '')
      .split('\n')[Number(line) - 1] ?? ''
  const rest = text.slice(Number(column) - 1)
  const steps = field.match(/[^.[\]]+/g) ?? []
  const isKey = steps.some((step) => [step, `"${step}"`, `'${step}'`].some((key) => rest.startsWith(key)))
  const isItem = /\[\d+\]/.test(field) && /^[^\s,\]}-]/.test(rest) && /[-[,] *$/.test(text.slice(0, Number(column) - 1))
  if (!isKey && !isItem) throw new Error(`column ${column} of "${text}" has no key or item of ${field}`)
  return withoutColumn(problem)
}
