/** Decides how a command prints output beyond rows: as a screen for people, as one document, or as rows. */
import { isForPeople, isStructured } from './formats'
import type { View } from './print'

/** Reports whether people read the records themselves. A query transforms the document of JSON in any format. */
export const isDrawn = ({ format, query }: Pick<View, 'format' | 'query'>) => isForPeople(format) && query === undefined

/** Reports whether to print a screen: a format for people, without chosen fields, `query` or `quiet`. */
export function wantsScreen({ format, chosen, query, quiet }: View): boolean {
  return isDrawn({ format, query }) && chosen === undefined && quiet === undefined
}

/** Reports whether to print one object, which a query can transform. Chosen fields always mean rows. */
export function wantsDocument({ format, chosen, query, quiet }: View): boolean {
  return chosen === undefined && (query !== undefined || (isStructured(format) && quiet === undefined))
}
