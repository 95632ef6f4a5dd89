import { isMissing } from '../../catalogue/normalize'
import { tokens } from '../../catalogue/tokens'
import { columns } from '../../engine/columns'
import type { Column } from '../../output/column'
import { showTime } from '../../output/times'
import { isNever } from '../../rules/expiry'

/** Shows `never` for null or the far future, and nothing if the answer lacks the expiry. */
export const expiryColumn: Column<'expiry'> = {
  path: 'expiry',
  show(value, record, view) {
    if (isMissing(record, 'expiry')) return ''
    return isNever(value, view.now) ? 'never' : (showTime(value, view) ?? String(value))
  },
}

export const tokenColumns = columns(tokens.list, [
  'id',
  'label',
  'scopes',
  { path: 'created', priority: 'low' },
  expiryColumn,
  'token',
])
