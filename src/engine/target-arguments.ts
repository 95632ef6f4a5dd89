/** Arguments that name objects; ./targets reads them. */

import type { Resource } from '../account/resource'
import type { Argument } from './command'

/** Number of targets that an argument accepts, and whether `-` reads them from stdin. */
type TargetArity = 'one' | 'one or stdin' | 'many'

const sources: Readonly<Record<TargetArity, string>> = {
  one: '',
  'one or stdin': ', or - for stdin',
  many: '; several or - for stdin',
}

/** Returns the arguments that name objects, with their parent before them. */
export function targetArguments(resource: Resource, taken: TargetArity): Argument[] {
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
