/** Verbs on objects that were named: one or several, `-` reads more from stdin; one failure does not stop the rest. */
import type { Context } from '../context'
import { Problem } from '../errors'
import type { Argument, Input } from './command'
import { findTarget, parseTarget, type Resource, type Target } from './resource'

/** The arguments that name objects, with what they belong to before them. */
export function targetArguments(resource: Resource, many: boolean): Argument[] {
  const { noun, values, reference, parent } = resource
  const what = reference?.what(noun) ?? `Id or label of the ${noun}`
  const own: Argument = {
    name: noun.toLowerCase().replaceAll(' ', '-'),
    description: many ? `${what}; several, or - to read them from stdin` : what,
    ...(values && { values }),
    ...(many && { many: true }),
  }
  return parent ? [...targetArguments(parent, false), own] : [own]
}

/** Reads all targets before anything is done, so that a typing error in the last leaves the first alone. */
export async function readTargets(input: Input, resource: Resource, context: Context): Promise<Target[]> {
  const own = resource.parent ? { ...input, arguments: input.arguments.slice(1) } : input
  const names = await readNames(own, context)
  if (names.length === 0) await sayNothingToDo(resource.noun, context)
  return names.map((name) => parseTarget(name, resource.noun, resource.reference))
}

/** An empty stdin is no failure: `list --quiet | delete -` may find nothing to delete. */
export function sayNothingToDo(noun: string, context: Context): Promise<void> {
  return context.say(`Nothing to do: stdin names no ${noun}`)
}

/** The resource of those objects that belong to the one that was named first. */
export async function ofParent(resource: Resource, input: Input, context: Context): Promise<Resource> {
  const { parent } = resource
  if (!parent) return resource
  const target = parseTarget(input.arguments[0] ?? '', parent.noun, parent.reference)
  const { id } = await findTarget(target, parent, context, { record: false })
  return { ...resource, path: { [parent.parameter]: id } }
}

/** The names that were typed, each once; `-` stands for the lines of stdin, which may be none. */
export async function readNames({ arguments: typed }: Input, context: Context): Promise<string[]> {
  const names = new Set<string>()
  for (const text of typed) {
    for (const name of text === '-' ? await linesOfStdin(context) : [text]) names.add(name)
  }
  return [...names]
}

async function linesOfStdin(context: Context): Promise<string[]> {
  const lines = (await context.readStdin()).split(/\r?\n/)
  return lines.map((line) => line.trim()).filter((line) => line !== '')
}

/**
 * Does something with each target in turn. A single failure is thrown as it is; with several targets the rest is
 * done first, `report` gets what was reached, and then `some_failed` tells of each failure. No targets are a success.
 */
export async function forEachTarget<T extends { typed: string }, R>(
  targets: readonly T[],
  act: (target: T) => Promise<R>,
  report: (results: R[]) => Promise<void>,
): Promise<void> {
  const results: R[] = []
  const failures: { target: string; problem: Problem }[] = []
  for (const target of targets) {
    try {
      results.push(await act(target))
    } catch (error) {
      const stops = !(error instanceof Problem) || targets.length === 1 || endsAll.has(error.code)
      if (stops) {
        if (results.length > 0) await report(results)
        throw error
      }
      failures.push({ target: target.typed, problem: error })
    }
  }
  if (results.length > 0 || targets.length === 0) await report(results)
  if (failures.length > 0) throw someFailed(failures, targets.length)
}

/** What the next target would meet just the same. */
const endsAll = new Set<Problem['code']>(['interrupted', 'terminated', 'not_signed_in', 'defect'])

function someFailed(failures: { target: string; problem: Problem }[], total: number): Problem {
  const lines = failures.map(({ problem }) => problem.message).join('; ')
  return new Problem('some_failed', `${failures.length} of ${total} failed: ${lines}`, { failures })
}
