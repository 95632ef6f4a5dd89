/** Reads the rules of a firewall, and replaces them without losing changes of others. */

import { rmSync } from 'node:fs'
import { type FirewallRules, firewallRules } from '../../catalogue/firewall-rules'
import type { Operation } from '../../catalogue/operation'
import { type Details, exitCodes, Problem, wasNotDone } from '../../errors'
import { areCurrent, diffRules, type RulesChange as RuleChange } from '../../firewall/diff'
import { hashOf } from '../../firewall/hash'
import { changeLine } from '../../firewall/rule-text'
import { shapedRules } from '../../firewall/rules'
import { wasApplied } from '../../firewall/was-applied'
import type { Account } from '../account'
import { send } from '../change'
import { expireCachedKind } from '../name-cache'
import { type OptimisticUpdate, optimisticUpdate, replacing } from '../optimistic-update'
import { type FoundObject, named, nameOf, notFoundAs } from '../resource'
import { firewallResource, invalidRulesProblem } from '../resources/firewall'
import { backedUpRules, backUpRules } from '../rule-backups'
import { stateFolderIfAny } from '../state-subfolders'

/** A firewall and the rules that a change starts from. */
export interface CurrentRules {
  firewall: FoundObject
  rules: FirewallRules
}

/** Reads rules as the service sent them, including unknown keys; a null list is empty. */
export async function readRules(
  firewall: Pick<FoundObject, 'id' | 'record'>,
  account: Account,
): Promise<FirewallRules> {
  const { id } = firewall
  const client = await account.client()
  const rules = shapedRules(
    await named(client.call(firewallRules.list, { path: { firewallId: id } }), id, firewallResource),
  )
  if (!rules) throw invalidRulesProblem(firewall)
  return rules
}

export interface RulesReplacement {
  firewall: FoundObject
  before: FirewallRules
  after: FirewallRules
  /** Set if changes of others do not conflict with this one. */
  commuting?: CommutingChange
  /** Set if the previous rules must not be saved: an undo would restore a temporary state. */
  noBackup?: true
  /**
   * Maximum wait for another process of this machine that changes the same rules, if the change must be made anyway.
   */
  patienceMs?: number
  /** Called before each write with the previous and the new rules. */
  writing?: ((change: Writing) => Promise<void>) | undefined
}

/** The previous and the new rules of a write. */
type Writing = Record<'before' | 'written', FirewallRules>

/** A change that can be applied to rules that others have changed. */
export interface CommutingChange {
  /** Applies the change to other rules. Throws `refused` or `not_found` if that is impossible. */
  again(current: FirewallRules): Promise<FirewallRules>
  /** Shows what others changed meanwhile, as lines below a title. */
  showOthers(lines: readonly string[], title: string): Promise<void>
}

/** The current rules, whether they had to be written, and whether the previous ones were saved. */
export interface Replaced {
  rules: FirewallRules
  written: boolean
  hasBackup: boolean
}

/**
 * Replaces the rules if they have not changed, or if the change can be applied to the changed ones. Otherwise throws
 * `refused` with the difference.
 */
export async function replaceRules(replacement: RulesReplacement, account: Account): Promise<Replaced> {
  const { firewall, commuting, noBackup } = replacement
  const loss = 'the previous rules are not saved'
  const hasBackup = !noBackup && (await stateFolderIfAny('rules', account, loss)) !== undefined
  const { current: rules, written } = await optimisticUpdate<FirewallRules, FirewallRules>(
    {
      what: [firewallResource.noun, firewall.id, 'rules'],
      name: nameOfRules(firewall),
      patienceMs: replacement.patienceMs,
      look: () => readRules(firewall, account),
      write: writing(replacement, hasBackup, account),
      ...(commuting ? onTop(replacement, commuting) : onlyThere(replacement, account)),
    },
    account,
  )
  if (written) await expireCachedKind('rules', account)
  return { rules, written, hasBackup }
}

const nameOfRules = (firewall: FoundObject) => `the rules of ${nameOf(firewallResource, firewall)}`

type Making = Pick<OptimisticUpdate<FirewallRules, FirewallRules>, 'make' | 'holds'>

