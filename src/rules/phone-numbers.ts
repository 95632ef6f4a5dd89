/**
 * Phone numbers and their countries. Only numbers that no numbering plan allows are rejected: the library's smallest
 * build knows lengths, not ranges. The service decides if a number exists.
 */

import { callingCodes } from './countries'
import type { Environment } from './environment'

export interface Country {
  /** ISO 3166-1 alpha-2 code. */
  code: string
  /** English name. */
  name: string
  /** Calling code without the plus: `44`. */
  callingCode: string
}

/** Lists the countries with phone numbers, sorted by name. */
export function countriesWithPhones(): Country[] {
  const names = new Intl.DisplayNames('en', { type: 'region' })
  return [...callingCodes]
    .filter(([, callingCode]) => callingCode !== '')
    .map(([code, callingCode]) => ({ code, callingCode, name: names.of(code) ?? code }))
    .sort((a, b) => a.name.localeCompare(b.name, 'en'))
}

/** Returns the country of the locale (such as `de_AT.UTF-8`), in POSIX order of the variables (POSIX, 8.2). */
export function countryOfLocale(env: Environment): string | undefined {
  const locale = env.LC_ALL || env.LC_TELEPHONE || env.LANG || ''
  const code = /^[a-z]{2,3}_([A-Z]{2})(?![A-Z])/.exec(locale)?.[1] ?? ''
  return callingCodes.has(code) ? code : undefined
}

/**
 * Formats a number as in ITU-T E.164, `+4930123456`, or returns a fault if its length is wrong for the country. Numbers
 * of countries unknown to the library are returned unchanged.
 */
export async function readPhoneNumber(text: string, country: string): Promise<{ number: string } | { fault: string }> {
  const { isSupportedCountry, parsePhoneNumberFromString, validatePhoneNumberLength } = await import(
    './phone-number-library'
  )
  if (!isSupportedCountry(country)) return { number: text }
  const parsed = parsePhoneNumberFromString(text, country)
  if (parsed?.isPossible()) return { number: parsed.number }
  const fault = validatePhoneNumberLength(text, country)
  return { fault: faults.get(fault ?? '') ?? 'is not valid' }
}

const faults = new Map([
  ['TOO_SHORT', 'is too short'],
  ['TOO_LONG', 'is too long'],
])
