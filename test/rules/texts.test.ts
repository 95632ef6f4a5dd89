/** Small rules about single texts. */
import { describe, expect, test } from 'vitest'
import { jsonLength } from '../../src/catalogue/profile/preferences'
import { hasDefaultName, isDomainName, isLoopback } from '../../src/rules/host-names'
import { isRegionId, parseId } from '../../src/rules/ids'
import { countryFault } from '../../src/rules/phone-numbers'
import { codeFault, emailFault, isTimeZone, phoneNumberFault } from '../../src/rules/profile'
import { groupBy } from '../../src/rules/records'
import { scopesFault, unknownScope } from '../../src/rules/scopes'
import { hidden, withoutSecrets } from '../../src/rules/secrets'
import { sshKeyFault } from '../../src/rules/ssh-keys'
import { supersededLabel, supersededUntil, wholeMinute } from '../../src/rules/superseded-label'
import { gerund, nameList, participle, shellWord, splitOnce } from '../../src/rules/texts'
import { timestampFault } from '../../src/rules/times'
import fc from '../support/fast-check'
import { expectUnder } from '../support/fastest'

describe('An id', () => {
  test.for([
    ['1', 1],
    ['9007199254740991', 9_007_199_254_740_991],
  ] as const)('is a positive integer: %s', ([text, id]) => {
    expect(parseId(text)).toBe(id)
  })

  test.for(['', '0', '01', '-1', '+1', '1.0', '1e3', '1 ', 'x1', '9007199254740992', '10000000000000000', '９'])(
    'is invalid: %j',
    (text) => {
      expect(parseId(text)).toBeUndefined()
    },
  )

  test('of a region has up to 64 letters, digits and single hyphens between them', () => {
    for (const id of ['us-east', 'EU', 'ap-2-b', 'x'.repeat(64)]) expect(isRegionId(id), id).toBe(true)
    for (const id of ['', '-us', 'us-', 'us--east', 'us/east', '../x', 'us east', 'x'.repeat(65)]) {
      expect(isRegionId(id), id).toBe(false)
    }
  })
})

test('A domain name has two labels or more, of at most 63 characters each and 253 in all', () => {
  const long = 'a'.repeat(63)
  const longest = `${long}.${long}.${long}.${'a'.repeat(61)}`
  for (const name of ['example.com', 'a.b', 'xn--bcher-kva.example', '1.example', `${long}.com`, longest]) {
    expect(isDomainName(name), name).toBe(true)
  }
  for (const name of [
    '',
    'example',
    'a..b',
    '.a.b',
    'a.b.',
    '-a.b',
    'a-.b',
    'a_b.c',
    'ä.b',
    `a${long}.com`,
    `${longest}a`,
  ]) {
    expect(isDomainName(name), name).toBe(false)
  }
})

/** RFC 1122, 3.2.1.3; RFC 4291, 2.5.3; RFC 6761, 6.3. */
test('Loopback is 127.0.0.0/8, ::1 and localhost in any notation, and no other name', () => {
  const isLoopbackUrl = (address: string) => isLoopback(new URL(`http://${address}/`).hostname)
  for (const address of [
    'localhost',
    'LOCALHOST',
    '127.0.0.1',
    '127.255.255.254',
    '127.1',
    '2130706433',
    '[0:0::0:1]',
  ]) {
    expect(isLoopbackUrl(address), address).toBe(true)
  }
  const others = ['0.0.0.0', '[::]', '[::2]', '[::ffff:127.0.0.1]', '128.0.0.1', '126.0.0.1', '1.127.0.0']
  for (const address of [...others, 'localhost.example.net', 'notlocalhost', '127.0.0.1.example.net', 'example.net']) {
    expect(isLoopbackUrl(address), address).toBe(false)
  }
})

test('A list of names has the first ones, three by default, and the number of others', () => {
  expect(nameList([])).toBe('')
  expect(nameList(['a', 'b', 'c'])).toBe('a, b, c')
  expect(nameList(['a', 'b', 'c', 'd', 'e'])).toBe('a, b, c and 2 more')
  expect(nameList(['a', 'b', 'c'], 2)).toBe('a, b and 1 more')
  expect(nameList(['a', 'b', 'c', 'd'], Number.POSITIVE_INFINITY)).toBe('a, b, c, d')
})

