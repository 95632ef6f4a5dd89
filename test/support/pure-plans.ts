/** Plans of a file for an account with given answers, without a service (state.md, The commands). */

import { readDesiredState } from '../../src/account-file/desired-state'
import { kinds } from '../../src/account-file/kinds'
import { makePlan } from '../../src/account-file/make-plan'
import type { Plan } from '../../src/account-file/plan'
import { wrongFiles } from '../../src/account-file/wrong-files'
import { normalizeList } from '../../src/catalogue/normalize'
import { profile } from '../../src/catalogue/profile/profile'
import { Problem } from '../../src/errors'
import { withoutColumn } from './columns'

/** Answers by kind, and the ids of all regions. Firewalls include their devices. */
export type Answers = Readonly<Record<string, readonly unknown[]>>

interface Flags {
  prune?: boolean
  force?: boolean
  now?: number
}

/** Returns the records of an answer. A field that it lacks is unknown. */
export function recordsOf(key: string, answers: readonly unknown[]): unknown[] {
  const values = structuredClone([...answers])
  const list = key === 'profile' ? profile.view : kinds.find((kind) => kind.key === key)?.list
  return list === undefined || key === 'firewalls' ? values : normalizeList(list.returns, values, [])
}

/** Returns the plan; throws its faults. */
export function planFor(...input: Parameters<typeof makePlan>): Plan {
  const { plan, faults } = makePlan(...input)
  if (faults.length > 0) throw wrongFiles(faults)
  return plan
}

export async function planOf(text: string, answers: Answers, { prune = false, force, now }: Flags = {}): Promise<Plan> {
  const source = { name: 'a.yaml', text, read: () => Promise.reject(new Error('no file is named')) }
  const world = new Map(Object.entries(answers).map(([key, values]) => [key, recordsOf(key, values)]))
  return planFor(await readDesiredState([source], {}), world, {
    prune,
    ...(force && { force }),
    ...(now !== undefined && { now }),
  })
}

/** Returns the steps of all objects: action, target and body. */
export async function stepsOf(text: string, answers: Answers, flags?: Flags): Promise<unknown[][]> {
  const { objects } = await planOf(text, answers, flags)
  return objects.flatMap(({ steps }) =>
    steps.map(({ does, target: words, body }) => [does, ...words, ...(body ? [body] : [])]),
  )
}

/** Returns the lines that a plan prints for its steps, and their consequences. */
export async function linesOf(text: string, answers: Answers, flags?: Flags): Promise<string[]> {
  const { objects } = await planOf(text, answers, flags)
  return objects.flatMap(({ steps }) =>
    steps.flatMap(({ changes, consequences = [] }) => [
      ...changes,
      ...consequences.map(({ kind, text }) => `${kind}: ${text}`),
    ]),
  )
}

/** Returns place, cause and message of every problem of a plan. */
export async function refusalsOf(text: string, answers: Answers, flags?: Flags): Promise<string[][]> {
  try {
    await planOf(text, answers, flags)
    return []
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    const { failures } = error.details
    return (
      failures?.map(({ target, problem }) => [withoutColumn(target), problem.code, problem.message]) ?? [
        ['', error.code, error.message],
      ]
    )
  }
}
