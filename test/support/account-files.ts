/** Fixtures for tests of account files: write files below the home, and read the problems that skyctl prints. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { withCheckedColumn } from './columns'
import { test as base } from './skyctl'

/** An exported file without the comments at its top. */
export const withoutHeader = (text: string) => text.replace(/^(#.*\n)+\n/, '')

interface Files {
  /** Writes a file below the home and returns its path. */
  file(name: string, text: string): string
  /**
   * Returns the problems that a run printed, one per line, without the test's folder and without the summary; their columns
   * are checked and left out.
   */
  problems(stderr: string): string[]
}

export const test = base.extend<Files>({
  file: async ({ home }, use) =>
    use((name, text) => {
      const path = join(home, name)
      mkdirSync(dirname(path), { recursive: true })
      writeFileSync(path, text)
      return path
    }),
  problems: async ({ home }, use) =>
    use((stderr) => {
      const text = stderr.replaceAll(`${home}/`, '').replaceAll('skyctl: ', '')
      const problems = text.trimEnd().split('\n').slice(0, -1)
      return problems.map((problem) => withCheckedColumn(problem, home))
    }),
})
