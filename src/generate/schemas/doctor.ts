/** Output of `doctor`. */
import * as v from 'valibot'
import { integer, open, text } from '../../catalogue/fields'
import { statuses } from '../../commands/doctor/diagnosis'

export const diagnoses = v.looseObject({
  format_version: v.pipe(v.literal(1), v.description('Version of this format; it changes with incompatible changes')),
  counts: v.looseObject(Object.fromEntries(statuses.map((status) => [status, integer('Number of checks')]))),
  checks: v.array(
    v.looseObject({
      name: text('Name of the check'),
      status: open(statuses, 'Result; skipped: it could not be checked'),
      message: text('Result as text'),
      mend: v.nullable(text('How to fix it')),
    }),
  ),
})
