/** Applies one edit of rules to several firewalls, in parallel and independently (interface.md, Targets). */

import type { Account } from '../../../account/account'
import type { ShownFirewall } from '../../../account/actions/rules'
import type { Change } from '../../../account/change'
import { atOnce } from '../../../account/concurrency'
import type { TargetIdentity } from '../../../account/resolved-target'
import { nameOf, type Target } from '../../../account/resource'
import { findFirewall, firewallResource } from '../../../account/resources/firewall'
import { firewallRules } from '../../../catalogue/firewall-rules'
import type { Question } from '../../../engine/ask-about'
import { printedContext } from '../../../engine/change-command-context'
import type { CommandInput } from '../../../engine/command'
import { blockingText } from '../../../engine/confirm'
import { atOnceFlag } from '../../../engine/flag-values'
import { runAll } from '../../../engine/run-all'
import type { Session } from '../../../engine/session'
import { accountFor } from '../../../engine/targets'
import { isUnresolved, Problem } from '../../../errors'
import { sentences } from '../../change-messages'
import { type CommandEdit, prepareChange, unlessSeen, viewOfRules } from './change'

export interface ReadAndEdited {
  read: ShownFirewall
  edit: CommandEdit
}

/** Changes the firewalls; `make` reads the rules of a named firewall, looked up in the account, and returns the edit. */
export async function changeSeveral(
  named: readonly Target[],
  make: (reference: string, account: Account) => Promise<ReadAndEdited>,
  invocation: CommandInput,
): Promise<void> {
  const { flags, session } = invocation
  refuseForSeveral(invocation)
  const view = await viewOfRules(invocation)
  const context = printedContext(view, flags, session)
  const identities = new Map<string, TargetIdentity>()
  const names = new Map<string, string>()
  const targets = named.map((target) => ({ ...target, identity: async () => identities.get(target.input) ?? target }))
  const account = await accountFor(named, firewallResource, session.account)
  const makeOne = (reference: string) => make(reference, account)
  const read = session.ui.yes ? makeOne : readingTogether(named, makeOne, atOnceFlag(flags))
  const prepare = async ({ input }: { input: string }): Promise<Change> => {
    const { read: shown, edit } = await read(input)
    const { id, record } = shown.firewall
    const identity = { id, ...(record?.label !== undefined && { label: record.label }) }
    const name = nameOf(firewallResource, shown.firewall)
    identities.set(input, identity)
    names.set(input, name)
    const change = (await prepareChange(shown, edit, context, `${name}:`)) ?? unchanged(shown)
    return { ...change, result: async (rules) => ({ ...identity, ...rules }) }
  }
  await runAll(
    {
      verb: 'update',
      targets,
      request: { operation: firewallRules.update, noun: firewallResource.noun },
      find: ({ input }) => findFirewall(input, account, { record: true }),
      prepare,
      question: questionOf(names, session),
      words: sentences['firewalls rules update'],
      rows: true,
      deliver: unlessSeen,
    },
    context,
  )
}

/**
 * Returns a function that reads the rules of all firewalls with its first call: before a question, changes are prepared one
 * after another, as each prints its effects. If a firewall is not there, none is prepared: nothing will be changed.
 */
function readingTogether(
  named: readonly Target[],
  make: (reference: string) => Promise<ReadAndEdited>,
  most: number,
): typeof make {
  let reading: Promise<ReadonlyMap<string, PromiseSettledResult<ReadAndEdited>>> | undefined
  const readAll = async () => {
    const results = await atOnce(
      named,
      async ({ input }) => ({ input, settled: await Promise.allSettled([make(input)]) }),
      most,
    )
    return new Map(results.map(({ input, settled: [one] }) => [input, one]))
  }
  return async (input) => {
    reading ??= readAll()
    const all = await reading
    const reasons = [...all.values()].flatMap((one) => (one?.status === 'rejected' ? [one.reason] : []))
    const missing = reasons.find(isUnresolved)
    if (missing) throw missing
    const one = all.get(input)
    return one?.status === 'fulfilled' ? one.value : Promise.reject(one?.reason)
  }
}

function questionOf(names: ReadonlyMap<string, string>, session: Session): Question<Target> {
  return {
    isBlocking: true,
    text: ({ names: some, blocked }) => blockingText(blocked, `Update the rules of ${some}`, session),
    nameOf: async ({ input }) => names.get(input) ?? input,
    plural: 'firewalls',
  }
}

function refuseForSeveral({ flags, session }: CommandInput): void {
  if (flags['if-match'] !== undefined)
    throw new Problem('usage', '--if-match works for one firewall only', { hint: 'Name one firewall' })
  if (flags['confirm-within'] !== undefined && flags['keep-if'] === undefined && session.ui.interactive)
    throw new Problem('usage', '--confirm-within works for one firewall only', {
      hint: 'Name one firewall, or add --keep-if',
    })
}

const unchanged = ({ firewall, shown }: ShownFirewall): Change => ({
  operation: firewallRules.update,
  noop: {
    answer: shown,
    outcome: { kind: 'unchanged', what: `the rules of ${nameOf(firewallResource, firewall)}` },
  },
})
