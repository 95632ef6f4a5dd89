/** Limits what a text takes when it is parsed: `[{},{},…` needs a hundred times its length. */

/** Error for a text that needs too much memory. The message completes a sentence: `it is nested over …`. */
export class LimitExceeded extends Error {}

/** Error for a number that no double represents. The message completes a sentence. */
export class NumberTooLarge extends Error {}

/** Error for a value that is nested too deep. Unlike other LimitExceeded errors, splitting the text does not help. */
export class TooDeep extends LimitExceeded {}

export const nestedTooDeep = () => new TooDeep(`it is nested over ${deepest} levels deep`)

/** Memory limit of an answer or a file: 25 firewalls (the smallest page) with all rules and addresses need 14 MiB. */
export const usualMemory = 16 * 2 ** 20

/** Maximum nesting of values. Reading and printing are recursive, and the stack overflows at some higher level. */
export const deepest = 500

/** Bytes of an empty object or array, of an item, and of a text beside its characters, as V8 11 and 12 hold them. */
const [perObject, perValue, perText] = [56, 16, 24]

/** Reports whether a JSON text is so long that its value may take over `most` bytes: each character is at most an object. */
export const mayExceed = (text: string, most: number) => text.length * perObject > most

/** Throws LimitExceeded if the value of a JSON text takes over `most` bytes, by estimate, or is nested too deep. */
export function expectBounded(text: string, most: number): void {
  let memory = 0
  let level = 0
  for (let at = 0; at < text.length; at += 1) {
    const sign = text[at]
    if (sign === '"') {
      const end = endOfText(text, at + 1)
      memory += perText + end - at
      at = end
    } else if (sign === '{' || sign === '[') {
      memory += perObject
      level += 1
    } else if (sign === '}' || sign === ']') level -= 1
    else if (sign === ',') memory += perValue
    else continue
    if (level > deepest) throw nestedTooDeep()
    if (memory > most) throw new LimitExceeded(`its contents take over ${most / 2 ** 20} MiB of memory`)
  }
}

/** Returns the position of the quote that ends the text starting at `begin`, or the last one of all. */
function endOfText(text: string, begin: number): number {
  for (let end = text.indexOf('"', begin); end !== -1; end = text.indexOf('"', end + 1)) {
    let escapes = 0
    // The opening quote stops this loop at the latest.
    while (text[end - 1 - escapes] === '\\') escapes += 1
    if (escapes % 2 === 0) return end
  }
  return text.length
}

/** Reports whether objects and arrays are nested deeper than `levels`. */
export function isTooDeep<T>(value: T, levels = deepest): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (levels === 0) return true
  if (Array.isArray(value)) return value.some((inner) => isTooDeep(inner, levels - 1))
  // Avoids lists of keys, because this runs on every answer.
  for (const key in value) {
    const inner = value[key]
    if (typeof inner === 'object' && isTooDeep(inner, levels - 1)) return true
  }
  return false
}

/** Bytes of texts from which the heap is kept small: 3,000 volumes have as many. */
const large = 2 ** 20
/** Bytes of the texts of this process so far. */
let received = 0

/**
 * Lets V8 collect garbage earlier from the first MiB of texts on. By default, V8's heap grows to four times the live values, and
 * its young generation to 48 MiB, and to 128 on Node 24 and 26: pages that were printed would stay as garbage, 100 to 200 MiB
 * of them.
 */
export async function keepHeapSmall(bytes = large): Promise<void> {
  received += bytes
  // Compiled executables run on Bun, which has another engine.
  if (received < large || 'Bun' in globalThis) return
  const { setFlagsFromString } = await import('node:v8')
  // The limit --max-semi-space-size is read at the start only.
  for (const flag of smallHeap) setFlagsFromString(flag)
}

/** Flags of `keepHeapSmall`. */
export const smallHeap: readonly string[] = ['--semi-space-growth-factor=1', '--heap-growing-percent=30']
/** Defaults of these flags (`node --v8-options`). */
export const usualHeap: readonly string[] = ['--semi-space-growth-factor=2', '--heap-growing-percent=0']
