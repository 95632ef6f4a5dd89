import { firewallRules } from '../../../catalogue/firewall-rules'
import { printedContext } from '../../../engine/change-command-context'
import { busyTimeoutFlag, dryRunFlag } from '../../../engine/change-flags'
import type { Command } from '../../../engine/command'
import { outputFlags } from '../../../engine/flags'
import { runOne } from '../../../engine/run-all'
import type { Session } from '../../../engine/session'
import { Problem, ProgramEnded } from '../../../errors'
import { firewallArgument } from '../rules/direction-arguments'
import { problemOf, sayOutcome } from '../watch/outcomes'
import type { Watcher } from '../watch/start'
import { accessRule, expectComplete, missingOpenFlags, openFlags, timeOf } from './open-flags'
import { opened, openedWords, openWatched, prepareOpening } from './open-watched'
import { openingView } from './openings'

const whereOpenings = 'To list openings: skyctl firewalls openings'

export const openFirewall: Command = {
  name: 'open',
  summary: 'Allow an address temporarily or during a command',
  operations: [firewallRules.update],
  details:
    'Adds a rule before all others, and removes it when the time is over or the command has ended, even if skyctl is ' +
    'killed: a second process watches it.',
  moreDetails:
    'Other rules stay unchanged, whatever others change meanwhile. The command does not get the token; its exit code ' +
    'becomes that of skyctl. "firewalls openings" lists what is open. "firewalls close" closes it earlier; "firewalls close --expired" in cron closes openings of a ' +
    'machine that was switched off. Names of networks: skyctl help networks.',
  arguments: [
    ...firewallArgument,
    {
      name: 'command',
      description: 'Command to run while it is open, after --',
      many: true,
      optional: true,
      passthrough: true,
    },
  ],
  flags: [...openFlags, busyTimeoutFlag, dryRunFlag, ...outputFlags],
  lacks: missingOpenFlags,
  examples: [
    {
      what: 'Allow yourself SSH for half an hour',
      line: 'skyctl firewalls open web --port 22 --from 198.51.100.7 --for 30m',
    },
    {
      what: 'Allow it as long as a session lasts',
      line: 'skyctl firewalls open web --port 22 --from 198.51.100.7 -- ssh admin@203.0.113.10',
    },
  ],
  async run({ arguments: [reference = '', ...words], flags }, session) {
    if (reference === 'list' && flags.from === undefined)
      throw new Problem('usage', '"firewalls open" opens a firewall', { hint: whereOpenings })
    await expectComplete(flags, words.length > 0, session)
    const passage = await accessRule(flags, session)
    const timeMs = timeOf(flags)
    const context = printedContext(await openingView(flags, session), flags, session)
    const work = await prepareOpening(reference, { passage, timeMs, forCommand: words.length > 0 }, session)
    if (context.dry) return runOne(opened(work), context, { words: openedWords(work) })
    const watcher = await openWatched(work, context)
    if (words.length === 0) return watcher.leave()
    await runWhileOpen(words, watcher, session)
  },
}

async function runWhileOpen(words: readonly string[], watcher: Watcher, session: Session): Promise<void> {
  const { run } = await session.host()
  const end = run({ words, signal: session.signal }).then(
    (code) => ({ code }),
    (error: unknown) => ({ code: 0, error }),
  )
  // A command that ignores SIGTERM must not keep the firewall open.
  await Promise.race([end, untilTerminated(session.signal)])
  const outcome = await watcher.undo()
  const ended = await end
  // The command's own exit code takes precedence.
  if (!outcome.ok && ended.code === 0 && !('error' in ended)) throw problemOf(outcome)
  await sayOutcome(outcome, session)
  if ('error' in ended) throw ended.error
  if (ended.code !== 0) throw new ProgramEnded(ended.code)
}

/** Resolves after SIGTERM; Ctrl-C is for the command. */
function untilTerminated(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const onAbort = () => {
      if (signal.reason.code === 'terminated') resolve()
    }
    if (signal.aborted) onAbort()
    signal.addEventListener('abort', onAbort)
  })
}
