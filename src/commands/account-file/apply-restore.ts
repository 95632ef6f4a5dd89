/** Notes what became of the steps of a plan, and undoes those of a failed job. */
import { runStep, type Step } from '../../account/actions'
import { isProtection, protectionOf } from '../../account-file/kinds/firewall/claims'
import { readGuarded } from '../../account-file/kinds/firewall/read-guarded'
import type { StepRequest } from '../../account-file/order-steps'
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
  /** `isSaved`: the plan was saved, so it cannot be applied again once an object is half done. */
  constructor(readonly isSaved: boolean) {}

  /** The completed steps that were not undone. */
  readonly completed = new Set<PlanStep>()
  /** Failed steps that may have been done. */
  readonly uncertain = new Set<PlanStep>()
  /** Steps that the API has accepted, but whose wait failed. */
  readonly inProgress = new Set<PlanStep>()
  readonly unprotected: Open[] = []

  readonly hasBegun = (step: PlanStep): boolean =>
    this.completed.has(step) || this.uncertain.has(step) || this.inProgress.has(step)

  /** Returns the attachment that a volume lacks since it was only detached. */
  missingAttachment({ steps }: PlannedObject): PlanStep | undefined {
    const isMoving = steps.some((step) => step.does === 'volumes detach' && this.hasBegun(step))
    return isMoving ? steps.find((step) => step.does === 'volumes attach' && !this.hasBegun(step)) : undefined
  }

  /** Returns `volume "data" (3001) is not attached to compute instance 1001 yet` for each that was only detached. */
  unattached(objects: readonly PlannedObject[]): string[] {
    return objects.flatMap((object) => {
      const attach = this.missingAttachment(object)
      return attach ? [`${titleOf(object)} is not attached to compute instance ${attach.body?.compute_id} yet`] : []
    })
  }

  /** Reports whether only some steps of the object have begun: a saved plan refuses it then. */
  readonly isHalfDone = ({ steps }: PlannedObject): boolean => steps.some(this.hasBegun) && !steps.every(this.hasBegun)
}

/** Undo steps of completed steps of a job; the last step is undone first. */
export class RestoreLog {
  #undos: { request: StepRequest; undo: Step }[] = []

  constructor(private readonly log: StepLog) {}

  /** Notes a completed step. One without an undo is a point of no return. */
  done(request: StepRequest, answer: Readonly<Record<string, unknown>>): void {
    addSteps(this.log.completed, request)
    const undo = request.part.step.undo?.(answer)
    if (undo) this.#undos.unshift({ request, undo })
    else this.#undos = []
  }

  /** Notes a step that somebody else has made: there is nothing to undo. */
  skipped(request: StepRequest): void {
    addSteps(this.log.completed, request)
  }

  /** Notes a failed step. A release that may have succeeded is undone, too: assigning a service again is harmless. */
  failed(request: StepRequest, error: unknown): void {
    if (wasNotDone(error)) return
    const { frees, takes, does } = request.part.step
    if (frees) this.done(request, {})
    else addSteps(isAnswered(error) ? this.log.inProgress : this.log.uncertain, request)
    // An attachment that may be under way must not be followed by one elsewhere.
    if (!frees && !takes) this.#undos = this.#undos.filter(({ undo }) => undo.does !== does)
  }

  /** Undoes the steps, and notes the services that remain without protection. */
  async restore(session: Session): Promise<void> {
    const lost = new Set<string>()
    for (const { request, undo } of this.#undos) {
      try {
        const onResult = telling(undo.does, session)
        await runStep(undo, session.account, { looks: false, isSteady: true, onResult })
        for (const { step } of request.parts) this.log.completed.delete(step)
      } catch (error) {
        if (!(error instanceof Problem)) throw error
        for (const key of request.part.step.frees?.filter(isProtection) ?? []) lost.add(key)
      }
    }
    this.#undos = []
    if (lost.size > 0) this.log.unprotected.push(...(await openOf([...lost], session)))
  }
}

const addSteps = (steps: Set<PlanStep>, { parts }: StepRequest) => {
  for (const { step } of parts) steps.add(step)
}

/** Reports whether the API has accepted a failed step: only what follows its request failed, such as a wait. */
const isAnswered = (error: unknown) => error instanceof Problem && error.details.answer !== undefined

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

export const openText = (open: readonly Open[]) => `no firewall protects ${nameList(open.map(protectionOf))} now`
