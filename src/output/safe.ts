/**
 * Text from the service, from files and from the command line goes to a person through here: it is shown, escaped
 * where it would do something to the terminal or could not be seen, and never stripped.
 */

/**
 * Controls (C0, DEL, C1), formats (bidi, zero-width, tags), lone surrogates, line separators, and what Unicode lets a
 * renderer ignore (fillers, variation selectors), by Unicode's own classes. A function, since those are looked up where
 * the expression is evaluated: 0.7 ms, that a text of plain ASCII need not wait for.
 */
const hostile = () => /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu
const harmless = /^[\x20-\x7e]*$/
const harmlessLines = /^[\x20-\x7e\n]*$/

const short: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' }

/** One line of text in which every hostile character is visible: `\x1b`, `\u202e`, `\u{e0041}`, `\n`. */
export function safe(text: string): string {
  return harmless.test(text) ? text : text.replace(hostile(), visible)
}

/** The same for texts of our own that have several lines: newlines stay. */
export function safeLines(text: string): string {
  return escapeLines(text, visible)
}

/** A JSON text that means the same and holds no hostile character: JSON has an escape for each. */
export function safeJson(json: string): string {
  return escapeLines(json, jsonEscape)
}

/** The same for a YAML text whose hostile characters all stand in double quotes. */
export function safeYaml(yaml: string): string {
  return escapeLines(yaml, (char) => (char.length === 1 ? jsonEscape(char) : `\\U${hex(char.codePointAt(0) ?? 0, 8)}`))
}

function escapeLines(text: string, shown: (char: string) => string): string {
  return harmlessLines.test(text) ? text : text.replace(hostile(), (char) => (char === '\n' ? char : shown(char)))
}

function visible(char: string): string {
  const code = char.codePointAt(0) ?? 0
  if (code <= 0xff) return short[char] ?? `\\x${hex(code, 2)}`
  return code <= 0xffff ? `\\u${hex(code, 4)}` : `\\u{${hex(code, 5)}}`
}

function jsonEscape(char: string): string {
  let escaped = ''
  for (let index = 0; index < char.length; index += 1) escaped += `\\u${hex(char.charCodeAt(index), 4)}`
  return escaped
}

function hex(code: number, digits: number): string {
  return code.toString(16).padStart(digits, '0')
}
