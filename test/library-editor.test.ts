/** skyctl as a library for those who write with it: what an editor offers, and what a failure prints. */
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import type { AccountMethod } from '../src/account/method'
import { isMethod, methods } from '../src/account/methods'
import { completions, cursor } from './support/editor'
import { test as base } from './support/process'

const root = join(import.meta.dirname, '..')

const test = base.extend<{ project: string }>({
  project: async ({ home }, use) => {
    const folder = join(home, 'project')
    mkdirSync(join(folder, 'node_modules'), { recursive: true })
    symlinkSync(root, join(folder, 'node_modules/skyctl'))
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
    await use(folder)
  },
})

interface NamedMethod {
  /** Path below the account: `volumes.create`. */
  path: string
  method: AccountMethod
}

const methodsIn = (group: object, above = ''): NamedMethod[] =>
  Object.entries(group).flatMap(([name, one]) =>
    isMethod(one) ? [{ path: `${above}${name}`, method: one }] : methodsIn(one, `${above}${name}.`),
  )

/** Returns a call with the cursor in its options. */
const callOf = ({ path, method: { named, hasBody } }: NamedMethod) =>
  `account.${path}(${[...named.map(() => '1'), ...(hasBody ? ['{}'] : []), `{ ${cursor} }`].join(', ')})`

const opened = "import { openAccount } from 'skyctl'\nconst account = openAccount()\n"

describe('an editor', () => {
  test('offers the options of every change, with what each does', async ({ project }) => {
    const changes = methodsIn(methods).filter(({ method }) => method.options.length > 0)
    expect(changes.length).toBeGreaterThan(15)
    const offered = await completions(`${opened}${changes.map(callOf).join('\n')}\n`, project)
    for (const [index, { path, method }] of changes.entries()) {
      const options = (offered[index] ?? []).map(({ label, documentation }) => ({
        name: label.replace('?', ''),
        isExplained: (documentation ?? '').length > 20,
      }))
      const expected = method.options.map((name) => ({ name, isExplained: true }))
      expect({ path, options }).toEqual({ path, options: expect.arrayContaining(expected) })
      expect({ path, count: options.length }).toEqual({ path, count: expected.length })
    }
  })

  test('offers the fields of bodies, filters and records, with what each is', async ({ project }) => {
    const program = `${opened}
      await account.firewalls.rules.update('web', { ${cursor} })
      for await (const volume of account.volumes.list({ filter: { ${cursor} } })) console.log(volume.${cursor});
      openAccount({ ${cursor} })`
    const [rules = [], filter = [], volume = [], options = []] = await completions(program, project)
    const named = (name: string) => expect.objectContaining({ label: expect.stringMatching(`^${name}\\??$`) })
    expect(rules).toEqual(['inbound', 'inbound_policy', 'outbound', 'outbound_policy'].map(named))
    for (const name of ['region', 'size', 'compute_id']) {
      expect(filter).toContainEqual(named(name))
      expect(volume).toContainEqual(named(name))
    }
    expect(options).toContainEqual(named('onWarning'))
    const unexplained = [...rules, ...filter, ...volume, ...options].filter(({ documentation = '' }) => !documentation)
    expect(unexplained).toEqual([])
  })
})

test('an uncaught problem fills no page: its message, the trace of the program, and one line of source', async ({
  project,
  startProgram,
  world,
}) => {
  const text = `${opened}await account.volumes.view('nope')\n`
  writeFileSync(join(project, 'program.mjs'), text)
  const program = [process.execPath, '--preserve-symlinks', 'program.mjs']
  const { exit, stderr } = await startProgram(program, { cwd: project, stdin: '' }).end
  expect(world.requests().length).toBeGreaterThan(0)
  expect(exit).toBe(1)
  expect(stderr).toContain('Problem: volume "nope" not found\n')
  expect(stderr).toContain('program.mjs:3')
  expect(stderr.split('\n').length).toBeLessThan(25)
  expect(stderr.length).toBeLessThan(2500)
})
