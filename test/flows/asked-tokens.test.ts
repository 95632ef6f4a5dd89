/** What `tokens create` asks, which answers it takes, and what it makes of them. */
import { describe, expect, test } from 'vitest'
import { askForToken } from '../../src/flows/new-token'
import { manualClock } from '../support/clock'
import { type Answer, talk } from './talk'

const clock = manualClock()
const given = { label: 'ci', scopes: 'volumes:read_only', expiry: '2026-02-01T00:00:00', never: false }
const chosen = 'Selected resources'

/** What `given` has is not asked for. */
async function ask(known: Partial<typeof given>, answers: Answer[], held = ['*']) {
  const one = talk(...answers)
  const asked = await askForToken({ ...one, clock }, { never: false, ...known }, held).catch((error) => error)
  return { asked, ...one }
}

const without = (name: keyof typeof given) => {
  const { [name]: _, ...rest } = given
  return rest
}

describe('a label', () => {
  test.for(['a', 'a'.repeat(100), '🚀'.repeat(100)])('may have 1 to 100 characters: %s', async (label) => {
    const { asked } = await ask(without('label'), [label, true])
    expect(asked.fields.label).toBe(label)
  })

  test('is asked for again where it is empty or longer', async () => {
    const { asked, lines } = await ask(without('label'), ['', 'a'.repeat(101), 'ci', true])
    const again = ['> Must be 1-100 characters', '? Label']
    expect(lines.slice(0, 5)).toEqual(['? Label', ...again, ...again])
    expect(asked.fields.label).toBe('ci')
  })

  test('does nothing to the terminal where it is shown', async () => {
    const { lines } = await ask({ ...given, label: 'a\u001b[2J' }, [true])
    expect(lines.join('\n')).not.toContain('\u001b')
  })
})

describe('scopes', () => {
  const asked = (answers: Answer[], held?: string[]) => ask(without('scopes'), [...answers, true], held)

  test('are everything, or a level for each resource', async () => {
    expect((await asked(['Everything'])).asked.fields.scopes).toBe('*')
    const levels = { volumes: 'read and write', account: 'read' }
    expect((await asked([chosen, levels])).asked.fields.scopes).toBe('account:read_only volumes:read_write')
  })

  test('offer none, to read, and to read and write', async () => {
    const { lines } = await asked([chosen, { volumes: 'read' }])
    expect(lines).toContain('? Scopes: none, read, read and write')
  })

  test('are asked for again where there are none, or one that the token in use lacks', async () => {
    const answers = [chosen, {}, { volumes: 'read and write' }, { volumes: 'read' }]
    const { asked: made, lines, offered } = await asked(answers, ['account:read_write', 'volumes:read_only'])
    expect(lines.filter((line) => line.startsWith('>'))).toEqual([
      '> A token needs a scope',
      '> The token in use lacks volumes:read_write itself',
    ])
    expect(offered).toEqual(['account', 'volumes'])
    expect(made.fields.scopes).toBe('volumes:read_only')
  })
})

describe('an expiry', () => {
  const asked = (...answers: Answer[]) => ask(without('expiry'), [...answers, true])

  test.for([
    ['In 30 days', '30d', '2026-02-14T12:00:00'],
    ['In 90 days', '90d', '2026-04-15T12:00:00'],
    ['In a year', '365d', '2027-01-15T12:00:00'],
    ['Never', 'never', undefined],
  ] as const)('may be chosen: %s', async ([choice, lasting, expiry]) => {
    const { asked: made, lines } = await asked(choice)
    expect({ lasting: made.lasting, expiry: made.fields.expiry }).toEqual({ lasting, expiry })
    expect('expiry' in made.fields).toBe(expiry !== undefined)
    expect(lines).toContain(`  Expires: ${expiry ? `${expiry} UTC` : 'never'}`)
  })

  test('may be a date, which is asked for again where it is none, or over', async () => {
    const { asked: made, lines } = await asked('On a date', '2027-02-30', '2020-01-01', '2027-01-31')
    expect(lines.filter((line) => line.startsWith('>'))).toEqual([
      '> Must be a time such as 90d, 12h, 2027-01-31 or 2027-01-31T12:00:00',
      '> Must be in the future',
    ])
    expect(made).toMatchObject({ lasting: '2027-01-31', fields: { expiry: '2027-01-31T00:00:00' } })
  })

  test('is not asked for where a flag says never', async () => {
    const { asked: made } = await ask({ ...without('expiry'), never: true }, [true])
    expect(made).toEqual({ fields: { label: 'ci', scopes: 'volumes:read_only' }, lasting: 'never' })
  })
})

describe('before it is made', () => {
  test('a token is shown as it will be, and nothing is warned of that is no risk', async () => {
    const { asked, lines } = await ask(given, [true])
    expect(lines).toEqual([
      '  Label:   ci',
      '  Scopes:  volumes:read_only',
      '  Expires: 2026-02-01T00:00:00 UTC',
      '? Create this token? (y/N)',
    ])
    const { never: _, ...fields } = given
    expect(asked).toEqual({ fields, lasting: given.expiry })
  })

  test('full scope and no end are warned of', async () => {
    const { lines } = await ask({ label: 'ci', scopes: '*', never: true }, [true])
    expect(lines.slice(1, -1)).toEqual([
      '  Scopes:  everything',
      '  Expires: never',
      'Warning: whoever has this token can do everything that you can.',
      'Warning: it stays valid until it is revoked; nobody may notice that it leaked.',
    ])
  })

  test('a no makes none', async () => {
    const { asked } = await ask(given, [false])
    expect(asked).toMatchObject({ code: 'refused', message: 'not confirmed; no token was created' })
  })
})
