/**
 * Escapes text from the service, files and the command line before people see it. Invisible characters and those that
 * affect a terminal are made visible, never removed.
 */

import { chain, emojiTest, joiner } from './emoji'

/**
 * Matches hostile characters by Unicode class: controls (C0, DEL, C1), formats (bidi, zero-width, tags), lone
 * surrogates, line separators, noncharacters and ignorable ones (fillers, variation selectors). YAML only allows
 * noncharacters escaped. It is a function because looking up the classes takes 0.7 ms, which plain ASCII text does not
 * need.
 */
const hostile = () => new RegExp(hostileClass, 'gu')
const hostileClass =
  '[\\p{Cc}\\p{Cf}\\p{Cs}\\p{Zl}\\p{Zp}\\p{Noncharacter_Code_Point}\\p{Default_Ignorable_Code_Point}]'
const harmless = /^[\x20-\x7e]*$/
const harmlessLines = /^[\x20-\x7e\n]*$/

const short: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' }

/**
 * Escapes all hostile characters and newlines: `\x1b`, `\u202e`, `\u{e0041}`, `\n`. Joiners within an emoji such as a
 * family hide nothing, and are kept.
 */
export function escapeText(text: string): string {
  return harmless.test(text) ? text : escapeHostile(text, visible)
}

/** Escapes skyctl's own multi-line texts: newlines are kept. */
export function escapeLines(text: string): string {
  return harmlessLines.test(text) ? text : escapeHostile(text, (char) => (char === '\n' ? char : visible(char)))
}

/** Escapes hostile characters in JSON text without changing its meaning. */
export function escapeJson(json: string): string {
  return escapeInLines(json, jsonEscape)
}

/** Escapes hostile characters in double-quoted YAML texts and documents of them. */
export function escapeYaml(yaml: string): string {
  return escapeInLines(yaml, (char) =>
    char.length === 1 ? jsonEscape(char) : `\\U${hex(char.codePointAt(0) ?? 0, 8)}`,
  )
}

function escapeInLines(text: string, shown: (char: string) => string): string {
  return harmlessLines.test(text) ? text : text.replace(hostile(), (char) => (char === '\n' ? char : shown(char)))
}

/** Escapes hostile characters, except within emoji. */
function escapeHostile(text: string, visibly: (char: string) => string): string {
  const shown = remembering(visibly)
  if (!text.includes(joiner)) return text.replace(hostile(), shown)
  const isEmoji = emojiTest()
  const shownChain = remembering((match) => (isEmoji(match) ? match : match.replace(hostile(), shown)))
  return text.replace(new RegExp(`${chain}|${hostileClass}`, 'gu'), (match) =>
    match.length > 2 ? shownChain(match) : shown(match),
  )
}

/** Caches results, because the same hostile character often repeats. */
function remembering(change: (text: string) => string): (text: string) => string {
  const results = new Map<string, string>()
  return (text) => {
    const before = results.get(text)
    if (before !== undefined) return before
    const result = change(text)
    if (results.size < mostRemembered) results.set(text, result)
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

/** Formats a message for stderr as one line of JSON. */
export const jsonLine = (kind: string, message: string) => `${escapeJson(JSON.stringify({ [kind]: { message } }))}\n`
