/** Records of skyctl's history as operations, so that filters, sorting and completion work as for API lists. */
import * as v from 'valibot'
import { integer, open, strings, text, timestamp } from './fields'
import { operation } from './operation'

const maybe = (description: string) => v.nullable(text(description))

const change = v.looseObject({
  number: integer('Number, by which it is viewed and undone'),
  time: timestamp('When it was sent, by the clock of this machine'),
  context: maybe('Context that was in use; null where address or token came from elsewhere'),
  service: text('Address of the service, or sandbox'),
  uid: v.nullable(integer('User ID of who changed it; null where the API did not tell')),
  username: maybe('Login name of who changed it'),
  command: text('Command that sent it'),
  apply: maybe('Id of the apply that it is part of: skyctl history undo --apply ID'),
  method: text('Method of the request'),
  path: text('Path of the request'),
  kind: maybe('Kind of the object'),
  id: maybe('Id of the object, or its address'),
  label: maybe('Label of the object'),
  outcome: open(['ok', 'failed', 'unknown'], 'What became of it'),
  code: maybe('Why it failed'),
  status: v.nullable(integer('Status of the last answer')),
  request_ids: strings('How the service calls the requests'),
  next: maybe('Command that shows whether it was done, where that is unknown'),
  undo: maybe('Command that restores the previous state'),
  no_way_back: maybe('Why there is none, and what can be done instead'),
})

export const history = {
  list: operation({
    method: 'GET',
    path: '/history',
    scopes: [],
    isPublic: true,
    summary: 'List what was changed from this machine, the newest first',
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
      before: v.nullable(v.pipe(v.looseObject({}), v.description('What stood in the fields that it replaced'))),
    }),
  }),
}

export type PastChange = v.InferOutput<typeof change>
