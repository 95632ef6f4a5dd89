/** For tests of accounts as files: files below the home, and what is wrong with them. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test as base } from './skyctl'

/** An exported file without the comments at its top. */
export const withoutHeader = (text: string) => text.replace(/^(#.*\n)+\n/, '')

interface Files {
  /** Writes a file below the home, and gives its path. */
  file(name: string, text: string): string
  /** What a run found wrong, a line each: without the folder of the test and without the summary. */
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
      return text.trimEnd().split('\n').slice(0, -1)
    }),
})
