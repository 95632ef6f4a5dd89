/** A difference before it is made. */
import type { Context } from '../context'
import { wrap } from '../output/wrap'

/**
 * Shows a line for each change, which begin with a word of 8 columns and a blank. Where a person is asked, it is shown
 * whatever the format; otherwise it is a message like others.
 */
export async function showDifference(lines: readonly string[], context: Context, title?: string): Promise<void> {
  if (lines.length === 0) return
  const { columns } = context.stderr
  const wrapped = lines.map((line) => wrap(line, columns, ' '.repeat(9)))
  const text = [...(title ? [wrap(title, columns, '')] : []), ...wrapped].join('\n')
  await (context.interactive && !context.yes ? context.aside(text) : context.say(text))
}
