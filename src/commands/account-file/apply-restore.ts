/** Restores services after a failed job of a plan, and reports those without protection. */
import { runStep, type Step } from '../../account/actions'
import { isProtection, protectionOf } from '../../account-file/kinds/firewall-claims'
import { readGuarded } from '../../account-file/kinds/firewall-reading'
import type { PlanStep } from '../../account-file/plan-step'
import type { JobPart } from '../../account-file/schedule'
import type { Session } from '../../engine/session'
import { Problem, wasNotDone } from '../../errors'
import { nameList } from '../../rules/texts'
import { telling } from '../sentences'

/** A service without a firewall. */
export interface Open {
  type: string
  id: number
}

/** Undo steps of completed steps; the last step is undone first. */
export class RestoreLog {
  #undos: { part: JobPart; undo: Step }[] = []
  /** The completed steps that were not undone. */
  readonly completed = new Set<PlanStep>()

  /** Notes a completed step. One without an undo is a point of no return. */
  done(part: JobPart, answer: Readonly<Record<string, unknown>>): void {
    this.completed.add(part.step)
    const undo = part.step.undo?.(answer)
    if (undo) this.#undos.unshift({ part, undo })
    else this.#undos = []
  }

  /** Notes a failed step. A release that may have succeeded is undone, too: assigning a service again is harmless. */
  failed(part: JobPart, error: unknown): void {
    if (!wasNotDone(error) && part.step.frees) this.done(part, {})
  }

  /** Undoes the steps; resolves to the services that remain without protection. */
  async restore(session: Session): Promise<readonly Open[]> {
    const lost = new Set<string>()
    for (const { part, undo } of this.#undos) {
      try {
        const onResult = telling(undo.does, session)
        await runStep(undo, session.account, { looks: false, isSteady: true, onResult })
        this.completed.delete(part.step)
      } catch (error) {
        if (!(error instanceof Problem)) throw error
        for (const key of part.step.frees?.filter(isProtection) ?? []) lost.add(key)
      }
    }
    this.#undos = []
    return lost.size > 0 ? openOf([...lost], session) : []
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

/** Adds unprotected services to a failure: to the message, and to the last line. */
export function withOpen(error: unknown, open: readonly Open[], hint: string): unknown {
  if (open.length === 0 || !(error instanceof Problem)) return error
  const text = openText(open)
  const { summary = error.message } = error.details
  return new Problem(error.code, `${error.message}; ${text}`, {
    ...error.details,
    summary: `${summary}; ${text}`,
    hint,
    cause: error,
  })
}

export const openText = (open: readonly Open[]) => `no firewall protects ${nameList(open.map(protectionOf))} now`
