/** Reads the rules of a firewall, and edits them without losing changes of others. */

import { type FirewallRules, firewallRules } from '../../catalogue/firewall-rules'
import { type Details, decides, exitCodes, ignoreProblem, isBusy, isLost, Problem, wasNotDone } from '../../errors'
import { areCurrent, diffRules, type RulesChange } from '../../firewall/diff'
import { applyEdit, isMergeable, type RulesEdit, wasApplied } from '../../firewall/edit'
import { hashOf } from '../../firewall/hash'
import { changeLine } from '../../firewall/rule-text'
import { shapedRules } from '../../firewall/rules'
import type { Account } from '../account'
import type { EntryListener } from '../history/history'
import { dropEntry } from '../ledger/writer'
import { expireCachedKind } from '../name-cache'
import { type OptimisticUpdate, optimisticUpdate, replacing } from '../optimistic-update'
import { type FoundObject, named, nameOf, notFoundAs } from '../resource'
import { firewallResource, invalidRulesProblem } from '../resources/firewall'
import { backedUpRules, backUpRules } from '../rule-backups'
import { send } from '../send'
import { stateFolderIfAny } from '../state-subfolders'

/** A firewall, and its rules when a command began. */
export interface ShownFirewall {
  firewall: FoundObject
  shown: FirewallRules
}

/** Reads rules as the service sent them, including unknown keys; a null list is empty. */
export async function readRules(
  firewall: Pick<FoundObject, 'id' | 'record'>,
  account: Account,
): Promise<FirewallRules> {
  const { id } = firewall
  const client = await account.client()
  const answer = await named(client.call(firewallRules.list, { path: { firewallId: id } }), id, firewallResource).catch(
    (error: unknown) => Promise.reject(ofThisFirewall(error)),
  )
  const rules = shapedRules(answer)
  if (!rules) throw invalidRulesProblem(firewall)
  return rules
}

/** Marks the problem of an invalid response as one of this firewall alone. */
function ofThisFirewall(error: unknown): unknown {
  if (!(error instanceof Problem) || error.code !== 'defect') return error
  return error.with({ onlyTarget: true, cause: error.cause })
}

/** An edit of a firewall's rules, made for the rules that were shown. */
export interface PlannedEdit extends ShownFirewall {
  edit: RulesEdit
  /** False to leave the validation to the service. */
  validate?: boolean
  /** True to give up if the rules are no longer the shown ones, even if the edit can be applied to others. */
  ifUnchanged?: boolean
  /** Throws if rules must not be written; called for rules of now that are not the shown ones. */
  guard?: ((change: RulesWrite) => Promise<void>) | undefined
  /** Set if the previous rules must not be saved: an undo would restore a temporary state. */
  noBackup?: true
  /**
   * Maximum wait for another process of this machine that changes the same rules, if the change must be made anyway.
   */
  patienceMs?: number
  /** Called before each write. */
  writing?: ((change: RulesWrite) => Promise<void>) | undefined
}

/** The current rules, and those to write in their place. */
export type RulesWrite = Record<'now' | 'next', FirewallRules>

export function nextRules(
  { firewall, shown, edit, validate }: PlannedEdit,
  now: FirewallRules,
): Promise<FirewallRules> {
  const { id } = firewall
  return applyEdit(edit, { id, name: nameOf(firewallResource, firewall), shown, now }, { validate })
}

/** The current rules, whether they had to be written, and whether the previous ones were saved. */
export interface WrittenRules {
  rules: FirewallRules
  written: boolean
  hasBackup: boolean
}

/**
 * Edits the rules: reads them, applies the edit, guards and writes the result, and reads it back. Throws `changed` with the
 * difference if others have changed the rules, and the edit cannot be applied to theirs.
 */
export async function writeEdit(planned: PlannedEdit, account: Account): Promise<WrittenRules> {
  const { firewall, edit, ifUnchanged, noBackup } = planned
  const loss = 'the previous rules are not saved'
  const hasBackup = !noBackup && (await stateFolderIfAny('history', account, loss)) !== undefined
  const { write, end } = writing(planned, hasBackup, account)
  const { current: rules, written } = await optimisticUpdate<FirewallRules>(
    {
      what: [firewallResource.noun, firewall.id, 'rules'],
      name: nameOfRules(firewall),
      patienceMs: planned.patienceMs,
      look: () => readRules(firewall, account),
      write,
      ...(isMergeable(edit) && !ifUnchanged ? onTop(planned, account) : await onlyOnShown(planned, account)),
    },
    account,
  ).finally(end)
  if (written) await expireCachedKind('rules', account)
  return { rules, written, hasBackup }
}

const nameOfRules = (firewall: FoundObject) => `the rules of ${nameOf(firewallResource, firewall)}`

