/** Flags that describe one rule, for commands that add a rule or change one. peer-flags.ts has those of its addresses. */

import type { Flag, Flags } from '../../../engine/command'
import type { FlagNames } from '../../../engine/field-names'
import { textFlag } from '../../../engine/flag-values'

export const actionFlag: Flag = {
  name: 'action',
  value: 'action',
  description: 'accept or drop',
  values: ['accept', 'drop'],
}

export const portFlag: Flag = { name: 'port', value: 'ports', description: 'Ports such as 22,80-90' }

export const nameFlags: readonly Flag[] = [
  { name: 'label', value: 'text', description: 'Name of the rule, 3 to 32 characters' },
  { name: 'description', value: 'text', description: 'Description of the rule, up to 100 characters', rare: true },
]

export const fieldNames: FlagNames = {
  ...Object.fromEntries(['action', 'protocol', 'label', 'description'].map((key) => [key, `--${key}`])),
  ports: '--port',
}

export function textFields(flags: Flags): Record<string, string> {
  const texts = {
    action: textFlag(flags, 'action')?.toUpperCase(),
    protocol: textFlag(flags, 'protocol')?.toUpperCase(),
    ports: textFlag(flags, 'port'),
    label: textFlag(flags, 'label'),
    description: textFlag(flags, 'description'),
  }
  return Object.fromEntries(Object.entries(texts).flatMap(([key, text]) => (text === undefined ? [] : [[key, text]])))
}
