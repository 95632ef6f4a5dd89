/** Matches a word of a shell: blanks in quotes do not end it. */
const word = /(?:'[^']*'|"[^"]*"|[^\s'"])+/g

/** Matches words before which a line may be broken: flags, pipes, redirections. */
const opens = /^[-|&<>]/

/** Breaks an example with backslashes into lines of at most `width` columns, if it is longer. */
export function continued(line: string, width: number): string {
  if (line.length <= width) return line
  const parts: string[] = []
  for (const [next] of line.matchAll(word)) {
    if (opens.test(next) || parts.length === 0) parts.push(next)
    else parts.push(`${parts.pop()} ${next}`)
  }
  const lines: string[] = []
  for (const part of parts) {
    const last = lines.pop()
    const longer = last === undefined ? part : `${last} ${part}`
    // Two columns for the blank and the backslash.
    if (last === undefined || longer.length <= width - 2) lines.push(longer)
    else lines.push(last, `  ${part}`)
  }
  return lines.join(' \\\n')
}
