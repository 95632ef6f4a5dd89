/** Questions before firewalls protect nothing any more. */
import type { Account } from '../../account/account'
import type { ResolvedTarget } from '../../account/resolved-target'
import { readDevices } from '../../account/resources/firewall'
import type { Names, Question } from '../../engine/ask-about'
import type { CommandContext } from '../../engine/change-command-context'
import { Problem } from '../../errors'
import { mayBeEnforced } from '../../firewall/status'

interface Ending {
  consequence(names: Names<unknown>): string
  question(names: Names<unknown>): string
}

/** Returns the text of a question, with the consequence unless the firewalls protect nothing already. */
export const endingProtection =
  ({ consequence, question }: Ending, { account }: CommandContext): Question<ResolvedTarget>['text'] =>
  async (names) =>
    (await mayProtect(names.targets, account)) ? `${consequence(names)}. ${question(names)}` : question(names)

export const disabling = (context: CommandContext) =>
  endingProtection(
    {
      consequence: ({ several }) => `${several ? 'Their' : 'Its'} rules will protect nothing`,
      question: ({ names }) => `Disable ${names}`,
    },
    context,
  )

/** Reports whether one of the firewalls may protect something. Without a terminal, nobody has looked. */
async function mayProtect(firewalls: readonly ResolvedTarget[], account: Account): Promise<boolean> {
  for (const firewall of firewalls) if (await hasServices(firewall, account)) return true
  return firewalls.length === 0
}

async function hasServices(firewall: ResolvedTarget, account: Account): Promise<boolean> {
  try {
    const record = await firewall.record()
    return mayBeEnforced(record?.status) && (await readDevices((await firewall.find()).id, account)).length > 0
  } catch (error) {
    if (error instanceof Problem && !account.signal.aborted) return true
    throw error
  }
}
