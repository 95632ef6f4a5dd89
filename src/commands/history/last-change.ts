/** Finds the change that `history undo` proposes if none is named. */
import { accountOf, sameAccount } from '../../account/account'
import type { RecordedChange } from '../../account/history/lines'
import { readHistory } from '../../account/ledger/reader'
import { Problem } from '../../errors'
import { counted } from '../../rules/texts'
import { expectUndoable } from './confirm-undo'
import type { UndoInput } from './prepare-undo'
import { accountFlag, changeRecordOf, noUndoReason, objectName } from './records'

/**
 * Returns the last change of this account that was not undone. Throws `usage` if nobody can be asked about it, and
 * `refused` if it has no undo.
 */
export async function lastChange({ flags, session }: UndoInput): Promise<RecordedChange> {
  const { account, ui } = session
  const { service } = await accountOf(account)
  const flagOf = await accountFlag(session)
  const isOwn = (past: RecordedChange) => past.service === service && flagOf(past) === ''
  const all = (await readHistory(account)).filter(isOwn)
  const open = changesToUndo(all)
  const last = open.at(-1)
  if (!last) {
    const reason = all.length === 0 ? 'no change was made' : 'no change is left that was made'
    throw new Problem('not_found', `${reason} from this machine with this account`, { hint: 'See skyctl history list' })
  }
  const text = last.apply === undefined ? nameOfChange(last) : nameOfApply(last.apply, open)
  if (last.apply === undefined) {
    const earlier = open.slice(0, -1).findLast((past) => noUndoReason(changeRecordOf(past)) === undefined)
    const instead = earlier && `The last one with an automatic undo: skyctl history undo ${wordsOf(earlier)}`
    expectUndoable(changeRecordOf(last), instead === undefined ? {} : { hint: instead })
  }
  if (!ui.interactive && !ui.yes && !flags['dry-run']) {
    const command = `skyctl history undo ${wordsOf(last)} --yes${await sameAccount(account)}`
    const message = `Undo the last change, ${text}: this must be confirmed, and there is no terminal for questions`
    throw new Problem('usage', message, { hint: `Run: ${command}` })
  }
  await ui.status(`The last change is ${text}`)
  return last
}

const wordsOf = ({ apply, number }: RecordedChange) => (apply === undefined ? String(number) : `--apply ${apply}`)

const nameOfChange = (past: RecordedChange) => `${past.number}: ${past.command} of ${objectName(changeRecordOf(past))}`

const nameOfApply = (apply: string, open: readonly RecordedChange[]) =>
  `the apply ${apply} with ${counted(open.filter((one) => one.apply === apply).length, 'change')}`

/** Commands that end temporary changes. */
const endings = new Set(['firewalls close', 'firewalls sweep', 'firewalls watch'])

const firewallOf = ({ path_parameters: parameters }: RecordedChange) => String(parameters?.firewallId)

/**
 * Returns the changes that were not undone, the last one at the end: no failed ones, no undos, and no temporary openings
 * that are over. An undo that was undone itself has undone nothing, and neither has one of an apply that failed in part.
 */
export function changesToUndo(all: readonly RecordedChange[]): RecordedChange[] {
  const partial = new Set(all.flatMap((one) => (one.undoes && one.result?.outcome !== 'ok' ? [one.apply] : [])))
  const undone = new Set<string | undefined>()
  const closed = new Set<string>()
  const open: RecordedChange[] = []
  for (const past of [...all].reverse()) {
    const { entry, apply, undoes, command, result } = past
    const isUndone = undone.has(entry) || (apply !== undefined && undone.has(apply))
    if (isUndone || result?.outcome === 'failed') continue
    const isWhole = result?.outcome === 'ok' && (apply === undefined || !partial.has(apply))
    if (undoes !== undefined && isWhole) undone.add(undoes)
    if (endings.has(command)) closed.add(firewallOf(past))
    const isOver = command === 'firewalls open' && closed.has(firewallOf(past))
    if (undoes === undefined && !endings.has(command) && !isOver) open.push(past)
  }
  return open.reverse()
}
