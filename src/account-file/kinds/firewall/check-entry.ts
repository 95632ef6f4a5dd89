/** Finds what is wrong with the entry of a firewall in every account. */
import { areRules, hasAllRules } from '../../../firewall/rules'
import { judgedServices } from '../../../firewall/verdict'
import { isRecord } from '../../../rules/records'
import { rememberLast } from '../../../rules/remember-last'
import type { CheckInput, PlanRefusal } from '../../kind'
import { claimedTwice } from './claims'
import { listedServices, services } from './compare-services'
import type { FirewallEntry } from './entry'
import { failedTests } from './run-tests'

/** Returns failed tests of rules that the entry has whole, and services that two entries protect. */
export const checkFirewall = (one: CheckInput<FirewallEntry>): PlanRefusal[] => [...testFaults(one), ...claims(one)]

/** Other rules are completed by the account. If that may add services, too, a test must fail at each kind of them. */
function testFaults({ desired: { rules, tests = [], devices } }: CheckInput<FirewallEntry>): PlanRefusal[] {
  if (!isRecord(rules) || !hasAllRules(rules) || !areRules(rules)) return []
  const failedAt = (places: ReturnType<typeof judgedServices>) => failedTests(tests, { rules, services: places })
  if (services.every((list) => devices?.[list] !== undefined)) {
    return failedAt(judgedServices(listedServices(devices).map((entity) => ({ entity }))))
  }
  const atBalancers = new Set(failedAt(['balancer']).map(({ field }) => field))
  return failedAt(['compute']).filter(({ field }) => atBalancers.has(field))
}

/** Returns the entries that certainly enable their firewall, once for each file. */
const enabledIn = rememberLast(
  (entries: CheckInput<FirewallEntry>['entries']) => entries,
  (entries) => new Map([...entries].filter(([, { status }]) => status === 'enabled')),
)

/** Without a status in the file, the account has it. */
function claims({ name, desired, entries }: CheckInput<FirewallEntry>): PlanRefusal[] {
  if (desired.status !== 'enabled') return []
  const world = new Map<string, never[]>()
  const around = { entries: enabledIn(entries), world, settings: { defaults: {} }, isRemoved: () => false }
  return claimedTwice({ name, desired, record: undefined, ...around })
}
