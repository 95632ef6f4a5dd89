/** A script as it is written, where a backslash is itself; only the one in `\${` is there for TypeScript. */
export function script({ raw }: TemplateStringsArray, ...parts: readonly string[]): string {
  return raw.map((text, index) => `${text.replaceAll('\\${', '${')}${parts[index] ?? ''}`).join('')
}

/** In single quotes, as bash and zsh read them. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`
}
