/** Questions and accepted answers of `tokens create`, and its results. */
import { describe, expect, test } from 'vitest'
import { askForToken } from '../../src/commands/flows/new-token'
import { manualClock } from '../support/clock'
import { testClock } from '../support/run'
import { type Answer, talk } from './talk'

const clock = testClock(manualClock())
const options = { label: 'ci', scopes: 'volumes:read_only', expiry: '2026-02-01T00:00:00', never: false }
const selected = 'Selected resources'

/** Asks for what the flags do not set; `currentScopes` are those of the current token. */
async function ask(flags: Partial<typeof options>, answers: Answer[], currentScopes = ['*']) {
  const one = talk(...answers)
  const result = await askForToken({ ...one, clock }, { never: false, ...flags }, currentScopes).catch((error) => error)
  return { result, ...one }
}

const without = (name: keyof typeof options) => {
  const { [name]: _, ...rest } = options
  return rest
}

describe('A label', () => {
  test.for(['a', 'a'.repeat(100), '🚀'.repeat(100)])('may have 1 to 100 characters: %s', async (label) => {
    const { result } = await ask(without('label'), [label, true])
    expect(result.fields.label).toBe(label)
  })

  test('is prompted for again if it is empty or too long', async () => {
    const { result, lines } = await ask(without('label'), ['', 'a'.repeat(101), 'ci', true])
    const again = ['> Must be 1-100 characters', '? Label']
    expect(lines.slice(0, 5)).toEqual(['? Label', ...again, ...again])
    expect(result.fields.label).toBe('ci')
  })

  test('is escaped in the summary', async () => {
    const { lines } = await ask({ ...options, label: 'a\u001b[2J' }, [true])
    expect(lines.join('\n')).not.toContain('\u001b')
  })
})

describe('Scopes', () => {
  const askScopes = (answers: Answer[], currentScopes?: string[]) =>
    ask(without('scopes'), [...answers, true], currentScopes)

  test('are everything, or a level for each resource', async () => {
    expect((await askScopes(['Everything'])).result.fields.scopes).toBe('*')
    const levels = { volumes: 'read and write', account: 'read' }
    expect((await askScopes([selected, levels])).result.fields.scopes).toBe('account:read_only volumes:read_write')
  })

  test('have the levels none, read, and read and write', async () => {
    const { lines } = await askScopes([selected, { volumes: 'read' }])
    expect(lines).toContain('? Scopes: none, read, read and write')
  })

  test('are prompted for again if there are none, or if the current token lacks one', async () => {
    const answers = [selected, {}, { volumes: 'read and write' }, { volumes: 'read' }]
    const { result, lines, offered } = await askScopes(answers, ['account:read_write', 'volumes:read_only'])
    expect(lines.filter((line) => line.startsWith('>'))).toEqual([
      '> A token needs a scope',
      '> The token in use lacks volumes:read_write itself',
    ])
    expect(offered).toEqual(['account', 'volumes'])
    expect(result.fields.scopes).toBe('volumes:read_only')
  })
})

describe('An expiry', () => {
  const askExpiry = (...answers: Answer[]) => ask(without('expiry'), [...answers, true])

  test.for([
    ['In 30 days', '30d', '2026-02-14T12:00:00'],
    ['In 90 days', '90d', '2026-04-15T12:00:00'],
    ['In a year', '365d', '2027-01-15T12:00:00'],
    ['Never', 'never', undefined],
  ] as const)('can be selected: %s', async ([choice, lasting, expiry]) => {
    const { result, lines } = await askExpiry(choice)
    expect({ lasting: result.lasting, expiry: result.fields.expiry }).toEqual({ lasting, expiry })
    expect('expiry' in result.fields).toBe(expiry !== undefined)
    expect(lines).toContain(`  Expires: ${expiry ? `${expiry} UTC` : 'never'}`)
  })

  test('can be a date, which is prompted for again if it is invalid or past', async () => {
    const { result, lines } = await askExpiry('On a date', '2027-02-30', '2020-01-01', '2027-01-31')
    expect(lines.filter((line) => line.startsWith('>'))).toEqual([
      '> Must be a time such as 90d, 12h, 2027-01-31 or 2027-01-31T12:00:00',
      '> Must be in the future',
    ])
    expect(result).toMatchObject({ lasting: '2027-01-31', fields: { expiry: '2027-01-31T00:00:00' } })
  })

  test('is not prompted for if a flag sets none', async () => {
    const { result } = await ask({ ...without('expiry'), never: true }, [true])
    expect(result).toEqual({ fields: { label: 'ci', scopes: 'volumes:read_only' }, lasting: 'never' })
  })
})

describe('Before a token is created', () => {
  test('a summary is printed, without warnings if there is no risk', async () => {
    const { result, lines } = await ask(options, [true])
    expect(lines).toEqual([
      '  Label:   ci',
      '  Scopes:  volumes:read_only',
      '  Expires: 2026-02-01T00:00:00 UTC',
      '? Create this token? (y/N)',
    ])
    const { never: _, ...fields } = options
    expect(result).toEqual({ fields, lasting: options.expiry })
  })

  test('full access and a missing expiry cause warnings', async () => {
    const { lines } = await ask({ label: 'ci', scopes: '*', never: true }, [true])
    expect(lines.slice(1, -1)).toEqual([
      '  Scopes:  everything',
      '  Expires: never',
      'Warning: whoever has this token can do everything that you can.',
      'Warning: it stays valid until it is revoked; nobody may notice that it leaked.',
    ])
  })

  test('a no creates none', async () => {
    const { result } = await ask(options, [false])
    expect(result).toMatchObject({ code: 'refused', message: 'not confirmed; no token was created' })
  })
})
