/** Formats names of objects for completion, as they must be typed. */
import { escapeText } from '../rules/escape'
import { parseTarget } from './find-target'
import type { CachedName } from './name-cache'

/** Returns labels with ids as notes; an object whose label is not unique or not usable is named by its id. */
export function targetNames(items: readonly { id: number; label?: string }[], noun: string): CachedName[] {
  const times = new Map<string, number>()
  for (const { label = '' } of items) times.set(label, (times.get(label) ?? 0) + 1)
  return items.map(({ id, label = '' }) => {
    const name = times.get(label) === 1 && escapeText(label) === label ? asTyped(label, noun) : undefined
    return name === undefined ? { name: String(id), note: escapeText(label) } : { name, note: String(id) }
  })
}

/** Adds `label:` to labels that would be read as an id or a flag; undefined if no spelling works. */
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
