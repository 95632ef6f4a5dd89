/** The ways in which the history undoes a change; `byWay` (./action-functions) tells them apart. */
import type { Method, Operation } from '../catalogue/operation'

type OtherUndo = DeviceUndo | RulesUndo | ManualUndo

export type Undo = RestoringUndo | OtherUndo

/**
 * The undo that an operation may have. Only a PUT answers with the values that it has set, so that skyctl sees later whether
 * they are still current.
 */
export type UndoOf<O extends Operation> = { [M in Method]: M extends 'PUT' ? Undo : OtherUndo }[O['method']]

/** Undo that sends the previous values. */
export interface RestoringUndo {
  by: 'restoring'
  /** Reads the values to replace. */
  view: Operation
  /** Name of the action that sends the previous ones. */
  does: string
  /** Fields that cannot be restored, and reasons. */
  lasting?: Readonly<Record<string, string>>
}

/** Undo that assigns a firewall to a service, or removes it. */
export interface DeviceUndo {
  by: 'device'
  device: 'delete' | 'add'
  /** Advice if the service is unknown. */
  otherwise: string
}

/** Undo with the backup that skyctl keeps of rules. */
interface RulesUndo {
  by: 'rules'
}

/**
 * Undo that users make themselves. In advice, `{id}` is the object, `{label}` its label, and any other name in braces a path
 * parameter; it ends with a command, which gets the context.
 */
export interface ManualUndo {
  by: 'hand'
  advice: string
}
