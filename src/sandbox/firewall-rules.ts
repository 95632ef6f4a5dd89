import type { FirewallRule, FirewallRules, firewallRules } from '../catalogue/firewall-rules'
import { mostRules } from '../catalogue/firewall-rules'
import type { Body } from '../catalogue/operation'
import type { Handlers } from './handler'
import { checkNotMigrating } from './protection'
import { found, refusal } from './refusal'

export const firewallRuleHandlers: Handlers<typeof firewallRules> = {
  list: {
    needs: ['read_only'],
    handle: ({ firewallId }, { world }) => found(world.network.firewalls.get(firewallId)).rules,
  },

  update: {
    needs: ['read_write'],
    refusesUnknownKeys: true,
    handle({ firewallId, inbound, inbound_policy, outbound, outbound_policy }, { world }) {
      const firewall = found(world.network.firewalls.get(firewallId))
      checkNotMigrating(firewall, world)
      const standing = firewall.rules
      const rules: FirewallRules = {
        inbound: inbound ? stored(inbound) : standing.inbound,
        inbound_policy: inbound_policy ?? standing.inbound_policy,
        outbound: outbound ? stored(outbound) : standing.outbound,
        outbound_policy: outbound_policy ?? standing.outbound_policy,
      }
      // One side alone may be small enough, and too much together with what stands.
      if (rules.inbound.length + rules.outbound.length > mostRules) {
        throw refusal(null, `Too many rules submitted. Max allowed is ${mostRules}`)
      }
      return world.network.firewalls.put({ ...firewall, rules, updated: world.timestamp() }).rules
    },
  },
}

type SentRules = NonNullable<Body<typeof firewallRules.update>['inbound']>

/** A rule without ports has no such key (gaps.md). */
export function stored(rules: SentRules = []): FirewallRule[] {
  return rules.map(({ ports, ...rule }) => (typeof ports === 'string' ? { ...rule, ports } : rule))
}
