/**
 * What a JSON text will come to in memory, told from the text: some hundred bytes of `[{},{},…` take a hundred times
 * as much when they are read. Measured on V8 11 and 12: an empty object is 56 bytes, an empty array 16 and what it holds,
 * a text its characters and 24, and every new way in which the keys of an object begin is a hidden class of 400.
 */
import { deepest } from './depth'

/** The text would take more than it may; the message ends a sentence: `it is nested over …`. */
export class TooLarge extends Error {}

/** A number of the text has more digits than any number here may have; the message ends a sentence. */
export class NumberTooLarge extends Error {}

export const nestedTooDeep = () => new TooLarge(`it is nested over ${deepest} levels deep`)

/** What a text may come to, and what texts before it have. */
export interface Room {
  /** In bytes, for each text. */
  readonly memory: number
  /** How the keys of objects begin, in all texts so far. */
  readonly shapes: Set<number>
}

export const roomFor = (memory: number): Room => ({ memory, shapes: new Set() })

/** Of an answer or a file: 25 firewalls, the smallest page there is, with all rules and addresses come to 14 MiB. */
export const usualMemory = 16 * 2 ** 20

// Answers of all operations together have some two hundred; a body of preferences has up to 8,000 keys.
const mostShapes = 20_000
const longestNumber = 400

export const perObject = 56
const perArray = 48
export const perValue = 16
const perText = 24
const perShape = 400

export interface Measured {
  /** What the value will take, in bytes. */
  memory: number
  /** Where integers of 16 digits or more begin and end. */
  longIntegers: readonly (readonly [number, number])[]
  /** What no number may be, where the text is JSON: in YAML the same characters may stand in a text. */
  numberFault: string | undefined
}

/** Throws TooLarge. A text that is no JSON comes to something as well; to refuse it is for others. */
export function measure(text: string, room: Room): Measured {
  return new Measuring(text, room).result()
}

const integer = /^-?[1-9]\d*$/
const quote = 0x22
const backslash = 0x5c

class Measuring {
  #memory = 0
  #at = 0
  /** Of each object that is open, how its keys begin; 0 for an array. */
  readonly #open: number[] = []
  readonly #longIntegers: [number, number][] = []
  #numberFault: string | undefined

  constructor(
    readonly text: string,
    readonly room: Room,
  ) {}

  result(): Measured {
    const { text } = this
    while (this.#at < text.length) this.#step(text.charCodeAt(this.#at))
    return { memory: this.#memory, longIntegers: this.#longIntegers, numberFault: this.#numberFault }
  }

  #step(code: number): void {
    if (code === quote) this.#text()
    // A digit, or the minus before one.
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
    throw new TooLarge(`what it holds takes over ${this.room.memory / 2 ** 20} MiB of memory`)
  }

  #text(): void {
    const begin = this.#at + 1
    const end = endOfText(this.text, begin)
    this.#at = end + 1
    if (this.#isKey()) this.#key(begin, end)
    else this.#take(perText + end - begin)
  }

  /** Whether a colon follows. */
  #isKey(): boolean {
    let at = this.#at
    while (isBlank(this.text.charCodeAt(at))) at += 1
    return this.text.charCodeAt(at) === 0x3a
  }

  #key(begin: number, end: number): void {
    const { shapes } = this.room
    const depth = this.#open.length - 1
    let shape = this.#open[depth] ?? 0
    // FNV-1a; what happens to be the same costs nothing but exactness.
    for (let at = begin; at < end; at += 1) shape = Math.imul(shape ^ this.text.charCodeAt(at), 0x01000193)
    shape = Math.imul(shape ^ quote, 0x01000193)
    this.#open[depth] = shape
    if (shapes.has(shape)) return
    shapes.add(shape)
    if (shapes.size > mostShapes) throw new TooLarge(`its objects have over ${mostShapes} different keys`)
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

/** What a value takes in memory, in bytes, about; its hidden classes are not seen. */
export function memoryOf(value: unknown): number {
  if (typeof value === 'string') return perText + value.length
  if (typeof value !== 'object' || value === null) return perValue
  if (Array.isArray(value)) return value.reduce((sum: number, inner) => sum + perValue + memoryOf(inner), perArray)
  let memory = perObject
  for (const key in value) memory += perValue + memoryOf((value as Record<string, unknown>)[key])
  return memory
}

/** Where the quote stands that ends the text which begins at `begin`, or the end of all. */
function endOfText(text: string, begin: number): number {
  for (let end = text.indexOf('"', begin); end !== -1; end = text.indexOf('"', end + 1)) {
    let escapes = 0
    // The quote that begins it ends these at the latest.
    while (text.charCodeAt(end - 1 - escapes) === backslash) escapes += 1
    if (escapes % 2 === 0) return end
  }
  return text.length
}

function isBlank(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09
}

/** Digits, and the signs, points and letters that numbers have. */
function isOfNumber(code: number): boolean {
  return (code >= 0x30 && code <= 0x39) || code === 0x2d || code === 0x2b || code === 0x2e || (code | 0x20) === 0x65
}
