import * as v from 'valibot'
import type { DeclarationOf, RecordOf } from '../declaration'
import { array, id, string } from '../fields'
import { type OfUser, ofUser } from '../serializers'

const record = v.strictObject({
  id,
  answers: array(v.strictObject({ question_id: id, response: string })),
})

const builtIn = [
  { id: 2, answers: [1, 4, 15].map((question_id) => ({ question_id, response: `answer ${question_id}` })) },
]

/** Security answers; a record's id is its user's id. */
export const securityAnswers: DeclarationOf<typeof record, OfUser<RecordOf<typeof record>>> = {
  name: 'answers',
  defaults: {},
  builtIn: () => builtIn,
  form: ofUser(record),
}
