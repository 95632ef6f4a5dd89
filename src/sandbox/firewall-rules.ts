import type { FirewallRule, FirewallRules, firewallRules } from '../catalogue/firewall-rules'
import { mostRules } from '../catalogue/firewall-rules'
import type { Body } from '../catalogue/operation'
import { checkNotMigrating } from './firewall-assignment'
import type { Handlers } from './handler'
import { orNotFound, refusal } from './refusal'

export const firewallRuleHandlers: Handlers<typeof firewallRules> = {
  list: {
    needs: ['read_only'],
    handle: ({ firewallId }, { world }) => orNotFound(world.network.firewalls.get(firewallId)).rules,
  },

  update: {
    needs: ['read_write'],
    refusesUnknownKeys: true,
    handle({ firewallId, inbound, inbound_policy, outbound, outbound_policy }, { world }) {
      const firewall = orNotFound(world.network.firewalls.get(firewallId))
      checkNotMigrating(firewall, world)
      const standing = firewall.rules
      const rules: FirewallRules = {
        inbound: inbound ? stored(inbound) : standing.inbound,
        inbound_policy: inbound_policy ?? standing.inbound_policy,
        outbound: outbound ? stored(outbound) : standing.outbound,
        outbound_policy: outbound_policy ?? standing.outbound_policy,
      }
      // The schema counts only sent rules; an omitted direction keeps its current rules, which count too.
      if (rules.inbound.length + rules.outbound.length > mostRules) {
        throw refusal(null, `Too many rules submitted. Max allowed is ${mostRules}`)
      }
      return world.network.firewalls.put({ ...firewall, rules, updated: world.timestamp() }).rules
    },
  },
}

type SentRules = NonNullable<Body<typeof firewallRules.update>['inbound']>

/** Drops the `ports` key of rules without ports (gaps.md). */
export function stored(rules: SentRules = []): FirewallRule[] {
  return rules.map(({ ports, ...rule }) => (typeof ports === 'string' ? { ...rule, ports } : rule))
}
