/** A difference before it is made. */

import { isJson } from '../output/formats'
import { wrap } from '../output/wrap'
import type { Session } from '../session'

/**
 * Shows a line for each change, which begin with a word of 8 columns and a blank. Where a person is asked, it is shown
 * whatever the format; otherwise where messages are, but without the account before it, which would shift the columns.
 */
export async function showDifference(lines: readonly string[], session: Session, title?: string): Promise<void> {
  const isAsked = session.interactive && !session.yes
  if (lines.length === 0 || (!isAsked && (session.quiet || isJson(session.format)))) return
  const { columns } = session.stderr
  const wrapped = lines.map((line) => wrap(line, columns, ' '.repeat(9)))
  const text = [...(title ? [wrap(title, columns, '')] : []), ...wrapped].join('\n')
  await session.aside(text)
}
