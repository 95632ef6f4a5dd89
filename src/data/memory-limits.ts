/**
 * Estimates the memory of a JSON text's value before parsing: `[{},{},…` needs a hundred times its length. Measured on
 * V8 11 and 12: an empty object takes 56 bytes, an empty array 16, a text 24. Items and characters are added. Each new
 * sequence of first keys of an object takes a hidden class of 400 bytes. Also limits how deep values are nested.
 */

/** Error for a text that needs too much memory. The message completes a sentence: `it is nested over …`. */
export class LimitExceeded extends Error {}

/** Error for a number with more digits than allowed. The message completes a sentence. */
export class NumberTooLarge extends Error {}

/** Error for a value that is nested too deep. Unlike other LimitExceeded errors, splitting the text does not help. */
export class TooDeep extends LimitExceeded {}

export const nestedTooDeep = () => new TooDeep(`it is nested over ${deepest} levels deep`)

/** Memory budget for a sequence of texts, and the shapes found in them so far. */
export interface MemoryBudget {
  /** Maximum memory per text in bytes. */
  readonly memory: number
  /** Hashes of the objects' key prefixes in all texts so far. */
  readonly shapes: Set<number>
  /** Bytes of the answers so far. */
  received: number
}

export const memoryBudget = (memory: number): MemoryBudget => ({ memory, shapes: new Set(), received: 0 })

/** Memory limit of an answer or a file: 25 firewalls (the smallest page) with all rules and addresses need 14 MiB. */
export const usualMemory = 16 * 2 ** 20

// The answers of all operations have about 200; a preferences body has up to 8,000 keys.
const mostShapes = 20_000
const longestNumber = 400

export const perObject = 56
const perArray = 48
export const perValue = 16
const perText = 24
const perShape = 400

export interface Measured {
  /** Estimated memory of the value in bytes. */
  memory: number
  /** Start and end offsets of integers with 16 digits or more. */
  longIntegers: readonly (readonly [number, number])[]
  /** Reason why a number is not allowed, if the text is JSON. In YAML the same characters may be part of a text. */
  numberFault: string | undefined
}

/** Estimates a text's memory; throws LimitExceeded. Invalid JSON gets an estimate too: the parser rejects it. */
export function measure(text: string, room: MemoryBudget): Measured {
  return new Measuring(text, room).result()
}

const integer = /^-?[1-9]\d*$/
const quote = 0x22
const backslash = 0x5c

class Measuring {
  #memory = 0
  #at = 0
  /** Hash of the keys so far for each open object; 0 for an array. */
  readonly #open: number[] = []
  readonly #longIntegers: [number, number][] = []
  #numberFault: string | undefined

  constructor(
    readonly text: string,
    readonly room: MemoryBudget,
  ) {}

  result(): Measured {
    const { text } = this
    while (this.#at < text.length) this.#step(text.charCodeAt(this.#at))
    return { memory: this.#memory, longIntegers: this.#longIntegers, numberFault: this.#numberFault }
  }

  #step(code: number): void {
    if (code === quote) this.#text()
    // Digit or minus sign.
    else if ((code >= 0x30 && code <= 0x39) || code === 0x2d) this.#number()
    else this.#sign(code)
  }

  #sign(code: number): void {
    this.#at += 1
    if (code === 0x7b) this.#enter(perObject)
    else if (code === 0x5b) this.#enter(perArray)
    else if (code === 0x7d || code === 0x5d) this.#open.pop()
    else if (code === 0x2c) this.#take(perValue)
  }

  #enter(bytes: number): void {
    this.#open.push(0)
    if (this.#open.length > deepest) throw nestedTooDeep()
    this.#take(bytes)
  }

  #take(bytes: number): void {
    this.#memory += bytes
    if (this.#memory <= this.room.memory) return
    throw new LimitExceeded(`its contents take over ${this.room.memory / 2 ** 20} MiB of memory`)
  }

  #text(): void {
    const begin = this.#at + 1
    const end = endOfText(this.text, begin)
    this.#at = end + 1
    if (this.#isKey()) this.#key(begin, end)
    else this.#take(perText + end - begin)
  }

