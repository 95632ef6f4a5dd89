/** Filters on random records, against the rules as `skyctl help filter` tells them, read a second time. */
import type { Arbitrary } from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ips } from '../../src/catalogue/ips'
import { ipv6Ranges } from '../../src/catalogue/ipv6'
import { tokens } from '../../src/catalogue/tokens'
import { vlans } from '../../src/catalogue/vlans'
import { volumes } from '../../src/catalogue/volumes'
import { type RecordFilter, readFilter } from '../../src/engine/filter'
import fc, { runs } from '../support/fast-check'

const now = Date.UTC(2026, 10, 18, 9, 30)

/** A test as it is typed, and whether a value passes it, told by what was meant and not by the text. */
interface Meant {
  text: string
  passes(value: unknown): boolean
}

interface Kind {
  operation: Parameters<typeof readFilter>[1]
  path: string
  /** What a record may hold there. */
  held: Arbitrary<unknown>
  /** With the operator, and with blanks about it. */
  meant: Arbitrary<Meant>
}

const none = fc.constantFrom(null, undefined)
/** Nothing that could be compared, whatever the field. */
const strange = fc.constantFrom({}, { size: 40 }, [{}], [null], [[40]])
const blank = fc.constantFrom('', ' ', '  ')

function typed(path: string, operator: string, value: string): Arbitrary<string> {
  return fc.tuple(blank, blank, blank).map(([a, b, c]) => `${a}${path}${b}${operator}${c}${value}`)
}

/** -1, 0 or 1 of a value, or nothing where it cannot be compared. */
type Compare = (value: unknown) => number | undefined

const signs: Record<string, readonly number[]> = {
  '=': [0],
  '!=': [-1, 1],
  '>': [1],
  '>=': [0, 1],
  '<': [-1],
  '<=': [-1, 0],
}

/** The rules of the operators, for one value. */
function meaning(operator: string, compare: Compare): Meant['passes'] {
  const wanted = signs[operator] ?? []
  return (value) => {
    if (value === null || value === undefined) return operator === '!='
    if (!Array.isArray(value)) return wanted.includes(compare(value) ?? Number.NaN)
    const members = value.map((member) => (member === null ? Number.NaN : (compare(member) ?? Number.NaN)))
    if (operator === '!=') return members.every((sign) => wanted.includes(sign))
    return operator === '=' && members.includes(0)
  }
}

function tests(
  path: string,
  operators: readonly string[],
  value: Arbitrary<{ written: string; compare: Compare }>,
): Arbitrary<Meant> {
  return fc
    .tuple(fc.constantFrom(...operators), value)
    .chain(([operator, { written, compare }]) =>
      typed(path, operator, written).map((text) => ({ text, passes: meaning(operator, compare) })),
    )
}

/** `=none` and `!=none`; an empty list is none as well. */
const ofNone = (path: string): Arbitrary<Meant> =>
  fc.constantFrom('=', '!=').chain((operator) =>
    typed(path, operator, 'none').map((text) => ({
      text,
      passes: (value) =>
        (value === null || value === undefined || (Array.isArray(value) && value.length === 0)) === (operator === '='),
    })),
  )

const contains = (path: string, part: Arbitrary<string>): Arbitrary<Meant> =>
  part.chain((wanted) =>
    typed(path, '~', wanted).map((text) => ({
      text,
      passes: (value) =>
        [value].flat().some(
          (one) =>
            typeof one !== 'object' &&
            String(one ?? '')
              .toUpperCase()
              .includes(wanted.toUpperCase()),
        ),
    })),
  )

const ordered = ['=', '!=', '>', '>=', '<', '<=']
const equality = ['=', '!=']

const sign = (a: bigint | number, b: bigint | number) => (a < b ? -1 : a > b ? 1 : 0)

/** A whole number as a record may hold it; digits in a text are one. */
function whole(value: unknown): bigint | undefined {
  if (typeof value === 'bigint') return value
  if (typeof value === 'string') return /^-?\d+$/.test(value) ? BigInt(value) : undefined
  return typeof value === 'number' ? BigInt(value) : undefined
}

const size: Kind = {
  operation: volumes.list,
  path: 'size',
  held: fc.oneof(fc.integer({ min: 0, max: 120 }), fc.nat(120).map(String), fc.constantFrom('x', true), none, strange),
  meant: tests(
    'size',
    ordered,
    fc
      .tuple(
        fc.nat(130),
        fc.constantFrom<[string, bigint]>(
          ['', 2n ** 30n],
          ['GiB', 2n ** 30n],
          ['gb', 10n ** 9n],
          ['MiB', 2n ** 20n],
          [' TB', 10n ** 12n],
        ),
      )
      .map(([count, [unit, bytes]]) => ({
        written: `${count}${unit}`,
        compare: (value) => {
          const held = whole(value)
          return held === undefined ? undefined : sign(held * 2n ** 30n, BigInt(count) * bytes)
        },
      })),
  ),
}

