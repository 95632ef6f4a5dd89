/** Finds who gets in: all inbound traffic by its outcome, exactly as ./verdict judges each packet. */
import type { FirewallRule, FirewallRules } from '../catalogue/firewall-rules'
import { classifyTraffic, open } from './classify-traffic'
import { asJudged } from './judged-rule'
import type { Traffic } from './summarize-traffic'
import { isOther } from './traffic-text'
import type { Packet } from './verdict'

const outcomes = ['allowed', 'blocked', 'unknown'] as const
/** `unknown`: a rule cannot be judged, or api.md does not define what an action or a policy does. */
export type Outcome = (typeof outcomes)[number]

export interface AccessRow {
  outcome: Outcome
  traffic: Traffic
}

export interface InboundAccess {
  /** Traffic that rules decide, without overlaps. */
  rows: readonly AccessRow[]
  /** Outcome of all other traffic: the policy decides it. */
  otherwise: Outcome
  policy: string
  /** True if rules decide all traffic of the protocols that they can name: the policy decides only the others. */
  isRestUnnamed: boolean
  /** Rules that nobody can judge, with their numbers, counted from 1, and the reason as a clause. */
  unjudged: readonly { number: number; rule: FirewallRule; reason: string }[]
  /** True if only TCP is filtered, as at balancers: all other traffic is allowed. */
  isTcpOnly: boolean
}

export function inboundAccess(rules: FirewallRules, service: Packet['service']): InboundAccess {
  const inbound: FirewallRules = { ...rules, outbound: [], outbound_policy: open.outbound_policy }
  const byOutcome = classifyTraffic([inbound, open], service, {
    names: outcomes,
    // Without rules, the policy decides everything.
    decisive: ([{ rules }]) => (rules.length === 0 ? rules : undefined),
    sort: ([{ passes, drops, unclear, unjudged, rest }]) => ({
      allowed: passes & ~unjudged & ~rest,
      blocked: drops & ~unjudged & ~rest,
      unknown: (unclear | unjudged) & ~rest,
    }),
  })
  return {
    rows: outcomes.flatMap((outcome) => byOutcome[outcome].map((traffic) => ({ outcome, traffic }))),
    otherwise: outcomeOf(rules.inbound_policy),
    policy: rules.inbound_policy,
    // The rest has many networks: writing them takes longer than everything else.
    get isRestUnnamed() {
      return restOf(inbound, service).every(isOther)
    },
    unjudged: rules.inbound.flatMap((rule, index) => {
      const reason = whyUnjudged(rule)
      return reason === undefined ? [] : [{ number: index + 1, rule, reason }]
    }),
    isTcpOnly: service === 'balancer',
  }
}

/** Returns the inbound traffic that no rule may match. */
function restOf(inbound: FirewallRules, service: Packet['service']): Traffic[] {
  const { rest } = classifyTraffic([inbound, open], service, {
    names: ['rest'],
    decisive: () => undefined,
    sort: ([{ rest }]) => ({ rest }),
  })
  return rest.filter(({ direction }) => direction === 'inbound')
}

function whyUnjudged(rule: FirewallRule): string | undefined {
  const { action } = rule
  const strange = outcomeOf(action) === 'unknown' ? `the API does not document the action ${action}` : undefined
  return asJudged(rule).possible?.reason ?? strange
}

function outcomeOf(action: string): Outcome {
  if (action === 'ACCEPT') return 'allowed'
  return action === 'DROP' ? 'blocked' : 'unknown'
}
