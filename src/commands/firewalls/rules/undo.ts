import { type Account, serviceOf } from '../../../account/account'
import type { ShownFirewall } from '../../../account/actions/rules'
import { expectOwnAccount } from '../../../account/expect-own-account'
import { undoing } from '../../../account/history/history'
import { readHistory } from '../../../account/ledger/reader'
import { type FoundObject, nameOf } from '../../../account/resource'
import { firewallResource } from '../../../account/resources/firewall'
import { type BackedUpChange, lastChange } from '../../../account/rule-backups'
import { firewallRules } from '../../../catalogue/firewall-rules'
import type { Command, CommandInput } from '../../../engine/command'
import type { Session } from '../../../engine/session'
import { Problem } from '../../../errors'
import { readShown, undoFlags } from './change'
import { firewallArgument } from './direction-arguments'
import { undoPast } from './undo-past'

export const undoRules: Command = {
  name: 'undo',
  asks: true,
  summary: 'Undo the last change of firewall rules',
  operations: [firewallRules.update],
  details:
    'Without a firewall, undoes the last change of any firewall. Shows the difference and asks before it sends; a second undo reverses the first. If somebody else has changed the rules since, it asks on a terminal and fails in scripts.',
  moreDetails:
    'The state folder keeps the last 20 changes of each firewall and account. Temporary openings stay as they are now: an undo brings none back, and closes none.',
  arguments: firewallArgument.map((argument) => ({ ...argument, optional: true })),
  flags: [
    { name: 'force', oldNames: ['even-if-changed'], description: 'Undo even if the rules have changed since' },
    ...undoFlags,
  ],
  examples: [
    { what: 'Preview an undo of the last change', line: 'skyctl firewalls rules undo --dry-run' },
    { what: 'Undo the last change of a firewall', line: 'skyctl firewalls rules undo web' },
  ],
  async run({ arguments: [reference], flags }, session) {
    const { read, past } = await readPast(reference, { flags, session })
    const owner = { service: await serviceOf(session.account), user: past.user }
    await expectOwnAccount(
      { text: 'the last change was made by', owner, hint: 'Sign in to that account' },
      session.account,
    )
    await undoPast(past, read, { flags, session: { ...session, account: await accountFor(past, session) } })
  },
}

/** Returns the account for the undo of a change, if the history has it. */
async function accountFor({ id }: BackedUpChange, { account }: Session): Promise<Account> {
  const entry = (await readHistory(account)).findLast(({ copy }) => copy === id)?.entry
  return entry === undefined ? account : undoing(account, entry)
}

async function readPast(
  reference: string | undefined,
  invocation: CommandInput,
): Promise<{ read: ShownFirewall; past: BackedUpChange }> {
  const { session } = invocation
  if (reference === undefined) {
    const past = await lastChange(undefined, session.account)
    if (!past) throw nothingToUndo()
    return { read: await readShown(`id:${past.firewallId}`, invocation), past }
  }
  const read = await readShown(reference, invocation)
  const past = await lastChange(Number(read.firewall.id), session.account)
  if (!past) throw nothingToUndo(read.firewall)
  return { read, past }
}

function nothingToUndo(firewall?: FoundObject): Problem {
  const which = firewall ? `of ${nameOf(firewallResource, firewall)}` : 'of firewall rules'
  return new Problem('not_found', `no change ${which} was made from this machine with this account`)
}
