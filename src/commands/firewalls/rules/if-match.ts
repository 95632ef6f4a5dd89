/** Implements `--if-match`: a change only applies to rules with a certain hash. */
import type { Account } from '../../../account/account'
import type { CurrentRules } from '../../../account/actions/rules'
import { differenceDetails } from '../../../account/actions/rules'
import { nameOf } from '../../../account/resource'
import { firewallResource } from '../../../account/resources/firewall'
import { backedUpRules } from '../../../account/rule-backups'
import { Problem } from '../../../errors'
import { diffRules } from '../../../firewall/diff'
import { hashOf } from '../../../firewall/hash'
import { changeLine } from '../../../firewall/rule-text'

/** Throws `refused` for another hash, with the difference if this machine has a backup of the expected rules. */
export async function expectHash(hash: string, { firewall, rules }: CurrentRules, account: Account): Promise<void> {
  const found = hashOf(rules)
  if (found === hash) return
  const kept = await backedUpRules(Number(firewall.id), hash, account).catch(() => undefined)
  const changes = kept ? diffRules(kept, rules) : []
  if (changes.length > 0) await account.status(['Differences:', ...changes.map(changeLine)].join('\n'))
  const text = `the rules of ${nameOf(firewallResource, firewall)} were changed since: their hash is ${found}, not ${hash}`
  throw new Problem('changed', text, {
    ...differenceDetails(changes),
    hint: `Show the current rules: skyctl firewalls rules list ${firewall.id}`,
  })
}
