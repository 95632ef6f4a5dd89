/** What is generated, for the lines of a script that ask for it: `# {{places}}` and `# {{globals}}`. */
export interface Holes {
  /** What may follow the words of each command. */
  places: string
  /** Flags that may follow anything. */
  globals: string
}

/** Puts the generated lines in the place of the lines that ask for them. */
export function fill(script: string, { places, globals }: Holes): string {
  return script.replace(/^ *# \{\{places\}\}$/m, () => places).replace(/^ *# \{\{globals\}\}$/m, () => globals)
}

/** In single quotes, as bash and zsh read them. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`
}
