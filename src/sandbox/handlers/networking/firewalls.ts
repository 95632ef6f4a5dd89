import { type FirewallRule, type FirewallRules, firewallRules, mostRules } from '../../../catalogue/firewall-rules'
import { type Firewall, firewalls } from '../../../catalogue/firewalls'
import type { Body } from '../../../catalogue/operation'
import { grantToCreator, visibleTo } from '../../caller'
import { changeEvent, creationEvent, firewallUpdateEvent, updateEvent } from '../../events'
import { serve } from '../../handler'
import { listing } from '../../pages'
import { all, orNotFound, refusal } from '../../refusal'
import type { ServiceType } from '../../tables/firewall-device'
import type { FirewallRecord } from '../../tables/firewalls'
import type { World } from '../../world'
import { checkNoOther, checkNotMigrating, protect } from './firewall-devices'

export const servedFirewalls = serve(firewalls, {
  list: {
    handle(_, { world, caller }) {
      return listing(visibleTo(caller.user, 'firewall', world.network.firewalls), shown)
    },
  },

  create: {
    event: creationEvent('firewall', 'firewall_create'),
    needs: ['add_firewalls'],
    handle({ label, rules, devices: { computes = [], balancers = [] } = {}, tags = [] }, { world, caller }) {
      const { inbound_policy, outbound_policy } = rules
      const firewall = world.network.firewalls.add({
        label,
        rules: {
          inbound: stored(rules.inbound),
          inbound_policy,
          outbound: stored(rules.outbound),
          outbound_policy,
        },
        tags,
      })
      const protecting = (type: ServiceType, ids: readonly number[]) =>
        ids.map((id, index) => () => {
          protect(firewall, { type, id }, `devices.${type}s[${index}]`, { world, caller })
        })
      all(() => checkUnique(firewall, world), ...protecting('compute', computes), ...protecting('balancer', balancers))
      grantToCreator('firewall', firewall.id, caller.user, world)
      return shown(firewall)
    },
  },

  view: {
    needs: ['read_only'],
    handle: ({ firewallId }, { world }) => shown(orNotFound(world.network.firewalls.get(firewallId))),
  },

  update: {
    event: firewallUpdateEvent,
    needs: ['read_write'],
    handle({ firewallId, label, status, tags }, { world }) {
      const firewall = orNotFound(world.network.firewalls.get(firewallId))
      checkNotMigrating(firewall, world)
      if (label !== undefined) checkUnique({ id: firewallId, label }, world)
      if (status === 'enabled') {
        for (const { type, entity } of world.network.devicesOf(firewallId)) {
          checkNoOther(firewall, { type, id: entity }, 'status', world)
        }
      }
      const updated = change(
        firewall,
        { label: label ?? firewall.label, status: status ?? firewall.status, tags: tags ?? firewall.tags },
        world,
      )
      return shown(updated)
    },
  },

  delete: {
    event: changeEvent('firewall', 'firewallId', 'firewall_delete'),
    needs: ['read_write'],
    handle({ firewallId }, { world }) {
      const firewall = orNotFound(world.network.firewalls.get(firewallId))
      checkNotMigrating(firewall, world)
      for (const { id } of world.network.devicesOf(firewallId)) world.network.devices.delete(id)
      world.network.firewalls.delete(firewallId)
      return {}
    },
  },
})

function checkUnique({ id, label }: Pick<FirewallRecord, 'id' | 'label'>, { network }: World): void {
  if (network.firewalls.where('label', label).some((other) => other.id !== id)) {
    throw refusal('label', 'Label must be unique among your Cloud Firewalls')
  }
}

function change(firewall: FirewallRecord, changes: Partial<FirewallRecord>, world: World): FirewallRecord {
  return world.network.firewalls.put({ ...firewall, ...changes, updated: world.timestamp() })
}

function shown({ id, label, status, rules, tags, created, updated }: FirewallRecord): Firewall {
  return { id, label, status, rules, tags: [...tags], created, updated }
}

export const servedRules = serve(firewallRules, {
  list: {
    needs: ['read_only'],
    handle: ({ firewallId }, { world }) => orNotFound(world.network.firewalls.get(firewallId)).rules,
  },

  update: {
    event: updateEvent('firewall', 'firewallId', 'firewall_rules_update'),
    needs: ['read_write'],
    refusesUnknownKeys: true,
    handle({ firewallId, inbound, inbound_policy, outbound, outbound_policy }, { world }) {
      const firewall = orNotFound(world.network.firewalls.get(firewallId))
      checkNotMigrating(firewall, world)
      const current = firewall.rules
      const rules: FirewallRules = {
        inbound: inbound ? stored(inbound) : current.inbound,
        inbound_policy: inbound_policy ?? current.inbound_policy,
        outbound: outbound ? stored(outbound) : current.outbound,
        outbound_policy: outbound_policy ?? current.outbound_policy,
      }
      // The schema counts only sent rules; an omitted direction keeps its current rules, which count too.
      if (rules.inbound.length + rules.outbound.length > mostRules) {
        throw refusal(null, `Too many rules submitted. Max allowed is ${mostRules}`)
      }
      return world.network.firewalls.put({ ...firewall, rules, updated: world.timestamp() }).rules
    },
  },
})

type SentRules = NonNullable<Body<typeof firewallRules.update>['inbound']>

/** Drops the `ports` key of rules without ports (gaps.md). */
function stored(rules: SentRules = []): FirewallRule[] {
  return rules.map(({ ports, ...rule }) => (typeof ports === 'string' ? { ...rule, ports } : rule))
}
