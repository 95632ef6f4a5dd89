/** Steps of all commands that edit rules: read, apply the edit, show the difference, ask, write. */

import { changeOfRules, previewEdit } from '../../../account/actions/edit-rules'
import { expectHash, type PlannedEdit, readRules, type ShownFirewall } from '../../../account/actions/rules'
import type { Change } from '../../../account/change'
import { findTarget, parseTarget } from '../../../account/find-target'
import { type FoundObject, nameOf } from '../../../account/resource'
import { firewallResource } from '../../../account/resources/firewall'
import { firewallRules } from '../../../catalogue/firewall-rules'
import { fieldPaths } from '../../../catalogue/operation'
import { type CommandContext, printedContext } from '../../../engine/change-command-context'
import { busyTimeoutFlag, dryRunFlag, noValidateFlag, protectionFlag } from '../../../engine/change-flags'
import type { CommandInput, Flag, Flags } from '../../../engine/command'
import { blockingQuestion, showDifference } from '../../../engine/confirm'
import { textFlag } from '../../../engine/flag-values'
import { outputFlags } from '../../../engine/flags'
import type { Deliver } from '../../../engine/make-change'
import { viewOf } from '../../../engine/printing'
import { runOne } from '../../../engine/run-all'
import { Problem } from '../../../errors'
import type { RulesEdit } from '../../../firewall/edit'
import { hashPattern } from '../../../firewall/hash'
import { changeLine } from '../../../firewall/rule-text'
import { isDrawn, printOne, type View } from '../../../output/print'
import { shellWord } from '../../../rules/texts'
import { sentences } from '../../change-messages'
import { noNotes, printNotes, type RulesNotes } from '../rules-notes'
import { commitConfirmedFlags, confirmationOf, lockoutFlags, lockoutOptions } from '../safety-flags'

export const ifMatchFlag: Flag = {
  name: 'if-match',
  value: 'hash',
  description: 'Fail if the rules have changed since this hash',
}

/** Flags of all commands that change rules, and of their undo. */
export const undoFlags: readonly Flag[] = [
  noValidateFlag,
  ...lockoutFlags,
  ...commitConfirmedFlags,
  busyTimeoutFlag,
  dryRunFlag,
  ...outputFlags,
]

export const changeFlags: readonly Flag[] = [
  ...undoFlags,
  { ...protectionFlag, group: 'Rule safety flags', rare: true },
]

/**
 * Reads the rules to edit. Throws `changed` if their hash is not that of `--if-match`, even if they are already the
 * requested ones.
 */
export async function readShown(
  reference: string,
  { flags, session }: CommandInput,
  account = session.account,
): Promise<ShownFirewall> {
  const target = parseTarget(reference, firewallResource.noun)
  confirmationOf(flags, session)
  const hash = ifMatchOf(flags, reference)
  await lockoutOptions(flags, session)
  const firewall = await findTarget(target, firewallResource, account, { record: true })
  const read = { firewall, shown: await readRules(firewall, account) }
  if (hash !== undefined) await expectHash(hash, read, account)
  return read
}

function ifMatchOf(flags: Flags, reference: string): string | undefined {
  const hash = textFlag(flags, ifMatchFlag.name)?.toLowerCase()
  if (hash === undefined || hashPattern.test(hash)) return hash
  throw new Problem('usage', `--if-match: "${hash}" is not a hash`, {
    hint: `Use the output of: skyctl firewalls rules list ${shellWord(reference)} --hash`,
  })
}

/** An edit of the shown rules by a command. */
export interface CommandEdit {
  edit: RulesEdit
  /** States the consequences and asks, without a question mark; without it, only changes that block traffic are asked about. */
  question?: string
  /** Reason why nothing changes, if it does not. */
  reason?: string | undefined
  /** Remarks about the rules of a file, to print. */
  notes?: RulesNotes
}

export const viewOfRules = ({ flags, session }: CommandInput): Promise<View> =>
  viewOf({ fields: fieldPaths(firewallRules.list), columns: [] }, flags, session)

/** Shows the difference that an edit makes, asks, and writes the rules. */
export async function changeRules(
  read: ShownFirewall,
  { question, reason, ...commandEdit }: CommandEdit,
  invocation: CommandInput,
): Promise<void> {
  const { flags, session } = invocation
  const view = await viewOfRules(invocation)
  const context = printedContext(view, flags, session)
  const change = await prepareChange(read, commandEdit, context)
  if (change) {
    const text = `Update the rules of ${nameOf(firewallResource, read.firewall)}`
    return runOne(change, context, {
      words: sentences['firewalls rules update'],
      question: question ?? blockingQuestion(change, text, session),
      deliver: unlessSeen,
    })
  }
  await session.ui.status(reason === undefined ? 'No changes' : `No changes: ${reason}`)
  if (!isDrawn(view)) await printOne(read.shown, view, session.ui.stdout)
}

/**
 * Validates an edit and shows the difference, below a title. Resolves to undefined if there is none, except in a dry run.
 */
export async function prepareChange(
  { firewall, shown }: ShownFirewall,
  { edit, notes = noNotes }: Omit<CommandEdit, 'question'>,
  context: CommandContext,
  title?: string,
): Promise<Change | undefined> {
  const { flags, session } = context
  const validate = flags.validate !== false
  const planned: PlannedEdit = { firewall, shown, edit, validate, ifUnchanged: flags['if-match'] !== undefined }
  const options = { ...context.options, ...(await lockoutOptions(flags, session)) }
  const preview = await previewEdit(planned, { ...context, options })
  const { next, changes, lines, warnings, effects, blocked: blocks, guard } = preview
  await printNotes({ next, shown }, notes, session.account)
  await showDifference([...changes.map(changeLine), ...lines], session, title)
  if (preview.refusal) throw preview.refusal
  for (const text of warnings) await session.ui.warn(text)
  if (changes.length === 0 && !context.dry) return undefined
  const confirmed = await commitConfirmedOf(firewall, context)
  const change = changeOfRules({ ...planned, guard }, { account: session.account, next, write: confirmed?.write })
  return { ...change, effects, blocks, ...(confirmed && { afterSend: confirmed.settle }) }
}

/** Returns how to write rules that must be confirmed; undefined if these need not be. */
async function commitConfirmedOf(firewall: FoundObject, { flags, session }: CommandContext) {
  const confirmation = confirmationOf(flags, session)
  if (!confirmation) return undefined
  const { commitConfirmed } = await import('./commit-confirmed')
  const named = { firewallId: Number(firewall.id), name: nameOf(firewallResource, firewall) }
  return commitConfirmed(named, confirmation, session)
}

/** Leaves out rules whose difference people have seen. */
export const unlessSeen: Deliver = async (rules, { view }) => (isDrawn(view) ? undefined : rules)
