/** Account events. api.md lists the events; gaps.md defines how to read them. */
import * as v from 'valibot'
import { integer, text, timestamp } from './fields'
import { operation } from './operation'

const event = v.looseObject({
  id: integer('Unique ID'),
  action: text('Action'),
  created: timestamp('Time of the action'),
  entity: v.nullable(
    v.looseObject({
      id: integer('ID of the object'),
      label: text('Label of the object at that time'),
      type: text('Kind of the object'),
      url: text('Path of the object in the API'),
    }),
  ),
  username: v.nullable(text('User who made the change')),
  status: text('Status'),
})

export type AccountEvent = v.InferOutput<typeof event>

export const events = {
  list: operation({
    method: 'GET',
    path: '/account/events',
    scopes: ['events:read_only'],
    summary: 'List the events of the account, newest first',
    returns: event,
    paged: true,
    filterable: ['id', 'action', 'created', 'entity.id', 'entity.type'],
  }),
  view: operation({
    method: 'GET',
    path: '/account/events/{eventId}',
    scopes: ['events:read_only'],
    summary: 'View an event of the account',
    returns: event,
  }),
}
