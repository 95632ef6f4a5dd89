/**
 * Writes plain values as YAML, byte for byte as the package does with the options of ./yaml, in a tenth of its time:
 * the package creates a node for each value, and asks each of its types about each text.
 */

/** Returns the one-line comment above the value at a path of keys. */
export type CommentOf = (path: readonly string[]) => string | undefined

/** Functions that decide about texts. */
interface Texts {
  /** Escapes hostile characters, which only double quotes allow. */
  escapeText(text: string): string
  /** Reports whether a reader would take a plain text for another type, such as a number. */
  isTyped(text: string): boolean
  commentOf?: CommentOf | undefined
}

/** Error for a value that only the package can write. */
class Unsupported extends Error {}

/** Writes a list or an object; undefined for anything that only the package can write. */
export function plainYaml(value: unknown, texts: Texts): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  try {
    return `${new PlainWriter(texts).valueText(value, '', [])}\n`
  } catch (error) {
    if (error instanceof Unsupported) return undefined
    throw error
  }
}

const step = '  '
/** Longest text of a key that needs no `?` before it. */
const longestKey = 1024

/** Texts that are of no type and have no sign with a meaning: of YAML's types, only `e12345` is as long with a letter first. */
const harmless = /^(?![Ee][-\d])[A-Za-z/][\w./-]{5,}$/
/** Texts that would be something else without quotes, apart from types. */
const misread = /^[\t ,[\]{}#&*!|>'"%@`]|^[?-]$|^[?-][ \t]|:[ \t]|[\t ]#|[\t :]$/
/** Characters that only double quotes allow, whatever `escapeText` does: controls and lone surrogates. */
const controls = /[\x00-\x08\x0b-\x1f\x7f-\x9f\u{D800}-\u{DFFF}]/u
const documentMarker = /^(?:---|\.\.\.)/

class PlainWriter {
  readonly #keys = new Map<string, string>()

  constructor(readonly texts: Texts) {}

  /** Writes a value; its lines after the first are indented. `path` has the keys above it. */
  valueText(value: unknown, indent: string, path: readonly string[]): string {
    if (typeof value === 'string') return this.#text(value)
    if (typeof value === 'number' && Number.isFinite(value)) return Object.is(value, -0) ? '-0' : String(value)
    if (typeof value === 'boolean' || typeof value === 'bigint' || value === null) return String(value)
    if (Array.isArray(value)) return this.#listText(value, indent, path)
    if (isPlainObject(value)) return this.#objectText(value, indent, path)
    throw new Unsupported()
  }

  #listText(items: readonly unknown[], indent: string, path: readonly string[]): string {
    if (items.length === 0) return '[]'
    const deeper = indent + step
    return items.map((item) => `- ${this.valueText(item, deeper, path)}`).join(`\n${indent}`)
  }

  #objectText(object: Record<string, unknown>, indent: string, path: readonly string[]): string {
    const { commentOf } = this.texts
    const deeper = indent + step
    let text = ''
    for (const key of Object.keys(object)) {
      const value = object[key]
      if (value === undefined) continue
      if (text !== '') text += `\n${indent}`
      const below = commentOf ? [...path, key] : path
      const comment = commentOf?.(below)
      if (comment !== undefined) text += `# ${comment}\n${indent}`
      const shown = this.valueText(value, deeper, below)
      text += `${this.#keyText(key, indent)}:${isBlock(value, shown) ? `\n${deeper}` : ' '}${shown}`
    }
    return text || '{}'
  }

  #keyText(key: string, indent: string): string {
    const atStart = indent === '' && documentMarker.test(key)
    const before = atStart ? undefined : this.#keys.get(key)
    if (before !== undefined) return before
    const text = this.#text(key, atStart)
    if (text.length > longestKey) throw new Unsupported()
    if (!atStart) this.#keys.set(key, text)
    return text
  }

  /** Writes a text. `isMarker`: without quotes it would begin or end a document. */
  #text(text: string, isMarker = false): string {
    if (harmless.test(text)) return text
    const { escapeText, isTyped } = this.texts
    // Readers disagree on blanks at line ends, and on `=`, a type of YAML 1.1.
    if (text.includes('\n') || text === '=' || controls.test(text) || escapeText(text) !== text)
      return JSON.stringify(text)
    return isMarker || misread.test(text) || isTyped(text) ? quoted(text) : text
  }
}

function isPlainObject(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === null || Object.getPrototypeOf(prototype) === null
}

/** Reports whether a value is written below its key. */
const isBlock = (value: unknown, shown: string) => typeof value === 'object' && value !== null && !isEmpty(shown)

const isEmpty = (shown: string) => shown === '[]' || shown === '{}'

const quoted = (text: string) => (text.includes('"') && !text.includes("'") ? `'${text}'` : JSON.stringify(text))
