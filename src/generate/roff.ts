/** Formats texts and help topics in man(7) macros. */

const glyphs: Readonly<Record<string, string>> = {
  '\\': '\\e',
  '-': '\\-',
  "'": '\\(aq',
  '"': '\\(dq',
  '`': '\\(ga',
  '^': '\\(ha',
  '~': '\\(ti',
}

/** Escapes requests and escapes of roff; quotes and hyphens stay copyable into a shell. */
export function text(line: string): string {
  return line.replaceAll(/[\\'"`^~-]/g, (char) => glyphs[char] ?? char).replace(/^\./, '\\&.')
}

export const bold = (line: string) => `\\fB${text(line)}\\fR`

/** Formats a paragraph in short source lines. */
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

// Maximum line length accepted by mandoc -Tlint.
const longest = 80

/** Formats a section; nothing without lines, because an empty section is an error. */
export function section(heading: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [`.SH ${text(heading)}`, ...lines]
}

export function subsection(heading: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [`.SS ${text(heading)}`, ...lines]
}

/** Joins lines to a page. A heading already starts a paragraph, so `.PP` after it is dropped. */
export function pageOf(lines: readonly string[]): string {
  const needed = lines.filter((line, index) => line !== '.PP' || !/^\.S[HS] /.test(lines[index - 1] ?? ''))
  return `${needed.join('\n')}\n`
}

/** Formats a term, already escaped, with its meaning. */
export function entry(term: string, meaning: string): string[] {
  return ['.TP', term, prose(meaning)]
}

/** Formats indented lines without wrapping. */
export function literal(lines: readonly string[]): string[] {
  return ['.RS 2', '.nf', ...lines.map(text), '.fi', '.RE']
}

/**
 * Formats a help topic without its title. Indented lines are YAML, or terms with their meanings, continued by deeper
 * lines. A single line that does not end a sentence is a heading. Everything else is a paragraph.
 */
export function topicLines(topic: string): string[] {
  const [, ...blocks] = topic.trimEnd().split(/\n{2,}/)
  return blocks.flatMap((block) => {
    const lines = block.split('\n')
    if (lines.every((line) => line.startsWith('  ')))
      return yaml.test(block) ? literal(lines.map((line) => line.slice(2))) : termsOf(lines)
    const [first = '', ...more] = lines
    return more.length === 0 && /\w$/.test(first) ? [`.SS ${text(first)}`] : ['.PP', prose(lines.join(' '))]
  })
}

const yaml = /^ {2}(- )?\w+:( |$)/m

/** Matches a variable's line; after the longest name there is only one blank. */
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
