/** Parts of help: examples on several lines, and the required scopes; deferred warnings, and differences. */
import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { type Operation, operation } from '../../src/catalogue/operation'
import { paragraphsOf } from '../../src/engine/command-help'
import { showDifference } from '../../src/engine/confirm'
import type { Session } from '../../src/engine/session'
import { deferWarnings } from '../../src/files/deferred-warnings'
import { continuedCommand } from '../../src/output/continued-command'

describe('An example', () => {
  test.for<[string, number, string]>([
    ['skyctl volumes list', 19, 'skyctl volumes list'],
    ['skyctl volumes list', 18, 'skyctl volumes \\\n  list'],
    ['skyctl volumes list --json', 25, 'skyctl volumes list \\\n  --json'],
    ['skyctl a --b c --d e', 17, 'skyctl a --b c \\\n  --d e'],
    ['skyctl a --b c --d e', 16, 'skyctl a --b c \\\n  --d e'],
    ['skyctl a --b c --d e', 15, 'skyctl a \\\n  --b c --d e'],
    ['skyctl a --b c --d e', 14, 'skyctl a \\\n  --b c \\\n  --d e'],
    ['skyctl a -q | xargs skyctl b -', 24, 'skyctl a -q \\\n  | xargs skyctl b -'],
    ['skyctl a < file > other', 18, 'skyctl a < file \\\n  > other'],
    ['skyctl a && skyctl b', 15, 'skyctl a \\\n  && skyctl b'],
    [`skyctl a --label 'b --c' --d`, 26, `skyctl a --label 'b --c' \\\n  --d`],
    ['skyctl a --label "b | c" --d', 26, 'skyctl a --label "b | c" \\\n  --d'],
    ['skyctl a-b c-d e', 10, 'skyctl \\\n  a-b c-d \\\n  e'],
  ])('is continued on further lines: %j in %i columns', ([line, width, lines]) => {
    expect(continuedCommand(line, width)).toBe(lines)
  })
})

describe('The help of a command', () => {
  const operationWith = (scopes: readonly string[], more: Partial<Operation> = {}): Operation => ({
    ...operation({ method: 'GET', path: '/x', scopes, summary: 'x', returns: v.unknown() }),
    ...more,
  })

  test.for<[string, Operation[], string[]]>([
    ['nothing without requests', [], []],
    ['one scope', [operationWith(['a:read_only'])], ['Scopes: a:read_only']],
    [
      'the minimal scopes',
      [operationWith(['a:read_only']), operationWith(['a:read_write', 'b:read_only'])],
      ['Scopes: a:read_write and b:read_only'],
    ],
    [
      'a grant',
      [operationWith(['a:read_only'], { needs: 'add_a' }), operationWith([], { needs: 'add_a' })],
      ['Scopes: a:read_only; the user needs add_a'],
    ],
    [
      'two grants',
      [operationWith(['a:read_only'], { needs: 'x' }), operationWith([], { needs: 'y' })],
      ['Scopes: a:read_only; the user needs x and y'],
    ],
    ['any token', [operationWith([]), operationWith([], { isPublic: true })], ['Scopes: none; any token will do']],
    ['no token', [operationWith([], { isPublic: true })], ['Scopes: none; no token is needed']],
  ])('has its requirements: %s', ([, operations, paragraphs]) => {
    expect(paragraphsOf({ operations })).toEqual(paragraphs)
    expect(paragraphsOf({ operations, details: 'More.' })).toEqual(['More.', ...paragraphs])
  })

  test('is empty if nothing is known', () => {
    expect(paragraphsOf({})).toEqual([])
  })
})

describe('A warning during other work', () => {
  test('is printed after the work, also after a failure', async () => {
    const output: string[] = []
    const warn = async (text: string) => void output.push(text)
    const work = (defer: (text: string) => void) => {
      defer('one')
      defer('two')
      expect(output).toEqual([])
      return 7
    }
    expect(await deferWarnings({ warn }, work)).toBe(7)
    expect(output).toEqual(['one', 'two'])
    const failing = deferWarnings({ warn }, (defer) => {
      defer('three')
      throw new Error('no')
    })
    await expect(failing).rejects.toThrow('no')
    expect(output).toEqual(['one', 'two', 'three'])
  })
})

describe('A difference', () => {
  const show = async (lines: string[], title?: string, changes: object = {}) => {
    const output: string[] = []
    const session = {
      ui: {
        stderr: { columns: 20 },
        interactive: false,
        yes: false,
        status: async (text: string) => void output.push(`status ${text}`),
        print: async (text: string) => void output.push(text),
        ...changes,
      },
    }
    await showDifference(lines, session as unknown as Session, title)
    return output
  }

  test('has a line for each change, wrapped below its text', async () => {
    expect(await show(['added    rule one, which is long', 'removed  rule two'])).toEqual([
      'added    rule one,\n         which is\n         long\nremoved  rule two',
    ])
    expect(await show(['added    one'], 'The rules of a firewall:')).toEqual([
      'The rules of a\nfirewall:\nadded    one',
    ])
  })

  test('is printed before a question in any format, and otherwise unless messages are off', async () => {
    expect(await show(['a'], undefined, { interactive: true })).toEqual(['a'])
    expect(await show(['a'], undefined, { interactive: true, format: 'json' })).toEqual(['a'])
    expect(await show(['a'], undefined, { interactive: true, yes: true })).toEqual(['a'])
    for (const changes of [{ quiet: true }, { format: 'json' }, { interactive: true, yes: true, quiet: true }]) {
      expect(await show(['a'], undefined, changes)).toEqual([])
    }
  })

  test('is not printed if nothing changes', async () => {
    expect(await show([], 'Title')).toEqual([])
  })
})