const around = 2n ** 53n
const id: Kind = {
  operation: volumes.list,
  path: 'compute_id',
  held: fc.oneof(fc.bigInt(around - 2n, around + 3n), fc.constantFrom(1, 2, '2', '', 'x'), none, strange),
  meant: fc.oneof(
    ofNone('compute_id'),
    tests(
      'compute_id',
      ordered,
      fc.oneof(fc.bigInt(around - 2n, around + 3n), fc.bigInt(0n, 3n)).map((wanted) => ({
        written: String(wanted),
        compare: (value) => {
          const held = whole(value)
          return held === undefined ? undefined : sign(held, wanted)
        },
      })),
    ),
  ),
}

const boolean: Kind = {
  operation: ips.list,
  path: 'public',
  held: fc.oneof(fc.boolean(), fc.constantFrom('true', 'yes', 0, 1), none, strange),
  meant: tests(
    'public',
    equality,
    fc
      .constantFrom<[string, boolean]>(['true', true], ['Yes', true], ['FALSE', false], ['no', false])
      .map(([written, wanted]) => ({
        written,
        compare: (value) =>
          value === true || value === 'true'
            ? Number(!wanted)
            : value === false || value === 'false'
              ? Number(wanted)
              : undefined,
      })),
  ),
}

const word = fc.constantFrom('a', 'A', 'ab', 'b', 'none', '=a', 'a b')
/** Quotes are needed where blanks, operators or the text `none` would be taken for something else. */
const quoted = (text: string) => (/^[a-z ]+$/i.test(text) && text !== 'none' ? text : `"${text}"`)
const textCompare =
  (wanted: string): Compare =>
  (value) =>
    typeof value === 'object' ? undefined : Number(String(value) !== wanted)

const ofText = (path: string) =>
  fc.oneof(
    tests(
      path,
      equality,
      word.map((wanted) => ({ written: quoted(wanted), compare: textCompare(wanted) })),
    ),
    contains(path, fc.constantFrom('a', 'B', 'none', '1')),
  )

const text: Kind = {
  operation: volumes.list,
  path: 'compute_label',
  held: fc.oneof(word, fc.constantFrom('', 1, true), none, strange),
  meant: fc.oneof(ofText('compute_label'), ofNone('compute_label')),
}

const list: Kind = {
  operation: volumes.list,
  path: 'tags',
  held: fc.oneof(fc.array(word, { maxLength: 3 }), word, none, strange),
  meant: fc.oneof(ofText('tags'), ofNone('tags')),
}

const numbers: Kind = {
  operation: vlans.list,
  path: 'computes',
  held: fc.oneof(fc.array(fc.nat(5), { maxLength: 3 }), fc.nat(5), none, strange),
  meant: fc.oneof(
    ofNone('computes'),
    tests(
      'computes',
      equality,
      fc.nat(5).map((wanted) => ({
        written: String(wanted),
        compare: (value) => (typeof value === 'number' ? sign(value, wanted) : undefined),
      })),
    ),
  ),
}

/** Within some days of now, at whole hours, so that the edges are met. */
const hours = fc.integer({ min: -72, max: 72 })
const stamp = (hour: number) => new Date(now + hour * 3_600_000).toISOString().slice(0, 19)
const times = fc.oneof(
  hours.map(stamp),
  hours.map((hour) => `${stamp(hour)}Z`),
  fc.constantFrom('soon', '', 3),
  none,
  strange,
)

const stampOf = (value: unknown) => /^2026-.{14}/.exec(typeof value === 'string' ? value : '')?.[0]

/** A prefix of a timestamp stands for all times that begin with it. */
const moment = hours
  .chain((hour) => fc.constantFrom(10, 16, 19).map((length) => stamp(hour).slice(0, length)))
  .map((written) => ({
    written,
    compare: (value: unknown) => {
      const held = stampOf(value)?.slice(0, written.length)
      return held === undefined ? undefined : held < written ? -1 : held > written ? 1 : 0
    },
  }))

const span = (direction: 1 | -1) =>
  fc.tuple(fc.nat(80), fc.constantFrom<[string, number]>(['h', 1], ['d', 24])).map(([count, [unit, length]]) => ({
    written: `${count}${unit}`,
    compare: (value: unknown) => {
      const held = stampOf(value)
      return held && sign((direction * (Date.parse(`${held}Z`) - now)) / 3_600_000, count * length)
    },
  })) as Arbitrary<{ written: string; compare: Compare }>

