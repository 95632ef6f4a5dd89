/**
 * Phone numbers and the countries that they belong to. Only what no numbering plan allows is ruled out (the smallest
 * build of the library knows lengths, not ranges): whether a number exists, the service finds out.
 */

import { callingCodes } from './countries'
import type { Environment } from './environment'

export interface Country {
  /** ISO 3166-1 alpha-2. */
  code: string
  /** In English. */
  name: string
  /** Without the plus: `44`. */
  callingCode: string
}

/** The countries that have phone numbers, by name. */
export function countriesWithPhones(): Country[] {
  const names = new Intl.DisplayNames('en', { type: 'region' })
  return [...callingCodes]
    .filter(([, callingCode]) => callingCode !== '')
    .map(([code, callingCode]) => ({ code, callingCode, name: names.of(code) ?? code }))
    .sort((a, b) => a.name.localeCompare(b.name, 'en'))
}

/** The country of a locale such as `de_AT.UTF-8`, by the variables' order of precedence (POSIX, 8.2). */
export function countryOfLocale(env: Environment): string | undefined {
  const locale = env.LC_ALL || env.LC_TELEPHONE || env.LANG || ''
  const code = /^[a-z]{2,3}_([A-Z]{2})(?![A-Z])/.exec(locale)?.[1] ?? ''
  return callingCodes.has(code) ? code : undefined
}

/**
 * A number as ITU-T E.164 writes it, `+4930123456`, or what is wrong with it: its length, for the country. A country
 * that the library does not know has no rules.
 */
export async function readPhoneNumber(text: string, country: string): Promise<{ number: string } | { fault: string }> {
  const { isSupportedCountry, parsePhoneNumberFromString, validatePhoneNumberLength } = await import(
    './phone-number-library'
  )
  if (!isSupportedCountry(country)) return { number: text }
  const parsed = parsePhoneNumberFromString(text, country)
  if (parsed?.isPossible()) return { number: parsed.number }
  const fault = validatePhoneNumberLength(text, country)
  return { fault: faults.get(fault ?? '') ?? `is no phone number of ${country}` }
}

const faults = new Map([
  ['TOO_SHORT', 'is too short'],
  ['TOO_LONG', 'is too long'],
])
