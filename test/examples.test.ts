/** Every example of a page runs as it is printed, in a fresh home, on the sandbox as it comes. */
import { describe, expect } from 'vitest'
import { parse as parseYaml } from 'yaml'
import { enter, step, walk } from './flows/steps'
import { type Arrangement, arrangementOf, unused } from './support/arrangements'
import { readExamples } from './support/documented'
import { test as base } from './support/example-world'
import type { Ended } from './support/process'
import { isInstalled, needs } from './support/shells'

interface Fixtures {
  /** What is wrong with an example. */
  faultsOf(line: string): Promise<string[]>
}

const test = base.extend<Fixtures>({
  faultsOf: async ({ fresh, shellHere, shellTerminal, start, sandbox }, use) => {
    const asked = async (line: string, { before = '', answers }: Arrangement) => {
      const terminal = shellTerminal(scriptOf(line, { before }), { ...fresh(), columns: 300, rows: 60 })
      await walk(terminal, answers?.(terminal, sandbox) ?? [step('(y/N)', `y${enter}`)])
      const { exit, screen } = await terminal.end
      return faultsIn({ exit, stderr: screen.join('\n') }, 0)
    }
    const served = async (line: string, arrangement: Arrangement): Promise<string[]> => {
      const { cwd, env } = fresh()
      await shellHere(arrangement.before ?? ':', { cwd, env })
      const { until, kill, end } = start(line.replace(/^skyctl /, ''), { cwd, env })
      const shown = await until('SKYCTL_TOKEN').catch((error: Error) => error.message)
      // Another run of this test may have it.
      if (shown.includes('the port is in use')) return served(line, arrangement)
      kill('SIGINT')
      return [...faultsIn(await end, 0), ...(shown.includes('SKYCTL_BASE_URL=http://127.0.0.1:') ? [] : [shown])]
    }
    await use(async (line) => {
      const arrangement = arrangementOf(line)
      if (line.startsWith('skyctl sandbox start')) return served(line, arrangement)
      if (arrangement.answers) return asked(line, arrangement)
      // Only a process takes other certificates.
      const place = fresh(line.includes('https:') ? 'started' : undefined)
      const ended = await shellHere(scriptOf(line, arrangement), place)
      const asks = ended.exit === 2 && ended.stderr.includes('this must be confirmed, and there is no terminal')
      if (asks) return asked(line, arrangement)
      return [...faultsIn(ended, arrangement.exit ?? 0), ...formFaults(line, ended)]
    })
  },
})

/** One script of the shell: what stands before, the example, and what shows its outcome. */
function scriptOf(line: string, { before, after, shell }: Arrangement): string {
  const [, file] = / > ?("[^"]+"|\S+)/.exec(line) ?? []
  const steps = [...(before ? [`{ ${before}; } > /dev/null 2> before || { cat before; exit 99; }`] : []), line]
  steps.push('exit=$?', ...(file ? [`cat ${file}`] : []), ...(after ? [after] : []), 'exit $exit')
  const script = steps.join('\n')
  return shell ? `${shell} ${shell === 'zsh' ? '-f' : '--norc'} -c '${script.replaceAll("'", "'\\''")}'` : script
}

/** A reader must not be told that what the example names is not there, or that it does nothing. */
const misfit = /not found|no such|unknown|no \w+( that \w+ \w+ \w+)?$|nothing to do|^no changes$|already/im

function faultsIn({ exit, stderr }: Pick<Ended, 'exit' | 'stderr'>, expected: number): string[] {
  const [said] = misfit.exec(stderr) ?? []
  if (exit === expected && said === undefined) return []
  return [`ends with ${exit}: ${stderr}`]
}

const readers: readonly (readonly [RegExp, (text: string) => unknown])[] = [
  [/ --json|\bapi /, JSON.parse],
  [/ -o yaml/, (text) => parseYaml(text)],
  [/ -o csv/, readCells],
]

/** RFC 4180, section 2: each line has as many fields as any other. */
function readCells(text: string): void {
  const lines = text
    .trim()
    .replaceAll(/"(""|[^"])*"/g, '')
    .split('\n')
  const counts = new Set(lines.map((line) => line.split(',').length))
  if (lines.length < 2 || counts.size > 1) throw new Error(`lines with ${[...counts]} fields`)
}

/** Something is said, be it a sentence on what was done, and what was printed is of the format that was asked for. */
function formFaults(line: string, { stdout, stderr }: Ended): string[] {
  const [, read] = readers.find(([asked]) => asked.test(line)) ?? []
  if (`${stdout}${stderr}`.trim() === '') return ['prints nothing']
  try {
    read?.(stdout)
    return []
  } catch (error) {
    return [`prints what cannot be read, ${error}: ${stdout}`]
  }
}

const examples = await readExamples()
/** A line that several pages have is tried for the first of them. */
const different = [...new Map(examples.toReversed().map((example) => [example.line, example])).values()].toReversed()
const runnable = different.filter(({ line }) => {
  const { shell } = arrangementOf(line)
  return shell === undefined || isInstalled(shell)
})

describe('the examples', () => {
  test.for([...new Set(runnable.map(({ page }) => page))])(
    'of %s run as printed',
    { timeout: 120_000 },
    async (page, { faultsOf }) => {
      const faults: Record<string, string[]> = {}
      const lines = runnable.filter((example) => example.page === page).map(({ line }) => line)
      for (const line of lines) {
        const found = await faultsOf(line).catch((error: Error) => [error.message])
        if (found.length > 0) faults[line] = found
      }
      expect(faults).toEqual({})
    },
  )

  test.for(['bash', 'zsh'])('for %s are among them', (shell, { skip }) => {
    needs(shell, { skip })
    expect(runnable.filter(({ line }) => arrangementOf(line).shell === shell)).not.toEqual([])
  })

  test('are all that the arrangements are for', () => {
    expect(unused(examples.map(({ line }) => line))).toEqual([])
  })
})
