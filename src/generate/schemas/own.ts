/** Records of skyctl's own output, not from the service. */

import * as v from 'valibot'
import { severities } from '../../audit/check'
import { checks } from '../../audit/checks'
import { formatVersion, list, maybe } from '../../catalogue/document-fields'
import { boolean, deadlineInUtc, integer, open, strings, text, timestamp } from '../../catalogue/fields'
import { rule } from '../../catalogue/firewall-rules'
import { securityQuestions } from '../../catalogue/profile/security-questions'
import { tokens } from '../../catalogue/tokens'
import { statuses } from '../../commands/doctor/diagnosis'

export const context = v.looseObject({
  name: text('Name'),
  current: boolean('Whether it is current'),
  current_by: v.nullable(open(['flag', 'environment', 'file'], 'Source of the choice')),
  base_url: maybe('Address of the service; null is the sandbox'),
  user: maybe('User that signed in'),
  token: open(['built in', 'stored', 'command', 'none'], 'Source of its token'),
  token_command: maybe('Command that prints the token'),
  defaults: v.looseObject({
    region: maybe('Region of new volumes'),
    output: maybe('Format of the output'),
    keep_open: strings('Traffic that firewall changes must not block, such as tcp/22@198.51.100.7'),
    networks: maybe('File with names of networks'),
  }),
})

export const authStatus = v.looseObject({
  context: maybe('Current context'),
  context_source: v.nullable(open(['flag', 'environment', 'file'], 'Source of the choice')),
  base_url: maybe('Address of the service; null is the sandbox'),
  base_url_source: text('Source of the address'),
  token_source: text('Source of the token'),
  user: text('User of the token'),
  scopes: text('Scopes of the token, or unknown'),
  token_expiry: text('When the token expires, never, or unknown'),
  days_left: v.nullable(integer('Whole days until it expires')),
  restricted: boolean('Whether the user is limited to its grants'),
  two_factor_auth: boolean('Whether logins need a code'),
})

export const server = v.looseObject({
  base_url: text('Address, up to and including /v4'),
  token: text('Token of the owner'),
})

const kinds = [
  ...['computes', 'balancers', 'users', 'tokens', 'volumes', 'firewalls', 'addresses', 'vlans', 'apps'],
  ...['trusted_devices', 'logins', 'sshkeys', 'security_answers', 'preferences', 'messages', 'events'],
]

export const world = v.looseObject({
  ...Object.fromEntries(kinds.map((kind) => [kind, list({})])),
  spent_ids: v.looseObject({}),
})

export const message = v.looseObject({
  id: integer('Unique ID'),
  user: text('User of the message'),
  sent: timestamp('When it was sent'),
  to: text('Recipient'),
  text: text('Text'),
  code: text('Code in the text'),
})

export const script = v.looseObject({ shell: text('Name of the shell'), script: text('Completion script') })

export const verdict = v.looseObject({
  name: v.optional(text('Name of the case')),
  direction: open(['inbound', 'outbound'], 'Direction of the packet'),
  protocol: text('Kind of traffic'),
  port: v.optional(integer('Destination port')),
  from: v.optional(text('Source address of an inbound packet')),
  to: v.optional(text('Destination address of an outbound packet')),
  service: open(['compute', 'balancer'], 'Kind of service'),
  action: v.nullable(open(['ACCEPT', 'DROP'], 'Verdict; null: unknown')),
  by: open(['rule', 'policy', 'exempt', 'unknown'], 'Deciding part'),
  number: v.nullable(integer('Number of the deciding rule, from 1')),
  rule: v.nullable(rule),
  expect: v.optional(text('Expected verdict')),
  holds: v.optional(boolean('Whether the verdict is as expected')),
})

const direction = open(['inbound', 'outbound'], 'List')
const from = integer('Position in the old list, from 1')
const to = integer('Position in the new list, from 1')
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
    moved: boolean('Whether its position relative to others changes'),
    rule,
    fields: v.array(fieldChange),
  }),
])

/** Output of `firewalls rules list --hash`. */
export const rulesHash = v.looseObject({ hash: text('Hash of the rules, for --if-match') })

export const service = v.looseObject({
  type: text('compute or balancer'),
  id: integer('Its id'),
  label: v.optional(v.nullable(text('Its label, if known'))),
})

