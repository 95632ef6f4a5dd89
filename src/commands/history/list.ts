import { readHistory } from '../../account/ledger/reader'
import { history, type PastChange } from '../../catalogue/history'
import type { AnswerRecord } from '../../catalogue/operation'
import type { Command } from '../../engine/command'
import { textFlag } from '../../engine/flag-values'
import { wholeListFlags } from '../../engine/flags'
import { printPages } from '../../engine/list'
import type { Session } from '../../engine/session'
import { valueAt } from '../../output/cells'
import { columnsFor } from '../../output/column'
import { isForPeople } from '../../output/formats'
import { shortTime, showTime, type TimeView } from '../../output/times'
import { accountFlag, type ChangeRecord, changeRecordOf, objectName, recordOf } from './describe-change'

const tones = new Map([
  ['ok', 'green'],
  ['failed', 'red'],
  ['unknown', 'yellow'],
] as const)

/** Command and object fit a narrow terminal only without an id and with a short time. */
const isNarrow = ({ width }: TimeView) => width > 0 && width < 80

/** On a usual terminal, the time says more than an error code. */
const hasRoomForCode = ({ width }: TimeView) => width === 0 || width >= 100

/** Data of the printed records. */
const objects = new WeakMap<object, ChangeRecord>()

const changeColumns = columnsFor<AnswerRecord<typeof history.list>>([
  { path: 'number', heading: 'no' },
  {
    path: 'time',
    show: (value, _record, view) => (isNarrow(view) ? shortTime(value, view) : showTime(value, view)) ?? String(value),
  },
  { path: 'context', priority: 'low' },
  { path: 'username', priority: 'low' },
  {
    path: 'command',
    priority: 'high',
    whole: 'always',
    show: (value, _record, view) =>
      isNarrow(view) ? String(value).replace(/^history undo: /, 'undo: ') : String(value),
  },
  { path: 'apply', priority: 'low' },
  { path: 'undoes', priority: 'low' },
  {
    path: 'label',
    heading: 'object',
    priority: 'high',
    whole: true,
    show: (label, record, view) => {
      const change = objects.get(record)
      return change ? objectName(change, { isShort: isNarrow(view) }) : String(label)
    },
  },
  {
    path: 'outcome',
    priority: 'high',
    whole: true,
    tone: tones,
    show: (value, { code }, view) =>
      value === 'failed' && typeof code === 'string' && hasRoomForCode(view) ? `failed: ${code}` : String(value),
  },
  { path: 'service', priority: 'low' },
])

export const listChanges: Command = {
  name: 'list',
  aliases: ['ls'],
  summary: history.list.summary,
  paged: true,
  details:
    'Lists requests that changed something, or may have, with their outcome: ok, failed, or unknown if the answer was ' +
    'lost or skyctl was killed. --context limits the list to one context.',
  moreDetails:
    'The history is in the state folder, without secrets and bodies, and drops the oldest changes. SKYCTL_HISTORY=0 turns it off.',
  records: history.list,
  flags: wholeListFlags('outcome=failed'),
  examples: [
    { what: 'Changes of the last hour', line: "skyctl history list --filter 'time<1h'" },
    {
      what: 'Unknown outcomes, and commands to check them',
      line: 'skyctl history list --columns number,outcome,next',
    },
    { what: 'Changes of a volume', line: 'skyctl history list --filter kind=volume --filter id=3002' },
  ],
  async run({ flags }, session) {
    const flagOf = await accountFlag(session)
    const only = textFlag(flags, 'context')
    const past = (await readHistory(session.account)).filter(({ context }) => only === undefined || context === only)
    const records = past.toReversed().map((one) => {
      const change = changeRecordOf(one)
      const record = recordOf(change, flagOf, past)
      objects.set(record, change)
      return record
    })
    const pages = (async function* () {
      yield records
    })()
    const list = { columns: columnsWith(records, session), plural: 'changes', key: 'number' } as const
    const count = await printPages(history.list, list, { flags, session, pages })
    if (!isForPeople(session.ui.format) || count === 0) return
    await tellUnknown(records, session)
    if (session.ui.stdout.isTTY) await session.ui.status(originText(records))
  },
}

/** Optional columns, with the number of values from which on they inform people. */
const optional = new Map<string, number>([
  ['context', 2],
  ['username', 2],
  ['apply', 1],
  ['undoes', 1],
])

/** Omits optional columns without information for people: most users have one account, and not all apply files. */
function columnsWith(records: readonly PastChange[], { ui: { format } }: Session): typeof changeColumns {
  if (!isForPeople(format)) return changeColumns
  const count = (text: (one: PastChange) => unknown) => new Set(records.flatMap((one) => text(one) ?? [])).size
  // Changes without a context, of a watcher or with SKYCTL_BASE_URL, and a changed context leave the service open.
  const isOpen = count(({ context, service }) => `${context} ${service}`) > count(({ context }) => context)
  return changeColumns.filter(({ path }) =>
    path === 'service'
      ? isOpen && count(({ service }) => service) > 1
      : count((one) => valueAt(one, path)) >= (optional.get(path) ?? 0),
  )
}

/** Says whose changes these are, as a column with one name is left out, and how to find those of others. */
function originText(records: readonly PastChange[]): string {
  const [username, ...others] = new Set(records.flatMap((one) => one.username ?? []))
  const author = username !== undefined && others.length === 0 ? `, by ${username}` : ''
  return `Changes from this computer${author}. Those from elsewhere show in a plan: skyctl plan FILE --drift`
}

/** Prints how to check changes whose outcome is unknown. */
async function tellUnknown(records: readonly PastChange[], session: Session): Promise<void> {
  const unknown = records.filter(({ next }) => next !== null)
  for (const { number, next } of unknown.slice(0, 3))
    await session.ui.status(`Check whether change ${number} was done: ${next}`)
}
