import { describe, expect, test } from 'vitest'
import { parsePorts, portsFault } from '../../src/rules/ports'
import fc, { runs } from '../support/fast-check'
import { expectUnder } from '../support/fastest'

/** api.md, Ports rules 1 to 4. */
describe('Ports', () => {
  test.each([
    ['80', '80-80'],
    ['1-65535', '1-65535'],
    ['65535', '65535-65535'],
    ['22,80-90', '22-22 80-90'],
    ['443, 22, 8000-8080', '443-443 22-22 8000-8080'],
  ])('are a port, a range, or a list of them: "%s"', (text, ranges) => {
    expect(portsFault(text)).toBeUndefined()
    expect(
      parsePorts(text)
        ?.map(({ first, last }) => `${first}-${last}`)
        .join(' '),
    ).toBe(ranges)
  })

  test.each([
    ['', 'Must not be empty; leave ports out for all of them'],
    ['0', '"0" is neither a port nor a range of ports'],
    ['080', '"080" is neither a port nor a range of ports'],
    ['65536', '"65536" is out of range: ports are 1 to 65535'],
    ['80-65536', '"80-65536" is out of range: ports are 1 to 65535'],
    ['70000-80', '"70000-80" is out of range: ports are 1 to 65535'],
    ['x'.repeat(20), `"${'x'.repeat(20)}" is neither a port nor a range of ports`],
    ['x'.repeat(21), `"${'x'.repeat(20)}..." is neither a port nor a range of ports`],
    ['80-80', '"80-80" must end above its start'],
    ['90-80', '"90-80" must end above its start'],
    ['80,  443', '" 443" is neither a port nor a range of ports'],
    ['80,', '"" is neither a port nor a range of ports'],
    [',80', '"" is neither a port nor a range of ports'],
    [' 80', '" 80" is neither a port nor a range of ports'],
    ['80 ', '"80 " is neither a port nor a range of ports'],
    ['80 ,443', '"80 " is neither a port nor a range of ports'],
    ['80 - 90', '"80 - 90" is neither a port nor a range of ports'],
    ['80-90-100', '"80-90-100" is neither a port nor a range of ports'],
    ['-80', '"-80" is neither a port nor a range of ports'],
    ['+80', '"+80" is neither a port nor a range of ports'],
    ['22a', '"22a" is neither a port nor a range of ports'],
    ['80\n', '"80\\n" is neither a port nor a range of ports'],
    ['８０', '"８０" is neither a port nor a range of ports'],
  ])('are rejected with a reason: %j', (text, fault) => {
    expect(portsFault(text)).toBe(fault)
    expect(parsePorts(text)).toBeUndefined()
  })

  const tooMany = 'Too many pieces. Max allowed is 15: a port is one, a range is two'
  const list = (ports: number, ranges: number) => [...Array(ports).fill('1'), ...Array(ranges).fill('1-2')].join(',')

  test.each([
    [15, 0],
    [13, 1],
    [1, 7],
  ])('may be %i ports and %i ranges', (ports, ranges) => {
    expect(portsFault(list(ports, ranges))).toBeUndefined()
  })

  test.each([
    [16, 0],
    [14, 1],
    [0, 8],
    [100, 0],
  ])('may not be %i ports and %i ranges', (ports, ranges) => {
    expect(portsFault(list(ports, ranges))).toBe(tooMany)
  })

  test.each(['1', '1,', ',', '1-', ' '])('of 1 MB are checked in under 10 ms: "%s"', (part) => {
    const text = part.repeat(1_000_000 / part.length)
    expect(portsFault(text)?.length).toBeLessThan(100)
    expectUnder(10, () => portsFault(text))
  })

  test('are valid exactly if a simple parser accepts them', () => {
    fc.assert(
      fc.property(portText, (text) => {
        expect(portsFault(text) === undefined).toBe(isValidPortList(text))
      }),
      { numRuns: runs(8000) },
    )
  })
})

const number = fc.oneof(
  fc.integer({ min: 0, max: 70_000 }).map(String),
  fc.constantFrom('0', '1', '080', '65535', '65536', '', '１'),
)
const piece = fc.oneof(
  { weight: 3, arbitrary: number },
  { weight: 2, arbitrary: fc.tuple(number, number).map(([a, b]) => `${a}-${b}`) },
  { weight: 1, arbitrary: fc.string({ maxLength: 4 }) },
)
const portText = fc.oneof(
  fc
    .array(fc.tuple(piece, fc.constantFrom(',', ',', ', ', ',  ', ' ,', ';')), { minLength: 1, maxLength: 17 })
    .map((parts) => parts.map(([text, separator], index) => (index === 0 ? text : separator + text)).join('')),
  fc.array(fc.integer({ min: 1, max: 65_535 }), { minLength: 1, maxLength: 17 }).map((ports) => ports.join(', ')),
  fc.string({ unit: fc.constantFrom('0', '1', '8', '9', ',', '-', ' '), maxLength: 20 }),
)

const everyPort = new Map(Array.from({ length: 65_535 }, (_, index) => [String(index + 1), index + 1]))

/** Parses character by character, with a table of all ports. */
function isValidPortList(text: string): boolean {
  let pieces = 0
  let rest = text
  for (let first = true; ; first = false) {
    if (!first && rest.startsWith(' ')) rest = rest.substring(1)
    let end = 0
    while (end < rest.length && rest.charAt(end) !== ',') end += 1
    const part = rest.substring(0, end)
    const dash = part.indexOf('-')
    const start = everyPort.get(dash < 0 ? part : part.substring(0, dash))
    const last = dash < 0 ? start : everyPort.get(part.substring(dash + 1))
    if (start === undefined || last === undefined || (dash >= 0 && !(start < last))) return false
    pieces += dash < 0 ? 1 : 2
    if (end === rest.length) return pieces < 16
    rest = rest.substring(end + 1)
  }
}
