/** Checks firewalls: disabled and unused ones, rules without effect, expired openings, and limits that are near. */

import { type FirewallRule, mostAddresses, mostRules } from '../../catalogue/firewall-rules'
import { isOnNoPacket } from '../../firewall/advice'
import { open } from '../../firewall/classify-traffic'
import { compareRules } from '../../firewall/compare'
import { hiddenRules } from '../../firewall/hidden-rules'
import { asJudged } from '../../firewall/judged-rule'
import type { AssignedService } from '../../firewall/named-services'
import { type Direction, directions, networkTexts } from '../../firewall/rules'
import { temporaryOpening } from '../../firewall/temporary-opening'
import { parseNetwork } from '../../rules/addresses'
import { protocolsWithPorts } from '../../rules/ports'
import { isKnownProtocol } from '../../rules/protocols'
import { joinNames } from '../../rules/texts'
import { formatTimestamp } from '../../rules/times'
import { auditCheck, firewallCheck } from '../check'
import {
  editRules,
  isActive,
  isAssigned,
  mayFilter,
  onlyBalancers,
  ruleName,
  ruleTarget,
  serviceName,
  subjectOf,
} from '../firewall-facts'
import type { Guard } from '../snapshot'

/** Share of a limit from which it counts as near. */
const nearly = 0.8

export const openingExpired = firewallCheck({
  code: 'opening-expired',
  severity: 'high',
  title: 'Temporary openings have expired and are still open',
  findIn: (guard, { now }) =>
    guard.rules.inbound.flatMap((rule, index) => {
      const opening = temporaryOpening(rule)
      if (!opening || opening.until > now) return []
      const reason = `inbound rule ${index + 1} should have been removed at ${formatTimestamp(opening.until)} (UTC)`
      const command = ['firewalls', 'close', String(guard.id), '--expired']
      return [{ subject: subjectOf(guard, `opening/${opening.mark}`), reason, command }]
    }),
})

export const outboundOpen = firewallCheck({
  code: 'outbound-open',
  severity: 'low',
  title: 'All outbound traffic is allowed',
  findIn(guard) {
    if (!mayFilter(guard) || onlyBalancers(guard) || !allowsAllOutbound(guard)) return []
    const reason = 'every address and port can be reached from inside with TCP and UDP'
    return [{ subject: subjectOf(guard), reason, command: editRules(guard) }]
  },
})

function allowsAllOutbound({ rules }: Guard): boolean {
  const outbound = { ...rules, inbound: [], inbound_policy: open.inbound_policy }
  const { allowed, unclear } = compareRules(outbound, open, 'compute')
  return [...allowed, ...unclear].every(({ protocols }) =>
    protocols.every(({ protocol }) => !protocolsWithPorts.includes(protocol)),
  )
}

export const ruleNeverMatches = firewallCheck({
  code: 'rule-never-matches',
  severity: 'low',
  title: 'Rules can never match',
  findIn: (guard) =>
    directions.flatMap((direction) =>
      unreached(guard, direction).map(({ index, text }) => ({
        subject: subjectOf(guard, `${direction}/${ruleName(guard, direction, index)}`),
        reason: `${direction} rule ${index + 1} ${text}`,
        command: ['firewalls', 'rules', 'remove', String(guard.id), direction, ...ruleTarget(guard, direction, index)],
      })),
    ),
})

function unreached(guard: Guard, direction: Direction): { index: number; text: string }[] {
  const rules = guard.rules[direction]
  const hidden = new Map(hiddenRules(rules).map((one) => [one.index, one.text]))
  return rules.flatMap((rule, index) => {
    // api.md, Firewall behaviour 4: for balancers, only inbound TCP is filtered.
    const isIdle = onlyBalancers(guard) && (direction === 'outbound' || rule.protocol !== 'TCP')
    const idle = isIdle ? 'does nothing: firewalls filter only inbound TCP for balancers' : undefined
    const text = idle ?? hidden.get(index) ?? withoutPackets(rule, direction)
    return text === undefined ? [] : [{ index, text }]
  })
}

