/** One change of rules at several firewalls: some at once, each by itself (interface.md, Targets). */
import { firewallRules } from '../../../catalogue/firewall-rules'
import { type Change, carryOutAll } from '../../../engine/change'
import { nameOf, type Target } from '../../../engine/resource'
import { situationOf } from '../../../engine/situation'
import type { Identity } from '../../../engine/subject'
import { Problem } from '../../../errors'
import { firewallResource } from '../resource'
import { type Invocation, type Proposal, prepareChange, type Standing, sawDifference, viewOfRules } from './change'

interface Made {
  standing: Standing
  proposal: Proposal
}

/** `make` reads the rules of a firewall, which was named so, and says what they shall be. */
export async function changeSeveral(
  named: readonly Target[],
  make: (typed: string) => Promise<Made>,
  given: Invocation,
): Promise<void> {
  const { flags, session } = given
  refuseForSeveral(given)
  const view = await viewOfRules(given)
  const situation = situationOf(view, flags, session)
  const identities = new Map<string, Identity>()
  const targets = named.map((target) => ({ ...target, identity: async () => identities.get(target.typed) ?? target }))
  const prepare = async ({ typed }: { typed: string }): Promise<Change> => {
    const { standing, proposal } = await make(typed)
    const { id, record } = standing.firewall
    const identity = { id, ...(record?.label !== undefined && { label: record.label }) }
    identities.set(typed, identity)
    const title = `${nameOf(firewallResource, standing.firewall)}:`
    const change = (await prepareChange(standing, proposal, situation, title)) ?? unchanged(standing)
    return { ...change, finish: async (rules) => (sawDifference(view) ? undefined : { ...identity, ...rules }) }
  }
  await carryOutAll({ verb: 'update', targets, prepare, rows: true }, situation)
}

function refuseForSeveral({ flags, session }: Invocation): void {
  if (flags['if-match'] !== undefined)
    throw new Problem('usage', '--if-match is the hash of one firewall', { hint: 'Name one firewall' })
  if (flags['confirm-within'] !== undefined && flags['keep-if'] === undefined && session.interactive)
    throw new Problem('usage', '--confirm-within asks about one firewall', {
      hint: 'Name one firewall, or add --keep-if',
    })
}

const unchanged = ({ firewall, rules }: Standing): Change => ({
  operation: firewallRules.update,
  idle: true,
  send: async () => rules,
  done: () => `No changes: the rules of ${nameOf(firewallResource, firewall)} stay as they are`,
})
