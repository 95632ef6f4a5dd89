/** Asking before something is destroyed: once, with everything that can be done. */
import { describe, expect, test } from 'vitest'
import { askAbout, confirm } from '../../src/engine/confirm'
import { Problem } from '../../src/errors'
import type { Session } from '../../src/session'
import { samples } from '../support/samples'
import { test as lines } from '../support/skyctl'

function sessionOf({ interactive = true, yes = false, says = true } = {}) {
  const asked: unknown[] = []
  const ask = async (options: unknown) => ({
    async confirm(text: string) {
      asked.push([text, options])
      return says
    },
  })
  const shown: string[] = []
  const print = async (text: string) => void shown.push(text)
  return { asked, shown, session: { ui: { interactive, yes, ask, print } } as unknown as Session }
}

describe('a question', () => {
  test('is asked on a terminal', async () => {
    const { asked, session } = sessionOf()
    await confirm('Delete it', session)
    await confirm('Forget it', session, { local: true })
    expect(asked).toEqual([
      ['Delete it?', { local: false }],
      ['Forget it?', { local: true }],
    ])
  })

  test('is answered by --yes', async () => {
    const { asked, session } = sessionOf({ yes: true, interactive: false })
    await confirm('Delete it', session)
    expect(asked).toEqual([])
  })

  test('that nobody can answer is a mistake, and that is answered with no, a refusal', async () => {
    await expect(confirm('Delete it', sessionOf({ interactive: false }).session)).rejects.toMatchObject({
      code: 'usage',
      message: 'Delete it: this must be confirmed, and there is no terminal for questions',
      details: { hint: 'Add --yes' },
    })
    await expect(confirm('Delete it', sessionOf({ says: false }).session)).rejects.toMatchObject({
      code: 'refused',
      message: 'not confirmed; nothing was done',
    })
  })
})

describe('of several targets', () => {
  const absent = new Problem('not_found', 'x')
  type Fate = 'found' | 'idle' | Error

  async function asking(fates: Record<string, Fate>, options: Parameters<typeof sessionOf>[0] = {}) {
    const { asked, shown, session } = sessionOf(options)
    const targets = Object.keys(fates).map((typed) => ({ typed }))
    const prepared: string[] = []
    const question = {
      text: ({ names, found }: { names: string; found: readonly unknown[] }) => `Delete ${names} of ${found.length}`,
      plural: 'volumes',
      nameOf: async ({ typed }: { typed: string }) => `volume ${typed}`,
    }
    const prepare = async ({ typed }: { typed: string }) => {
      prepared.push(typed)
      const fate = fates[typed]
      if (fate instanceof Error) throw fate
      return fate === 'idle' ? { noop: true as const } : {}
    }
    const result = await askAbout(question, { verb: 'delete', targets, prepare }, session).catch(
      (error: unknown) => error,
    )
    return { result, asked: asked.map((one) => (one as unknown[])[0]), prepared, shown }
  }

  test('all that can be done are asked about at once', async () => {
    const { result, asked } = await asking({ a: 'found', b: 'idle', c: 'found' })
    expect(asked).toEqual(['Delete volume a, volume c of 2?'])
    expect(result).toEqual(new Map())
  })

  test('those that cannot are left out, with why', async () => {
    const { result, asked, shown } = await asking({ a: absent, b: 'found' })
    expect(shown).toEqual(['1 of 2 will not be deleted:\n  a: x'])
    expect(asked).toEqual(['Delete volume b of 1?'])
    expect([...(result as Map<object, Problem>)]).toEqual([[{ typed: 'a' }, absent]])
  })

  test('nothing is asked where nothing can be done', async () => {
    expect((await asking({ a: absent, b: 'idle' })).asked).toEqual([])
  })

  test('a single one that cannot be done fails, and so does a defect of ours', async () => {
    expect((await asking({ a: absent })).result).toBe(absent)
    const defect = new TypeError('x')
    expect((await asking({ a: 'found', b: defect })).result).toBe(defect)
  })

  test.for<[targets: string, names: string, typed: string]>([
    ['a b', 'a alone', '"a" alone'],
    ['a b c', 'a, c together', '"a", "c" together'],
  ])('only those that the question concerns are named: of %s, %s', async ([targets, names, typed]) => {
    const question = {
      text: ({ names, several }: { names: string; several: boolean }) => `${names} ${several ? 'together' : 'alone'}`,
      nameOf: async ({ typed }: { typed: string }) => typed,
      concerns: ({ typed }: { typed: string }) => typed !== 'b',
      plural: 'volumes',
    }
    const plan = { verb: 'delete', targets: targets.split(' ').map((typed) => ({ typed })), prepare: async () => ({}) }
    const { asked, session } = sessionOf()
    await askAbout(question, plan, session)
    expect(asked.map((one) => (one as unknown[])[0])).toEqual([`${names}?`])
    const scripted = askAbout(question, plan, sessionOf({ interactive: false }).session)
    await expect(scripted).rejects.toThrow(`${typed}: this must be confirmed`)
  })

  test('ids and descriptions are not quoted where labels are', async () => {
    const question = { text: ({ names }: { names: string }) => names, nameOf: async () => '', plural: 'volumes' }
    const targets = ['3001', 'data', 'change 2 (volume "data")'].map((typed) => ({ typed }))
    const plan = { verb: 'delete', targets, prepare: async () => ({}) }
    const asked = askAbout(question, plan, sessionOf({ interactive: false }).session)
    await expect(asked).rejects.toThrow('3001, "data", change 2 (volume "data"): this must be confirmed')
  })

  test('nothing is looked up where nobody can be asked', async () => {
    const { result, prepared } = await asking({ a: 'found', b: 'found' }, { interactive: false })
    expect(result).toMatchObject({ code: 'usage', message: expect.stringMatching(/^Delete "a", "b" of 0: /) })
    expect(prepared).toEqual([])
  })
})

describe('off a terminal, every command that asks', () => {
  const asking = [
    ...Object.entries(samples),
    ['ips share', { line: '--none --compute-id 1001 --yes' }] as const,
  ].filter(([, { line }]) => line.split(' ').includes('--yes'))

  lines.for(asking.map(([path]) => path))(
    'states the consequence as a sentence of its own, and names --yes: %s',
    async (path, { skyctl, sandbox, world, env, home, clock }) => {
      const { line = '', stdin = '', arrange } = { ...samples[path], ...Object.fromEntries(asking)[path] }
      await arrange?.({ skyctl, sandbox, world, env, home, clock })
      const { exit, stderr } = await skyctl(`${path} ${line.replace('--yes', '')}`, { stdin })
      expect({ exit, stderr }).toEqual({
        exit: 2,
        stderr: expect.stringMatching(
          /^skyctl: [A-Z][^.]+([.]\d+)*[.] [A-Z].*: this must be confirmed, and there is no terminal for questions[.] .*--yes/m,
        ),
      })
    },
  )
})
