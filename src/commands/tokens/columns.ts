import type { Column } from '../../output/print'
import { showTime } from '../../output/times'
import { isNever } from '../../rules/expiry'

/** A token without an expiry, or with one that nobody lives to see, never expires. */
export const expiryColumn: Column = {
  path: 'expiry',
  show: (value, _record, view) => (isNever(value, view.now) ? 'never' : (showTime(value, view) ?? String(value))),
}

export const tokenColumns: readonly Column[] = [
  { path: 'id' },
  { path: 'label' },
  { path: 'scopes' },
  { path: 'created' },
  expiryColumn,
  { path: 'token' },
]
