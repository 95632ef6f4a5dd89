/** Output of changes: for a person, for a script, with --quiet, and if only the wait failed (interface.md). */
import { describe, expect, test } from 'vitest'
import { printAnswer, printAnswers, printDone } from '../../src/engine/print-answers'
import { printOutcomes } from '../../src/engine/print-outcomes'
import type { TargetOutcome } from '../../src/engine/target-outcomes'
import { type ErrorCode, Problem } from '../../src/errors'
import type { FormatName } from '../../src/output/formats'

type Options = { format?: FormatName; quiet?: boolean }

function printing({ format = 'table', quiet = false }: Options = {}) {
  const parts: string[] = []
  const stdout = {
    isTTY: false,
    columns: 80,
    write: async (text: string | Uint8Array) => void parts.push(text.toString()),
  }
  const view = {
    format,
    ...(quiet && { quiet: 'id' }),
    columns: [{ path: 'id' }, { path: 'label' }],
    headers: true,
    raw: false,
    width: 0,
    color: false,
    clean: (text: string) => text,
    now: 0,
  }
  const context = { view, session: { ui: { stdout } } } as unknown as Parameters<typeof printAnswers>[1]
  return { context, printed: () => parts.join('') }
}

const web = { id: 1, label: 'web' }
const json = (text: string) => JSON.parse(text)
const late = (code: ErrorCode, answer: object | undefined = web) =>
  new Problem(code, 'it is late', answer ? { answer: { ...answer } } : {})

describe('An answer', () => {
  const one = async (answers: readonly (object | undefined)[], options?: Options, how = {}) => {
    const { context, printed } = printing(options)
    await printAnswers(answers as never, context, { several: false, rows: false, ...how })
    return printed()
  }

  test('is one field on each line for a person, or a row', async () => {
    expect(await one([web])).not.toContain('ID')
    expect(await one([web], {}, { rows: true })).toBe('ID  LABEL\n 1  web\n')
  })

  test('is an object for a script; several are a list', async () => {
    expect(json(await one([web], { format: 'json' }, { rows: true }))).toEqual(web)
    expect(json(await one([web], { format: 'json' }, { several: true }))).toEqual([web])
    expect(json(await one([undefined, web], { format: 'json' }))).toEqual(web)
  })

  test('is its id with --quiet', async () => {
    expect(await one([web], { quiet: true })).toBe('1\n')
  })

  test('without fields is empty for a person, and {} for a script', async () => {
    expect([await one([{}]), await one([{}], { quiet: true }), await one([{}], { format: 'csv' })]).toEqual([
      '',
      '',
      '',
    ])
    expect(json(await one([{}], { format: 'json' }))).toEqual({})
    expect(await one([{}], { format: 'json', quiet: true })).toBe('')
  })

  test('can be missing; no answers are an empty list', async () => {
    expect(await one([undefined], { format: 'json' })).toBe('')
    expect(json(await one([], { format: 'json' }, { several: true }))).toEqual([])
  })

  test('can be printed alone', async () => {
    const { context, printed } = printing({ format: 'json' })
    await printAnswer(web, context)
    expect(json(printed())).toEqual(web)
  })
})

describe('If only the wait failed', () => {
  const printedOf = async (error: unknown, options?: Options) => {
    const { context, printed } = printing(options)
    await expect(printDone(error, context)).rejects.toBe(error)
    return printed()
  }

  test.for<ErrorCode>(['wait_timed_out', 'unavailable', 'rate_limited'])(
    'by %s, the answer is printed for a script',
    async (code) => {
      expect(json(await printedOf(late(code), { format: 'json' }))).toEqual(web)
      expect(await printedOf(late(code), { quiet: true })).toBe('1\n')
      expect(await printedOf(late(code))).toBe('')
    },
  )

  test('nothing is printed without an answer, or after another failure', async () => {
    expect(await printedOf(new Problem('wait_timed_out', 'x'), { format: 'json' })).toBe('')
    expect(await printedOf(late('not_found'), { format: 'json' })).toBe('')
    expect(await printedOf(new TypeError('x'), { format: 'json' })).toBe('')
  })
})

describe('Several targets', () => {
  type Ending = { result?: object; error?: unknown; identity?: object }
  async function printedOf(endings: readonly Ending[], options?: Options) {
    async function* outcomes(): AsyncGenerator<TargetOutcome<object, object>> {
      for (const { result, error, identity } of endings) {
        const target = { ...(identity && { identity: async () => identity }), id: 9, label: 'typed' }
        yield error ? { target, error, tried: true } : { target, result: result ?? {} }
      }
    }
    const { context, printed } = printing(options)
    await printOutcomes(outcomes() as never, context)
    return printed()
  }
  const refused = new Problem('refused', 'no')

  test('are a record of each for a script, with its identity if there is no answer', async () => {
    const endings = [
      { result: web },
      { result: {} },
      { result: {}, identity: { id: 7 } },
      { error: refused },
      { error: late('wait_timed_out') },
      { error: new TypeError('x'), identity: {} },
    ]
    expect(json(await printedOf(endings, { format: 'json' }))).toMatchObject([
      { ...web, ok: true },
      { id: 9, label: 'typed', ok: true },
      { id: 7, label: null, ok: true },
      { id: 9, label: 'typed', ok: false, error: { code: 'refused', message: 'no' } },
      { ...web, ok: false, error: { code: 'wait_timed_out' } },
      { id: null, label: null, ok: false },
    ])
    expect(json(await printedOf(endings, { format: 'json' }))[0]).not.toHaveProperty('error')
    expect(json(await printedOf(endings, { format: 'json' }))[5]).not.toHaveProperty('error')
  })

  test('are the answers for a person, without headings if there are none', async () => {
    const endings = [{ result: {} }, { result: web }, { error: refused }, { error: late('wait_timed_out') }]
    expect(await printedOf(endings)).toBe('ID  LABEL\n 1  web\n')
    expect(await printedOf([{ result: {} }, { error: refused }])).toBe('')
  })

  test('are the ids with --quiet, also of those whose wait failed', async () => {
    const endings = [{ result: { id: 2 } }, { error: late('wait_timed_out') }, { error: refused }, { result: {} }]
    expect(await printedOf(endings, { quiet: true })).toBe('2\n1\n')
  })
})
