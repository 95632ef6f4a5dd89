/** Output of the commands for account files (state.md). */
import * as v from 'valibot'
import { kinds } from '../../account-file/kinds'
import { consequenceKinds } from '../../account-file/plan-step'
import { formatVersion, list, listWith } from '../../catalogue/document-fields'
import { boolean, integer, open, strings, text } from '../../catalogue/fields'
import { rulesChange, service, traffic } from './own'
import { failureOfTarget } from './stderr'

export const named = {
  kind: text('Key of the file: volumes, firewalls, …'),
  name: text('Label or address; empty for the profile'),
}
export const id = v.nullable(v.union([v.number(), v.string()]))
const action = open(['create', 'update', 'delete'], 'Planned action')

const source = {
  file: v.nullable(text('Account file; null if none has it')),
  line: v.nullable(integer('Line in the file, from 1; null if unknown')),
  column: v.nullable(integer('Column in the line, from 1; null if unknown')),
}

const consequence = {
  kind: open(consequenceKinds, 'Kind of consequence'),
  text: text('Consequence as text'),
  size: v.optional(integer('GiB that are billed from now on; of "destroys": that are no longer billed')),
  services: v.optional(v.array(service)),
  traffic: v.optional(v.array(traffic)),
  taken_over_by: v.optional(text('Of "unprotects": firewall that protects the service right after')),
}

export const step = v.looseObject({
  action: text('Kind of step: create, resize, attach, rules, …'),
  changes: strings('Differences as text'),
  rules: v.optional(v.array(rulesChange)),
  consequences: list(consequence),
  command: strings('Words of the command line'),
  body: v.optional(v.looseObject({})),
})

/** Entry as in an account file: an object, or the name of an address. */
export const entry = (description: string) =>
  v.pipe(v.nullable(v.union([v.looseObject({}), v.string()])), v.description(description))

const openToInternet = v.optional(
  v.pipe(
    v.nullable(
      list({
        protocol: text('TCP, UDP, ICMP or IPENCAP'),
        from_port: v.nullable(integer('First port; null: the protocol has none')),
        to_port: v.nullable(integer('Last port; null: the protocol has none')),
        families: strings('ipv4, ipv6 or both'),
        databases: strings('Databases that use these ports'),
      }),
    ),
    v.description('Of a firewall: ports that its rules open to everybody on the internet; null: unknown'),
  ),
)

const object = { ...named, id, ...source, after: entry('Entry after the plan; null: deleted, or the default name') }
export const mentioned = { ...named, noun: text('Kind as text'), id: v.optional(id) }

export const account = v.looseObject({
  service: text('Base URL, or sandbox'),
  uid: v.nullable(integer('User ID; null if the API does not report it')),
  username: v.nullable(text('Login name')),
})

export const plan = v.looseObject({
  format_version: formatVersion,
  account,
  counts: v.looseObject({
    create: integer('Number of new objects'),
    update: integer('Number of objects to change'),
    delete: integer('Number of objects to delete'),
    unchanged: integer('Number of unchanged objects'),
    consequences: v.looseObject(
      Object.fromEntries(consequenceKinds.map((kind) => [kind, integer('Number of consequences')])),
    ),
  }),
  objects: list({
    ...object,
    action,
    was: v.optional(text('Former label, if it is renamed')),
    before: entry('Entry now, without unknown values; null: a new object, or the default name'),
    changed: listWith('Fields that differ, each with the line that sets it', {
      field: text('Key of the entry'),
      ...source,
    }),
    open_to_internet: openToInternet,
    steps: v.array(step),
  }),
  unchanged: listWith('Objects of the files that need no change', { ...object, open_to_internet: openToInternet }),
  consequences: listWith('Consequences of all steps', {
    ...consequence,
    object: v.looseObject({ ...named, id }),
    ...source,
  }),
  networks: listWith('Networks whose change explains changes of several rules', {
    name: text('Name of the network in the files'),
    added: strings('New addresses'),
    removed: strings('Addresses that it no longer has'),
    firewalls: integer('Number of firewalls whose rules change with it'),
    rules: integer('Number of rules that change with it'),
  }),
  unprotected: v.pipe(
    v.nullable(
      list({
        ...service.entries,
        was_protected: boolean('Whether an enabled firewall protects it now'),
      }),
    ),
    v.description('Services that no enabled firewall protects after the plan; null: unknown'),
  ),
  same: integer('Number of unchanged objects'),
  unselected: integer('Number of objects in the files that --only leaves out'),
  notes: list({ ...mentioned, text: text('Text for people') }),
  left: list(mentioned),
  expectations: listWith(
    'Entries that are only expected, such as tokens, and differ; in a report of drift, failed tests, too',
    {
      ...named,
      id,
      checked: boolean('Whether it was compared; false: the token may not read it, or the files contradict themselves'),
      differences: list({
        field: v.nullable(text('Key of the entry; null: the whole')),
        place: text('File and line'),
        text: text('Difference as text'),
      }),
      fix: v.nullable(text('Sentence with the command that ends the differences')),
    },
  ),
})

export const applied = v.looseObject({
  format_version: formatVersion,
  changed: boolean('Whether anything was done'),
  actions: list({
    ...named,
    id,
    action,
    ok: boolean('Whether all of it was done'),
    error: v.optional(failureOfTarget),
  }),
  objects: listWith('All objects of the files, and deleted ones', {
    ...named,
    id,
    action: open(['create', 'update', 'delete', 'none'], 'Planned action; none: it was as in the files'),
    ok: boolean('Whether it is as in the files now'),
    filesystem_path: v.optional(v.nullable(text('Of a volume: its device; null: unknown'))),
  }),
  unprotected: listWith('Services that a failure left without a firewall', service.entries),
})

export const undone = v.looseObject({
  format_version: formatVersion,
  apply: text('Id of the apply'),
  changed: boolean('Whether anything was done'),
  changes: list({
    number: integer('Number of the change'),
    kind: v.nullable(text('Kind of the object')),
    id: v.nullable(text('Id of the object, or its address')),
    label: v.nullable(text('Label of the object')),
    outcome: open(['undone', 'unchanged', 'failed', 'left'], 'Outcome; left: it has no automatic undo'),
    reason: v.optional(text('Reason, with the command that reverses it')),
    error: v.optional(failureOfTarget),
  }),
})

/** Exported file. The account file's own schema describes its parts. */
export const exported = v.pipe(
  v.looseObject({
    owner: v.optional(text('Tag of the owner, with --owner')),
    ...Object.fromEntries(kinds.map(({ key }) => [key, v.optional(v.looseObject({}))])),
  }),
  v.description('A file for plan and apply; docs/account.schema.json describes it'),
)
