/** `--if-match`: a change is meant for the rules of one hash, and for no others. */
import { nameOf } from '../../../engine/resource'
import { Problem } from '../../../errors'
import { diffRules } from '../../../firewall/diff'
import { hashOf } from '../../../firewall/hash'
import type { Session } from '../../../session'
import { firewallResource } from '../resource'
import type { Standing } from './change'
import { keptRules } from './copies'
import { changeLine } from './difference'
import { differenceDetails } from './standing'

/** Throws `refused` where other rules stand: with the difference, where those of the hash are kept on this machine. */
export async function expectHash(hash: string, { firewall, rules }: Standing, session: Session): Promise<void> {
  const found = hashOf(rules)
  if (found === hash) return
  const kept = await keptRules(Number(firewall.id), hash, session).catch(() => undefined)
  const changes = kept ? diffRules(kept, rules) : []
  if (changes.length > 0) await session.say(['What is different:', ...changes.map(changeLine)].join('\n'))
  const text = `the rules of ${nameOf(firewallResource, firewall)} were changed since: their hash is ${found}, not ${hash}`
  throw new Problem('changed', text, {
    ...differenceDetails(changes),
    hint: `See what stands now: skyctl firewalls rules list ${firewall.id}`,
  })
}
