/** Every operation that the sandbox serves, with its handler. */
import type { Operation } from '../catalogue/operation'
import { profile } from '../catalogue/profile/profile'
import { regions } from '../catalogue/regions'
import { volumes } from '../catalogue/volumes'
import type { Caller } from './caller'
import type { Handlers, Need, Warning } from './handler'
import { profileHandlers } from './profile'
import { regionHandlers } from './regions'
import { volumeHandlers } from './volumes'
import type { World } from './world'

export interface Served {
  operation: Operation
  needs: readonly Need[]
  handle(input: object, act: { world: World; caller: Caller | undefined; warn(warning: Warning): void }): unknown
}

function serve<Group extends Record<string, Operation>>(group: Group, handlers: Handlers<Group>): Served[] {
  return Object.entries(group).map(([name, operation]) => {
    const { needs = [], handle } = handlers[name as keyof Group]
    // A handler is called with what its own operation was checked against, so the types hold at run time.
    return { operation, needs, handle: handle as Served['handle'] }
  })
}

export const served: readonly Served[] = [
  ...serve({ view: profile.view }, profileHandlers),
  ...serve(regions, regionHandlers),
  ...serve(volumes, volumeHandlers),
]
