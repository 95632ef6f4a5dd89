/**
 * JSON whose integers stay exact beyond 2^53: those come out as bigint and go back as digits. The library that does
 * it is loaded only where a text holds so long a number.
 */

const longNumber = /\d{16}/

/** Parses a JSON text; throws SyntaxError where it is none. */
export async function parseJson(text: string): Promise<unknown> {
  if (!longNumber.test(text)) return JSON.parse(text)
  const { parse } = await import('lossless-json')
  return parse(text, null, {
    // As JSON.parse: the last one counts.
    onDuplicateKey: ({ newValue }) => newValue,
    parseNumber(digits) {
      const number = Number(digits)
      return /^-?\d+$/.test(digits) && !Number.isSafeInteger(number) ? BigInt(digits) : number
    },
  })
}

/** Writes a value as JSON, indented by `indent` spaces (0: on one line). */
export async function formatJson(value: unknown, indent = 2): Promise<string> {
  try {
    return JSON.stringify(value, null, indent)
  } catch (error) {
    // JSON.stringify throws TypeError for a bigint, and only then is the library worth its load time.
    if (!(error instanceof TypeError)) throw error
    const { stringify } = await import('lossless-json')
    return stringify(value, null, indent) as string
  }
}
