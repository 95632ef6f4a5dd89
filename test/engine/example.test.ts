/** Parts of help: an example over several lines, what a token and a user need; and what is said when work is done. */

import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { deferWarnings } from '../../src/account/deferred-warnings'
import { type Operation, operation } from '../../src/catalogue/operation'
import { continued, paragraphsOf } from '../../src/engine/command-help'
import { showDifference } from '../../src/engine/confirm'
import type { Session } from '../../src/session'

describe('an example', () => {
  test.for<[string, number, string]>([
    ['skyctl volumes list', 19, 'skyctl volumes list'],
    ['skyctl volumes list', 18, 'skyctl volumes list'],
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
    ['skyctl a-b c-d e', 10, 'skyctl a-b c-d e'],
  ])('%j in %i columns', ([line, width, lines]) => {
    expect(continued(line, width)).toBe(lines)
  })
})

describe('what a command needs', () => {
  const needing = (scopes: readonly string[], more: Partial<Operation> = {}): Operation => ({
    ...operation({ method: 'GET', path: '/x', scopes, summary: 'x', returns: v.unknown() }),
    ...more,
  })

  test.for<[string, Operation[], string[]]>([
    ['nothing that is sent', [], []],
    ['one scope', [needing(['a:read_only'])], ['Scopes: a:read_only']],
    [
      'the least scopes',
      [needing(['a:read_only']), needing(['a:read_write', 'b:read_only'])],
      ['Scopes: a:read_write and b:read_only'],
    ],
    [
      'a grant',
      [needing(['a:read_only'], { needs: 'add_a' }), needing([], { needs: 'add_a' })],
      ['Scopes: a:read_only; the user needs add_a'],
    ],
    [
      'two grants',
      [needing(['a:read_only'], { needs: 'x' }), needing([], { needs: 'y' })],
      ['Scopes: a:read_only; the user needs x and y'],
    ],
    ['any token', [needing([]), needing([], { isPublic: true })], ['Scopes: none; any token will do']],
    ['no token', [needing([], { isPublic: true })], ['Scopes: none; no token is needed']],
  ])('is told: %s', ([, operations, paragraphs]) => {
    expect(paragraphsOf({ operations })).toEqual(paragraphs)
    expect(paragraphsOf({ operations, details: 'More.' })).toEqual(['More.', ...paragraphs])
  })

  test('is nothing where nothing is known', () => {
    expect(paragraphsOf({})).toEqual([])
  })
})

describe('what is found wrong while something works', () => {
  const session = () => {
    const said: string[] = []
    return { said, warn: async (text: string) => void said.push(text) }
  }

  test('is said when that is done, also where it failed', async () => {
    const { said, warn } = session()
    const work = (tell: (text: string) => void) => {
      tell('one')
      tell('two')
      expect(said).toEqual([])
      return 7
    }
    expect(await deferWarnings({ warn }, work)).toBe(7)
    expect(said).toEqual(['one', 'two'])
    const failing = deferWarnings({ warn }, (tell) => {
      tell('three')
      throw new Error('no')
    })
    await expect(failing).rejects.toThrow('no')
    expect(said).toEqual(['one', 'two', 'three'])
  })
})

describe('a difference', () => {
  const shown = async (lines: string[], title?: string, changes: object = {}) => {
    const said: string[] = []
    const session = {
      ui: {
        stderr: { columns: 20 },
        interactive: false,
        yes: false,
        status: async (text: string) => void said.push(`say ${text}`),
        print: async (text: string) => void said.push(`aside ${text}`),
        ...changes,
      },
    }
    await showDifference(lines, session as unknown as Session, title)
    return said
  }

  test('is a line for each change, later lines below what is said of it', async () => {
    expect(await shown(['added    rule one, which is long', 'removed  rule two'])).toEqual([
      'aside added    rule one,\n         which is\n         long\nremoved  rule two',
    ])
    expect(await shown(['added    one'], 'The rules of a firewall:')).toEqual([
      'aside The rules of a\nfirewall:\nadded    one',
    ])
  })

  test('is shown to who is asked, whatever the format, and else where messages are', async () => {
    expect(await shown(['a'], undefined, { interactive: true })).toEqual(['aside a'])
    expect(await shown(['a'], undefined, { interactive: true, format: 'json' })).toEqual(['aside a'])
    expect(await shown(['a'], undefined, { interactive: true, yes: true })).toEqual(['aside a'])
    for (const changes of [{ quiet: true }, { format: 'json' }, { interactive: true, yes: true, quiet: true }]) {
      expect(await shown(['a'], undefined, changes)).toEqual([])
    }
  })

  test('is nothing where nothing changes', async () => {
    expect(await shown([], 'Title')).toEqual([])
  })
})
