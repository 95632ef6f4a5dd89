/** Every example of a page runs as printed, in a new home, on the unchanged sandbox. */
import { describe, expect } from 'vitest'
import { parse as parseYaml } from 'yaml'
import { enter, step, walk } from './flows/steps'
import { type ExampleSetup, setupOf, unusedSetups } from './support/example-setups'
import { test as base } from './support/example-world'
import { readExamples } from './support/page-examples'
import type { ProcessResult } from './support/process'
import { isInstalled, needs } from './support/shells'

interface Fixtures {
  /** Returns problems of an example. */
  faultsOf(line: string): Promise<string[]>
}

const test = base.extend<Fixtures>({
  faultsOf: async ({ fresh, runShell, shellTerminal, start, sandbox }, use) => {
    const runWithAnswers = async (line: string, { before = '', answers }: ExampleSetup) => {
      const terminal = shellTerminal(scriptOf(line, { before }), { ...fresh(), columns: 300, rows: 60 })
      await walk(terminal, answers?.(terminal, sandbox) ?? [step('(y/N)', `y${enter}`)])
      const { exit, screen } = await terminal.end
      return faultsIn({ exit, stderr: screen.join('\n') }, 0)
    }
    const runServer = async (line: string, arrangement: ExampleSetup): Promise<string[]> => {
      const { cwd, env } = fresh()
      await runShell(arrangement.before ?? ':', { cwd, env })
      const { until, kill, end } = start(line.replace(/^skyctl /, ''), { cwd, env })
      const output = await until('SKYCTL_TOKEN').catch((error: Error) => error.message)
      // Another run of this test may use the port.
      if (output.includes('the port is in use')) return runServer(line, arrangement)
      kill('SIGINT')
      return [...faultsIn(await end, 0), ...(output.includes('SKYCTL_BASE_URL=http://127.0.0.1:') ? [] : [output])]
    }
    await use(async (line) => {
      const arrangement = setupOf(line)
      if (line.startsWith('skyctl sandbox start')) return runServer(line, arrangement)
      if (arrangement.answers) return runWithAnswers(line, arrangement)
      // Only a process can use other certificates.
      const place = fresh(line.includes('https:') ? 'started' : undefined)
      const result = await runShell(scriptOf(line, arrangement), place)
      const asks = result.exit === 2 && /This must be confirmed|to apply it without a terminal/.test(result.stderr)
      if (asks) return runWithAnswers(line, arrangement)
      return [...faultsIn(result, arrangement.exit ?? 0), ...formFaults(line, result)]
    })
  },
})

/** Returns a shell script: preparation, example, and output of the result. */
function scriptOf(line: string, { before, after, shell }: ExampleSetup): string {
  const [, file] = / > ?("[^"]+"|\S+)/.exec(line) ?? []
  const steps = [...(before ? [`{ ${before}; } > /dev/null 2> before || { cat before; exit 99; }`] : []), line]
  steps.push('exit=$?', ...(file ? [`cat ${file}`] : []), ...(after ? [after] : []), 'exit $exit')
  const script = steps.join('\n')
  return shell ? `${shell} ${shell === 'zsh' ? '-f' : '--norc'} -c '${script.replaceAll("'", "'\\''")}'` : script
}

/** Matches messages about a missing object or a change without effect, which no example may print. */
const forbidden = /not found|no such|unknown|no \w+( that \w+ \w+ \w+)?$|nothing to do|^no changes$|already/im

function faultsIn({ exit, stderr }: Pick<ProcessResult, 'exit' | 'stderr'>, expected: number): string[] {
  const [match] = forbidden.exec(stderr) ?? []
  if (exit === expected && match === undefined) return []
  return [`exit code ${exit}: ${stderr}`]
}

const readers: readonly (readonly [RegExp, (text: string) => unknown])[] = [
  [/ --json|\bapi /, JSON.parse],
  [/ -o yaml/, (text) => parseYaml(text)],
  [/ -o csv/, readCells],
]

/** Requires the same number of fields in each line (RFC 4180, section 2). */
function readCells(text: string): void {
  const lines = text
    .trim()
    .replaceAll(/"(""|[^"])*"/g, '')
    .split('\n')
  const counts = new Set(lines.map((line) => line.split(',').length))
  if (lines.length < 2 || counts.size > 1) throw new Error(`lines with ${[...counts]} fields`)
}

/** Returns a problem if an example prints nothing, or text in another format than requested. */
function formFaults(line: string, { stdout, stderr }: ProcessResult): string[] {
  const [, read] = readers.find(([flag]) => flag.test(line)) ?? []
  if (`${stdout}${stderr}`.trim() === '') return ['prints nothing']
  try {
    read?.(stdout)
    return []
  } catch (error) {
    return [`prints what cannot be read, ${error}: ${stdout}`]
  }
}

const examples = await readExamples()
/** A line of several pages is tried for the first of them. */
const uniqueExamples = [
  ...new Map(examples.toReversed().map((example) => [example.line, example])).values(),
].toReversed()
const runnable = uniqueExamples.filter(({ line }) => {
  const { shell } = setupOf(line)
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
        const problems = await faultsOf(line).catch((error: Error) => [error.message])
        if (problems.length > 0) faults[line] = problems
      }
      expect(faults).toEqual({})
    },
  )

  test.for(['bash', 'zsh'])('include examples for %s', (shell, { skip }) => {
    needs(shell, { skip })
    expect(runnable.filter(({ line }) => setupOf(line).shell === shell)).not.toEqual([])
  })

  test('use every arrangement', () => {
    expect(unusedSetups(examples.map(({ line }) => line))).toEqual([])
  })
})
