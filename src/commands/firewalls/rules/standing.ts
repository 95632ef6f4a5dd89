/** The rules that a firewall has: reading them, and replacing them without losing what someone else has changed. */
import { rmSync } from 'node:fs'
import { type FirewallRules, firewallRules } from '../../../catalogue/firewall-rules'
import type { Operation } from '../../../catalogue/operation'
import { send } from '../../../engine/change'
import { type Contended, changeContended, replacing } from '../../../engine/contended'
import { showDifference } from '../../../engine/difference'
import { type Found, named, nameOf, notFoundAs } from '../../../engine/resource'
import { stateFolderIfAny } from '../../../engine/state-folder'
import { type Details, exitCodes, Problem, wasNotDone } from '../../../errors'
import { diffRules, type RulesChange as RuleChange } from '../../../firewall/diff'
import { hasLanded } from '../../../firewall/landed'
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
  /**
   * The same change, made of other rules, where it does not matter what others change meanwhile. Throws `refused` or
   * `not_found` where it cannot be.
   */
  again?: ((standing: FirewallRules) => Promise<FirewallRules>) | undefined
  /** What stood before is not kept: an undo would bring back what was there for a while only. */
  unkept?: true
  /** How long another process of this machine that changes the same rules is waited for, where it must be done anyway. */
  patienceMs?: number
  /** Hears, before it is sent, what is written in place of what; each time, where it is made again. */
  writing?: ((change: Record<'before' | 'written', FirewallRules>) => Promise<void>) | undefined
}

/** What stands now, whether anything had to be written for that, and whether what stood before is kept. */
interface Replaced {
  rules: FirewallRules
  written: boolean
  kept: boolean
}

/**
 * Replaces the rules, if those that stood before still stand, or the change can be made of those that do. Throws
 * `refused` with the difference where others have changed them, and that is not so.
 */
export async function replaceRules(replacement: Replacement, session: Session): Promise<Replaced> {
  const { firewall, again, unkept } = replacement
  const loss = 'the rules that stood before are not kept'
  const kept = !unkept && (await stateFolderIfAny('rules', session, loss)) !== undefined
  const { standing: rules, written } = await changeContended<FirewallRules, FirewallRules>(
    {
      what: [firewallResource.noun, firewall.id, 'rules'],
      name: nameOfRules(firewall),
      patienceMs: replacement.patienceMs,
      look: () => readRules(firewall, session),
      write: writing(replacement, kept, session),
      ...(again ? onTop({ ...replacement, again }, session) : onlyThere(replacement, session)),
    },
    session,
  )
  return { rules, written, kept }
}

const nameOfRules = (firewall: Found) => `the rules of ${nameOf(firewallResource, firewall)}`

type Commuting = Replacement & { again: NonNullable<Replacement['again']> }

type Making = Pick<Contended<FirewallRules, FirewallRules>, 'make' | 'holds'>

function onTop({ firewall, before, after, again }: Commuting, session: Session): Making {
  let told = ''
  return {
    holds: (now, { standing, wanted }) => hasLanded(now, { from: standing, to: wanted }),
    async make(standing) {
      const theirs = diffRules(before, standing).map(changeLine)
      if (theirs.length === 0) return after
      const title = `Somebody else changed ${nameOfRules(firewall)} meanwhile, which is kept:`
      if (told !== theirs.join()) await showDifference(theirs, session, title)
      told = theirs.join()
      const wanted = await again(standing)
      return diffRules(standing, wanted).length === 0 ? undefined : wanted
    },
  }
}

function onlyThere({ firewall, before, after }: Replacement, session: Session): Making {
  const name = nameOfRules(firewall)
  return replacing({
    before,
    after,
    same: (one, other) => diffRules(one, other).length === 0,
    async refuse(standing, when) {
      const changes = diffRules(when === 'after' ? after : before, standing)
      await session.say(['What is different:', ...changes.map(changeLine)].join('\n'))
      if (when === 'before') return new ChangedMeanwhile(name, changes, standing)
      const lost = `the answer was lost, and ${name} were changed meanwhile`
      return new Problem('changed', when === 'lost' ? lost : `${name} do not stand as they were sent`, {
        ...differenceDetails(changes),
      })
    },
  })
}

/** Sends rules, and keeps what stood before, unless it is known that they were not taken. */
function writing({ firewall, writing: hear }: Replacement, keep: boolean, session: Session) {
  let copy: Awaited<ReturnType<typeof keepCopy>> | undefined
  const forget = () => copy && rmSync(copy.path, { force: true })
  return async (after: FirewallRules, before: FirewallRules) => {
    // What was written before this did not come to stand.
    forget()
    await hear?.({ before, written: after })
    copy = keep ? await keepCopy({ firewallId: Number(firewall.id), before, written: after }, session) : undefined
    try {
      await send<Operation>(
        {
          operation: firewallRules.update,
          path: { firewallId: firewall.id },
          body: { ...after },
          about: async () => ({ label: firewall.record?.label, copy: copy?.time }),
          explain: (problem) => notFoundAs(firewall.id, firewallResource, problem),
        },
        session,
      )
    } catch (error) {
      if (wasRefused(error)) forget()
      throw error
    }
  }
}

/** Whether it is known that a failed request has changed nothing, so that there is nothing to undo. */
export function wasRefused(error: unknown): error is Problem {
  return wasNotDone(error) && (error.exitCode === exitCodes.unavailable || error.details.status !== undefined)
}

/** Somebody else changed the rules after they were read; nothing was sent. */
export class ChangedMeanwhile extends Problem {
  constructor(
    name: string,
    changes: readonly RuleChange[],
    readonly standing: FirewallRules,
  ) {
    super('changed', `${name} were changed meanwhile`, differenceDetails(changes))
  }
}

export function differenceDetails(changes: readonly RuleChange[]): Details {
  return {
    hint: 'Look at what stands now, and run the command again',
    errors: changes.map((change) => ({ field: change.direction, reason: changeLine(change) })),
  }
}
