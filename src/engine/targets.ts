/** Objects that were named: one or several, `-` reads more from stdin. */
import { Problem } from '../errors'
import type { Session } from '../session'
import type { Argument, Input } from './command'
import { findTarget, parseTarget, type Resource, type Target } from './resource'

/** How an argument names targets. With `-`, stdin names one or several. */
export type Taken = 'one' | 'one or stdin' | 'many'

const sources: Readonly<Record<Taken, string>> = {
  one: '',
  'one or stdin': ', or - to read it from stdin',
  many: '; several, or - to read them from stdin',
}

/** The arguments that name objects, with what they belong to before them. */
export function targetArguments(resource: Resource, taken: Taken): Argument[] {
  const { noun, values, reference, parent } = resource
  const what = reference?.what(noun) ?? `Id or label of the ${noun}`
  const own: Argument = {
    name: noun.toLowerCase().replaceAll(' ', '-'),
    description: `${what}${sources[taken]}`,
    ...(values && { values }),
    ...(taken === 'many' && { many: true }),
  }
  return parent ? [...targetArguments(parent, 'one'), own] : [own]
}

/** Reads all targets before anything is done, so that a typing error in the last leaves the first alone. */
export async function readTargets(
  input: Input,
  resource: Resource,
  session: Session,
  /** What stands for a stdin that names nothing. */
  kept: readonly string[] = [],
): Promise<Target[]> {
  const own = resource.parent ? { ...input, arguments: input.arguments.slice(1) } : input
  const read = await readNames(own, session)
  const names = read.length === 0 ? kept : read
  if (names.length === 0) await sayNothingToDo(resource.noun, session)
  return names.map((name) => parseTarget(name, resource.noun, resource.reference))
}

/** Reads the one target of a command that takes no more. Throws `usage` where stdin names none, or several. */
export async function readTarget(input: Input, resource: Resource, session: Session): Promise<Target> {
  const [target, ...others] = await readTargets(input, resource, session)
  if (target && others.length === 0) return target
  throw new Problem('usage', `one ${resource.noun} is needed, and stdin names ${target ? others.length + 1 : 'none'}`)
}

/** An empty stdin is no failure: `list --quiet | delete -` may find nothing to delete. */
export function sayNothingToDo(noun: string, session: Session): Promise<void> {
  return session.say(`Nothing to do: stdin names no ${noun}`)
}

/** The resource of those objects that belong to the one that was named first. */
export async function ofParent(resource: Resource, input: Input, session: Session): Promise<Resource> {
  const { parent } = resource
  if (!parent) return resource
  const target = parseTarget(input.arguments[0] ?? '', parent.noun, parent.reference)
  const { id } = await findTarget(target, parent, session, { record: false })
  return { ...resource, path: { [parent.parameter]: id } }
}

/** The names that were typed, each once; `-` stands for the lines of stdin, which may be none. */
export async function readNames({ arguments: typed }: Input, session: Session): Promise<string[]> {
  const names = new Set<string>()
  for (const text of typed) {
    for (const name of text === '-' ? await linesOfStdin(session) : [text]) names.add(name)
  }
  return [...names]
}

async function linesOfStdin(session: Session): Promise<string[]> {
  const lines = (await session.readStdin()).split(/\r?\n/)
  return lines.map((line) => line.trim()).filter((line) => line !== '')
}
