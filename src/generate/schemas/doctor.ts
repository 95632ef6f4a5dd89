/** Output of `doctor`. */
import * as v from 'valibot'
import { integer, open, text } from '../../catalogue/fields'
import { statuses } from '../../commands/doctor/diagnosis'

export const diagnoses = v.looseObject({
  format_version: v.pipe(v.literal(1), v.description('Of this document; it changes where its readers would be wrong')),
  counts: v.looseObject(Object.fromEntries(statuses.map((status) => [status, integer('How many checks')]))),
  checks: v.array(
    v.looseObject({
      name: text('What was looked at'),
      status: open(statuses, 'How it is; skipped: it could not be looked at'),
      message: text('What was found, for a person'),
      mend: v.nullable(text('What to do about it')),
    }),
  ),
})