test('An email address has one @ between two parts without blanks', () => {
  for (const text of ['a@b', 'first.last@example.com']) expect(emailFault(text), text).toBeUndefined()
  for (const text of ['', 'a', '@b', 'a@', 'a@b@c', 'a b@c', 'a@b c', ' a@b', 'a@b ']) {
    expect(emailFault(text), text).toBe('Must be an email address')
  }
})

test('A phone number has digits and common separators', () => {
  for (const text of ['1', '030 123', '+49 (30) 12-34', '(030) 1/2', '+(49)1', '1.2']) {
    expect(phoneNumberFault(text), text).toBeUndefined()
  }
  for (const text of ['', '+', 'x1', '1x', '++1', '((1', ' 1', '-1', '1+', 'abc']) {
    expect(phoneNumberFault(text), text).toBe('Must be a phone number: digits, with or without a + before them')
  }
})

test.for([
  ['443 web', ['443', 'web']],
  ['443', ['443']],
  ['a b c', ['a', 'b c']],
  [' a', ['', 'a']],
  ['a ', ['a', '']],
  ['', ['']],
] as const)('A text is split at the first blank only: %j', ([text, parts]) => {
  expect(splitOnce(text, ' ')).toEqual(parts)
})

test('Groups and their items keep the order of first appearance', () => {
  expect([...groupBy(['beta', 'alpha', 'bread', 'ask', 'c'], (word) => word[0])]).toEqual([
    ['b', ['beta', 'bread']],
    ['a', ['alpha', 'ask']],
    ['c', ['c']],
  ])
  expect(groupBy([], String).size).toBe(0)
})

test.for([
  [null, true],
  ['192-0-2-11.ip.example.net', true],
  ['192-0-2-1.ip.example.net', false],
  ['192-0-2-111.ip.example.net', false],
  ['www.192-0-2-11.example.net', false],
  ['www.example.net', false],
] as const)('The host name of 192.0.2.11 is the default name of the service: %j: %s', ([rdns, isDefault]) => {
  expect(hasDefaultName({ address: '192.0.2.11', rdns })).toBe(isDefault)
})

test('A code is digits only', () => {
  for (const text of ['1', '012345']) expect(codeFault(text), text).toBeUndefined()
  for (const text of ['', ' 1', '1 ', '12a', 'a12', '1.2', 'abc'])
    expect(codeFault(text), text).toBe('Must be digits only')
})

test('A country is an ISO 3166 code in capitals, and not UK', () => {
  for (const code of ['DE', 'US', 'AQ', 'ZW', 'AD']) expect(countryFault(code), code).toBeUndefined()
  expect(countryFault('UK')).toBe('Must be an ISO 3166 country code: the United Kingdom has GB')
  expect(countryFault('de')).toBe('Must be a two-letter ISO 3166 country code such as US or DE')
  expect(countryFault('')).toBe('Must be a two-letter ISO 3166 country code such as US or DE')
})

test('A time zone is a name of the IANA database, not an offset', () => {
  for (const name of [
    'Europe/Berlin',
    'UTC',
    'US/Eastern',
    'EST5EDT',
    'Africa/Dar_es_Salaam',
    'America/Argentina/Buenos_Aires',
    'Etc/GMT+5',
  ]) {
    expect(isTimeZone(name), name).toBe(true)
  }
  for (const name of [
    '',
    '+01:00',
    'UTC+1',
    'Europe/Bern',
    'Berlin',
    '../etc/passwd',
    '__proto__',
    'us/eastern',
    'utc',
    'Europe/berlin',
  ]) {
    expect(isTimeZone(name), name).toBe(false)
  }
})

test('A shell word is quoted if it contains special characters', () => {
  expect(shellWord('us-east_1.a/b,c:d@e%f+g=h')).toBe('us-east_1.a/b,c:d@e%f+g=h')
  expect(shellWord('')).toBe("''")
  expect(shellWord('a b')).toBe("'a b'")
  expect(shellWord('$(x)')).toBe("'$(x)'")
  expect(shellWord("it's '")).toBe(`"it's '"`)
  expect(shellWord("it's $1")).toBe(String.raw`'it'\''s $1'`)
})

test('Participles and gerunds of verbs are regular', () => {
  expect(['delete', 'attach'].map(participle)).toEqual(['deleted', 'attached'])
  expect(['delete', 'attach', 'freeze'].map(gerund)).toEqual(['Deleting', 'Attaching', 'Freezing'])
})

