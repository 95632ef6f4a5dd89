/** Parts that the schemas of several outputs have. */
import * as v from 'valibot'
import { text } from './fields'

export const maybe = (description: string) => v.nullable(text(description))

export const formatVersion = v.pipe(
  v.literal(1),
  v.description('Version of this format; it changes with incompatible changes'),
)

export const list = <const Fields extends v.ObjectEntries>(fields: Fields) => v.array(v.looseObject(fields))

export const listWith = <const Fields extends v.ObjectEntries>(description: string, fields: Fields) =>
  v.pipe(list(fields), v.description(description))
