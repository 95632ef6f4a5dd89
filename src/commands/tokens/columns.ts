import { shownCharacters } from '../../account/token-in-use'
import { isMissing } from '../../catalogue/normalize'
import type { AnswerRecord } from '../../catalogue/operation'
import type { tokens } from '../../catalogue/tokens'
import { type Column, columnsFor } from '../../output/column'
import { showTime, type TimeView } from '../../output/times'
import { ellipses } from '../../output/width'
import { isNever } from '../../rules/expiry'

/** Shows `never` for null or the far future, and nothing if the answer lacks the expiry. */
export const expiryColumn: Column<'expiry'> = {
  path: 'expiry',
  show(value, record, view) {
    if (isMissing(record, 'expiry')) return ''
    return isNever(value, view.now) ? 'never' : (showTime(value, view) ?? String(value))
  },
}

/** Marks the beginning of a token, which is all that the service shows after its creation: it must not pass for the token. */
export const beginningOf = (token: string, { ascii }: Pick<TimeView, 'ascii'>) =>
  `${token}${ellipses[ascii ? 'ascii' : 'unicode']}`

const tokenColumn: Column<'token'> = {
  path: 'token',
  show: (value, _record, view) =>
    typeof value === 'string' && value.length === shownCharacters ? beginningOf(value, view) : String(value ?? ''),
}

export const tokenColumns = columnsFor<AnswerRecord<typeof tokens.list>>([
  'id',
  'label',
  'scopes',
  { path: 'created', priority: 'low' },
  expiryColumn,
  tokenColumn,
])
