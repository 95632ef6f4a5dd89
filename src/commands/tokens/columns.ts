import { tokens } from '../../catalogue/tokens'
import { columns } from '../../engine/columns'
import type { Column } from '../../output/column'
import { showTime } from '../../output/times'
import { isNever } from '../../rules/expiry'

/** Shows `never` without an expiry, or for one in the far future. */
export const expiryColumn: Column<'expiry'> = {
  path: 'expiry',
  show: (value, _record, view) => (isNever(value, view.now) ? 'never' : (showTime(value, view) ?? String(value))),
}

export const tokenColumns = columns(tokens.list, ['id', 'label', 'scopes', 'created', expiryColumn, 'token'])
