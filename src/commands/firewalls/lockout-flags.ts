/** How a person says what a change of a firewall must not close. */
import type { Flag } from '../../engine/command'

/** For every command that may close a port. */
export const lockoutFlags: readonly Flag[] = [
  {
    name: 'keep-open',
    value: 'traffic',
    list: 'repeats',
    description: 'Send nothing that leaves this closed: tcp/22@198.51.100.7 (see help lockout)',
  },
  { name: 'allow-lockout', description: 'Close even what is to be kept open' },
]

export const lockoutHelp = 'Says who is newly refused or let in: see "help lockout".'

/** For a command that is a step of a plan which was weighed as a whole; no command line can say so. */
export const weighedFlag = 'weighed'
