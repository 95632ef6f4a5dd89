/** A difference before it is made. */

import { wrap } from '../output/wrap'
import type { Session } from '../session'

/**
 * Shows a line for each change, which begin with a word of 8 columns and a blank. Where a person is asked, it is shown
 * whatever the format; otherwise it is a message like others.
 */
export async function showDifference(lines: readonly string[], session: Session, title?: string): Promise<void> {
  if (lines.length === 0) return
  const { columns } = session.stderr
  const wrapped = lines.map((line) => wrap(line, columns, ' '.repeat(9)))
  const text = [...(title ? [wrap(title, columns, '')] : []), ...wrapped].join('\n')
  await (session.interactive && !session.yes ? session.aside(text) : session.say(text))
}
