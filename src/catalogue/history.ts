/** Records of skyctl's history as operations, so that filters, sorting and completion work as for API lists. */
import * as v from 'valibot'
import { integer, open, strings, text, timestamp } from './fields'
import { operation } from './operation'

const maybe = (description: string) => v.nullable(text(description))

const change = v.looseObject({
  number: integer('Number of the change'),
  time: timestamp('When it was sent, by the local clock'),
  context: maybe('Context; null if address or token came from elsewhere'),
  service: text('Address of the service, or sandbox'),
  uid: v.nullable(integer('ID of the user; null if the API did not report it')),
  username: maybe('Login name of the user'),
  command: text('Command that sent it'),
  apply: maybe('Id of its apply: skyctl history undo --apply ID'),
  undoes: maybe('Number of the change, or id of the apply, that it undid'),
  method: text('Method of the request'),
  path: text('Path of the request'),
  kind: maybe('Kind of the object'),
  id: maybe('Id of the object, or its address'),
  label: maybe('Label of the object'),
  outcome: open(['ok', 'failed', 'unknown'], 'Outcome'),
  code: maybe('Why it failed'),
  status: v.nullable(integer('Status of the last answer')),
  request_ids: strings('Request ids of the service'),
  next: maybe('Command to check an unknown outcome'),
  undo: maybe('Command that restores the previous state'),
  no_undo: maybe('Reason why there is no automatic undo, and the alternative'),
})

export const history = {
  list: operation({
    method: 'GET',
    path: '/history',
    scopes: [],
    isPublic: true,
    summary: 'List changes made from this machine, newest first',
    returns: change,
  }),
  view: operation({
    method: 'GET',
    path: '/history/{number}',
    scopes: [],
    isPublic: true,
    summary: 'Show a change and the state before it',
    returns: v.looseObject({
      ...change.entries,
      before: v.nullable(v.pipe(v.looseObject({}), v.description('Previous values of the changed fields'))),
    }),
  }),
}

export type PastChange = v.InferOutput<typeof change>
