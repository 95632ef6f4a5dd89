import { describe, expect, test } from 'vitest'
import { KnownSecrets } from '../../src/rules/secrets'
import { expectUnder } from '../support/fastest'

const token = 'q+token/0123456789=abcdef'
const inBase64 = ['', 'x', 'xy'].map((before) => Buffer.from(`${before}${token}:`))

function knownSecrets(...texts: string[]): KnownSecrets {
  const secrets = new KnownSecrets()
  for (const text of texts) secrets.learn(text)
  return secrets
}

describe('A known secret', () => {
  const forms = [
    token,
    encodeURIComponent(token),
    encodeURIComponent(token).toLowerCase(),
    ...inBase64.flatMap((bytes) => [bytes.toString('base64'), bytes.toString('base64url')]),
  ]

  test.each(forms)('is redacted in messages, and in data if it is a credential: %s', (form) => {
    const secrets = new KnownSecrets()
    secrets.learnCredential(`${token}\n`)
    for (const clean of [secrets.inMessage(`a${form}z`), secrets.inData(`a ${form} ${form}z`)]) {
      expect(clean).toContain('[redacted]')
      // Its first and last characters in base64 depend on the adjacent text.
      expect(clean).not.toContain(form.slice(4, -6))
    }
  })

  test('is redacted in the escaped forms of the output formats', () => {
    const secrets = new KnownSecrets(
      (text) => JSON.stringify(text).slice(1, -1),
      (text) => text.replaceAll('\t', '\\t'),
    )
    secrets.learn('my "first"\tdog')
    expect(secrets.inMessage('{"a":"my \\"first\\"\\tdog"} my "first"\\tdog')).toBe('{"a":"[redacted]"} [redacted]')
  })

  test('is redacted as a whole if it contains another secret', () => {
    for (const secrets of [
      ['berlin', 'berlin-mitte'],
      ['berlin-mitte', 'berlin'],
    ]) {
      expect(knownSecrets(...secrets).inMessage('berlin-mitte, berlin')).toBe('[redacted], [redacted]')
    }
  })

  test('is redacted in base64 from the first character to the last if it is aligned to groups of three', () => {
    const text = Buffer.from('abcgeheimghi').toString('base64')
    expect(knownSecrets('geheim').inMessage(text)).toBe('YWJj[redacted]Z2hp')
  })

  test('is redacted in data that consists of it, even if a longer secret begins with it', () => {
    const plain = 'abcdefghijklmnop'
    const secrets = new KnownSecrets()
    secrets.learnCredential(`${plain}-and-more`)
    secrets.learnCredential(plain)
    expect([secrets.inData(plain), secrets.inData(`${plain}-and-more`)]).toEqual(['[redacted]', '[redacted]'])
  })

  test('of digits only is redacted in data if it is a long credential', () => {
    const secrets = new KnownSecrets()
    secrets.learnCredential('1234567890123456')
    secrets.learnCredential('123456789012345')
    expect(secrets.inData('a1234567890123456b 123456789012345')).toBe('a[redacted]b 123456789012345')
  })

  test('can be learned a thousand times in under 50 ms', () => {
    const secrets = new KnownSecrets()
    const learn = () => {
      for (let times = 0; times < 1_000; times += 1) secrets.learnCredential(token)
    }
    expectUnder(50, learn, 2)
  })

  test('may contain lone surrogates and the special characters of regular expressions', () => {
    const secret = 'a\ud800(b|c)$&.*'
    expect(knownSecrets(secret).inMessage(`<${secret}>`)).toBe('<[redacted]>')
  })
})

describe('A code of digits', () => {
  test('is redacted as a number, but not within longer numbers', () => {
    const clean = knownSecrets('462046').inMessage('462046 (462046) x462046y 1462046 4620461 id 24620462')
    expect(clean).toBe('[redacted] ([redacted]) x[redacted]y 1462046 4620461 id 24620462')
  })
})

describe('Data', () => {
  test('shows secrets that were sent, but no credentials', () => {
    const secrets = knownSecrets('0123456789abcdef-answer', '462046', 'a dog called Rex, and a cat')
    secrets.learnCredential(token)
    expect(secrets.inData('a dog called Rex, and a cat, too')).toBe('a dog called Rex, and a cat, too')
    expect(secrets.inData('0123456789abcdef-answer 462046')).toBe('0123456789abcdef-answer 462046')
    secrets.learnCredential('0123456789abcdef-answer')
    expect(secrets.inData('0123456789abcdef-answer 462046')).toBe('[redacted] 462046')
  })

  test('shows a revealed secret, and messages do not', () => {
    const secrets = new KnownSecrets()
    secrets.learnCredential(token)
    secrets.reveal(token)
    expect([secrets.inData(token), secrets.inMessage(token)]).toEqual([token, '[redacted]'])
  })

  test('shows a credential that may be an ordinary word', () => {
    const secrets = new KnownSecrets()
    secrets.learnCredential('production')
    expect([secrets.inData('production of 15 chars'), secrets.inMessage('production')]).toEqual([
      'production of 15 chars',
      '[redacted]',
    ])
  })
})

test.each(['', ' ', 'a', 'short', undefined])(
  'A text is not redacted if it is too short to be recognized: %j',
  (text) => {
    const secrets = new KnownSecrets()
    secrets.learnCredential(text)
    expect(secrets.inMessage(`a short text ${text}`)).toBe(`a short text ${text}`)
  },
)
