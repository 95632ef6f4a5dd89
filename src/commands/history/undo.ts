import type { Account } from '../../account/account'
import { requestOfStep, runStep } from '../../account/actions'
import { parseTarget } from '../../account/find-target'
import { partOf } from '../../account/history/compare-states'
import { undoing } from '../../account/history/history'
import type { RecordedChange } from '../../account/history/lines'
import { type Item, readItem } from '../../account/resource'
import { firewallResource } from '../../account/resources/firewall'
import { withObjectList } from '../../account/with-object-list'
import { fieldPaths } from '../../catalogue/operation'
import { duplicatesAllowed } from '../../engine/change-command-context'
import { allowDuplicateFlag, dryRunFlag } from '../../engine/change-flags'
import type { Command, CommandInput } from '../../engine/command'
import { showDifference } from '../../engine/confirm'
import { printRequests } from '../../engine/dry-run'
import { textFlag } from '../../engine/flag-values'
import { outputFlags } from '../../engine/flags'
import { printAnswer } from '../../engine/print-answers'
import { viewOf } from '../../engine/printing'
import { Problem } from '../../errors'
import { isDrawn } from '../../output/print'
import { telling } from '../change-messages'
import { lockoutFlags, lockoutOptions } from '../firewalls/safety-flags'
import { confirmUndo, expectAccount, goesOver, undoRefusal } from './confirm-undo'
import { type ChangeRecord, changeOf, changeRecordOf, numberArgument } from './describe-change'
import { type Prepared, prepareUndo, readUnchanged } from './prepare-undo'
import { currentValues } from './replaced-values'
import { tellOfFile } from './undo-hint'

export const undoChange: Command = {
  name: 'undo',
  asks: true,
  summary: 'Undo a change or a whole apply',
  requestsDependOn: 'the changes that it undoes',
  details:
    'Without a number it proposes the last change that was not undone, so a second undo goes one change further back; ' +
    'it passes over those that are reversed already. ' +
    'Shows the difference and asks. If the resource was changed since, skyctl asks on a terminal and fails in scripts. ' +
    'For a change without an automatic undo, it prints the command that reverses it.',
  moreDetails:
    'It refuses changes of other users. An undo is a change, too, and can be undone. --apply plans the way from the account as it is now to the state before one ' +
    'apply, in the order in which apply itself protects services; exit code 9 if some changes could not be undone. The token ' +
    'needs the scopes of the changes themselves.',
  arguments: [{ ...numberArgument, optional: true }],
  flags: [
    {
      name: 'apply',
      value: 'id',
      description: 'Undo all changes of one apply; history list shows its id',
    },
    {
      name: 'force',
      oldNames: ['even-if-changed'],
      description: 'Undo even if the resource has changed since or is protected',
    },
    ...lockoutFlags,
    allowDuplicateFlag,
    dryRunFlag,
    ...outputFlags,
  ],
  examples: [
    { what: 'Undo the last change', line: 'skyctl history undo' },
    { what: 'Undo another change, by its number', line: 'skyctl history undo 1' },
    { what: 'Preview the requests of an undo', line: 'skyctl history undo 1 --dry-run' },
    {
      what: 'Undo all changes of the last apply',
      line: "skyctl history undo --apply $(skyctl history list --limit 1 --query '[0].apply' -o tsv)",
    },
  ],
  async run({ arguments: [argument], flags }, session) {
    const input = { flags, session }
    const apply = textFlag(flags, 'apply')
    if (argument !== undefined && apply !== undefined)
      throw new Problem('usage', 'pass either the number of a change or --apply', { hint: 'See skyctl history list' })
    if (apply !== undefined) return undoWhole(apply, input)
    if (argument !== undefined) return undoOne(argument, input)
    const last = await (await import('./last-change')).lastChange(input)
    return last.apply === undefined ? undoOne(String(last.number), input) : undoWhole(last.apply, input)
  },
}

async function undoWhole(apply: string, { flags, session }: CommandInput): Promise<void> {
  const account = undoing(session.account, apply, { isApply: true })
  await (await import('./undo-apply')).undoApply(apply, { flags, session: { ...session, account } })
}

async function undoOne(number: string, { flags, session }: CommandInput): Promise<void> {
  const { change, later } = await changeOf(number, session)
  const refusal = undoRefusal(change, later)
  if (refusal) throw refusal
  await expectAccount(change.past, `history undo ${number}`, session)
  const input = { flags, session: { ...session, account: undoing(session.account, change.past.entry) } }
  await prepareUndo(change, input, {
    prepared: (one) => undoPrepared({ ...one, later }, input),
    rules: () => undoRules({ ...change, later }, input),
  })
}

type ChangeAndLater = ChangeRecord & { later: readonly RecordedChange[] }

