/** The tests of a firewall in the file: packets that its rules must judge as is expected. */
import type { FirewallRules } from '../../catalogue/firewall-rules'
import { Problem } from '../../errors'
import { type Case, parseCase } from '../../firewall/cases'
import { judge, type Packet } from '../../firewall/verdict'
import type { Refusal } from '../kind'

/** `service`: where a test names none. */
export function failedTests(
  tests: readonly unknown[],
  { rules, service }: { rules: FirewallRules; service: Packet['service'] },
): Refusal[] {
  return tests.flatMap((test, index): Refusal[] => {
    const field = `tests[${index}]`
    const packet = parsed(test, `${field}: `)
    if (typeof packet === 'string') return [{ field, reason: packet }]
    if (packet.expect === undefined) return [{ field, reason: 'expect is required' }]
    const { action, number } = judge(rules, { ...packet, service: packet.service ?? service })
    if (action === packet.expect) return []
    const by = number === null ? `the ${packet.direction} policy` : `${packet.direction} rule ${number}`
    const verdict = action === null ? `${by} cannot be judged` : `${action} by ${by}`
    return [{ field, reason: `${verdict}, but ${packet.expect} is expected` }]
  })
}

/** The packet, or what is wrong with it. */
function parsed(test: unknown, place: string): Case | string {
  try {
    return parseCase(test, place)
  } catch (error) {
    if (error instanceof Problem) return error.message.slice(place.length)
    throw error
  }
}
