import * as v from 'valibot'
import { arrayOf, positive, text } from '../fields'
import { operation } from '../operation'

const three = 'Must be three different questions'

/** Response to a question. An empty one does not count, and three are required. */
const response = v.pipe(
  v.string('Must be a string'),
  v.minLength(1, 'Must not be empty'),
  v.description('Answer; it is a secret'),
)

const answers = v.pipe(
  arrayOf(
    v.strictObject({ question_id: positive('ID of a question in the list'), response }),
    'Three questions and their answers',
  ),
  v.length(3, three),
  v.check((list) => new Set(list.map(({ question_id }) => question_id)).size === list.length, three),
)

export const securityQuestions = {
  list: operation({
    method: 'GET',
    path: '/profile/security-questions',
    scopes: ['account:read_only'],
    summary: 'List the security questions and your answers',
    returns: v.looseObject({
      security_questions: v.array(
        v.looseObject({
          id: positive('ID of the question'),
          question: text('Question'),
          response: v.nullable(text('Answer; null where there is none')),
        }),
      ),
    }),
    essential: ['security_questions.id'],
  }),
  answer: operation({
    method: 'POST',
    path: '/profile/security-questions',
    scopes: ['account:read_write'],
    summary: 'Answer three security questions',
    body: v.strictObject({ security_questions: answers }),
    returns: v.looseObject({
      security_questions: v.array(
        v.looseObject({
          question_id: positive('ID of the question'),
          security_question: text('Question'),
          response: text('Answer'),
        }),
      ),
    }),
    essential: ['security_questions'],
    idempotency: 'idempotent',
  }),
}
