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
  action: text('What was done'),
  created: timestamp('When it was done'),
  entity: v.looseObject({
    id: integer('ID of the thing'),
    label: text('Its label at that time'),
    type: text('Its kind'),
    url: text('Its path in the API'),
  }),
  username: text('Who did it'),
  status: text('How it ended'),
})

const events = {
  list: operation({
    method: 'GET',
    path: '/account/events',
    scopes: ['events:read_only'],
    summary: 'List what happened on the account, newest first',
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
