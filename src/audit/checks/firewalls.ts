/** Firewalls by themselves: what is not in force, what does nothing, and what has no room left. */
import { mostAddresses, mostRules } from '../../catalogue/firewall-rules'
import type { FirewallDevice } from '../../catalogue/firewalls'
import { hiddenRules } from '../../firewall/hidden'
import { type Direction, directions, networkTexts } from '../../firewall/rules'
import { check } from '../check'
import { editRules, inForce, onlyBalancers, ruleName, ruleTarget, serviceName, subjectOf } from '../guards'
import type { Guard } from '../world'

/** From here on a budget is nearly used: a fifth is left, room for a few more. */
const nearly = 0.8

export const inboundPolicyAccept = check({
  code: 'inbound-policy-accept',
  severity: 'high',
  title: 'What no rule matches comes in',
  needs: ['firewalls'],
  find: ({ firewalls }) =>
    firewalls
      .filter((guard) => inForce(guard) && guard.rules.inbound_policy === 'ACCEPT')
      .map((guard) => ({
        subject: subjectOf(guard),
        reason: 'its inbound policy is ACCEPT',
        command: editRules(guard),
      })),
})

export const ruleNeverMatches = check({
  code: 'rule-never-matches',
  severity: 'low',
  title: 'Rules can never match',
  needs: ['firewalls'],
  find: ({ firewalls }) =>
    firewalls.flatMap((guard) =>
      directions.flatMap((direction) =>
        unreached(guard, direction).map(({ index, text }) => ({
          subject: subjectOf(guard, `${direction}/${ruleName(guard, direction, index)}`),
          reason: `${direction} rule ${index + 1} ${text}`,
          command: [
            'firewalls',
            'rules',
            'remove',
            String(guard.id),
            direction,
            ...ruleTarget(guard, direction, index),
          ],
        })),
      ),
    ),
})

/** api.md, Firewall behaviour 4: at a balancer only inbound TCP is judged. */
function unreached(guard: Guard, direction: Direction): { index: number; text: string }[] {
  const rules = guard.rules[direction]
  if (!onlyBalancers(guard)) return hiddenRules(rules)
  const hidden = new Map(hiddenRules(rules).map((one) => [one.index, one.text]))
  return rules.flatMap(({ protocol }, index) => {
    const idle = direction === 'outbound' || protocol !== 'TCP'
    const text = idle ? 'does nothing: at a balancer only inbound TCP is judged' : hidden.get(index)
    return text === undefined ? [] : [{ index, text }]
  })
}

export const firewallUnused = check({
  code: 'firewall-unused',
  severity: 'low',
  title: 'Firewalls protect nothing',
  needs: ['firewalls'],
  find: ({ firewalls }) =>
    firewalls
      .filter(({ devices }) => devices.length === 0)
      .map((guard) => ({
        subject: subjectOf(guard),
        reason: 'no service is assigned to it',
        command: ['firewalls', 'delete', String(guard.id)],
      })),
})

export const firewallDisabled = check({
  code: 'firewall-disabled',
  severity: 'medium',
  title: 'Firewalls with services are disabled',
  needs: ['firewalls'],
  find: ({ firewalls }) =>
    firewalls
      .filter(({ status, devices }) => status === 'disabled' && devices.length > 0)
      .map((guard) => {
        const others = guard.devices.filter((device) =>
          firewalls.some((other) => inForce(other) && protects(other, device)),
        )
        const names = guard.devices.map(({ entity }) => serviceName(entity)).join(', ')
        return {
          subject: subjectOf(guard),
          reason: `not in force for ${names}${others.length > 0 ? '; another one is' : ''}`,
          command: others.length > 0 ? unassign(guard, others) : ['firewalls', 'enable', String(guard.id)],
        }
      }),
})

const protects = ({ devices }: Guard, { entity }: FirewallDevice) =>
  devices.some((device) => device.entity.type === entity.type && device.entity.id === entity.id)

/** It cannot be enabled as long as another protects the same service (api.md, Firewall behaviour 3). */
const unassign = ({ id }: Guard, devices: readonly FirewallDevice[]) => [
  ...['firewalls', 'devices', 'delete', String(id)],
  ...devices.map((device) => String(device.id)),
]

export const ruleBudget = check({
  code: 'rule-budget',
  severity: 'low',
  title: 'Firewalls have hardly room for more rules',
  needs: ['firewalls'],
  find: ({ firewalls }) =>
    firewalls.flatMap((guard) => {
      const count = guard.rules.inbound.length + guard.rules.outbound.length
      if (count < nearly * mostRules) return []
      return [
        { subject: subjectOf(guard), reason: `${count} of ${mostRules} rules are used`, command: editRules(guard) },
      ]
    }),
})

export const addressBudget = check({
  code: 'address-budget',
  severity: 'low',
  title: 'Rules have hardly room for more addresses',
  needs: ['firewalls'],
  find: ({ firewalls }) =>
    firewalls.flatMap((guard) =>
      directions.flatMap((direction) =>
        guard.rules[direction].flatMap((rule, index) => {
          const count = networkTexts(rule).length
          if (count < nearly * mostAddresses) return []
          const reason = `${count} of ${mostAddresses} addresses are used`
          return [
            {
              subject: subjectOf(guard, `${direction}/${ruleName(guard, direction, index)}`),
              reason,
              command: editRules(guard),
            },
          ]
        }),
      ),
    ),
})
