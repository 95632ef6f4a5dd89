import { firewallRules } from '../../../catalogue/firewall-rules'
import { serviceOf } from '../../../engine/account'
import type { Command } from '../../../engine/command'
import { showDifference } from '../../../engine/difference'
import { expectOwnAccount } from '../../../engine/identity'
import { type Found, nameOf } from '../../../engine/resource'
import { Problem } from '../../../errors'
import { diffRules } from '../../../firewall/diff'
import { sendable } from '../../../firewall/rules'
import { tidyRules } from '../../../firewall/tidy'
import { lockoutHelp } from '../lockout-flags'
import { firewallResource } from '../resource'
import { noFile } from '../rules-file'
import { changeFlags, changeRules, type Invocation, readStanding, type Standing } from './change'
import { lastChange, type PastChange } from './copies'
import { changeLine } from './difference'
import { firewallArgument } from './rule-arguments'
import { differenceDetails } from './standing'

export const undoRules: Command = {
  name: 'undo',
  summary: 'Put back the rules that stood before the last change from this machine',
  operations: [firewallRules.update],
  details:
    'Without a firewall, that of the last change. Shows the difference and asks before it sends; an undo is undone by another one. Where somebody else has changed the rules since, it asks on a terminal, and otherwise stops. The last 20 changes of a firewall are kept in the state folder, for each account by itself. ' +
    lockoutHelp,
  arguments: firewallArgument.map((argument) => ({ ...argument, optional: true })),
  flags: [
    { name: 'even-if-changed', description: 'Put them back over what somebody else has changed since' },
    ...changeFlags,
  ],
  examples: [
    { what: 'See what an undo of the last change would do', line: 'skyctl firewalls rules undo --dry-run' },
    { what: 'Undo the last change of a firewall', line: 'skyctl firewalls rules undo web' },
  ],
  async run({ arguments: [typed], flags }, session) {
    const { standing, past } = await readPast(typed, { flags, session })
    const account = { service: await serviceOf(session), user: past.user }
    await expectOwnAccount({ made: 'the last change was made by', account, hint: 'Sign in to that account' }, session)
    await undoPast(past, standing, { flags, session })
  },
}

/** A change, and what this machine has changed after it, such as `, last from here by change 14`. */
interface Undone extends PastChange {
  later?: string | undefined
}

/** Puts back what stood before a change. Throws `refused` where something else stands by now, and nobody decides. */
export async function undoPast(past: Undone, standing: Standing, { flags, session }: Invocation): Promise<void> {
  const changed = await changedSince(past, standing, { flags, session })
  const time = `${new Date(past.time).toISOString().slice(0, 16).replace('T', ' ')} UTC`
  const over = changed ? `, over what ${past.later ? 'was' : 'somebody else has'} changed since` : ''
  await changeRules(
    standing,
    {
      consequence: (name) => `Put back the rules of ${name} that stood before the change of ${time}${over}`,
      propose: () => ({ ...noFile, ...tidyRules(sendable(past.before)) }),
      known: past.before,
    },
    { flags, session },
  )
}

async function readPast(
  typed: string | undefined,
  given: Invocation,
): Promise<{ standing: Standing; past: PastChange }> {
  const { session } = given
  if (typed === undefined) {
    const past = await lastChange(undefined, session)
    if (!past) throw nothingToUndo()
    return { standing: await readStanding(`id:${past.firewallId}`, given), past }
  }
  const standing = await readStanding(typed, given)
  const past = await lastChange(Number(standing.firewall.id), session)
  if (!past) throw nothingToUndo(standing.firewall)
  return { standing, past }
}

function nothingToUndo(firewall?: Found): Problem {
  const which = firewall ? `of ${nameOf(firewallResource, firewall)}` : 'of firewall rules'
  return new Problem('not_found', `no change ${which} was made from this machine with this account`)
}

/** Whether something else stands than the change wrote; throws `refused` where nobody can decide to go over it. */
async function changedSince(
  { before, written, later }: Undone,
  { firewall, rules }: Standing,
  { flags, session }: Invocation,
): Promise<boolean> {
  const changes = diffRules(written, rules)
  if (changes.length === 0 || diffRules(before, rules).length === 0) return false
  const name = nameOf(firewallResource, firewall)
  const others = 'by somebody else'
  await showDifference(changes.map(changeLine), session, `Since then, ${name} was changed${later ?? ` ${others}`}:`)
  if (flags['even-if-changed'] || (session.interactive && !session.yes)) {
    await showDifference(['Undoing all of it:'], session)
    return true
  }
  throw new Problem('changed', `the rules of ${name} were changed ${later ? `since${later}` : `${others} since`}`, {
    ...differenceDetails(changes),
    hint: 'To put back what stood before all of it, add --even-if-changed',
  })
}
