/** Asks once about all targets of a change, and lists those that cannot be changed. */
import { Problem } from '../errors'
import { failureText } from '../errors/failures'
import { isJson } from '../output/formats'
import { escapeText } from '../rules/escape'
import { nameList, participle } from '../rules/texts'
import { type ChangeFacts, confirm } from './confirm'
import type { Session } from './session'

/** Names of the targets in a question. */
export interface Names<T> {
  /**
   * `volume "a" (1), volume "b" (2)`; if there are more, they are listed above the question, which says `these 5
   * volumes`.
   */
  names: string
  /** True if there is more than one. */
  several: boolean
  /** The targets that will be changed; empty without a terminal, as nothing was looked up. */
  targets: readonly T[]
  /** Texts about traffic that they newly block, if the question is about that. */
  blocked: readonly string[]
}

/** A question about destructive changes. */
export interface Question<T = unknown> {
  /** Returns the consequences as sentences, then the question without its question mark. */
  text(names: Names<T>): string | Promise<string>
  /** Returns the name of a target for the question. */
  nameOf(target: T): Promise<string>
  /** Returns the problem with which the service would reject a target, as far as it is known. */
  refusal?(target: T): Promise<Problem | undefined>
  /** Reports whether the question is about this target; by default about all. */
  concerns?(target: T): boolean
  /** True if it is only about targets whose change blocks traffic, as their preparation shows. */
  isBlocking?: true
  /** Plural of the kind: `volumes`. */
  plural: string
}

interface Asking<T> {
  /** Verb of the command: `delete`. */
  verb: string
  targets: readonly T[]
  prepare(target: T): Promise<ChangeFacts>
  /** Called when all is looked up, right before the question. */
  beforeQuestion?(): Promise<unknown>
}

/**
 * Asks once about all targets that can be changed. Resolves to the other targets, with reasons: they are not changed,
 * even if they could be by now. Undefined if no change blocks traffic, and the question is about that.
 */
export async function askAbout<T extends { input: string }>(
  question: Question<T>,
  asking: Asking<T>,
  session: Session,
): Promise<ReadonlyMap<T, Problem> | undefined> {
  const { targets, verb } = asking
  const concerned = targets.filter((target) => question.concerns?.(target) ?? true)
  // Without a terminal, nothing needs to be looked up.
  if (!session.ui.interactive && !question.isBlocking) {
    const names = nameList(concerned.map(({ input }) => quoted(escapeText(input))))
    await confirm(await question.text({ names, several: concerned.length > 1, targets: [], blocked: [] }), session)
  }
  const { targetNames, unasked, blocked } = await lookThrough(question, asking)
  if (targetNames.size === 0) return question.isBlocking ? undefined : unasked
  const names = [...targetNames.values()]
  const isListed = names.length > mostInline
  await listUnasked(unasked, asking, session)
  if (isListed) await list(`${names.length} ${question.plural} to ${verb}:`, names, session)
  await asking.beforeQuestion?.()
  const named = isListed ? `these ${names.length} ${question.plural}` : names.join(', ')
  await confirm(
    await question.text({ names: named, several: names.length > 1, targets: [...targetNames.keys()], blocked }),
    session,
  )
  return unasked
}

/** Prints the targets that stay unchanged, with reasons; for scripts that read JSON as a warning. */
export async function listUnasked(
  unasked: ReadonlyMap<{ input: string }, Problem>,
  { verb, targets }: { verb: string; targets: readonly unknown[] },
  session: Session,
): Promise<void> {
  const heading = `${unasked.size} of ${targets.length} will not be ${participle(verb)}:`
  const reasons = reasonsOf(unasked)
  const isAsked = session.ui.interactive && !session.ui.yes
  if (isAsked || !isJson(session.ui.format)) await list(heading, reasons, session)
  else if (reasons.length > 0) await session.ui.warn(`${heading} ${reasons.join('; ')}`)
}

/** Quotes a label, so that it is not read as a word of the sentence; ids and longer descriptions stay. */
const quoted = (text: string) => (/\p{L}/u.test(text) && !/["(]/.test(text) ? `"${text}"` : text)

/** Maximum of names in a question: a prompt that is longer than the window cannot be redrawn. */
const mostInline = 3
const mostListed = 20

/**
 * Finds targets that can be changed, and reasons why others cannot. Throws if there is only one target and it cannot.
 */
async function lookThrough<T extends { input: string }>(
  { nameOf, refusal, concerns, isBlocking }: Question<T>,
  { targets, prepare }: Asking<T>,
): Promise<{ targetNames: Map<T, string>; unasked: Map<T, Problem>; blocked: string[] }> {
  const targetNames = new Map<T, string>()
  const unasked = new Map<T, Problem>()
  const blocked: string[] = []
  for (const target of targets) {
    try {
      const { noop, blocks = [] } = await prepare(target)
      if (noop || concerns?.(target) === false || (isBlocking && blocks.length === 0)) continue
      const refused = await refusal?.(target)
      if (refused) throw refused
      targetNames.set(target, await nameOf(target))
      blocked.push(...blocks)
    } catch (error) {
      if (targets.length === 1 || !(error instanceof Problem)) throw error
      unasked.set(target, error)
    }
  }
  return { targetNames, unasked, blocked }
}

function reasonsOf(unasked: ReadonlyMap<{ input: string }, Problem>): string[] {
  return [...unasked].map(([{ input }, problem]) => {
    const { hint } = problem.details
    const reason = failureText({ target: input, problem, tried: false }).replace(/\.$/, '')
    return hint ? `${reason}. ${hint}` : reason
  })
}

/** Prints lines under a heading; of many lines only the first ones, and the number of the others. */
async function list(heading: string, lines: readonly string[], session: Session): Promise<void> {
  if (lines.length === 0) return
  const more = lines.length > mostListed ? [`and ${lines.length - mostListed} more`] : []
  const shown = [...lines.slice(0, mostListed), ...more].map((line) => `  ${escapeText(line)}`)
  await session.ui.print([heading, ...shown].join('\n'))
}
