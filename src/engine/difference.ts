/** Shows a difference before it is applied. */

import { isJson } from '../output/formats'
import { wrap } from '../output/wrap'
import type { Session } from '../session'

/**
 * Prints one line per change; lines begin with a word of 8 columns and a blank. Before a question it is printed in any
 * format; otherwise like a message, but without the account prefix, which would shift the columns.
 */
export async function showDifference(lines: readonly string[], session: Session, title?: string): Promise<void> {
  const isAsked = session.interactive && !session.yes
  if (lines.length === 0 || (!isAsked && (session.quiet || isJson(session.format)))) return
  const { columns } = session.stderr
  const wrapped = lines.map((line) => wrap(line, columns, ' '.repeat(9)))
  const text = [...(title ? [wrap(title, columns, '')] : []), ...wrapped].join('\n')
  await session.print(text)
}
