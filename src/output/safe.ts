/**
 * Text from the service, from files and from the command line goes to a person through here: it is shown, escaped
 * where it would do something to the terminal or could not be seen, and never stripped.
 */

import { chain, emojiTest, joiner } from './emoji'

/**
 * Controls (C0, DEL, C1), formats (bidi, zero-width, tags), lone surrogates, line separators, noncharacters (which YAML
 * has only escaped), and what Unicode lets a renderer ignore (fillers, variation selectors), by Unicode's own classes. A
 * function, since those are looked up where the expression is evaluated: 0.7 ms, that a text of plain ASCII need not wait
 * for.
 */
const hostile = () => new RegExp(hostileClass, 'gu')
const hostileClass =
  '[\\p{Cc}\\p{Cf}\\p{Cs}\\p{Zl}\\p{Zp}\\p{Noncharacter_Code_Point}\\p{Default_Ignorable_Code_Point}]'
const harmless = /^[\x20-\x7e]*$/
const harmlessLines = /^[\x20-\x7e\n]*$/

const short: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' }

/**
 * One line of text in which every hostile character is visible: `\x1b`, `\u202e`, `\u{e0041}`, `\n`. What joins the
 * parts of an emoji such as a family hides nothing there, and stays.
 */
export function safe(text: string): string {
  return harmless.test(text) ? text : escapeText(text, visible)
}

/** The same for texts of our own that have several lines: newlines stay. */
export function safeLines(text: string): string {
  return harmlessLines.test(text) ? text : escapeText(text, (char) => (char === '\n' ? char : visible(char)))
}

/** A JSON text that means the same and holds no hostile character: JSON has an escape for each. */
export function safeJson(json: string): string {
  return escapeLines(json, jsonEscape)
}

/** The same for a text that stands in double quotes of YAML, and for a document of such texts. */
export function safeYaml(yaml: string): string {
  return escapeLines(yaml, (char) => (char.length === 1 ? jsonEscape(char) : `\\U${hex(char.codePointAt(0) ?? 0, 8)}`))
}

function escapeLines(text: string, shown: (char: string) => string): string {
  return harmlessLines.test(text) ? text : text.replace(hostile(), (char) => (char === '\n' ? char : shown(char)))
}

/** Escapes what is hostile, but for what holds an emoji together. */
function escapeText(text: string, visibly: (char: string) => string): string {
  const shown = remembering(visibly)
  if (!text.includes(joiner)) return text.replace(hostile(), shown)
  const isEmoji = emojiTest()
  const shownChain = remembering((found) => (isEmoji(found) ? found : found.replace(hostile(), shown)))
  return text.replace(new RegExp(`${chain}|${hostileClass}`, 'gu'), (found) =>
    found.length > 2 ? shownChain(found) : shown(found),
  )
}

/** What is hostile is often many times the same. */
function remembering(change: (found: string) => string): (found: string) => string {
  const results = new Map<string, string>()
  return (found) => {
    const before = results.get(found)
    if (before !== undefined) return before
    const result = change(found)
    if (results.size < mostRemembered) results.set(found, result)
    return result
  }
}

const mostRemembered = 256

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

/** What is told on stderr where scripts read it: among lines of JSON, each is an object by itself. */
export const jsonLine = (kind: string, message: string) => `${safeJson(JSON.stringify({ [kind]: { message } }))}\n`
