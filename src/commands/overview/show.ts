/** Reads the account and prints its overview in the requested form. */
import { accountOf } from '../../account/account'
import { mostReads } from '../../account/concurrency'
import { type Readings, readParts } from '../../audit/read-snapshot'
import type { Flags } from '../../engine/command'
import type { Session } from '../../engine/session'
import { printMany, printOne, type View, wantsDocument, wantsScreen } from '../../output/print'
import { commandLines } from '../audit-texts'
import { type Overview, overviewOf, parts, problemsIn } from './inventory'

interface Form {
  /** Format that only this command has. */
  own: string | undefined
  view: View
  flags: Flags
}

export async function showOverview(form: Form, session: Session): Promise<void> {
  const readings = await readAccount(form, session)
  await print(readings, form, session)
  conclude(readings)
}

async function readAccount({ flags }: Form, session: Session): Promise<Readings> {
  const progress = await session.ui.progress('Reading the account')
  try {
    const client = await session.account.client({ concurrency: mostReads })
    const readNetworkNamer = async () => (await import('../firewalls/network-names')).networkNamer({ flags, session })
    // Tokens are not among these parts.
    return await readParts(parts, {
      client,
      clock: session.clock,
      isInUse: () => false,
      isTokenUnstored: false,
      readNetworkNamer,
    })
  } finally {
    progress.done()
  }
}

async function print(readings: Readings, form: Form, session: Session): Promise<void> {
  const { own, view } = form
  const { stdout } = session.ui
  const problems = problemsIn(readings)
  const overview = overviewOf(readings, problems)
  if (own === 'mermaid') await stdout.write((await import('./diagram')).mermaidOf(overview))
  else if (own === 'html') {
    const { overviewHtml } = await import('./html-page')
    const line = await commandLines(session)
    const account = await accountOf(session.account)
    await stdout.write(overviewHtml({ overview, problems, account, now: readings.world.now, line }))
  } else if (wantsScreen(view)) {
    const line = await commandLines(session)
    const { overviewScreen } = await import('./screen')
    return stdout.write(await overviewScreen(overview, { ...view, audit: line(['audit']) }))
  } else if (wantsDocument(view)) return printOne(overview, view, stdout)
  else if (view.quiet !== undefined) await printMany(overview.instances, view, stdout)
  else await printOne(overview, view, stdout)
  await warnOfUnread(overview, session)
}

/** Names the parts that were not read, for formats that leave them out. */
async function warnOfUnread({ not_read }: Overview, { ui }: Session): Promise<void> {
  for (const { part, error } of not_read) await ui.warn(`not read: ${part}: ${error.message}`)
}

/** Throws what kept a part from being read, unless the token may not read it: that is named in the output. */
function conclude({ failed, unreadable }: Readings): void {
  for (const [part, problem] of failed) {
    if (problem.code !== 'not_allowed') throw problem.with({ message: `${part} could not be read: ${problem.message}` })
  }
  const [first] = unreadable
  if (first) throw first.problem
}