describe('The redaction of a body hides', () => {
  test.for([
    'token',
    'access_token',
    'tfa_secret',
    'secret',
    'scratch',
    'otp_code',
    'tfa_code',
    'response',
    'private_key',
    'my_Private_thing',
    'password',
    'root_Password',
  ])('%s', (key) => {
    expect(withoutSecrets({ [key]: 'abc' })).toEqual({ [key]: hidden })
  })

  test.for([
    'tokens',
    'token_type',
    'secrets_used',
    'scratches',
    'code',
    'my_otp_code',
    'responses',
    'password_created',
  ])('not %s', (key) => {
    expect(withoutSecrets({ [key]: 'abc' })).toEqual({ [key]: 'abc' })
  })

  test('private keys at any depth, but not null, true or false', () => {
    const key = '-----BEGIN PRIVATE KEY-----'
    expect(withoutSecrets([{ label: key }, [key], 'label', 7])).toEqual([{ label: hidden }, [hidden], 'label', 7])
    expect(withoutSecrets({ a: { token: ['x'] } })).toEqual({ a: { token: hidden } })
    expect(withoutSecrets({ token: null, password: true, secret: false, scratch: 0 })).toEqual({
      token: null,
      password: true,
      secret: false,
      scratch: hidden,
    })
  })
})

describe('The length of JSON', () => {
  test('is that of its text, in code points', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(jsonLength(value)).toBe(Array.from(JSON.stringify(value)).length)
      }),
    )
  })

  test('includes the digits of large integers, special keys, and any depth', () => {
    expect(jsonLength(JSON.parse('{"__proto__":{"constructor":1}}'))).toBe('{"__proto__":{"constructor":1}}'.length)
    expect(jsonLength({ '🙂': [12_345_678_901_234_567_890n] })).toBe('{"x":[12345678901234567890]}'.length)
    let deep: unknown = []
    for (let depth = 1; depth < 100_000; depth += 1) deep = [deep]
    expect(jsonLength(deep)).toBe(200_000)
  })
})

/** reliability.md, Hostile input: 1 MiB of input in under 50 ms. */
describe('1 MiB is checked in under 50 ms', () => {
  const texts = { emailFault, phoneNumberFault, codeFault, countryFault, timestampFault, sshKeyFault }
  const rules = { scopesFault, unknownScope, ...texts }
  const units = ['a', '1', ' ', '+', '@', '1 ', 'a@', ':', ',', 'volumes:read_only ', 'ssh-rsa ', '-----BEGIN ', '\n']

  test.each(Object.entries(rules))('by %s', (_name, fault) => {
    for (const unit of units) {
      const text = unit.repeat(2 ** 20 / unit.length)
      expectUnder(50, () => fault(text), 3)
    }
  })
})

describe('A superseded token', () => {
  const until = Date.UTC(2026, 10, 22, 10)

  test('has the end of its grace period in its label', () => {
    expect(supersededLabel('ci', until)).toBe('ci (superseded until 2026-11-22T10:00Z)')
    expect(supersededUntil('ci (superseded until 2026-11-22T10:00Z)')).toBe('2026-11-22T10:00:00')
  })

  test('has a label of at most 100 characters, without half a surrogate pair', () => {
    const suffix = ' (superseded until 2026-11-22T10:00Z)'
    const length = 100 - suffix.length
    expect(supersededLabel('x'.repeat(100), until)).toBe(`${'x'.repeat(length)}${suffix}`)
    expect(supersededLabel(`${'x'.repeat(length - 1)}🙂`, until)).toBe(`${'x'.repeat(length - 1)}${suffix}`)
    expect(supersededLabel(`${'x'.repeat(length - 2)}🙂`, until)).toBe(`${'x'.repeat(length - 2)}🙂${suffix}`)
  })

  test.for(['ci', 'ci (superseded until 2026-13-22T10:00Z)', 'ci (superseded until 2026-11-22T10:00Z) x'])(
    'is not recognized by the label %j',
    (label) => {
      expect(supersededUntil(label)).toBeUndefined()
    },
  )

  test('is revoked at the end of a whole minute', () => {
    expect(wholeMinute(until)).toBe(until)
    expect(wholeMinute(until + 1)).toBe(until + 60_000)
  })
})
