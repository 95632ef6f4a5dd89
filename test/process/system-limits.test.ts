/** Limits that the system sets for a process (`ulimit`): address space and open files. */
import { describe, expect } from 'vitest'
import { test } from '../support/process'
import { isOfBun } from '../support/program'

const nodeMajor = Number(process.versions.node.split('.')[0])

describe.skipIf(process.platform !== 'linux' || isOfBun)('With 4 GB of address space', () => {
  const limited = (line: string) => `ulimit -v 4000000; ${line}`

  // Node 24 reserves less if it must.
  test.skipIf(nodeMajor >= 24)(
    'a request names the limit and what helps, and is not sent',
    async ({ shell, world }) => {
      const { exit, stdout, stderr } = await shell(limited('skyctl volumes create --label x --region us-east'))
      expect({ exit, stdout, stderr, sent: world.requests() }).toEqual({
        exit: 12,
        stdout: '',
        stderr:
          'skyctl: this process may not reserve the 10 GB of address space that reading HTTP answers takes. ' +
          'Raise the limit with ulimit -v unlimited, or set NODE_OPTIONS=--disable-wasm-trap-handler\n',
        sent: [],
      })
      const list = await shell(limited('skyctl volumes list --json'))
      expect(list.exit).toBe(12)
      expect(JSON.parse(list.stderr)).toMatchObject({ error: { code: 'local', retryable: false } })
    },
  )

  test.skipIf(nodeMajor >= 24)('doctor names the limit', async ({ shell }) => {
    expect((await shell(limited('skyctl doctor'))).stdout).toContain('address space')
  })

  test.for(['volumes list --quiet', 'volumes create --label x --region us-east'])(
    'works if Node reserves no more than it uses: %s',
    async (line, { shell }) => {
      const options = { env: { NODE_OPTIONS: '--disable-wasm-trap-handler' } }
      expect(await shell(limited(`skyctl ${line}`), options)).toMatchObject({ exit: 0 })
    },
  )
})

describe.skipIf(process.platform === 'win32' || isOfBun)('With few open files', () => {
  // Node 20 itself needs 18, and Node 22 and later need 21.
  const least = Number(process.versions.node.split('.')[0]) < 22 ? 19 : 22
  /** Limits that are even or odd numbers above the least: two commands have all of them. */
  const limits = { even: [0, 2, 4, 6].map((more) => least + more), odd: [1, 3, 5, 7].map((more) => least + more) }
  const help = 'Raise the limit, for example with ulimit -n 1024'

  test.for([
    ['volumes list --quiet', 'even'],
    ['volumes create --label few-LIMIT --region us-east', 'odd'],
    ['volumes update 3002 --tag few', 'even'],
    ['history list', 'odd'],
  ] as const)('a command works or names the limit: %s', { timeout: 60_000 }, async ([line, some], { shell }) => {
    for (const limit of limits[some]) {
      const { exit, stderr } = await shell(`ulimit -n ${limit}; skyctl ${line.replace('LIMIT', String(limit))}`)
      const isNamed = stderr.includes('too many open files') && stderr.includes(help)
      expect({ limit, exit, stderr, isNamed }).toEqual({ limit, exit: isNamed ? 12 : 0, stderr, isNamed })
    }
  })

  test.for([
    ['volumes list --quiet', 'odd'],
    ['volumes create --label few-LIMIT --region us-east --quiet', 'even'],
    ['volumes update data-1 --tag few --quiet', 'odd'],
  ] as const)(
    'a command on the context "sandbox" works or names the limit: %s',
    { timeout: 60_000 },
    async ([line, some], { shell }) => {
      const onSandbox = 'unset SKYCTL_BASE_URL SKYCTL_TOKEN; skyctl --context sandbox'
      expect(await shell(`${onSandbox} volumes list --quiet`)).toMatchObject({ exit: 0 })
      const limited = async (limit: number) => {
        const { exit, stderr } = await shell(`ulimit -n ${limit}; ${onSandbox} ${line.replace('LIMIT', String(limit))}`)
        return { limit, exit, stderr }
      }
      const results = []
      for (const limit of limits[some]) results.push(await limited(limit))
      const named = results.filter(({ stderr }) => stderr.includes('too many open files'))
      // A request that was sent may have had an effect.
      const exitOf = (stderr: string) => (stderr.includes('was sent, but its answer was lost') ? 11 : 12)
      const expected = results.map((one) => ({ ...one, exit: named.includes(one) ? exitOf(one.stderr) : 0 }))
      expect(results).toEqual(expected)
      expect(named.length).toBeGreaterThan(0)
    },
  )
})
