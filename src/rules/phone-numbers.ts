/**
 * Phone numbers and their countries. Only numbers that no numbering plan allows are rejected: the library's smallest
 * build knows lengths, not ranges. The service decides if a number exists.
 */
import type { Environment } from './environment'

export interface Country {
  /** ISO 3166-1 alpha-2 code. */
  code: string
  name: string
  /** Calling code without the plus: `44`. */
  callingCode: string
}

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

/** A number as in ITU-T E.164. */
export interface PhoneNumber {
  /** `+4930123456` */
  number: string
  /** Its calling code, without the plus, if the country has another one. */
  foreignCode?: string
}

/**
 * Formats a number as in ITU-T E.164, or returns a fault if its length is wrong for the country. Numbers of countries
 * unknown to the library are returned unchanged.
 */
export async function readPhoneNumber(text: string, country: string): Promise<PhoneNumber | { fault: string }> {
  const { isSupportedCountry, parsePhoneNumberFromString, validatePhoneNumberLength } = await import(
    './phone-number-library'
  )
  if (!isSupportedCountry(country)) return { number: text }
  const parsed = parsePhoneNumberFromString(text, country)
  if (parsed?.isPossible()) {
    const { number, countryCallingCode } = parsed
    return callingCodes.get(country) === countryCallingCode ? { number } : { number, foreignCode: countryCallingCode }
  }
  const fault = validatePhoneNumberLength(text, country)
  return { fault: faults.get(fault ?? '') ?? 'is not valid' }
}

/**
 * Returns the number that was meant if a text begins with 00 and the calling code of its country: in some countries
 * (Brazil) the library reads what follows 00 as the choice of a carrier.
 */
export async function afterExitCode(text: string, country: string): Promise<string | undefined> {
  const digits = text.replaceAll(/\D/g, '')
  if (!digits.startsWith(`00${callingCodes.get(country)}`)) return undefined
  const read = await readPhoneNumber(`+${digits.slice(2)}`, country)
  return 'number' in read && read.foreignCode === undefined ? read.number : undefined
}

const faults = new Map([
  ['TOO_SHORT', 'is too short'],
  ['TOO_LONG', 'is too long'],
])

/** Countries of ISO 3166-1 with calling codes of ITU-T E.164. Seven uninhabited or tiny countries have none. */
const table = `
  AD376 AE971 AF93 AG1 AI1 AL355 AM374 AO244 AQ AR54 AS1 AT43 AU61 AW297 AX358 AZ994 BA387 BB1 BD880 BE32 BF226
  BG359 BH973 BI257 BJ229 BL590 BM1 BN673 BO591 BQ599 BR55 BS1 BT975 BV BW267 BY375 BZ501 CA1 CC61 CD243 CF236
  CG242 CH41 CI225 CK682 CL56 CM237 CN86 CO57 CR506 CU53 CV238 CW599 CX61 CY357 CZ420 DE49 DJ253 DK45 DM1 DO1
  DZ213 EC593 EE372 EG20 EH212 ER291 ES34 ET251 FI358 FJ679 FK500 FM691 FO298 FR33 GA241 GB44 GD1 GE995 GF594 GG44
  GH233 GI350 GL299 GM220 GN224 GP590 GQ240 GR30 GS GT502 GU1 GW245 GY592 HK852 HM HN504 HR385 HT509 HU36 ID62
  IE353 IL972 IM44 IN91 IO246 IQ964 IR98 IS354 IT39 JE44 JM1 JO962 JP81 KE254 KG996 KH855 KI686 KM269 KN1 KP850
  KR82 KW965 KY1 KZ7 LA856 LB961 LC1 LI423 LK94 LR231 LS266 LT370 LU352 LV371 LY218 MA212 MC377 MD373 ME382 MF590
  MG261 MH692 MK389 ML223 MM95 MN976 MO853 MP1 MQ596 MR222 MS1 MT356 MU230 MV960 MW265 MX52 MY60 MZ258 NA264 NC687
  NE227 NF672 NG234 NI505 NL31 NO47 NP977 NR674 NU683 NZ64 OM968 PA507 PE51 PF689 PG675 PH63 PK92 PL48 PM508 PN
  PR1 PS970 PT351 PW680 PY595 QA974 RE262 RO40 RS381 RU7 RW250 SA966 SB677 SC248 SD249 SE46 SG65 SH290 SI386 SJ47
  SK421 SL232 SM378 SN221 SO252 SR597 SS211 ST239 SV503 SX1 SY963 SZ268 TC1 TD235 TF TG228 TH66 TJ992 TK690 TL670
  TM993 TN216 TO676 TR90 TT1 TV688 TW886 TZ255 UA380 UG256 UM US1 UY598 UZ998 VA39 VC1 VE58 VG1 VI1 VN84 VU678
  WF681 WS685 YE967 YT262 ZA27 ZM260 ZW263
`

/** Calling codes by ISO country code; `''` if the country has none. */
export const callingCodes: ReadonlyMap<string, string> = new Map(
  table
    .trim()
    .split(/\s+/)
    .map((entry) => [entry.slice(0, 2), entry.slice(2)]),
)

/** Returns the reason why a text is not a two-letter ISO 3166 country code; undefined if it is one. */
export function countryFault(code: string): string | undefined {
  if (callingCodes.has(code)) return undefined
  if (code === 'UK') return 'Must be an ISO 3166 country code: the United Kingdom has GB'
  return 'Must be a two-letter ISO 3166 country code such as US or DE'
}