function onTop({ firewall, before, after }: RulesReplacement, { again, showOthers }: CommutingChange): Making {
  let shownChanges = ''
  return {
    holds: (now, { before, desired }) => wasApplied(now, { from: before, to: desired }),
    async make(current) {
      const theirs = diffRules(before, current).map(changeLine)
      if (theirs.length === 0) return after
      const title = `Somebody else changed ${nameOfRules(firewall)} meanwhile; skyctl keeps these changes:`
      if (shownChanges !== theirs.join()) await showOthers(theirs, title)
      shownChanges = theirs.join()
      const desired = await again(current)
      return diffRules(current, desired).length === 0 ? undefined : desired
    },
  }
}

function onlyThere({ firewall, before, after }: RulesReplacement, account: Account): Making {
  const name = nameOfRules(firewall)
  return replacing({
    before,
    after,
    same: (current, other) => areCurrent(other, current),
    async refuse(current, when) {
      const changes = diffRules(when === 'after' ? after : before, current)
      await account.reporter.status(['Differences:', ...changes.map(changeLine)].join('\n'))
      if (when === 'before') return new ChangedMeanwhile(name, changes, current)
      const lost = `the answer was lost, and ${name} were changed meanwhile`
      return new Problem('changed', when === 'lost' ? lost : `${name} differ from the rules that were sent`, {
        ...differenceDetails(changes),
      })
    },
  })
}

/** Sends rules and saves the previous ones; deletes that backup if the request certainly failed. */
function writing({ firewall, writing: hear }: RulesReplacement, keep: boolean, account: Account) {
  let copy: (Awaited<ReturnType<typeof backUpRules>> & Writing) | undefined
  const forget = () => {
    if (copy) rmSync(copy.path, { force: true })
    copy = undefined
  }
  return async (after: FirewallRules, before: FirewallRules) => {
    await hear?.({ before, written: after })
    // A write that is repeated after a lost answer has the same backup. Any other previous write did not last.
    if (!copy || !areCurrent(copy.before, before) || !areCurrent(copy.written, after)) {
      forget()
      const change = { before, written: after }
      copy = keep
        ? { ...change, ...(await backUpRules({ firewallId: Number(firewall.id), ...change }, account)) }
        : undefined
    }
    try {
      await send<Operation>(
        {
          operation: firewallRules.update,
          path: { firewallId: firewall.id },
          body: { ...after },
          snapshot: async () => ({ label: firewall.record?.label, copy: copy?.time }),
          explain: (error) => notFoundAs(firewall.id, firewallResource, error),
        },
        account,
      )
    } catch (error) {
      if (wasRefused(error)) forget()
      throw error
    }
  }
}

/** Throws `refused` for another hash, with the difference if this machine has a backup of the expected rules. */
export async function expectHash(hash: string, { firewall, rules }: CurrentRules, account: Account): Promise<void> {
  const actual = hashOf(rules)
  if (actual === hash) return
  const backup = await backedUpRules(Number(firewall.id), hash, account).catch(() => undefined)
  const changes = backup ? diffRules(backup, rules) : []
  if (changes.length > 0) await account.reporter.status(['Differences:', ...changes.map(changeLine)].join('\n'))
  const text = `the rules of ${nameOf(firewallResource, firewall)} were changed since: their hash is ${actual}, not ${hash}`
  throw new Problem('changed', text, {
    ...differenceDetails(changes),
    hint: `Show the current rules: skyctl firewalls rules list ${firewall.id}`,
  })
}

/** Reports whether a failed request certainly changed nothing, so that nothing must be undone. */
export function wasRefused(error: unknown): error is Problem {
  return wasNotDone(error) && (error.exitCode === exitCodes.unavailable || error.details.status !== undefined)
}

/** Thrown if somebody else changed the rules after they were read; nothing was sent. */
export class ChangedMeanwhile extends Problem {
  constructor(
    name: string,
    changes: readonly RuleChange[],
    readonly current: FirewallRules,
  ) {
    super('changed', `${name} were changed meanwhile`, differenceDetails(changes))
  }
}

export function differenceDetails(changes: readonly RuleChange[]): Details {
  return {
    hint: 'Check the current rules, and run the command again',
    errors: changes.map((change) => ({ field: change.direction, reason: changeLine(change) })),
  }
}
