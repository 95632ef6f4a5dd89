/** Flags for traffic that a change of a firewall must not block. */
import type { Flag } from '../../engine/command'
import type { Names } from '../../engine/confirm'

/** Flags of every command that may block traffic. */
export const lockoutFlags: readonly Flag[] = [
  {
    name: 'keep-open',
    value: 'traffic',
    list: 'repeats',
    description: 'Refuse a change that blocks this traffic: tcp/22@198.51.100.7',
    group: 'Rule safety flags',
  },
  {
    name: 'allow-lockout',
    description: 'Allow changes that block traffic of --keep-open',
    group: 'Rule safety flags',
  },
]

export const lockoutHelp = 'Lists newly blocked and allowed traffic: see "skyctl help lockout".'

export const consequenceOfDisabling = ({ names, several }: Names<unknown>) =>
  `${several ? 'Their' : 'Its'} rules will protect nothing. Disable ${names}`
