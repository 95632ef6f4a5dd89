/** Words of a shell: blanks in quotes do not end one. */
const word = /(?:'[^']*'|"[^"]*"|[^\s'"])+/g

/** Where a line may be broken: before a flag, a pipe, a redirection. */
const opens = /^[-|&<>]/

/** An example as a shell reads it over several lines of at most `width` columns, where it is too long for one. */
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
    // Room for the blank and the backslash.
    if (last === undefined || longer.length <= width - 2) lines.push(longer)
    else lines.push(last, `  ${part}`)
  }
  return lines.join(' \\\n')
}
