/** Asking before something is destroyed. */

import { failureText, Problem } from '../errors'
import { safe } from '../output/safe'
import { someNames } from '../rules/names'
import { participle } from '../rules/verbs'
import type { Session } from '../session'

/**
 * Asks on a terminal; `--yes` answers. Throws `refused` on no, `usage` where nobody can be asked.
 * The question has no mark, and what follows from a yes stands before it: `The data will be lost for ever. Delete volume
 * "data" (123)`. `local` is what happens on this machine only, and concerns no account.
 */
export async function confirm(question: string, session: Session, { local = false } = {}): Promise<void> {
  if (session.yes) return
  if (!session.interactive) {
    throw new Problem('usage', `${question}: this must be confirmed, and there is no terminal to ask on`, {
      hint: 'Add --yes',
    })
  }
  const ask = await session.ask({ local })
  if (!(await ask.confirm(`${question}?`))) throw new Problem('refused', 'not confirmed; nothing was done')
}

/** How a question names the targets. */
export interface Names<T> {
  /** `volume "a" (1), volume "b" (2)`; more are listed above the question, which says `these 5 volumes`. */
  names: string
  /** Whether there is more than one. */
  several: boolean
  /** The targets that can be done; none where nobody can be asked, and nothing was looked up. */
  found: readonly T[]
}

/** What is destroyed or cut off. */
export interface Question<T = unknown> {
  /** The consequence as sentences of their own, then the question without its mark. */
  text(names: Names<T>): string | Promise<string>
  /** How the question names a target that was found. */
  nameOf(target: T): Promise<string>
  /** Why the service would refuse a target, as far as is known. */
  refusal?(target: T): Promise<Problem | undefined>
  /** Whether it is about this target; without it, about all. */
  concerns?(target: T): boolean
  /** What the targets are: `volumes`. */
  plural: string
}

interface Asking<T> {
  /** What would be done: `delete`. */
  verb: string
  targets: readonly T[]
  prepare(target: T): Promise<{ idle?: true }>
}

/**
 * Asks once for all that can be done. Resolves to the others, with why: what nobody was asked about is not done, also
 * where it could be by now.
 */
export async function askAbout<T extends { typed: string }>(
  question: Question<T>,
  asking: Asking<T>,
  session: Session,
): Promise<ReadonlyMap<T, Problem>> {
  const { targets, verb } = asking
  const concerned = targets.filter((target) => question.concerns?.(target) ?? true)
  // Nothing is looked up where nobody can be asked.
  if (!session.interactive) {
    const names = someNames(concerned.map(({ typed }) => safe(typed)))
    await confirm(await question.text({ names, several: concerned.length > 1, found: [] }), session)
  }
  const { found, unasked } = await lookThrough(question, asking)
  if (found.size === 0) return unasked
  const names = [...found.values()]
  const isListed = names.length > mostInline
  await list(`${unasked.size} of ${targets.length} will not be ${participle(verb)}:`, reasonsOf(unasked), session)
  if (isListed) await list(`${names.length} ${question.plural} to ${verb}:`, names, session)
  const named = isListed ? `these ${names.length} ${question.plural}` : names.join(', ')
  await confirm(await question.text({ names: named, several: names.length > 1, found: [...found.keys()] }), session)
  return unasked
}

/** A prompt that is longer than the window cannot be drawn again. */
const mostInline = 3
const mostListed = 20

/** Finds out what can be done, and why the rest cannot. Throws where that is all there is. */
async function lookThrough<T extends { typed: string }>(
  { nameOf, refusal, concerns }: Question<T>,
  { targets, prepare }: Asking<T>,
): Promise<{ found: Map<T, string>; unasked: Map<T, Problem> }> {
  const found = new Map<T, string>()
  const unasked = new Map<T, Problem>()
  for (const target of targets) {
    try {
      if ((await prepare(target)).idle || concerns?.(target) === false) continue
      const refused = await refusal?.(target)
      if (refused) throw refused
      found.set(target, await nameOf(target))
    } catch (error) {
      if (targets.length === 1 || !(error instanceof Problem)) throw error
      unasked.set(target, error)
    }
  }
  return { found, unasked }
}

function reasonsOf(unasked: ReadonlyMap<{ typed: string }, Problem>): string[] {
  return [...unasked].map(([{ typed }, problem]) => {
    const { hint } = problem.details
    const reason = failureText({ target: typed, problem, tried: false }).replace(/\.$/, '')
    return hint ? `${reason}. ${hint}` : reason
  })
}

/** Lists lines under a heading, the first of them and the count of the rest where they are many. */
async function list(heading: string, lines: readonly string[], session: Session): Promise<void> {
  if (lines.length === 0) return
  const more = lines.length > mostListed ? [`and ${lines.length - mostListed} more`] : []
  const shown = [...lines.slice(0, mostListed), ...more].map((line) => `  ${safe(line)}`)
  await session.aside([heading, ...shown].join('\n'))
}