/** Returns the reason why a rule matches nothing: no packet has one of its addresses. */
function withoutPackets(rule: FirewallRule, direction: Direction): string | undefined {
  const texts = networkTexts(rule)
  const isNone = (text: string) => {
    const network = parseNetwork(text)
    return network !== undefined && isOnNoPacket(network, direction)
  }
  if (texts.length === 0 || !texts.every(isNone)) return undefined
  return `matches nothing: no packet ${direction === 'inbound' ? 'comes from' : 'goes to'} ${joinNames(texts, 'or')}`
}

export const ruleNotJudged = firewallCheck({
  code: 'rule-not-judged',
  severity: 'medium',
  title: 'Rules cannot be judged',
  findIn(guard) {
    if (!mayFilter(guard)) return []
    return (onlyBalancers(guard) ? (['inbound'] as const) : directions).flatMap((direction) =>
      guard.rules[direction].flatMap((rule, index) => {
        const reason = unjudgedReason(rule)
        if (reason === undefined) return []
        const subject = subjectOf(guard, `${direction}/${ruleName(guard, direction, index)}`)
        return [{ subject, reason: `${direction} rule ${index + 1}: ${reason}`, command: editRules(guard) }]
      }),
    )
  },
})

/** Returns the reason why a rule of a documented protocol cannot be judged; the others have a check of their own. */
const unjudgedReason = (rule: FirewallRule) =>
  isKnownProtocol(rule.protocol) ? asJudged(rule).possible?.reason : undefined

export const firewallUnused = auditCheck({
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
        command: ['firewalls', 'devices', 'add', String(guard.id), '--compute-id', 'COMPUTE_ID'],
        alternatives: [['firewalls', 'delete', String(guard.id)]],
      })),
})

export const firewallDisabled = auditCheck({
  code: 'firewall-disabled',
  severity: 'medium',
  title: 'Firewalls with services are disabled',
  needs: ['firewalls'],
  find: ({ firewalls }) =>
    firewalls
      .filter(({ status, devices }) => status === 'disabled' && devices.length > 0)
      .map((guard) => {
        const others = guard.devices.filter((device) =>
          firewalls.some((other) => isActive(other) && isAssigned(other, device.entity.type, device.entity.id)),
        )
        return {
          subject: subjectOf(guard),
          reason: `does not protect ${namesIn(guard.devices)}${protectedElsewhere(others, guard)}`,
          ...(others.length > 0 ? unassign(guard, others) : { command: ['firewalls', 'enable', String(guard.id)] }),
        }
      }),
})

const namesIn = (devices: readonly AssignedService[]) => devices.map(({ entity }) => serviceName(entity)).join(', ')

/** Returns the end of a reason: `; another firewall does`, or the services for which this is true. */
function protectedElsewhere(others: readonly AssignedService[], { devices }: Guard): string {
  if (others.length === 0) return ''
  return others.length === devices.length
    ? '; another firewall does'
    : `; another firewall protects only ${namesIn(others)}`
}

/** Unassigns services: while another firewall protects them, enabling fails (api.md, Firewall behaviour 3). */
const unassign = ({ id }: Guard, devices: readonly AssignedService[]) => ({
  command: [
    'firewalls',
    'devices',
    'delete',
    String(id),
    ...devices.flatMap((device) => (device.id === undefined ? [] : [String(device.id)])),
  ],
  alternatives: [['firewalls', 'devices', 'list', String(id)]],
})

export const ruleBudget = firewallCheck({
  code: 'rule-budget',
  severity: 'low',
  title: 'Firewalls are near the limit of rules',
  findIn(guard) {
    const count = guard.rules.inbound.length + guard.rules.outbound.length
    if (count < nearly * mostRules) return []
    return [{ subject: subjectOf(guard), reason: `${count} of ${mostRules} rules are used`, command: editRules(guard) }]
  },
})

export const addressBudget = firewallCheck({
  code: 'address-budget',
  severity: 'low',
  title: 'Rules are near the limit of addresses',
  findIn: (guard) =>
    directions.flatMap((direction) =>
      guard.rules[direction].flatMap((rule, index) => {
        const count = networkTexts(rule).length
        if (count < nearly * mostAddresses) return []
        const subject = subjectOf(guard, `${direction}/${ruleName(guard, direction, index)}`)
        const reason = `${count} of ${mostAddresses} addresses are used`
        return [{ subject, reason, command: editRules(guard) }]
      }),
    ),
})