async function undoRules(change: ChangeAndLater, input: CommandInput): Promise<void> {
  const { past, pathParameters } = change
  const { changeAt } = await import('../../account/rule-backups')
  const firewallId = Number(pathParameters.firewallId)
  const backup = past.copy === undefined ? undefined : await changeAt(past.copy, input.session.account)
  if (!backup) {
    throw new Problem('refused', `change ${past.number} cannot be undone: the rules before it are no longer kept`, {
      hint: `skyctl keeps the last 20 of each firewall. See skyctl firewalls rules undo ${firewallId} --dry-run`,
    })
  }
  const [{ undoPast }, { readShown }] = await Promise.all([
    import('../firewalls/rules/undo-past'),
    import('../firewalls/rules/change'),
  ])
  const later = lastBy(change) || undefined
  await undoPast({ ...backup, later, asBefore: asBefore(change) }, await readShown(`id:${firewallId}`, input), input)
  await tellOfFile([past], input.session)
}

async function undoPrepared(prepared: Prepared & Pick<ChangeAndLater, 'later'>, input: CommandInput): Promise<void> {
  const { flags, session } = input
  const { change, name, now, lines, step } = prepared
  const { past } = change
  const request = await requestOfStep(step)
  const view = await viewOf({ fields: fieldPaths(request.operation), columns: [] }, flags, session)
  const scripts = !isDrawn(view)
  if (lines.length === 0) {
    await session.ui.status(`No changes: ${name} is ${asBefore({ ...change, later: prepared.later })}`)
    return scripts ? printAnswer(now, { view, session }) : undefined
  }
  await expectUnprotected(prepared, input)
  const over = await goesOverLater(prepared, input)
  await showDifference(lines, session)
  if (flags['dry-run']) return printRequests([request], { flags, session })
  const time = `${past.time.slice(0, 16).replace('T', ' ')} UTC`
  const text = (names: string) => `. Undo the change of ${time} to ${names}`
  await confirmUndo([{ input: name }], { over, text, session })
  const answer = await runPrepared(prepared, input)
  await tellOfFile([past], session)
  if (scripts) await printAnswer(answer, { view, session })
}

/** Reports whether the object has changed since; throws `changed` if the user cannot decide about it. */
async function goesOverLater(
  { change, now, changed, later }: Prepared & Pick<ChangeAndLater, 'later'>,
  input: CommandInput,
): Promise<boolean> {
  if (changed === undefined) return false
  const { before = {}, whole, result } = change.past
  const text = result?.after ? `${changed}${lastBy({ ...change, later })}` : changed
  return goesOver([text], input, () => ({
    hint: 'To undo it anyway, add --force',
    errors: currentValues(partOf(now, { before, whole })),
  }))
}

/** Returns `as before change 8, which change 9 has undone`. */
function asBefore({ past, later }: ChangeAndLater): string {
  const undoing = later.find(({ undoes }) => undoes === past.entry)
  return `as before change ${past.number}${undoing ? `, which change ${undoing.number} has undone` : ''}`
}

/** Returns `, last from here by change 14` if a later change was about the same object. */
function lastBy({ past, id, kind, later }: ChangeAndLater): string {
  const same = later.map(changeRecordOf).filter((one) => {
    return one.kind?.kind === kind?.kind && one.id === id && one.past.service === past.service
  })
  const last = same.findLast((one) => one.past.result?.outcome !== 'failed')
  return last ? `, last from here by change ${last.past.number}` : ''
}

/** Makes the undo. Its action refuses one that blocks traffic that must stay open. */
async function runPrepared(prepared: Prepared, input: CommandInput): Promise<Record<string, unknown>> {
  const { flags, session } = input
  const { step } = prepared
  const account = flags.force ? session.account : await withUnchanged(prepared, input)
  const options = {
    ...step.options,
    ...(await lockoutOptions(flags, session)),
    allowDuplicate: duplicatesAllowed(flags, session),
  }
  const { answer } = await runStep({ ...step, options }, account, {
    looks: true,
    force: flags.force === true,
    onResult: telling(step.does, session),
  })
  return answer
}

/** Returns the account with the record that was just read, so that the request's other checks do not read it again. */
async function withUnchanged(prepared: Prepared, input: CommandInput): Promise<Account> {
  const { account } = input.session
  const readAt = account.clock.monotonic()
  const latest = await readUnchanged(prepared, input)
  const { resource } = prepared.change.kind?.action ?? {}
  const [target] = prepared.step.target
  if (!latest || !resource || target === undefined) return account
  const named = parseTarget(target, resource.noun, resource.reference)
  const ids = new Set('id' in named ? [named.id] : [])
  const list = { records: [latest as Item], hasUnlabeled: false, readAt }
  return withObjectList({ ids, labels: new Set() }, resource, account, list)
}

/** Throws `protected` if the undo would harm a firewall that is protected now. */
async function expectUnprotected({ change, step }: Prepared, { flags, session }: CommandInput): Promise<void> {
  const harm = harmOf(step)
  const { firewallId } = change.pathParameters
  if (flags.force || harm === undefined || firewallId === undefined) return
  const { refuseIfProtected } = await import('../../account/protection')
  const record = await readItem(firewallId, firewallResource, session.account)
  refuseIfProtected({ resource: firewallResource, record }, harm)
}

function harmOf({ does, body = {} }: Prepared['step']): string | undefined {
  if (does === 'firewalls devices delete') return 'no service can be removed from it'
  return does === 'firewalls update' && body.status === 'disabled' ? 'it cannot be disabled' : undefined
}
