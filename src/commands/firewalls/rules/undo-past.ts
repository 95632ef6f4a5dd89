/** Undoes a change of rules that was made from this machine. */
import { type CurrentRules, differenceDetails } from '../../../account/actions/rules'
import { nameOf } from '../../../account/resource'
import { firewallResource } from '../../../account/resources/firewall'
import type { BackedUpChange } from '../../../account/rule-backups'
import { showDifference } from '../../../engine/confirm'
import { Problem } from '../../../errors'
import { areCurrent, diffRules, withServiceKeys } from '../../../firewall/diff'
import { changeLine } from '../../../firewall/rule-text'
import { sendable } from '../../../firewall/rules'
import { tidyRules } from '../../../firewall/tidy'
import { noFile } from '../rules-file'
import { changeRules, type RulesInvocation } from './change'

/** A change, and the later change from this machine, such as `, last from here by change 14`. */
interface Undone extends BackedUpChange {
  later?: string | undefined
}

/** Restores the rules before a change. Throws `refused` if they have changed since, unless the user allows it. */
export async function undoPast(
  past: Undone,
  current: CurrentRules,
  { flags, session }: RulesInvocation,
): Promise<void> {
  const changed = await changedSince(past, current, { flags, session })
  const time = `${new Date(past.time).toISOString().slice(0, 16).replace('T', ' ')} UTC`
  const over = changed
    ? `Changes ${past.later ? '' : 'of others '}since then will be lost. `
    : 'The rules from before it will be restored. '
  await changeRules(
    current,
    {
      consequence: (name) => `${over}Undo the change of ${time} to the rules of ${name}`,
      propose: () => ({ ...noFile, ...tidyRules(sendable(past.before)) }),
      previous: past.before,
    },
    { flags, session },
  )
}

/** Reports whether the rules have changed since; throws `refused` if the user cannot decide about it. */
async function changedSince(
  { before, written, later }: Undone,
  { firewall, rules }: CurrentRules,
  { flags, session }: RulesInvocation,
): Promise<boolean> {
  const changes = diffRules(withServiceKeys(written, rules), rules)
  if (changes.length === 0 || areCurrent(before, rules)) return false
  const name = nameOf(firewallResource, firewall)
  const others = 'by somebody else'
  await showDifference(changes.map(changeLine), session, `Since then, ${name} was changed${later ?? ` ${others}`}:`)
  if (flags.force || (session.ui.interactive && !session.ui.yes)) {
    await showDifference(['Undoing all of it:'], session)
    return true
  }
  throw new Problem('changed', `the rules of ${name} were changed ${later ? `since${later}` : `${others} since`}`, {
    ...differenceDetails(changes),
    hint: 'To undo it anyway, add --force',
  })
}
