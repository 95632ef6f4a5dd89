/** Values of a JSON or YAML text, each with its place. */

export type Scalar = string | number | bigint | boolean | null

/** Line and column, counted from 1; a place without a column is that of a whole line. */
export interface TextPlace {
  readonly line: number
  readonly column?: number | undefined
}

/** A value, and where a text has it: the place of its key or item. */
export interface SourceNode extends TextPlace {
  /** A scalar, the items of a list, or the fields of an object. Integers that a double would round are bigints. */
  readonly value: Scalar | readonly SourceNode[] | ReadonlyMap<string, SourceNode>
}

/** Splits a field path: `inbound[3].ports` becomes `inbound`, `3`, `ports`. */
export const stepsOf = (field: string): readonly string[] => field.match(/[^.[\]]+/g) ?? []

/** Returns the node at a path of keys and indexes; undefined if it is missing. */
export function nodeAt(root: SourceNode, path: readonly string[]): SourceNode | undefined {
  return path.reduce<SourceNode | undefined>((above, step) => above && childOf(above, step), root)
}

function childOf({ value }: SourceNode, step: string): SourceNode | undefined {
  if (value instanceof Map) return value.get(step)
  return Array.isArray(value) && /^\d+$/.test(step) ? value[Number(step)] : undefined
}

/** Returns a node's value without places. */
export function plainValue({ value }: SourceNode): unknown {
  if (value instanceof Map) return Object.fromEntries([...value].map(([key, node]) => [key, plainValue(node)]))
  return Array.isArray(value) ? value.map(plainValue) : value
}
