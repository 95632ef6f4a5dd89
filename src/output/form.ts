/** In which form a command prints what is more than rows: as a screen for people, as one document, or as rows. */
import { isForPeople, isStructured } from './formats'
import type { View } from './print'

/** Whether a person reads it, and chose nothing else: what a screen is for. */
export function wantsScreen({ format, chosen, query, quiet }: View): boolean {
  return isForPeople(format) && chosen === undefined && query === undefined && quiet === undefined
}

/** Whether it is printed as one object, which a query goes through as well; fields that were chosen are those of rows. */
export function wantsDocument({ format, chosen, query, quiet }: View): boolean {
  return chosen === undefined && (query !== undefined || (isStructured(format) && quiet === undefined))
}
