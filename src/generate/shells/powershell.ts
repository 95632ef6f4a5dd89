import type { Table } from '../completions'

export function powershell(_table: Table): string {
  return ''
}
