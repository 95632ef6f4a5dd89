import { describe, expect, test } from 'vitest'
import { KnownSecrets } from '../../src/rules/secrets'
import { fastest } from '../support/fastest'

const token = 'q+token/0123456789=abcdef'
const inBase64 = ['', 'x', 'xy'].map((before) => Buffer.from(`${before}${token}:`))

function knowing(...secrets: string[]): KnownSecrets {
  const known = new KnownSecrets()
  for (const secret of secrets) known.learn(secret)
  return known
}

describe('a secret that is known', () => {
  const written = [
    token,
    encodeURIComponent(token),
    encodeURIComponent(token).toLowerCase(),
    ...inBase64.flatMap((bytes) => [bytes.toString('base64'), bytes.toString('base64url')]),
  ]

  test.each(written)('is hidden in messages, and in data where it signs in: %s', (form) => {
    const known = new KnownSecrets()
    known.learnCredential(`${token}\n`)
    for (const clean of [known.inMessage(`a${form}z`), known.inData(`a ${form} ${form}z`)]) {
      expect(clean).toContain('[redacted]')
      // Its ends in base64 depend on what stands beside it.
      expect(clean).not.toContain(form.slice(4, -6))
    }
  })

  test('is hidden as those write it who write texts', () => {
    const known = new KnownSecrets(
      (text) => JSON.stringify(text).slice(1, -1),
      (text) => text.replaceAll('\t', '\\t'),
    )
    known.learn('my "first"\tdog')
    expect(known.inMessage('{"a":"my \\"first\\"\\tdog"} my "first"\\tdog')).toBe('{"a":"[redacted]"} [redacted]')
  })

  test('is hidden as a whole where another one is a part of it', () => {
    for (const secrets of [
      ['berlin', 'berlin-mitte'],
      ['berlin-mitte', 'berlin'],
    ]) {
      expect(knowing(...secrets).inMessage('berlin-mitte, berlin')).toBe('[redacted], [redacted]')
    }
  })

  test('is hidden in base64 from its first letter to its last, where it stands in whole groups of three', () => {
    const text = Buffer.from('abcgeheimghi').toString('base64')
    expect(knowing('geheim').inMessage(text)).toBe('YWJj[redacted]Z2hp')
  })

  test('is hidden in data that is nothing else, and where a longer one is known', () => {
    const plain = 'abcdefghijklmnop'
    const known = new KnownSecrets()
    known.learnCredential(`${plain}-and-more`)
    known.learnCredential(plain)
    expect([known.inData(plain), known.inData(`${plain}-and-more`)]).toEqual(['[redacted]', '[redacted]'])
  })

  test('of digits alone is hidden in data too where it is long and signs in', () => {
    const known = new KnownSecrets()
    known.learnCredential('1234567890123456')
    known.learnCredential('123456789012345')
    expect(known.inData('a1234567890123456b 123456789012345')).toBe('a[redacted]b 123456789012345')
  })

  test('costs nothing more when answers repeat it', () => {
    const known = new KnownSecrets()
    const learn = () => {
      for (let times = 0; times < 1_000; times += 1) known.learnCredential(token)
    }
    expect(fastest(learn, 2)).toBeLessThan(50)
  })

  test('may hold lone surrogates, and what expressions take for theirs', () => {
    const odd = 'a\ud800(b|c)$&.*'
    expect(knowing(odd).inMessage(`<${odd}>`)).toBe('<[redacted]>')
  })
})

describe('a code of digits', () => {
  test('is hidden as a number of its own, and stands in longer ones', () => {
    const clean = knowing('462046').inMessage('462046 (462046) x462046y 1462046 4620461 id 24620462')
    expect(clean).toBe('[redacted] ([redacted]) x[redacted]y 1462046 4620461 id 24620462')
  })
})

describe('data', () => {
  test('shows what was sent, but what signs in', () => {
    const known = knowing('0123456789abcdef-answer', '462046', 'a dog called Rex, and a cat')
    known.learnCredential(token)
    expect(known.inData('a dog called Rex, and a cat, too')).toBe('a dog called Rex, and a cat, too')
    expect(known.inData('0123456789abcdef-answer 462046')).toBe('0123456789abcdef-answer 462046')
    known.learnCredential('0123456789abcdef-answer')
    expect(known.inData('0123456789abcdef-answer 462046')).toBe('[redacted] 462046')
  })

  test('shows a secret that it was asked for, and messages do not', () => {
    const known = new KnownSecrets()
    known.learnCredential(token)
    known.reveal(token)
    expect([known.inData(token), known.inMessage(token)]).toEqual([token, '[redacted]'])
  })

  test('is not searched for what may be a word of it', () => {
    const known = new KnownSecrets()
    known.learnCredential('production')
    expect([known.inData('production of 15 chars'), known.inMessage('production')]).toEqual([
      'production of 15 chars',
      '[redacted]',
    ])
  })
})

test.each(['', ' ', 'a', 'short', undefined])(
  'what is too short to be told from other texts is not hidden: %j',
  (text) => {
    const known = new KnownSecrets()
    known.learnCredential(text)
    expect(known.inMessage(`a short text ${text}`)).toBe(`a short text ${text}`)
  },
)
