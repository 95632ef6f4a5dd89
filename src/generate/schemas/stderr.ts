/** Output on stderr with --json, and output of a dry run. */
import * as v from 'valibot'
import { list } from '../../catalogue/document-fields'
import { boolean, integer, open, text } from '../../catalogue/fields'
import { exitCodes } from '../../errors'
import { effect } from './own'

const codes = Object.keys(exitCodes)

const fieldError = v.looseObject({
  field: v.nullable(text('Path of the field as the API writes it; null: the whole, or none')),
  reason: text('Problem'),
})

const created = v.looseObject({
  kind: text('Created before the failure, and still there'),
  id: v.nullable(v.union([v.number(), v.string()])),
  label: v.nullable(v.string()),
})

const details = {
  code: open(codes, 'Kind of failure'),
  message: text('Text for people'),
  exit_code: integer('Exit code'),
  status: v.nullable(integer('HTTP status of the answer')),
  errors: v.array(fieldError),
  request: v.nullable(v.looseObject({ method: text('Method'), path: text('Path below the base URL') })),
  retryable: boolean('Whether the same command may be repeated safely, and may succeed'),
  hint: v.nullable(text('Next step')),
  created: v.optional(v.union([created, v.array(created)])),
}

/** Failure of one of several targets, without nested failures. */
export const failureOfTarget = v.looseObject(details)

export const failure = v.looseObject({
  ...details,
  failures: v.optional(list({ target: text('Name as typed'), error: failureOfTarget })),
})

const messageRecord = v.looseObject({ message: text('Text for people') })

export const error = v.looseObject({ error: failure })
export const warning = v.looseObject({
  warning: v.looseObject({ message: messageRecord.entries.message, created: details.created }),
})
export const note = v.looseObject({ note: messageRecord })
export const debug = v.looseObject({ debug: messageRecord })

/** Line on stderr; an error is always the last one. */
export const line = v.union([error, warning, note, debug])

/** Result of one of several targets that failed or was answered with `{}`. */
export const outcome = v.looseObject({
  id: v.nullable(v.union([v.number(), v.string()])),
  label: v.nullable(text('null: unknown, or none')),
  ok: boolean('Whether everything was done, including the wait'),
  error: v.optional(failureOfTarget),
})

export const plannedRequest = v.looseObject({
  method: open(['POST', 'PUT', 'DELETE'], 'Method'),
  path: text('Path below the base URL'),
  body: v.optional(v.looseObject({})),
  effects: v.optional(v.pipe(v.array(effect), v.description('Of firewall rules: traffic that they block and allow'))),
})

/** Planned requests: one object or an array. */
export const plannedRequests = v.union([plannedRequest, v.array(plannedRequest)])
