/** Undoes the steps of a failed job of a plan, and reports what is left without protection or half done. */
import { runStep, type Step } from '../../account/actions'
import { isProtection, protectionOf } from '../../account-file/kinds/firewall/claims'
import { readGuarded } from '../../account-file/kinds/firewall/read-guarded'
import type { JobPart } from '../../account-file/order-steps'
import type { PlannedObject } from '../../account-file/plan'
import type { PlanStep } from '../../account-file/plan-step'
import type { Session } from '../../engine/session'
import { Problem, wasNotDone } from '../../errors'
import { nameList } from '../../rules/texts'
import { telling } from '../change-messages'
import { titleOf } from './plan-screen'

/** A service without a firewall. */
export interface Open {
  type: string
  id: number
}

/** Outcomes of the steps of a plan. */
export class StepLog {
  /** The completed steps that were not undone. */
  readonly completed = new Set<PlanStep>()
  /** Failed steps that may have been done, such as a wait that timed out. */
  readonly uncertain = new Set<PlanStep>()
  readonly unprotected: Open[] = []

  /** Returns `volume "data" (3001) is not attached to compute instance 1001 yet` for each that was only detached. */
  unattached(objects: readonly PlannedObject[]): string[] {
    const hasBegun = (step: PlanStep) => this.completed.has(step) || this.uncertain.has(step)
    return objects.flatMap((object) => {
      const attach = object.steps.find(({ does }) => does === 'volumes attach')
      const isMoving = object.steps.some((step) => step.does === 'volumes detach' && hasBegun(step))
      if (!attach || !isMoving || hasBegun(attach)) return []
      return [`${titleOf(object)} is not attached to compute instance ${attach.body?.compute_id} yet`]
    })
  }
}

/** Undo steps of completed steps of a job; the last step is undone first. */
export class RestoreLog {
  #undos: { part: JobPart; undo: Step }[] = []

  constructor(private readonly log: StepLog) {}

  /** Notes a completed step. One without an undo is a point of no return. */
  done(part: JobPart, answer: Readonly<Record<string, unknown>>): void {
    this.log.completed.add(part.step)
    const undo = part.step.undo?.(answer)
    if (undo) this.#undos.unshift({ part, undo })
    else this.#undos = []
  }

  /** Notes a failed step. A release that may have succeeded is undone, too: assigning a service again is harmless. */
  failed(part: JobPart, error: unknown): void {
    if (wasNotDone(error)) return
    const { frees, takes } = part.step
    if (frees) this.done(part, {})
    else this.log.uncertain.add(part.step)
    // An attachment that may be under way must not be followed by one elsewhere.
    if (!frees && !takes) this.#undos = this.#undos.filter(({ undo }) => undo.does !== part.step.does)
  }

  /** Undoes the steps, and notes the services that remain without protection. */
  async restore(session: Session): Promise<void> {
    const lost = new Set<string>()
    for (const { part, undo } of this.#undos) {
      try {
        const onResult = telling(undo.does, session)
        await runStep(undo, session.account, { looks: false, isSteady: true, onResult })
        this.log.completed.delete(part.step)
      } catch (error) {
        if (!(error instanceof Problem)) throw error
        for (const key of part.step.frees?.filter(isProtection) ?? []) lost.add(key)
      }
    }
    this.#undos = []
    if (lost.size > 0) this.log.unprotected.push(...(await openOf([...lost], session)))
  }
}

/** Returns services without a firewall: somebody else may protect them by now. Unreadable ones count as open. */
async function openOf(keys: readonly string[], session: Session): Promise<Open[]> {
  const all = await session.account
    .client({ isSteady: true })
    .then((client) => readGuarded(client))
    .catch(() => [])
  const protections = new Set(
    all.flatMap(({ firewall, devices }) =>
      firewall.status === 'enabled' ? devices.map(({ entity }) => protectionOf(entity)) : [],
    ),
  )
  return keys
    .filter((key) => !protections.has(key))
    .map((key) => {
      const [type = '', id] = key.split(' ')
      return { type, id: Number(id) }
    })
}

/** Adds what a failed plan leaves half done, and an interrupted one undone: to the message, and to the last line. */
export function withUnfinished(
  error: unknown,
  { log, objects, hint }: { log: StepLog; objects: readonly PlannedObject[]; hint: string },
): unknown {
  if (!(error instanceof Problem)) return error
  const { unprotected } = log
  const isInterrupted = error.code === 'interrupted' || error.code === 'terminated'
  const missing = isInterrupted ? objects.filter(({ steps }) => steps.some((step) => !log.completed.has(step))) : []
  const texts = [
    ...(unprotected.length > 0 ? [openText(unprotected)] : []),
    ...log.unattached(objects),
    ...(missing.length > 0 ? [`not done yet: ${nameList(missing.map(titleOf))}`] : []),
  ]
  if (texts.length === 0) return error
  const { summary = error.message } = error.details
  const nextStep = unprotected.length > 0 ? hint : missing.length > 0 ? continuing : undefined
  return error.with({
    message: [error.message, ...texts].join('; '),
    summary: [summary, ...texts].join('; '),
    ...(nextStep !== undefined && { hint: nextStep }),
  })
}

const continuing = 'To continue, run the same command again'

export const openText = (open: readonly Open[]) => `no firewall protects ${nameList(open.map(protectionOf))} now`
