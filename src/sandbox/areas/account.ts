/** Account events. api.md lists the events; gaps.md defines how to read them. */
import { events } from '../../catalogue/events'
import type { CallerContext } from '../caller'
import { serve } from '../handler'
import { listing } from '../pages'
import type { FirewallRecord } from '../tables/firewalls'

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
