/** Account events. api.md lists the events; gaps.md defines how to read them. */
import * as v from 'valibot'
import { integer, text, timestamp } from '../../catalogue/fields'
import { operation } from '../../catalogue/operation'
import type { CallerContext } from '../caller'
import { serve } from '../handler'
import { listing } from '../pages'
import type { FirewallRecord } from '../tables/firewalls'

const event = v.looseObject({
  id: integer('Unique ID'),
  action: text('Action'),
  created: timestamp('Time of the action'),
  entity: v.looseObject({
    id: integer('ID of the object'),
    label: text('Label of the object at that time'),
    type: text('Kind of the object'),
    url: text('Path of the object in the API'),
  }),
  username: text('User who made the change'),
  status: text('Status'),
})

const events = {
  list: operation({
    method: 'GET',
    path: '/account/events',
    scopes: ['events:read_only'],
    summary: 'List the events of the account, newest first',
    returns: event,
    paged: true,
  }),
}

export const served = serve(events, {
  list: {
    handle: (_, { world }) => listing(world.network.events.all().reverse(), (record) => ({ ...record })),
  },
})

export function recordEvent(action: string, { id, label }: FirewallRecord, { world, caller }: CallerContext): void {
  world.network.events.put({
    id: world.network.events.nextId(),
    action,
    created: world.timestamp(),
    entity: { id, label, type: 'firewall', url: `/v4/networking/firewalls/${id}` },
    username: caller.user.username,
    status: 'finished',
  })
}
