/** Reads the account and prints its overview in the requested form. */
import { sameAccount } from '../../account/account'
import { type Readings, readParts } from '../../audit/read-snapshot'
import type { Session } from '../../engine/session'
import { Problem } from '../../errors'
import { wantsDocument, wantsScreen } from '../../output/output-kind'
import { printMany, printOne, type View } from '../../output/print'
import { mermaidOf } from './diagram'
import { type Overview, overviewOf, parts } from './inventory'
import { overviewScreen } from './screen'

interface Form {
  isDiagram: boolean
  view: View
}

export async function showOverview(form: Form, session: Session): Promise<void> {
  const readings = await readAccount(session)
  await print(overviewOf(readings), form, session)
  conclude(readings)
}

async function readAccount(session: Session): Promise<Readings> {
  const progress = await session.ui.progress('Reading the account')
  try {
    const client = await session.account.client()
    // Tokens are not among these parts.
    return await readParts(parts, { client, clock: session.clock, isInUse: () => false })
  } finally {
    progress.done()
  }
}

async function print(overview: Overview, { isDiagram, view }: Form, session: Session): Promise<void> {
  const { stdout } = session.ui
  if (isDiagram) await stdout.write(mermaidOf(overview))
  else if (wantsScreen(view)) {
    const audit = `skyctl audit${await sameAccount(session.account)}`
    return stdout.write(await overviewScreen(overview, { ...view, audit }))
  } else if (wantsDocument(view)) return printOne(overview, view, stdout)
  else if (view.quiet !== undefined) await printMany(overview.instances, view, stdout)
  else await printOne(overview, view, stdout)
  for (const { part, error } of overview.not_read) await session.ui.warn(`not read: ${part}: ${error.message}`)
}

/** Throws what kept a part from being read, unless the token may not read it: that is named in the output. */
function conclude({ failed, unreadable }: Readings): void {
  for (const [part, { code, message, details }] of failed) {
    if (code !== 'not_allowed') throw new Problem(code, `${part} could not be read: ${message}`, { ...details })
  }
  const [first] = unreadable
  if (first) throw first.problem
}