type Making = Pick<OptimisticUpdate<FirewallRules>, 'make' | 'holds'>

/** Applies the edit to whatever the rules are, and reports what others have changed. */
function onTop(planned: PlannedEdit, account: Account): Making {
  const { firewall, shown, guard } = planned
  let reported = ''
  return {
    holds(now, { before, desired, answer = before }) {
      const shows = (to: FirewallRules) => wasApplied(now, { from: before, to })
      // The service may have stored it in another notation.
      return shows(desired) || (!areCurrent(before, answer) && shows(answer))
    },
    async make(now) {
      const theirs = diffRules(shown, now).map(changeLine)
      const next = await nextRules(planned, now)
      if (theirs.length === 0) return next
      const title = `Somebody else changed ${nameOfRules(firewall)} meanwhile; skyctl keeps these changes:`
      if (reported !== theirs.join()) await account.reporter.status([title, ...theirs].join('\n'))
      reported = theirs.join()
      if (diffRules(now, next).length === 0) return undefined
      await guard?.({ now, next })
      return next
    },
  }
}

/** Writes only if the rules are still the shown ones. */
async function onlyOnShown(planned: PlannedEdit, account: Account): Promise<Making> {
  const { firewall, shown } = planned
  const next = await nextRules(planned, shown)
  const name = nameOfRules(firewall)
  return replacing({
    before: shown,
    after: next,
    same: (current, other) => areCurrent(other, current),
    async refuse(now, when) {
      const changes = diffRules(when === 'after' ? next : shown, now)
      await reportDifferences(changes, account)
      if (when === 'before') return new ChangedMeanwhile(name, changes, now)
      const lost = `the answer was lost, and ${name} were changed meanwhile`
      const differs = `${name} differ from the rules that were sent`
      return new Problem('changed', when === 'lost' ? lost : differs, differenceDetails(changes))
    },
  })
}

const reportDifferences = (changes: readonly RulesChange[], { reporter }: Account) =>
  reporter.status(['Differences:', ...changes.map(changeLine)].join('\n'))

/**
 * Sends rules and saves the previous ones; drops that backup if the request certainly failed. While the object is busy the
 * backup is kept, as the next attempt needs the same; `end` drops it if there was none.
 */
function writing({ firewall, writing: announce }: PlannedEdit, keep: boolean, account: Account) {
  let backup: ({ id: string; isLost?: boolean; isUnused?: boolean } & RulesWrite) | undefined
  const forget = async () => {
    if (backup) await dropEntry(backup.id, account)
    backup = undefined
  }
  const write = async (next: FirewallRules, now: FirewallRules, onBegin: EntryListener) => {
    await announce?.({ now, next })
    // A write that is repeated has the same backup. Any other previous write did not last.
    if (!backup || !areCurrent(backup.now, now) || !areCurrent(backup.next, next)) {
      await forget()
      const stored = { firewallId: Number(firewall.id), before: now, written: next }
      backup = keep ? { now, next, id: await backUpRules(stored, account) } : undefined
    }
    try {
      const about = { label: firewall.record?.label, copy: backup?.id }
      const path = { firewallId: firewall.id }
      const { answer } = await send(
        { operation: firewallRules.update, path, body: { ...next }, about, onBegin },
        account,
      )
      if (backup) backup.isUnused = false
      return shapedRules(answer)
    } catch (error) {
      // A refusal that says nothing about a lost write before it leaves the backup of that.
      const isUnused = wasRefused(error) && (!backup?.isLost || decides(error))
      if (backup) Object.assign(backup, { isUnused, isLost: backup.isLost || isLost(error) })
      if (isUnused && !isBusy(error)) await forget().catch(ignoreProblem)
      throw notFoundAs(firewall.id, firewallResource, error)
    }
  }
  return { write, end: async () => (backup?.isUnused ? forget().catch(ignoreProblem) : undefined) }
}

/** Throws `refused` for another hash, with the difference if this machine has a backup of the expected rules. */
export async function expectHash(hash: string, { firewall, shown }: ShownFirewall, account: Account): Promise<void> {
  const actual = hashOf(shown)
  if (actual === hash) return
  const backup = await backedUpRules(Number(firewall.id), hash, account).catch(() => undefined)
  const changes = backup ? diffRules(backup, shown) : []
  if (changes.length > 0) await reportDifferences(changes, account)
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
    changes: readonly RulesChange[],
    readonly now: FirewallRules,
  ) {
    super('changed', `${name} were changed meanwhile`, differenceDetails(changes))
  }
}

export function differenceDetails(changes: readonly RulesChange[]): Details {
  return {
    hint: 'Check the current rules, and run the command again',
    errors: changes.map((change) => ({ field: change.direction, reason: changeLine(change) })),
  }
}
