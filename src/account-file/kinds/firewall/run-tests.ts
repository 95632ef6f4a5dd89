/** Runs the tests of a firewall in a file: packets, and the expected verdict of its rules. */
import * as v from 'valibot'
import type { FirewallRules } from '../../../catalogue/firewall-rules'
import { Problem } from '../../../errors'
import { caseKeys, parseTestCase } from '../../../firewall/test-cases'
import { judgeAt, type Packet, placesOfServices } from '../../../firewall/verdict'
import type { PlanRefusal } from '../../kind'

/** Schema of a test: a packet as in `firewalls test --cases`, with the expected verdict. */
export const testEntry = v.pipe(
  v.strictObject(Object.fromEntries(caseKeys.map((key) => [key, v.optional(v.unknown())]))),
  v.check(
    (test) => faultOf(test) === undefined,
    ({ input }) => faultOf(input) ?? '',
  ),
)

/** Returns a refusal for each failed test; `services` are the default for tests without one. */
export function failedTests(
  tests: readonly v.InferOutput<typeof testEntry>[],
  { rules, services }: { rules: FirewallRules; services: readonly Packet['service'][] },
): PlanRefusal[] {
  return tests.flatMap((test, index): PlanRefusal[] => {
    const packet = parseTestCase(test, '')
    const verdicts = judgeAt(rules, packet, packet.service ? [packet.service] : services)
    const failed = verdicts.find(({ action }) => action !== packet.expect)
    if (!failed) return []
    const { action, number, service } = failed
    const policy =
      failed.by === 'exempt' ? 'default, for it filters inbound TCP only' : `the ${packet.direction} policy`
    const by = number === null ? policy : `${packet.direction} rule ${number}`
    const place = verdicts.length > 1 ? ` ${placesOfServices[service]}` : ''
    const verdict = action === null ? `${by} cannot be judged${place}` : `${action}${place} by ${by}`
    const named = typeof test.name === 'string' ? `"${test.name}": ` : ''
    return [{ field: `tests[${index}]`, reason: `${named}${verdict}, but ${packet.expect} is expected`, isTest: true }]
  })
}

/** Prefix for the parser's errors, so that they name keys as in the file. */
const place = 'test: '

function faultOf(test: unknown): string | undefined {
  try {
    return parseTestCase(test, place).expect === undefined ? 'expect is required' : undefined
  } catch (error) {
    if (error instanceof Problem) return error.message.slice(place.length)
    throw error
  }
}
