/**
 * JSON whose integers stay exact beyond 2^53: those come out as bigint and go back as digits. The library that does
 * it is loaded only where a text holds so long a number.
 */

/** Whether a JSON text may hold an integer that JSON.parse would round. */
export const holdsLongNumber = (text: string) => /\d{16}/.test(text)

/** Parses a JSON text; throws SyntaxError where it is none. */
export async function parseJson(text: string): Promise<unknown> {
  if (!holdsLongNumber(text)) return JSON.parse(text)
  const { parseLossless } = await import('./lossless')
  return parseLossless(text)
}

/** Writes a value as JSON, indented by `indent` spaces (0: on one line). */
export async function formatJson(value: unknown, indent = 2): Promise<string> {
  try {
    return JSON.stringify(value, null, indent)
  } catch (error) {
    // JSON.stringify throws TypeError for a bigint, and only then is the library worth its load time.
    if (!(error instanceof TypeError)) throw error
    const { formatLossless } = await import('./lossless')
    return formatLossless(value, indent)
  }
}
