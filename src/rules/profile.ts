/** Short texts of the profile area: what is wrong with one; undefined where nothing is. */

/** An address has one @ between two parts without spaces; the rest is the service's to judge. */
export function emailFault(text: string): string | undefined {
  return /^[^\s@]+@[^\s@]+$/.test(text) ? undefined : 'Must be an email address'
}

/** Digits, with what people write between them, after a + or not. */
export function phoneNumberFault(text: string): string | undefined {
  return /^\+?\(?\d[\d ().\-/]*$/.test(text)
    ? undefined
    : 'Must be a phone number: digits, with or without a + before them'
}

export function codeFault(text: string): string | undefined {
  return /^\d+$/.test(text) ? undefined : 'Must be digits only'
}

/** A code as the service takes it: apps show blanks between its digits, as in `863 097`. */
export const withoutBlanks = (code: string) => code.replaceAll(/\s/g, '')
