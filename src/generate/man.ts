import type { Node } from './tree'
export function manPage(_tree: Node, _version: string): string {
  return ''
}
