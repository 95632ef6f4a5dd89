/** The names of objects as they must be typed, for the shells that complete them. */
import { safe } from '../output/safe'
import type { Name } from './names'
import { parseTarget } from './resource'

interface Labelled {
  id: number
  label?: string
}

/** Labels with ids as notes; an object whose label is not enough is named by its id. */
export function targetNames(items: readonly Labelled[], noun: string): Name[] {
  const times = new Map<string, number>()
  for (const { label = '' } of items) times.set(label, (times.get(label) ?? 0) + 1)
  return items.map(({ id, label = '' }) => {
    const typed = times.get(label) === 1 && safe(label) === label ? asTyped(label, noun) : undefined
    return typed === undefined ? { name: String(id), note: safe(label) } : { name: typed, note: String(id) }
  })
}

/** `label:` marks what would be read as an id or as a flag; undefined where nothing would name it. */
function asTyped(label: string, noun: string): string | undefined {
  return [label, `label:${label}`].find((text) => {
    try {
      const target = parseTarget(text, noun)
      return 'label' in target && target.label === label && !text.startsWith('-')
    } catch {
      return false
    }
  })
}
