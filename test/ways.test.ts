/** Limits for the source that a command loads; `bench/ways.mjs` has the goals, and counts functions, too. */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

interface Way {
  name: string
  exit: number
  files: number
  lines: number
}

/** The most files and lines that a command may load. Lower them whenever less is needed. */
const most: Record<string, { files: number; lines: number }> = {
  'volumes --help': { files: 31, lines: 2670 },
  'volumes list --json': { files: 68, lines: 6855 },
  'volumes list --filter': { files: 79, lines: 7955 },
  'volumes create --wait': { files: 112, lines: 11_025 },
  'firewalls rules add': { files: 154, lines: 15_385 },
  'apply of three objects': { files: 254, lines: 25_300 },
}

test('a command line loads no more of the source than it did', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, ['bench/ways.mjs', '--json'])
  const ways: Way[] = JSON.parse(stdout)
  expect(ways.map(({ name }) => name)).toEqual(Object.keys(most))
  const longer = ways.filter(({ name, exit, files, lines }) => {
    const limit = most[name]
    return exit !== 0 || !limit || files > limit.files || lines > limit.lines
  })
  expect(longer).toEqual([])
})
