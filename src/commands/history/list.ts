import { history, type PastChange } from '../../catalogue/history'
import { columns } from '../../engine/columns'
import type { Command } from '../../engine/command'
import { textFlag } from '../../engine/flag-values'
import { listFlags } from '../../engine/flags'
import { readHistory } from '../../engine/history/store'
import { printPages } from '../../engine/list'
import { isForPeople } from '../../output/formats'
import { showTime } from '../../output/times'
import type { Session } from '../../session'
import { accountFlag, type Known, knownOf, objectName, recordOf } from './records'

const tones = new Map([
  ['ok', 'green'],
  ['failed', 'red'],
  ['unknown', 'yellow'],
] as const)

/** The records of a page by what they are printed from. */
const objects = new WeakMap<object, Known>()

const changeColumns = columns(history.list, [
  'number',
  { path: 'time', show: (value, _record, view) => showTime(value, view) ?? String(value) },
  'context',
  'username',
  'command',
  'apply',
  {
    path: 'label',
    heading: 'object',
    show: (_label, record) => objectName(objects.get(record) as Known),
  },
  {
    path: 'outcome',
    tone: tones,
    show: (value, { code }) => (value === 'failed' && typeof code === 'string' ? `failed: ${code}` : String(value)),
  },
])

/** Of all that a list of a service takes, what makes sense for one that is at hand. */
const flags = listFlags.filter(({ name }) => !['page', 'page-size', 'concurrency'].includes(name))

export const listChanges: Command = {
  name: 'list',
  aliases: ['ls'],
  summary: history.list.summary,
  details:
    'Every request that changed something, or may have, with what became of it: ok, failed, or unknown where no answer ' +
    'came and where the process was killed. With --context only those of that context. It is kept in the state folder, ' +
    'holds no secret and no body, and is bounded: the oldest go. SKYCTL_HISTORY=0 keeps none.',
  records: history.list,
  flags,
  examples: [
    { what: 'What was done in the last hour', line: "skyctl history list --filter 'time<1h'" },
    {
      what: 'What may have been done, and how that is seen',
      line: 'skyctl history list --columns number,outcome,next',
    },
    { what: 'What became of a volume', line: 'skyctl history list --filter kind=volume --filter id=3002' },
  ],
  async run({ flags }, session) {
    const flagOf = await accountFlag(session)
    const only = textFlag(flags, 'context')
    const past = (await readHistory(session)).filter(({ context }) => only === undefined || context === only)
    const records = past.reverse().map((one) => {
      const known = knownOf(one)
      const record = recordOf(known, flagOf)
      objects.set(record, known)
      return record
    })
    const pages = (async function* () {
      yield records
    })()
    const list = { columns: columnsFor(records, session), plural: 'changes', key: 'number' } as const
    const count = await printPages(history.list, list, { flags, session, pages })
    if (isForPeople(session.format) && count > 0) await tellUnknown(records, session)
  },
}

const optional = ['context', 'username', 'apply'] as const

/** Columns that tell nothing are left out for people: most have one account, and not all apply files. */
function columnsFor(records: readonly PastChange[], { format }: Session): typeof changeColumns {
  if (!isForPeople(format)) return changeColumns
  const tells = (key: (typeof optional)[number]) => {
    const values = new Set(records.map((one) => one[key]))
    return values.size > 1 || (key === 'apply' && values.size > 0 && !values.has(null))
  }
  const left = optional.filter((key) => !tells(key))
  return changeColumns.filter(({ path }) => !left.some((key) => key === path))
}

/** What may or may not have been done is what a person has to look at. */
async function tellUnknown(records: readonly PastChange[], session: Session): Promise<void> {
  const unknown = records.filter(({ next }) => next !== null)
  for (const { number, next } of unknown.slice(0, 3))
    await session.say(`Whether ${number} was done is seen by: ${next}`)
}
