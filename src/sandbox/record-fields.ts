/** Field types of the sandbox's records. Their messages report errors in seed files. */
import * as v from 'valibot'
import { scopesFault, unknownScope } from '../rules/scopes'
import { regions } from './fixed-records'

export const string = v.string('Must be a string')
export const boolean = v.boolean('Must be a boolean')
const integer = v.pipe(v.number('Must be an integer'), v.integer('Must be an integer'))
export const number = v.pipe(integer, v.minValue(0, 'Must be 0 or greater'))
export const id = v.pipe(integer, v.minValue(1, 'Must be 1 or greater'))

export const array = <const T extends v.GenericSchema>(item: T) =>
  v.pipe(v.array(item, 'Must be an array'), v.readonly())
export const strings = array(string)

export const oneOf = <const T extends readonly [string, ...string[]]>(...values: T) =>
  v.picklist(values, `Must be one of: ${values.join(', ')}`)

export const region = v.picklist(
  regions.map((one) => one.id),
  'region is not valid',
)
export const time = v.pipe(
  string,
  v.regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}$/, 'Must be a time such as 2026-01-31T12:00:00'),
)
export const scopes = v.pipe(
  string,
  v.check((text) => (scopesFault(text) ?? unknownScope(text)) === undefined, 'Must be scopes, separated by one space'),
)

/** Marks a field as optional in new records; the declaration has its default. */
export const may = v.exactOptional

export const times = { created: may(time), updated: may(time) }
