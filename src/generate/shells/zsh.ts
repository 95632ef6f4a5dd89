import type { Table } from '../completions'

export function zsh(_table: Table): string {
  return ''
}
