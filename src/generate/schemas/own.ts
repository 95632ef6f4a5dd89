/** Records of skyctl's own output, not from the service. */
import * as v from 'valibot'
import { boolean, integer, open, strings, text, timestamp } from '../../catalogue/fields'
import { rule } from '../../catalogue/firewall-rules'
import { securityQuestions } from '../../catalogue/profile/security-questions'
import { tokens } from '../../catalogue/tokens'

const maybe = (description: string) => v.nullable(text(description))

export const context = v.looseObject({
  name: text('Name'),
  current: boolean('Whether it is in use'),
  current_by: v.nullable(open(['flag', 'environment', 'file'], 'What decides that it is in use')),
  base_url: maybe('Address of the service; null is the sandbox'),
  user: maybe('Who signed in'),
  token: open(['built in', 'stored', 'command', 'none'], 'Where its token comes from'),
  token_command: maybe('Command that prints the token'),
  defaults: v.looseObject({
    region: maybe('Region of new volumes'),
    output: maybe('Format of the output'),
    keep_open: strings('Traffic that changes of firewalls must not close, such as tcp/22@198.51.100.7'),
  }),
})

export const authStatus = v.looseObject({
  context: maybe('Context in use'),
  context_source: v.nullable(open(['flag', 'environment', 'file'], 'What decides that it is in use')),
  base_url: maybe('Address of the service; null is the sandbox'),
  base_url_source: text('Where the address comes from'),
  token_source: text('Where the token comes from'),
  user: text('Whose token it is'),
  scopes: text('Scopes of the token, or unknown'),
  token_expiry: text('When the token expires, never, or unknown'),
  days_left: v.nullable(integer('Whole days until then')),
  restricted: boolean('Whether the user is limited to what was granted'),
  two_factor_auth: boolean('Whether logins need a code'),
})

export const server = v.looseObject({ base_url: text('Address, up to and including /v4'), token: text('Of the owner') })

const kinds = [
  ...['computes', 'balancers', 'users', 'tokens', 'volumes', 'firewalls', 'addresses', 'vlans', 'apps'],
  ...['trusted_devices', 'logins', 'sshkeys', 'security_answers', 'preferences', 'messages', 'events'],
]

export const world = v.looseObject({
  ...Object.fromEntries(kinds.map((kind) => [kind, v.array(v.looseObject({}))])),
  spent_ids: v.looseObject({}),
})

export const message = v.looseObject({
  id: integer('Unique ID'),
  user: text('Whose message it is'),
  sent: timestamp('When it was sent'),
  to: text('Where to'),
  text: text('What it says'),
  code: text('The code in it'),
})

export const script = v.looseObject({ shell: text('Which shell'), script: text('What that shell reads') })

export const verdict = v.looseObject({
  name: v.optional(text('Name of the case')),
  direction: open(['inbound', 'outbound'], 'Which way the packet goes'),
  protocol: text('Kind of traffic'),
  port: v.optional(integer('Port that it goes to')),
  from: v.optional(text('Where an inbound packet comes from')),
  to: v.optional(text('Where an outbound packet goes to')),
  service: open(['compute', 'balancer'], 'At which kind of service'),
  action: v.nullable(open(['ACCEPT', 'DROP'], 'What happens to it; null: it cannot be told')),
  by: open(['rule', 'policy', 'exempt', 'unknown'], 'What decides'),
  number: v.nullable(integer('The rule that decides, counted from 1')),
  rule: v.nullable(rule),
  expect: v.optional(text('What was expected')),
  holds: v.optional(boolean('Whether the verdict is as expected')),
})

const direction = open(['inbound', 'outbound'], 'Which list')
const from = integer('Place in the old list, counted from 1')
const to = integer('Place in the new list, counted from 1')
const value = v.nullable(v.union([v.string(), v.array(v.string())]))
const fieldChange = v.looseObject({ field: text('Path of the field'), from: value, to: value })

export const rulesChange = v.variant('kind', [
  v.looseObject({ kind: v.literal('policy'), direction, from: text('The policy before'), to: text('The new one') }),
  v.looseObject({ kind: v.literal('added'), direction, to, rule }),
  v.looseObject({ kind: v.literal('removed'), direction, from, rule }),
  v.looseObject({ kind: v.literal('moved'), direction, from, to, rule }),
  v.looseObject({
    kind: v.literal('changed'),
    direction,
    from,
    to,
    moved: boolean('Whether it changes its place among the others'),
    rule,
    fields: v.array(fieldChange),
  }),
])

export const opening = v.looseObject({
  firewall_id: integer('Id of the firewall'),
  firewall: maybe('Its label'),
  protocol: text('Kind of traffic'),
  ports: maybe('Ports; null: it has none'),
  from: strings('Networks that it is open to'),
  until: text('Until when, in UTC'),
  mark: text('What tells it from all other openings'),
})

export const question = securityQuestions.list.returns.entries.security_questions.item

const { response: _secret, ...answeredEntries } =
  securityQuestions.answer.returns.entries.security_questions.item.entries
export const answered = v.looseObject({ security_questions: v.array(v.looseObject(answeredEntries)) })

export const listedToken = v.looseObject({
  ...tokens.list.returns.entries,
  superseded_until: v.optional(text('With --superseded: until when it is kept')),
})

export const topic = v.looseObject({ topic: text('Which topic'), text: text('What is said of it') })

export const find = v.looseObject({
  command: text('Line to type'),
  summary: text('What it does'),
  found_in: strings('Where the words were found'),
})

/** Empty answer of an operation: it has no id, unlike a record. */
export const nothing = v.looseObject({ id: v.optional(v.never()) })
