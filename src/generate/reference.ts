import type { Node } from './tree'
export function referencePages(_tree: Node): ReadonlyMap<string, string> {
  return new Map()
}
