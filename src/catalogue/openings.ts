/** Temporary openings of firewalls as an operation, so that filters, sorting and completion work as for API lists. */
import * as v from 'valibot'
import { deadlineInUtc, integer, open, strings, text } from './fields'
import { operation } from './operation'

const opening = v.looseObject({
  firewall_id: integer('Id of the firewall'),
  firewall: v.nullable(text('Label of the firewall')),
  protocol: text('Protocol'),
  ports: v.nullable(text('Ports; null for all')),
  from: strings('Networks that may connect'),
  until: v.nullable(deadlineInUtc('When it expires; null if somebody edited the rule')),
  state: open(['open', 'expired', 'changed'], 'Expired and changed ones are still open'),
  mark: text('Id of the opening, for --mark'),
})

export const openings = {
  list: operation({
    method: 'GET',
    path: '/openings',
    scopes: [],
    isPublic: true,
    summary: 'List temporary openings of all firewalls',
    returns: opening,
  }),
}

export type ListedOpening = v.InferOutput<typeof opening>
