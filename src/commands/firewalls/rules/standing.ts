/** The rules that a firewall has: reading them, and replacing them without losing what someone else has changed. */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { type FirewallRules, firewallRules } from '../../../catalogue/firewall-rules'
import type { Operation } from '../../../catalogue/operation'
import { send } from '../../../engine/change'
import { lookAfter } from '../../../engine/look-after'
import { settlement } from '../../../engine/lost'
import { type Found, named, nameOf, notFoundAs } from '../../../engine/resource'
import { stateFolderIfAny } from '../../../engine/state-folder'
import { type Details, Problem } from '../../../errors'
import { withLock } from '../../../files/lock'
import { diffRules, type RulesChange as RuleChange } from '../../../firewall/diff'
import { shapedRules } from '../../../firewall/rules'
import type { Session } from '../../../session'
import { firewallResource, senselessRules } from '../resource'
import { keepCopy } from './copies'
import { changeLine } from './difference'

/** As the service sent them, keys that are unknown here included; a list that is null is empty. */
export async function readRules(firewall: Pick<Found, 'id' | 'record'>, session: Session): Promise<FirewallRules> {
  const { id } = firewall
  const client = await session.client()
  const rules = shapedRules(
    await named(client.call(firewallRules.list, { path: { firewallId: id } }), id, firewallResource),
  )
  if (!rules) throw senselessRules(firewall)
  return rules
}

export interface Replacement {
  firewall: Found
  before: FirewallRules
  after: FirewallRules
}

/** What stands now, and whether what stood before is kept. */
interface Replaced {
  rules: FirewallRules
  kept: boolean
}

/**
 * Replaces the rules, if those that stood before still stand. Throws `refused` with
 * the difference where they were changed meanwhile. The API has no condition on a write, so between the last look and
 * the write another machine may still come; processes of this one wait for each other.
 */
export async function replaceRules(replacement: Replacement, session: Session): Promise<Replaced> {
  const { firewall } = replacement
  const folder = await stateFolderIfAny('rules', session, 'the rules that stood before are not kept')
  if (folder === undefined) return replaceAlone(replacement, false, session)
  const lock = join(folder, `firewall-${firewall.id}.lock`)
  return withLock(lock, () => replaceAlone(replacement, true, session), { waitMs: 60_000, signal: session.signal })
}

async function replaceAlone(replacement: Replacement, keep: boolean, session: Session): Promise<Replaced> {
  const { firewall, before, after } = replacement
  const name = nameOf(firewallResource, firewall)
  const standing = await readRules(firewall, session)
  const changes = diffRules(before, standing)
  if (changes.length > 0) {
    await sayDifference(changes, session)
    throw new ChangedMeanwhile(name, changes, standing)
  }
  const change = { firewallId: Number(firewall.id), before: standing, written: after }
  const copy = keep ? await keepCopy(change, session) : undefined
  try {
    await put(replacement, session)
  } catch (error) {
    if (copy !== undefined && wasNotDone(error)) rmSync(copy, { force: true })
    throw error
  }
  const now = await lookAfter({ what: `the rules of ${name} were replaced` }, () => readRules(firewall, session))
  await expectRules(after, now, `the rules of ${name} do not stand as they were sent`, session)
  return { rules: now, kept: keep }
}

/** Whether it is known that a failed request has changed nothing, so that there is nothing to undo. */
function wasNotDone(error: unknown): boolean {
  if (!(error instanceof Problem)) return false
  const { code, details } = error
  return code === 'unavailable' || (details.status !== undefined && code !== 'outcome_unknown' && code !== 'defect')
}

/** Somebody else changed the rules after they were read; nothing was sent. */
export class ChangedMeanwhile extends Problem {
  constructor(
    name: string,
    changes: readonly RuleChange[],
    readonly standing: FirewallRules,
  ) {
    super('refused', `the rules of ${name} were changed meanwhile`, differenceDetails(changes))
  }
}

/** A lost answer: what stands decides whether to send again. */
async function put({ firewall, before, after }: Replacement, session: Session): Promise<void> {
  const standing = async () => {
    const now = await readRules(firewall, session)
    if (diffRules(after, now).length === 0) return now
    const name = nameOf(firewallResource, firewall)
    await expectRules(before, now, `the answer was lost, and the rules of ${name} were changed meanwhile`, session)
    return undefined
  }
  await send<Operation>(
    {
      operation: firewallRules.update,
      path: { firewallId: firewall.id },
      body: { ...after },
      explain: (problem) => notFoundAs(firewall.id, firewallResource, problem),
      recover: settlement(standing),
    },
    session,
  )
}

async function expectRules(
  expected: FirewallRules,
  found: FirewallRules,
  message: string,
  session: Session,
): Promise<void> {
  const changes = diffRules(expected, found)
  if (changes.length === 0) return
  await sayDifference(changes, session)
  throw new Problem('refused', message, differenceDetails(changes))
}

const sayDifference = (changes: readonly RuleChange[], session: Session) =>
  session.say(['What is different:', ...changes.map(changeLine)].join('\n'))

export function differenceDetails(changes: readonly RuleChange[]): Details {
  return {
    hint: 'Look at what stands now, and run the command again',
    errors: changes.map((change) => ({ field: change.direction, reason: changeLine(change) })),
  }
}
