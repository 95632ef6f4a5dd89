/** Puts a text in the place of each line that asks for it: `# {{places}}`. */
export function fill(script: string, texts: Readonly<Record<string, string>>): string {
  return script.replace(/^ *# \{\{(\w+)\}\}$/gm, (line, name: string) => texts[name] ?? line)
}

/** In single quotes, as bash and zsh read them. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`
}
