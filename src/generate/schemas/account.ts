/** Output of the commands for account files (state.md). */
import * as v from 'valibot'
import { boolean, integer, open, strings, text } from '../../catalogue/fields'
import { kinds } from '../../state/kinds'
import { formatVersion, rulesChange } from './own'
import { failureOfTarget } from './stderr'

const named = {
  kind: text('Key of the file: volumes, firewalls, …'),
  name: text('Label or address; empty for the profile'),
}
const id = v.nullable(v.union([v.number(), v.string()]))
const action = open(['create', 'update', 'delete'], 'Planned action')

const service = v.looseObject({
  type: text('compute or balancer'),
  id: integer('Its id'),
  label: v.optional(v.nullable(text('Its label, if a firewall reports it'))),
})

const traffic = v.looseObject({
  direction: open(['inbound', 'outbound'], 'Direction of the traffic'),
  protocols: v.array(
    v.looseObject({
      protocol: text('TCP, UDP, ICMP or IPENCAP'),
      ports: v.nullable(text('Ports as in rules; null: all, or the protocol has none')),
    }),
  ),
  networks: strings('Sources or destinations'),
  except: strings('Networks to exclude'),
})

const step = v.looseObject({
  action: text('Kind of step: create, resize, attach, rules, …'),
  changes: strings('Differences as text'),
  rules: v.optional(v.array(rulesChange)),
  consequences: v.array(
    v.looseObject({
      kind: open(
        ['starts billing', 'destroys', 'cuts off', 'opens', 'unprotects', 'still allowed'],
        'Consequence as text',
      ),
      text: text('Kind of consequence'),
      services: v.optional(v.array(service)),
      traffic: v.optional(v.array(traffic)),
    }),
  ),
  command: strings('Words of the command line'),
  body: v.optional(v.looseObject({})),
})

const account = v.looseObject({
  service: text('Base URL, or sandbox'),
  uid: v.nullable(integer('User ID; null if the API does not report it')),
  username: v.nullable(text('Login name')),
})

export const plan = v.looseObject({
  format_version: formatVersion,
  account,
  objects: v.array(v.looseObject({ ...named, id, action, steps: v.array(step) })),
  same: integer('Number of unchanged objects'),
  unselected: integer('Number of objects in the files that --only leaves out'),
  left: v.array(v.looseObject({ ...named, id: v.optional(id) })),
})

export const applied = v.looseObject({
  format_version: formatVersion,
  changed: boolean('Whether anything was done'),
  actions: v.array(
    v.looseObject({
      ...named,
      id,
      action,
      ok: boolean('Whether all of it was done'),
      error: v.optional(failureOfTarget),
    }),
  ),
})

export const undone = v.looseObject({
  format_version: formatVersion,
  apply: text('Id of the apply'),
  changed: boolean('Whether anything was done'),
  changes: v.array(
    v.looseObject({
      number: integer('Number of the change'),
      kind: v.nullable(text('Kind of the object')),
      id: v.nullable(text('Id of the object, or its address')),
      label: v.nullable(text('Label of the object')),
      outcome: open(['undone', 'unchanged', 'failed', 'left'], 'Outcome; left: it has no automatic undo'),
      reason: v.optional(text('Reason, with the command that reverses it')),
      error: v.optional(failureOfTarget),
    }),
  ),
})

/** Exported file. The account file's own schema describes its parts. */
export const exported = v.pipe(
  v.looseObject({
    owner: v.optional(text('Tag of the owner, with --owner')),
    ...Object.fromEntries(kinds.map(({ key }) => [key, v.optional(v.looseObject({}))])),
  }),
  v.description('A file for plan and apply; docs/account.schema.json describes it'),
)
