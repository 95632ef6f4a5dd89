import { serviceOf } from '../../../account/account'
import { type CurrentRules, differenceDetails } from '../../../account/actions/rules'
import { expectOwnAccount } from '../../../account/identity'
import { type FoundObject, nameOf } from '../../../account/resource'
import { firewallResource } from '../../../account/resources/firewall'
import { type BackedUpChange, lastChange } from '../../../account/rule-backups'
import { firewallRules } from '../../../catalogue/firewall-rules'
import type { Command } from '../../../engine/command'
import { showDifference } from '../../../engine/confirm'
import { Problem } from '../../../errors'
import { diffRules } from '../../../firewall/diff'
import { changeLine } from '../../../firewall/rule-text'
import { sendable } from '../../../firewall/rules'
import { tidyRules } from '../../../firewall/tidy'
import { noFile } from '../rules-file'
import { changeRules, type RulesInvocation, readCurrentRules, undoFlags } from './change'
import { firewallArgument } from './rule-arguments'

export const undoRules: Command = {
  name: 'undo',
  asks: true,
  summary: 'Undo the last change of firewall rules',
  operations: [firewallRules.update],
  details:
    'Without a firewall, undoes the last change of any firewall. Shows the difference and asks before it sends; a second undo reverses the first. If somebody else has changed the rules since, it asks on a terminal and fails in scripts.',
  moreDetails: 'The state folder keeps the last 20 changes of each firewall and account.',
  arguments: firewallArgument.map((argument) => ({ ...argument, optional: true })),
  flags: [
    { name: 'force', oldNames: ['even-if-changed'], description: 'Undo even if the rules have changed since' },
    ...undoFlags,
  ],
  examples: [
    { what: 'Preview an undo of the last change', line: 'skyctl firewalls rules undo --dry-run' },
    { what: 'Undo the last change of a firewall', line: 'skyctl firewalls rules undo web' },
  ],
  async run({ arguments: [typed], flags }, session) {
    const { standing, past } = await readPast(typed, { flags, session })
    const owner = { service: await serviceOf(session.account), user: past.user }
    await expectOwnAccount(
      { made: 'the last change was made by', owner, hint: 'Sign in to that account' },
      session.account,
    )
    await undoPast(past, standing, { flags, session })
  },
}

/** A change, and the later change from this machine, such as `, last from here by change 14`. */
interface Undone extends BackedUpChange {
  later?: string | undefined
}

/** Restores the rules before a change. Throws `refused` if they have changed since, unless the user allows it. */
export async function undoPast(
  past: Undone,
  standing: CurrentRules,
  { flags, session }: RulesInvocation,
): Promise<void> {
  const changed = await changedSince(past, standing, { flags, session })
  const time = `${new Date(past.time).toISOString().slice(0, 16).replace('T', ' ')} UTC`
  const over = changed
    ? `Changes ${past.later ? '' : 'of others '}since then will be lost. `
    : 'The rules from before it will be restored. '
  await changeRules(
    standing,
    {
      consequence: (name) => `${over}Undo the change of ${time} to the rules of ${name}`,
      propose: () => ({ ...noFile, ...tidyRules(sendable(past.before)) }),
      known: past.before,
    },
    { flags, session },
  )
}

async function readPast(
  typed: string | undefined,
  given: RulesInvocation,
): Promise<{ standing: CurrentRules; past: BackedUpChange }> {
  const { session } = given
  if (typed === undefined) {
    const past = await lastChange(undefined, session.account)
    if (!past) throw nothingToUndo()
    return { standing: await readCurrentRules(`id:${past.firewallId}`, given), past }
  }
  const standing = await readCurrentRules(typed, given)
  const past = await lastChange(Number(standing.firewall.id), session.account)
  if (!past) throw nothingToUndo(standing.firewall)
  return { standing, past }
}

function nothingToUndo(firewall?: FoundObject): Problem {
  const which = firewall ? `of ${nameOf(firewallResource, firewall)}` : 'of firewall rules'
  return new Problem('not_found', `no change ${which} was made from this machine with this account`)
}

/** Reports whether the rules have changed since; throws `refused` if the user cannot decide about it. */
async function changedSince(
  { before, written, later }: Undone,
  { firewall, rules }: CurrentRules,
  { flags, session }: RulesInvocation,
): Promise<boolean> {
  const changes = diffRules(written, rules)
  if (changes.length === 0 || diffRules(before, rules).length === 0) return false
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
