/** Account events. api.md lists the events; gaps.md defines how to read them. */
import { events } from '../../catalogue/events'
import { serve } from '../handler'
import { listing } from '../pages'
import { orNotFound } from '../refusal'

export const served = serve(events, {
  list: {
    handle: (_, { world }) => listing(world.network.events.all().reverse(), (record) => ({ ...record })),
  },
  view: {
    handle: ({ eventId }, { world }) => ({ ...orNotFound(world.network.events.get(eventId)) }),
  },
})