export const traffic = v.looseObject({
  direction: open(['inbound', 'outbound'], 'Direction of the traffic'),
  protocols: list({
    protocol: text('TCP, UDP, ICMP, IPENCAP, or OTHER for all other protocols'),
    ports: v.nullable(text('Ports as in rules; null: all, or the protocol has none')),
  }),
  networks: strings('Sources or destinations'),
  except: strings('Networks to exclude'),
})

/** Effect of all changes of rules together. */
export const effect = v.looseObject({
  kind: v.picklist(['blocked', 'allowed', 'unclear'], 'Newly blocked or allowed traffic; unclear: nobody can tell'),
  services: v.pipe(v.array(service), v.description('Services that it affects; empty: none, or unknown')),
  traffic: v.array(traffic),
})

export const opening = v.looseObject({
  firewall_id: integer('Id of the firewall'),
  firewall: maybe('Its label'),
  protocol: text('Kind of traffic'),
  ports: maybe('Ports; null: it has none'),
  from: strings('Networks with access'),
  until: deadlineInUtc('End of the opening'),
  mark: text('Unique mark of the opening'),
})

export const question = securityQuestions.list.returns.entries.security_questions.item

const { response: _secret, ...answeredEntries } =
  securityQuestions.answer.returns.entries.security_questions.item.entries
export const answered = v.looseObject({ security_questions: list(answeredEntries) })

export const listedToken = v.looseObject({
  ...tokens.list.returns.entries,
  superseded_until: v.optional(text('With --superseded: end of the grace period')),
})

export const topic = v.looseObject({ topic: text('Topic'), text: text('Text of the topic') })

export const find = v.looseObject({
  command: text('Command line'),
  summary: text('Description'),
})

/** Empty answer of an operation: it has no id, unlike a record. */
export const nothing = v.looseObject({ id: v.optional(v.never()) })

const auditCode = open(
  checks.map((check) => check.code),
  'The check; docs/audit.md explains it',
)

const finding = v.looseObject({
  severity: open(severities, 'Severity'),
  code: auditCode,
  title: text('Title of the problem'),
  object: v.looseObject({
    kind: text('Kind of resource: firewall, token, …'),
    id: v.nullable(v.union([v.number(), v.string()])),
    label: maybe('Label of the object'),
    part: maybe('Part of the resource, such as tcp/22'),
  }),
  reason: text('Reason as text'),
  command: text('Command that fixes it; words in capitals are placeholders'),
  alternatives: strings('Other commands that fix it, or help to decide'),
  key: text('Its name in an exceptions file'),
})

/** Output of `audit` (docs/audit.md). */
export const auditReport = v.looseObject({
  format_version: formatVersion,
  checked: integer('Number of checks'),
  counts: v.looseObject(Object.fromEntries(severities.map((severity) => [severity, integer('Number of findings')]))),
  findings: v.array(finding),
  ignored: list({ ...finding.entries, because: text('Reason from the exceptions file') }),
  unused: list({
    line: integer('Line of the exceptions file, from 1'),
    code: auditCode,
    object: text('Object that it names'),
    reason: text('Its reason'),
    why: text('Reason why it is unused'),
  }),
  skipped: list({
    part: text('Part of the account that could not be read'),
    codes: strings('Checks that were skipped for it'),
    error: v.looseObject({ code: text('As in errors'), message: text('Why') }),
  }),
})

/** Output of `validate`: what it read. */
export const validation = v.looseObject({
  files: integer('Number of files that were read, without those that they include'),
  resources: integer('Number of resources in them'),
})

/** Output of `doctor`. */
export const version = v.looseObject({
  version: text('Version'),
  released: text('Day of the release'),
  runtime: text('Node or bun, with its version'),
  platform: text('System and processor'),
  latest: v.nullable(
    v.looseObject({
      version: text('Version of the latest release; the object is null without --check'),
      released: maybe('Time of the release'),
      url: maybe('Where it can be had'),
    }),
  ),
  newer: v.nullable(boolean('Whether the latest release is newer; null without --check')),
})

export const diagnoses = v.looseObject({
  format_version: formatVersion,
  counts: v.looseObject(Object.fromEntries(statuses.map((status) => [status, integer('Number of checks')]))),
  checks: list({
    name: text('Name of the check'),
    status: open(statuses, 'Result; skipped: it could not be checked'),
    message: text('Result as text'),
    fix: v.nullable(text('How to fix it')),
  }),
})
