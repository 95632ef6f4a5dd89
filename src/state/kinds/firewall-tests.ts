/** The tests of a firewall in the file: packets that its rules must judge as is expected. */
import * as v from 'valibot'
import type { FirewallRules } from '../../catalogue/firewall-rules'
import { Problem } from '../../errors'
import { parseCase } from '../../firewall/cases'
import { judge, type Packet } from '../../firewall/verdict'
import type { Refusal } from '../kind'

/** A packet as `firewalls test --cases` takes it, and what is expected of it. */
export const testEntry = v.pipe(
  v.looseObject({}),
  v.check(
    (test) => faultOf(test) === undefined,
    ({ input }) => faultOf(input) ?? '',
  ),
)

/** `service`: where a test names none. */
export function failedTests(
  tests: readonly v.InferOutput<typeof testEntry>[],
  { rules, service }: { rules: FirewallRules; service: Packet['service'] },
): Refusal[] {
  return tests.flatMap((test, index): Refusal[] => {
    const packet = parseCase(test, '')
    const { action, number } = judge(rules, { ...packet, service: packet.service ?? service })
    if (action === packet.expect) return []
    const by = number === null ? `the ${packet.direction} policy` : `${packet.direction} rule ${number}`
    const verdict = action === null ? `${by} cannot be judged` : `${action} by ${by}`
    return [{ field: `tests[${index}]`, reason: `${verdict}, but ${packet.expect} is expected` }]
  })
}

/** In a place, so that keys are named as a file has them. */
const place = 'test: '

function faultOf(test: unknown): string | undefined {
  try {
    return parseCase(test, place).expect === undefined ? 'expect is required' : undefined
  } catch (error) {
    if (error instanceof Problem) return error.message.slice(place.length)
    throw error
  }
}
