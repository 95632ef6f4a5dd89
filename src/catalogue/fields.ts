/**
 * Field types for bodies and answers of operations. Schemas are readable as data: help, flags, completions and
 * documents use their entries, descriptions and limits. Metadata use the keywords of JSON Schema, and appear unchanged
 * in the OpenAPI document.
 */
import * as v from 'valibot'

export const text = (description: string) => v.pipe(v.string('Must be a string'), v.description(description))

/** Text with a length in characters (code points), as in api.md, not in UTF-16 units. */
export const textOf = (min: number, max: number, description: string) =>
  v.pipe(
    v.string('Must be a string'),
    v.check((value) => within(value, min, max), `Must be ${min}-${max} characters`),
    v.metadata({ minLength: min, maxLength: max }),
    v.description(description),
  )

/** Text with a check: `fault` returns the reason if the text is invalid, or undefined. */
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

/** Size in GiB. Filters also accept other units. */
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

/** Time `YYYY-MM-DDTHH:MM:SS`, always UTC. It has no zone, unlike the `date-time` of JSON Schema (RFC 3339). */
const time = (kind: 'time' | 'deadline', description: string, zone: '' | 'Z' = '') =>
  v.pipe(
    v.string(),
    v.metadata({ pattern: `^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}${zone}$`, 'x-kind': kind }),
    v.description(description),
  )

/** Past time, from which an age is computed. */
export const timestamp = (description: string) => time('time', description)

/** Future end, from which the remaining time is computed. */
export const deadline = (description: string) => time('deadline', description)

/** Future end in a record of skyctl, in RFC 3339: the service's times have no zone. */
export const deadlineInUtc = (description: string) => time('deadline', description, 'Z')

/** IPv4 or IPv6 address in an answer. */
export const ipAddress = (description: string) =>
  v.pipe(v.string(), v.metadata({ 'x-kind': 'address' }), v.description(description))

/** Field of an answer with known values. Values that the service adds later are printed unchanged. */
export const open = (values: readonly string[], description: string) =>
  v.pipe(v.string(), v.metadata({ 'x-known-values': values }), v.description(description))

/** Field of a request with a fixed set of values. */
export const choice = <const T extends readonly [string, ...string[]]>(values: T, description: string) =>
  v.pipe(v.picklist(values, `Must be one of: ${values.join(', ')}`), v.description(description))

export const arrayOf = <const T extends v.GenericSchema>(item: T, description: string) =>
  v.pipe(v.array(item, 'Must be an array'), v.description(description))

export const strings = (description: string) => arrayOf(v.string('Must be a string'), description)

/**
 * Rule about several fields of an object; errors are reported for the first one. It is checked only if each field is
 * valid by itself. valibot's own `forward` takes time quadratic in the number of issues.
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
