import type { Table } from '../completions'

export function fish(_table: Table): string {
  return ''
}
