/**
 * The vocabulary in which operations describe their bodies and answers. Schemas stay readable as data: help, flags,
 * completions and documents are made from their entries, descriptions and limits. Metadata are in the words of JSON
 * Schema, and go into the OpenAPI document as they are.
 */
import * as v from 'valibot'

export const text = (description: string) => v.pipe(v.string('Must be a string'), v.description(description))

/** Lengths count characters (code points), as api.md does, not UTF-16 units. */
export const textOf = (min: number, max: number, description: string) =>
  v.pipe(
    v.string('Must be a string'),
    v.check((value) => within(value, min, max), `Must be ${min}-${max} characters`),
    v.metadata({ minLength: min, maxLength: max }),
    v.description(description),
  )

/** Text of which `fault` says what is wrong with it; undefined where nothing is. */
export const checkedText = (fault: (value: string) => string | undefined, description: string) =>
  v.pipe(
    v.string('Must be a string'),
    v.rawCheck(({ dataset, addIssue }) => {
      const message = dataset.typed ? fault(dataset.value) : undefined
      if (message !== undefined) addIssue({ message })
    }),
    v.description(description),
  )

export const integer = (description: string) =>
  v.pipe(v.number('Must be an integer'), v.integer('Must be an integer'), v.description(description))

/** A size in GiB, of which filters may also be written in other units. */
export const gibibytes = (description: string) =>
  v.pipe(
    v.number('Must be an integer'),
    v.integer('Must be an integer'),
    v.minValue(1, 'Must be 1 or greater'),
    v.metadata({ 'x-kind': 'size' }),
    v.description(description),
  )

export const positive = (description: string) =>
  v.pipe(
    v.number('Must be an integer'),
    v.integer('Must be an integer'),
    v.minValue(1, 'Must be 1 or greater'),
    v.description(description),
  )

export const boolean = (description: string) => v.pipe(v.boolean('Must be a boolean'), v.description(description))

/** `YYYY-MM-DDTHH:MM:SS`, always UTC. Without a zone it is not the `date-time` of JSON Schema (RFC 3339). */
const time = (kind: 'time' | 'deadline', description: string) =>
  v.pipe(
    v.string(),
    v.metadata({ pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}$', 'x-kind': kind }),
    v.description(description),
  )

/** When something was: its distance from now is its age. */
export const timestamp = (description: string) => time('time', description)

/** When something will end: its distance from now is what is left. */
export const deadline = (description: string) => time('deadline', description)

/** An IPv4 or IPv6 address of an answer. */
export const ipAddress = (description: string) =>
  v.pipe(v.string(), v.metadata({ 'x-kind': 'address' }), v.description(description))

/** Known values of an answer's field; a value that the service adds later is shown as it is. */
export const open = (values: readonly string[], description: string) =>
  v.pipe(v.string(), v.metadata({ 'x-known-values': values }), v.description(description))

/** The values that a request's field takes. */
export const choice = <const T extends readonly [string, ...string[]]>(values: T, description: string) =>
  v.pipe(v.picklist(values, `Must be one of: ${values.join(', ')}`), v.description(description))

export const strings = (description: string) =>
  v.pipe(v.array(v.string('Must be a string'), 'Must be an array'), v.description(description))

/**
 * A rule between fields of an object, of which the first is blamed; it is judged where none of them is wrong by itself.
 * valibot's own `forward` takes time in the square of the number of issues.
 */
export const together = <T extends Record<string, unknown>, K extends keyof T & string>(
  keys: readonly [K, ...K[]],
  holds: (fields: Pick<T, K>) => boolean,
  reason: string,
) =>
  v.rawCheck<T>(({ dataset, addIssue }) => {
    const blamed = ({ path }: { path?: readonly { key: unknown }[] | undefined }) =>
      path === undefined || keys.some((key) => key === path[0]?.key)
    if (dataset.issues?.some(blamed)) return
    const input = dataset.value as T
    const [key] = keys
    if (!holds(input)) {
      addIssue({
        message: reason,
        path: [{ type: 'object', origin: 'value', input, key, value: input[key] }],
      })
    }
  })

function within(value: string, min: number, max: number): boolean {
  if (value.length > 2 * max) return false
  const { length } = Array.from(value)
  return length >= min && length <= max
}
