/** Questions before destructive changes. */
import { describe, expect, test } from 'vitest'
import { askAbout } from '../../src/engine/ask-about'
import { confirm } from '../../src/engine/confirm'
import type { Session } from '../../src/engine/session'
import { Problem } from '../../src/errors'
import { samples } from '../support/samples'
import { test as lines } from '../support/skyctl'

function sessionOf({ interactive = true, yes = false, answer = true } = {}) {
  const questions: unknown[] = []
  const ask = async (options: unknown) => ({
    async confirm(text: string) {
      questions.push([text, options])
      return answer
    },
  })
  const output: string[] = []
  const print = async (text: string) => void output.push(text)
  return { questions, output, session: { ui: { interactive, yes, ask, print } } as unknown as Session }
}

describe('A question', () => {
  test('is asked on a terminal', async () => {
    const { questions, session } = sessionOf()
    await confirm('Delete it', session)
    await confirm('Forget it', session, { local: true })
    expect(questions).toEqual([
      ['Delete it?', { local: false }],
      ['Forget it?', { local: true }],
    ])
  })

  test('is answered by --yes', async () => {
    const { questions, session } = sessionOf({ yes: true, interactive: false })
    await confirm('Delete it', session)
    expect(questions).toEqual([])
  })

  test('without a terminal is a usage error, and the answer "no" a refusal', async () => {
    await expect(confirm('Delete it', sessionOf({ interactive: false }).session)).rejects.toMatchObject({
      code: 'usage',
      message: 'Delete it? This must be confirmed, and there is no terminal for questions',
      details: { hint: 'Add --yes' },
    })
    await expect(confirm('Delete it', sessionOf({ answer: false }).session)).rejects.toMatchObject({
      code: 'refused',
      message: 'not confirmed; nothing was done',
    })
  })
})

describe('A question about several targets', () => {
  const absent = new Problem('not_found', 'x')
  type Preparation = 'needed' | 'noop' | Error

  async function askAboutTargets(
    preparations: Record<string, Preparation>,
    options: Parameters<typeof sessionOf>[0] = {},
  ) {
    const { questions, output, session } = sessionOf(options)
    const targets = Object.keys(preparations).map((input) => ({ input }))
    const prepared: string[] = []
    const question = {
      text: ({ names, targets }: { names: string; targets: readonly unknown[] }) =>
        `Delete ${names} of ${targets.length}`,
      plural: 'volumes',
      nameOf: async ({ input }: { input: string }) => `volume ${input}`,
    }
    const prepare = async ({ input }: { input: string }) => {
      prepared.push(input)
      const preparation = preparations[input]
      if (preparation instanceof Error) throw preparation
      const noop = { answer: {}, outcome: { kind: 'already' } } as const
      return preparation === 'noop' ? { noop } : {}
    }
    const result = await askAbout(question, { verb: 'delete', targets, prepare }, session).catch(
      (error: unknown) => error,
    )
    return { result, questions: questions.map((one) => (one as unknown[])[0]), prepared, output }
  }

  test('is asked once for all possible changes', async () => {
    const { result, questions } = await askAboutTargets({ a: 'needed', b: 'noop', c: 'needed' })
    expect(questions).toEqual(['Delete volume a, volume c of 2?'])
    expect(result).toEqual(new Map())
  })

  test('omits impossible changes, with their reasons', async () => {
    const { result, questions, output } = await askAboutTargets({ a: absent, b: 'needed' })
    expect(output).toEqual(['1 of 2 will not be deleted:\n  a: x'])
    expect(questions).toEqual(['Delete volume b of 1?'])
    expect([...(result as Map<object, Problem>)]).toEqual([[{ input: 'a' }, absent]])
  })

  test('is not asked if no change is possible or needed', async () => {
    expect((await askAboutTargets({ a: absent, b: 'noop' })).questions).toEqual([])
  })

  test('fails with the problem of a single target, or with an internal error', async () => {
    expect((await askAboutTargets({ a: absent })).result).toBe(absent)
    const defect = new TypeError('x')
    expect((await askAboutTargets({ a: 'needed', b: defect })).result).toBe(defect)
  })

  test.for<[targets: string, names: string, quoted: string]>([
    ['a b', 'a alone', '"a" alone'],
    ['a b c', 'a, c together', '"a", "c" together'],
  ])('names only the targets that it concerns: of %s, %s', async ([targets, names, quoted]) => {
    const question = {
      text: ({ names, several }: { names: string; several: boolean }) => `${names} ${several ? 'together' : 'alone'}`,
      nameOf: async ({ input }: { input: string }) => input,
      concerns: ({ input }: { input: string }) => input !== 'b',
      plural: 'volumes',
    }
    const plan = { verb: 'delete', targets: targets.split(' ').map((input) => ({ input })), prepare: async () => ({}) }
    const { questions, session } = sessionOf()
    await askAbout(question, plan, session)
    expect(questions.map((one) => (one as unknown[])[0])).toEqual([`${names}?`])
    const confirmation = askAbout(question, plan, sessionOf({ interactive: false }).session)
    await expect(confirmation).rejects.toThrow(`${quoted}? This must be confirmed`)
  })

  test('quotes labels, but not ids and descriptions', async () => {
    const question = { text: ({ names }: { names: string }) => names, nameOf: async () => '', plural: 'volumes' }
    const targets = ['3001', 'data', 'change 2 (volume "data")'].map((input) => ({ input }))
    const plan = { verb: 'delete', targets, prepare: async () => ({}) }
    const confirmation = askAbout(question, plan, sessionOf({ interactive: false }).session)
    await expect(confirmation).rejects.toThrow('3001, "data", change 2 (volume "data")? This must be confirmed')
  })

  test('sends no request without a terminal', async () => {
    const { result, prepared } = await askAboutTargets({ a: 'needed', b: 'needed' }, { interactive: false })
    expect(result).toMatchObject({ code: 'usage', message: expect.stringMatching(/^Delete "a", "b" of 0\? /) })
    expect(prepared).toEqual([])
  })
})

describe('Without a terminal, every command with a question', () => {
  const commands = [
    ...Object.entries(samples),
    ['ips share', { line: '--none --compute-id 1001 --yes' }] as const,
  ].filter(([, { line }]) => line.split(' ').includes('--yes'))

  lines.for(commands.map(([path]) => path))(
    'reports the consequence in a separate sentence, and names --yes: %s',
    async (path, { skyctl, sandbox, world, env, home, clock }) => {
      const { line = '', stdin = '', arrange } = { ...samples[path], ...Object.fromEntries(commands)[path] }
      await arrange?.({ skyctl, sandbox, world, env, home, clock })
      const { exit, stderr } = await skyctl(`${path} ${line.replace('--yes', '')}`, { stdin })
      expect({ exit, stderr }).toEqual({
        exit: 2,
        stderr: expect.stringMatching(
          /^skyctl: [A-Z][^.]+([.]\d+)*[.] ([A-Z].*\? This must be confirmed, and there is no terminal for questions[.] .*|Add )--yes/m,
        ),
      })
    },
  )
})
