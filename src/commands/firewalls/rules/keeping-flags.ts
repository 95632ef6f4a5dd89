/** Changes that are kept only when they are confirmed: what is typed for it. */
import type { FirewallRules } from '../../../catalogue/firewall-rules'
import type { Flag, Flags } from '../../../engine/command'
import { durationFlag, textFlag } from '../../../engine/flag-values'
import type { Situation } from '../../../engine/situation'
import { Problem } from '../../../errors'
import type { Session } from '../../../session'

export const keepingFlags: readonly Flag[] = [
  {
    name: 'confirm-within',
    value: 'time',
    description: 'Put back the rules that stood before, unless it is confirmed within this time',
  },
  {
    name: 'keep-if',
    value: 'command',
    description: 'Confirm it by a command of the shell that must succeed within the time (default: 90s)',
  },
]

export const keepingHelp =
  'With --confirm-within it asks afterwards whether to keep it, and puts back what stood before on "no", without an ' +
  'answer, on Ctrl-C, and also when it is killed or its terminal is gone, since a second process watches over it. The ' +
  'time begins with the first write. With --keep-if a command decides, which is tried each second and is not given the ' +
  'token; only exit code 0 before the time is over keeps the change. What somebody else has changed since is left ' +
  'alone. Where it is not kept, it ends with 6.'

/** How a change is confirmed. */
export interface Confirmation {
  timeMs: number
  /** A command of the shell; without it a person is asked. */
  command: string | undefined
}

const usualMs = 90_000
const longestMs = 86_400_000

/** Undefined where none is asked for. Throws `usage` where nobody could confirm. */
export function confirmationOf(flags: Flags, session: Session): Confirmation | undefined {
  const command = textFlag(flags, 'keep-if')
  const given = durationFlag(flags, 'confirm-within')
  if (command === undefined && given === undefined) return undefined
  const timeMs = given ?? usualMs
  if (timeMs < 1_000 || timeMs > longestMs) throw new Problem('usage', '--confirm-within: it may be 1s to 24h')
  if (command?.trim() === '') throw new Problem('usage', '--keep-if: the command is empty')
  if (command === undefined && !session.interactive && !flags['dry-run']) {
    throw new Problem('usage', '--confirm-within: there is no terminal to confirm it on', {
      hint: 'Add --keep-if with a command that tells whether it is to be kept',
    })
  }
  return { timeMs, command }
}

type Change = Record<'before' | 'written', FirewallRules>

/** A change of rules, and what must follow for it to stay. */
export interface Keeping {
  /** `work` is to tell each time what it writes, before it does. */
  write<T extends { written: boolean }>(work: (writing?: (change: Change) => Promise<void>) => Promise<T>): Promise<T>
  /** Throws where it was not confirmed, and tells what stands then. */
  settle(): Promise<void>
}

export function keepingOf(firewall: { firewallId: number; name: string }, { flags, session }: Situation): Keeping {
  const confirmation = confirmationOf(flags, session)
  if (!confirmation) return { write: (work) => work(), async settle() {} }
  let keeping: Keeping | undefined
  return {
    async write(work) {
      keeping = (await import('./keeping')).keepingOne(firewall, confirmation, session)
      return keeping.write(work)
    },
    settle: async () => keeping?.settle(),
  }
}