  /** Reports whether a colon follows. */
  #isKey(): boolean {
    let at = this.#at
    while (isBlank(this.text.charCodeAt(at))) at += 1
    return this.text.charCodeAt(at) === 0x3a
  }

  #key(begin: number, end: number): void {
    const { shapes } = this.room
    const depth = this.#open.length - 1
    let shape = this.#open[depth] ?? 0
    // FNV-1a. A collision only makes the estimate less exact.
    for (let at = begin; at < end; at += 1) shape = Math.imul(shape ^ this.text.charCodeAt(at), 0x01000193)
    shape = Math.imul(shape ^ quote, 0x01000193)
    this.#open[depth] = shape
    if (shapes.has(shape)) return
    shapes.add(shape)
    if (shapes.size > mostShapes) throw new LimitExceeded(`its objects have over ${mostShapes} different keys`)
    this.#take(perShape + end - begin)
  }

  #number(): void {
    const begin = this.#at
    let whole = true
    let code = this.text.charCodeAt(begin)
    while (isOfNumber(code)) {
      whole &&= code <= 0x39 && code !== 0x2e
      this.#at += 1
      code = this.text.charCodeAt(this.#at)
    }
    const length = this.#at - begin
    if (length > longestNumber) {
      this.#numberFault ??= `it holds a number of over ${longestNumber} digits`
    } else if (!whole && !Number.isFinite(Number(this.text.slice(begin, this.#at)))) {
      this.#numberFault ??= 'it holds a number that is too large'
    }
    const digits = whole && length >= 16 && !this.#isKey() ? this.text.slice(begin, this.#at) : ''
    if (integer.test(digits)) this.#longIntegers.push([begin, this.#at])
  }
}

/** Estimates the memory of a parsed value in bytes, without hidden classes. */
export function memorySize<T>(value: T): number {
  if (typeof value === 'string') return perText + value.length
  if (typeof value !== 'object' || value === null) return perValue
  if (Array.isArray(value)) return value.reduce((sum: number, inner) => sum + perValue + memorySize(inner), perArray)
  let memory = perObject
  for (const key in value) memory += perValue + memorySize(value[key])
  return memory
}

/** Returns the position of the quote that ends the text starting at `begin`, or the text's length. */
function endOfText(text: string, begin: number): number {
  for (let end = text.indexOf('"', begin); end !== -1; end = text.indexOf('"', end + 1)) {
    let escapes = 0
    // The opening quote stops this loop at the latest.
    while (text.charCodeAt(end - 1 - escapes) === backslash) escapes += 1
    if (escapes % 2 === 0) return end
  }
  return text.length
}

function isBlank(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09
}

/** Reports whether a character can be part of a number. */
function isOfNumber(code: number): boolean {
  return (code >= 0x30 && code <= 0x39) || code === 0x2d || code === 0x2b || code === 0x2e || (code | 0x20) === 0x65
}

/** Maximum nesting of values. Reading and printing are recursive, and the stack overflows at some higher level. */
export const deepest = 500

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
/** Size of a file from which the heap is kept smaller: its objects stay beside those of the account. */
const veryLarge = 16 * large
/** Percentage by which the heap may grow after a collection. */
let growth = 60

/**
 * Lets V8 collect garbage earlier from the first MiB on: `length` is that of a text, `received` that of all texts of its kind
 * so far. By default, V8's heap grows to four times the live values, and its young generation to 48 MiB, and to 128 on
 * Node 24 and 26: pages that were printed or packed would stay as garbage, 100 to 200 MiB of them.
 */
export async function keepHeapSmall(length = large, received = length): Promise<void> {
  // Compiled executables run on Bun, which has another engine.
  if (received < large || 'Bun' in globalThis) return
  const { setFlagsFromString } = await import('node:v8')
  // The limit --max-semi-space-size is read at the start only.
  setFlagsFromString('--semi-space-growth-factor=1')
  if (length >= veryLarge) growth = 30
  setFlagsFromString(`--heap-growing-percent=${growth}`)
}

/** Flags of `keepHeapSmall` with V8's defaults (`node --v8-options`). V8 accepts a code cache under the same flags only. */
export const usualHeap: readonly string[] = ['--semi-space-growth-factor=2', '--heap-growing-percent=0']
