/** Phone numbers (ITU-T E.164) and their countries. */
import { describe, expect, test } from 'vitest'
import { once } from '../../src/rules/once'
import { callingCodes, countriesWithPhones, countryOfLocale, readPhoneNumber } from '../../src/rules/phone-numbers'
import { protocolsWithPorts } from '../../src/rules/ports'

describe('The country of a locale', () => {
  test.for([
    [{ LANG: 'de_AT.UTF-8' }, 'AT'],
    [{ LANG: 'de_AT' }, 'AT'],
    [{ LANG: 'gsw_CH@x' }, 'CH'],
    [{ LC_ALL: 'de_DE', LC_TELEPHONE: 'fr_FR', LANG: 'en_GB' }, 'DE'],
    [{ LC_ALL: '', LC_TELEPHONE: 'fr_FR', LANG: 'en_GB' }, 'FR'],
    [{ LC_TELEPHONE: '', LANG: 'en_GB' }, 'GB'],
    // POSIX, 8.2: the first variable that is set and not empty wins, even without a country.
    [{ LC_ALL: 'C', LANG: 'en_GB' }, undefined],
    [{ LANG: 'C.UTF-8' }, undefined],
    [{ LANG: 'de_XX' }, undefined],
    [{ LANG: 'es_419' }, undefined],
    [{ LANG: 'de' }, undefined],
    [{ LANG: 'de_DEU' }, undefined],
    [{ LANG: 'DE_DE' }, undefined],
    [{ LANG: 'deutsch_DE' }, undefined],
    [{ LANG: 'x de_DE' }, undefined],
    [{}, undefined],
  ] as const)('%j is %s', ([env, country]) => {
    expect(countryOfLocale(env)).toBe(country)
  })
})

test('The countries are the 249 of ISO 3166-1, with the calling codes of ITU-T E.164', () => {
  expect(callingCodes.size).toBe(249)
  const names = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' })
  for (const [code, calling] of callingCodes) {
    expect(names.of(code)).toBeDefined()
    expect(calling).toMatch(/^([1-9]\d{0,2})?$/)
  }
  const examples = { US: '1', GB: '44', DE: '49', FR: '33', JP: '81', IN: '91', BR: '55', KZ: '7', VA: '39', AQ: '' }
  for (const [code, calling] of Object.entries(examples)) expect(callingCodes.get(code)).toBe(calling)
})

describe('A phone number is parsed or rejected', () => {
  test.for([
    ['030 123456', 'DE', { number: '+4930123456' }],
    ['+49 30 123456', 'DE', { number: '+4930123456' }],
    ['(201) 555-0123', 'US', { number: '+12015550123' }],
    ['201 55', 'US', { fault: 'is too short' }],
    ['2015550123012345', 'US', { fault: 'is too long' }],
    ['nobody', 'US', { fault: 'is not valid' }],
    // The service decides about a country without rules.
    ['anything', 'AQ', { number: 'anything' }],
  ] as const)('%s in %s', async ([text, country, result]) => {
    expect(await readPhoneNumber(text, country)).toEqual(result)
  })
})

test('The countries with phones are sorted by name, with their calling codes', () => {
  const countries = countriesWithPhones()
  expect(countries).toContainEqual({ code: 'GB', name: 'United Kingdom', callingCode: '44' })
  expect(countries.every(({ callingCode }) => /^\d+$/.test(callingCode))).toBe(true)
  const names = countries.map(({ name }) => name)
  expect(names).toEqual([...names].sort((a, b) => a.localeCompare(b, 'en')))
})

test('A value of once() is computed at first use and then kept, even if it is undefined', () => {
  let calls = 0
  const value = once(() => {
    calls += 1
    return undefined
  })
  expect(calls).toBe(0)
  expect([value(), value(), calls]).toEqual([undefined, undefined, 1])
})

test('Only TCP and UDP have ports (api.md, Firewall rule)', () => {
  expect(protocolsWithPorts).toEqual(['TCP', 'UDP'])
})
