/** What a failed job of a plan has taken away: it is restored, and what stays open is named. */
import { Problem, wasNotDone } from '../errors'
import { someNames } from '../rules/names'
import type { Session } from '../session'
import type { UndoStep } from '../state/kind'
import { isProtection, protectionOf } from '../state/kinds/firewall-claims'
import { readGuarded } from '../state/kinds/firewall-devices'
import type { Part } from '../state/schedule'
import { weighedFlag } from './firewalls/lockout-flags'
import { runStep } from './run-step'

/** A service without a firewall. */
export interface Open {
  type: string
  id: number
}

/** Steps that are done, and how they are undone; the last one is undone first. */
export class Restoring {
  #undos: { part: Part; undo: UndoStep }[] = []

  /** What has no undo ends what belongs together. */
  done(part: Part, answer: Readonly<Record<string, unknown>>): void {
    const undo = part.step.undo?.(answer)
    if (undo) this.#undos.unshift({ part, undo })
    else this.#undos = []
  }

  /** A release that may be done is undone as well: what is there already is as good. */
  failed(part: Part, error: unknown): void {
    if (!wasNotDone(error) && part.step.frees) this.done(part, {})
  }

  /** Resolves to the services that are left open. */
  async restore(session: Session): Promise<readonly Open[]> {
    const lost = new Set<string>()
    for (const { part, undo } of this.#undos) {
      try {
        await runStep(undo, session, { looks: false, flags: { [weighedFlag]: true }, isSteady: true })
      } catch (error) {
        if (!(error instanceof Problem)) throw error
        for (const key of part.step.frees?.filter(isProtection) ?? []) lost.add(key)
      }
    }
    this.#undos = []
    return lost.size > 0 ? openOf([...lost], session) : []
  }
}

/** Somebody else may protect them by now; what cannot be read counts as open. */
async function openOf(keys: readonly string[], session: Session): Promise<Open[]> {
  const all = await session
    .client({ isSteady: true })
    .then(readGuarded)
    .catch(() => [])
  const held = new Set(
    all.flatMap(({ firewall, devices }) =>
      firewall.status === 'enabled' ? devices.map(({ entity }) => protectionOf(entity)) : [],
    ),
  )
  return keys
    .filter((key) => !held.has(key))
    .map((key) => {
      const [type = '', id] = key.split(' ')
      return { type, id: Number(id) }
    })
}

/** The failure, with the services that it leaves open: in the message, and in the last line. */
export function withOpen(error: unknown, open: readonly Open[]): unknown {
  if (open.length === 0 || !(error instanceof Problem)) return error
  const text = `no firewall protects ${someNames(open.map(protectionOf))} now`
  const { summary = error.message } = error.details
  return new Problem(error.code, `${error.message}; ${text}`, {
    ...error.details,
    summary: `${summary}; ${text}`,
    hint: 'Restore the protection: run skyctl apply again with the same files',
    cause: error,
  })
}
