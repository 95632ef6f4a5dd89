/** Text in the macros of man(7), and the topics of the help in them. */

const glyphs: Readonly<Record<string, string>> = {
  '\\': '\\e',
  '-': '\\-',
  "'": '\\(aq',
  '"': '\\(dq',
  '`': '\\(ga',
  '^': '\\(ha',
  '~': '\\(ti',
}

/** Text in which nothing is a request or an escape, and quotes and hyphens can be copied into a shell. */
export function text(line: string): string {
  return line.replaceAll(/[\\'"`^~-]/g, (char) => glyphs[char] ?? char).replace(/^\./, '\\&.')
}

export const bold = (line: string) => `\\fB${text(line)}\\fR`

/** The same as a paragraph, in lines that are not too long for a person who reads the source. */
export function prose(paragraph: string): string {
  const lines: string[] = []
  for (const word of paragraph.split(/\s+/).map(text)) {
    const last = lines.pop()
    if (last === undefined) lines.push(word)
    else if (last.length + 1 + word.length <= longest) lines.push(`${last} ${word}`)
    else lines.push(last, word)
  }
  return lines.join('\n')
}

// What mandoc -Tlint takes.
const longest = 80

/** Nothing where there are no lines: an empty section would be a mistake. */
export function section(heading: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [`.SH ${text(heading)}`, ...lines]
}

export function subsection(heading: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [`.SS ${text(heading)}`, ...lines]
}

/** A page of such lines: below a heading a paragraph begins anyway. */
export function pageOf(lines: readonly string[]): string {
  const needed = lines.filter((line, index) => line !== '.PP' || !/^\.S[HS] /.test(lines[index - 1] ?? ''))
  return `${needed.join('\n')}\n`
}

/** A term, set already, and what it means. */
export function entry(term: string, meaning: string): string[] {
  return ['.TP', term, prose(meaning)]
}

/** Lines as they are, indented. */
export function literal(lines: readonly string[]): string[] {
  return ['.RS 2', '.nf', ...lines.map(text), '.fi', '.RE']
}

/**
 * A topic without its title. Indented lines are terms with their meanings behind them, which go on deeper; a line by
 * itself that ends no sentence is a heading; the rest are paragraphs.
 */
export function topicLines(topic: string): string[] {
  const [, ...blocks] = topic.trimEnd().split(/\n{2,}/)
  return blocks.flatMap((block) => {
    const lines = block.split('\n')
    if (lines.every((line) => line.startsWith('  '))) return termsOf(lines)
    const [first = '', ...more] = lines
    return more.length === 0 && /\w$/.test(first) ? [`.SS ${text(first)}`] : ['.PP', prose(lines.join(' '))]
  })
}

/** The longest name of a variable leaves room for one blank. */
const variable = /^ {2}([A-Z][A-Z_]+) (.*)$/
const spaced = /^ {2,4}(\S+(?: \S+)*)(?: {2,}(.*))?$/

function termsOf(lines: readonly string[]): string[] {
  const terms: { term: string; meaning: string[] }[] = []
  for (const line of lines) {
    const [, term, meaning = ''] = variable.exec(line) ?? spaced.exec(line) ?? []
    if (term !== undefined) terms.push({ term, meaning: meaning ? [meaning.trim()] : [] })
    else terms.at(-1)?.meaning.push(line.trim())
  }
  return terms.flatMap(({ term, meaning }) =>
    meaning.length > 0 ? entry(bold(term), meaning.join(' ')) : ['.PP', bold(term)],
  )
}
