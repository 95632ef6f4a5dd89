/** The rules that client and sandbox share for the profile area and tokens. */

import { describe, expect, test } from 'vitest'
import { jsonLength } from '../../src/catalogue/profile/preferences'
import { callingCodes, countryFault, countryOfLocale } from '../../src/rules/phone-numbers'
import { codeFault, emailFault, isTimeZone, phoneNumberFault } from '../../src/rules/profile'
import { covers } from '../../src/rules/scope-cover'
import { scopeResources, scopesFault, unknownScope } from '../../src/rules/scopes'
import { sshKeyFault } from '../../src/rules/ssh-keys'
import { formatTimestamp, parseTimestamp, timestampFault } from '../../src/rules/times'
import fc from '../support/fast-check'
import { fastest } from '../support/fastest'

describe('scopes', () => {
  test.for<[held: string, needed: string, covered: boolean]>([
    ['*', 'volumes:read_write', true],
    ['*', '*', true],
    ['volumes:read_write', 'volumes:read_only', true],
    ['volumes:read_only', 'volumes:read_only', true],
    ['ips:read_only', 'ips:read', true],
    ['ips:read', 'ips:read', true],
    ['ips:read_write', 'ips:read', true],
    ['account:read_only computes:read_write', 'computes:read_only', true],
    ['volumes:read_only', 'volumes:read_write', false],
    ['ips:read', 'ips:read_only', false],
    ['account:read_write', 'child_account:read_only', false],
    ['volumes:read_write', '*', false],
  ])('%s covers %s: %s', ([held, needed, covered]) => {
    expect(covers(held.split(' '), needed)).toBe(covered)
  })

  test('covering everything that can be named is not full scope', () => {
    expect(
      covers(
        scopeResources.map((name) => `${name}:read_write`),
        '*',
      ),
    ).toBe(false)
  })

  test('a mistyped resource is told the nearest one', () => {
    expect(scopesFault('account:read_only volume:read_only')).toBeUndefined()
    expect(unknownScope('account:read_only volume:read_only')).toBe(
      '"volume:read_only" is not a known scope. Did you mean "volumes"?',
    )
  })

  test('commas and further spaces are told apart', () => {
    expect(scopesFault('account:read_only,volumes:read_only')).toContain('commas')
    expect(scopesFault('account:read_only  volumes:read_only')).toContain('one space')
  })
})

describe('countries', () => {
  test('are the 249 of ISO 3166-1', () => {
    expect(callingCodes.size).toBe(249)
    const names = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' })
    for (const code of callingCodes.keys()) expect(names.of(code)).toBeDefined()
  })

  test('have the calling codes of ITU-T E.164', () => {
    const known = { US: '1', GB: '44', DE: '49', FR: '33', JP: '81', IN: '91', BR: '55', KZ: '7', VA: '39', AQ: '' }
    for (const [code, calling] of Object.entries(known)) expect(callingCodes.get(code)).toBe(calling)
    for (const calling of callingCodes.values()) expect(calling).toMatch(/^([1-9]\d{0,2})?$/)
  })

  test.for<[environment: Record<string, string>, country: string | undefined]>([
    [{ LANG: 'tr_TR.UTF-8' }, 'TR'],
    [{ LANG: 'en_US.UTF-8', LC_TELEPHONE: 'fr_CH.UTF-8' }, 'CH'],
    [{ LANG: 'en_US.UTF-8', LC_TELEPHONE: 'fr_CH.UTF-8', LC_ALL: 'de_AT' }, 'AT'],
    [{ LANG: 'en_US.UTF-8', LC_TELEPHONE: '', LC_ALL: '' }, 'US'],
    // POSIX, 8.2: what is set and not empty wins, also where it names no country.
    [{ LANG: 'en_US.UTF-8', LC_ALL: 'C.UTF-8' }, undefined],
    [{ LANG: 'sr_RS@latin' }, 'RS'],
    [{ LANG: 'es_419' }, undefined],
    [{ LANG: 'de' }, undefined],
    [{ LANG: 'de_XX' }, undefined],
    [{ LANG: 'DE' }, undefined],
    [{}, undefined],
  ])('are told by the locale %j: %s', ([environment, country]) => {
    expect(countryOfLocale(environment)).toBe(country)
  })

  test('UK is told to be GB', () => {
    expect(countryFault('UK')).toContain('GB')
    expect(countryFault('GB')).toBeUndefined()
  })
})

describe('times', () => {
  test('are written and read alike', () => {
    fc.assert(
      fc.property(fc.date({ min: new Date(0), max: new Date('9999-12-31'), noInvalidDate: true }), (date) => {
        const seconds = Math.floor(date.getTime() / 1000) * 1000
        expect(parseTimestamp(formatTimestamp(seconds))).toBe(seconds)
      }),
    )
  })

  test.for(['2026-02-30T00:00:00', '2026-01-01T24:00:00', '2026-1-01T00:00:00', '2026-01-01T00:00:00Z', '', 'x'])(
    '%j is none',
    (text) => {
      expect(parseTimestamp(text)).toBeNaN()
      expect(timestampFault(text)).toBeDefined()
    },
  )
})

describe('time zones', () => {
  test.for(['UTC', 'Europe/Berlin', 'America/Argentina/Buenos_Aires', 'Asia/Calcutta', 'Etc/GMT+5'])(
    '%s is one',
    (name) => {
      expect(isTimeZone(name)).toBe(true)
    },
  )

  test.for(['', 'Berlin', '+01:00', 'UTC+1', '../etc/passwd', '__proto__'])('%j is none', (name) => {
    expect(isTimeZone(name)).toBe(false)
  })
})

describe('the length of JSON', () => {
  test('is that of the text, in code points', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(jsonLength(value)).toBe(Array.from(JSON.stringify(value)).length)
      }),
    )
  })

  test('counts integers beyond 2^53, special keys and any depth', () => {
    expect(jsonLength({ a: 12345678901234567890n })).toBe('{"a":12345678901234567890}'.length)
    expect(jsonLength(JSON.parse('{"__proto__":{"constructor":1}}'))).toBe('{"__proto__":{"constructor":1}}'.length)
    expect(jsonLength(JSON.parse(`${'['.repeat(100_000)}${']'.repeat(100_000)}`))).toBe(200_000)
  })
})

/** reliability.md, Hostile input: 1 MiB of input in under 50 ms. */
describe('1 MiB is judged at once', () => {
  const rules = {
    scopesFault,
    unknownScope,
    emailFault,
    phoneNumberFault,
    codeFault,
    countryFault,
    timestampFault,
    sshKeyFault,
  }
  const units = ['a', '1', ' ', '+', '@', '1 ', 'a@', ':', ',', 'volumes:read_only ', 'ssh-rsa ', '-----BEGIN ', '\n']

  test.each(Object.entries(rules))('by %s', (_name, fault) => {
    for (const unit of units) {
      const text = unit.repeat(2 ** 20 / unit.length)
      expect(fastest(() => fault(text), 5)).toBeLessThan(50)
    }
  })
})