const age: Kind = {
  operation: volumes.list,
  path: 'created',
  held: times,
  meant: fc.oneof(tests('created', ordered, moment), tests('created', ordered.slice(2), span(-1))),
}

const expiry: Kind = {
  operation: tokens.list,
  path: 'expiry',
  held: times,
  meant: fc.oneof(tests('expiry', ordered, moment), tests('expiry', ordered.slice(2), span(1)), ofNone('expiry')),
}

/** An address as its bits. */
const bits4 = fc.nat(15).map((low) => `110000000000000000000010${low.toString(2).padStart(8, '0')}`)
const bits6 = fc
  .tuple(fc.nat(3), fc.nat(3))
  .map(([net, low]) =>
    [0x2001, 0xdb8, net, 0, 0, 0, 0, low].map((group) => group.toString(2).padStart(16, '0')).join(''),
  )
const bits = fc.oneof(bits4, bits6)

function written(address: string, spelling: number): string {
  const groups = (address.match(address.length === 32 ? /.{8}/g : /.{16}/g) ?? []).map((group) =>
    Number.parseInt(group, 2),
  )
  if (groups.length === 4) return groups.join('.')
  const hex = groups.map((group) => group.toString(16))
  if (spelling === 0) return hex.join(':')
  if (spelling === 1) return hex.map((group) => group.padStart(4, '0').toUpperCase()).join(':')
  return `${hex.slice(0, 3).join(':')}::${hex[7]}`
}

const spelt = fc.tuple(bits, fc.nat(2)).map(([address, spelling]) => written(address, spelling))

/** The bits of a single address; told from its groups. */
function bitsOf(value: unknown): string | undefined {
  if (typeof value !== 'string' || !/^[\da-f.:]{3,}$/i.test(value)) return undefined
  if (value.includes('.'))
    return value
      .split('.')
      .map((part) => Number(part).toString(2).padStart(8, '0'))
      .join('')
  const [head = [], tail = []] = value.split('::').map((side) => side.split(':'))
  const groups = [...head, ...Array(8 - head.length - tail.length).fill('0'), ...tail]
  return groups.map((group) => Number.parseInt(group, 16).toString(2).padStart(16, '0')).join('')
}

const within =
  (agrees: (held: string) => boolean): Compare =>
  (value) => {
    const held = bitsOf(value)
    return held === undefined ? undefined : Number(!agrees(held))
  }

const place = fc.oneof(
  fc.tuple(bits, fc.nat(2)).map(([wanted, spelling]) => ({
    written: written(wanted, spelling),
    compare: within((held) => held === wanted),
  })),
  fc.tuple(bits, fc.nat(2), fc.nat(16)).map(([one, spelling, host]) => {
    const prefix = one.slice(0, one.length - host)
    return {
      written: `${written(prefix.padEnd(one.length, '0'), spelling)}/${prefix.length}`,
      compare: within((held) => held.length === one.length && held.startsWith(prefix)),
    }
  }),
  fc
    .tuple(
      fc.constantFrom(bits4, bits6).chain((family) => fc.tuple(family, family)),
      fc.nat(2),
    )
    .map(([pair, spelling]) => {
      const [first = '', last = ''] = [...pair].sort()
      return {
        written: `${written(first, spelling)}-${written(last, spelling)}`,
        compare: within((held) => held.length === first.length && held >= first && held <= last),
      }
    }),
)

const address: Kind = {
  operation: ips.list,
  path: 'address',
  held: fc.oneof(spelt, fc.constantFrom('', 'unknown', 3), none, strange),
  meant: tests('address', equality, place),
}

const route: Kind = {
  ...address,
  operation: ipv6Ranges.list,
  path: 'route_target',
  meant: fc.oneof(ofNone('route_target'), tests('route_target', equality, place)),
}

const kinds = { size, id, boolean, text, list, numbers, age, expiry, address, route }

describe('a filter passes what its rules say', () => {
  const names = Object.keys(kinds) as (keyof typeof kinds)[]

  test.for(names)('%s', async (name) => {
    const { operation, path, held, meant } = kinds[name]
    await fc.assert(
      fc.asyncProperty(held, fc.array(meant, { minLength: 1, maxLength: 3 }), async (value, wanted) => {
        const record = value === undefined ? {} : { [path]: value }
        const filter: RecordFilter = await readFilter(
          wanted.map(({ text }) => text),
          operation,
          now,
        )
        expect(filter.passes(record)).toBe(wanted.every(({ passes }) => passes(value)))
      }),
      { numRuns: runs(800) },
    )
  })
})
