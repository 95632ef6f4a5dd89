/** Replaces each placeholder line, such as `# {{places}}`, with its text. */
export function fill(script: string, texts: Readonly<Record<string, string>>): string {
  return script.replace(/^ *# \{\{(\w+)\}\}$/gm, (line, name: string) => texts[name] ?? line)
}

/** Quotes in single quotes for bash and zsh. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`
}
