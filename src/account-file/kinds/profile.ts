import * as v from 'valibot'
import { text } from '../../catalogue/fields'
import { type Profile, profile } from '../../catalogue/profile/profile'
import { isTimeZone } from '../../rules/profile'
import { isSameSet } from '../../rules/records'
import { keyLine, keyTextFault, sshKeyData } from '../../rules/ssh-keys'
import { changed, listed } from '../../rules/texts'
import type { Kind, PlanInput, PlanRefusal, StepOutcome } from '../kind'

const { email, email_notifications, shell_auth_method, authorized_keys } = profile.update.body.entries

const timezone = v.optional(text('Preferred time zone for display, such as Europe/Berlin'))

/** Settings that several users may share; those that restrict the user, or need a dialogue, are left to commands. */
const entry = v.strictObject({ email, email_notifications, timezone, shell_auth_method, authorized_keys })

interface Entry extends Omit<v.InferOutput<typeof entry>, 'shell_auth_method'> {
  /** In an export, possibly a method that only the service knows. */
  shell_auth_method?: string | undefined
}

export const profileKind: Kind<Entry, Profile> = {
  key: 'profile',
  noun: 'profile',
  single: true,
  entry,
  settable: Object.keys(entry.entries),
  read: async (client) => [await client.call(profile.view)],
  noteOf: ({ username }) => `of user ${username}`,
  nameOf: () => '',
  idOf: () => undefined,
  entryOf: ({ email, email_notifications, timezone, shell_auth_method, authorized_keys }) => ({
    email,
    email_notifications,
    timezone,
    shell_auth_method,
    authorized_keys: authorized_keys ?? [],
  }),
  plan,
  fieldsAfter: (one) => Object.fromEntries(differentIn(one)),
}

/** Returns the fields of the file that the profile has not. */
function differentIn({ desired, record }: PlanInput<Entry, Profile>): [field: string, value: unknown][] {
  const present: Readonly<Record<string, unknown>> = { ...record, ...keyLinesOf(record) }
  return Object.entries({ ...desired, ...keyLinesOf(desired) }).filter(
    ([field, value]) => !isSame(value, present[field]),
  )
}

/** Returns the keys with single blanks, as they are sent; nothing if there are none. */
const keyLinesOf = (fields: Pick<Entry, 'authorized_keys'> | undefined) =>
  fields?.authorized_keys && { authorized_keys: fields.authorized_keys.map(keyLine) }

function plan(one: PlanInput<Entry, Profile>): StepOutcome {
  const present: Readonly<Record<string, unknown>> = { ...one.record }
  const different = differentIn(one)
  if (different.length === 0) return { steps: [], refusals: [] }
  const refusals = different.flatMap(([field, value]) => refusalsOf(field, value, present[field]))
  if (refusals.length > 0) return { steps: [], refusals }
  return {
    refusals: [],
    steps: [
      {
        action: 'update',
        does: 'profile update',
        target: [],
        body: Object.fromEntries(different),
        replaced: Object.fromEntries(different.map(([field]) => [field, present[field]])),
        changes: different.map(([field, value]) => changed(field, shown(present[field]), shown(value))),
        ...(cutsOff(present, { ...present, ...Object.fromEntries(different) }) && {
          consequences: [
            { kind: 'cuts off' as const, text: 'users of other authentication methods of the remote shell' },
          ],
        }),
      },
    ],
  }
}

type Fields = Readonly<Record<string, unknown>>

/** Reports whether a password or a key opens the remote shell before a change, but not after it. */
function cutsOff(before: Fields, after: Fields): boolean {
  const left = new Set(shellAccess(after))
  return shellAccess(before).some((one) => !left.has(one))
}

/** Returns the password and the keys that open the remote shell; for an unknown method, they may be others. */
function shellAccess({ shell_auth_method: method, authorized_keys }: Fields): string[] {
  const keys = list(authorized_keys).map(keyIdentity)
  if (method === 'disabled') return []
  if (method === 'keys_only') return keys
  if (method === 'password_keys') return ['password', ...keys]
  return [`${method}`, ...keys.map((key) => `${method} ${key}`)]
}

/** Returns a key without its comment; one with options is kept whole. */
const keyIdentity = (key: string) => (keyTextFault(key) === undefined ? sshKeyData(key) : key)

/** Refuses what the service would refuse: an unknown time zone, and new keys that are no keys. */
function refusalsOf(field: string, value: unknown, present: unknown): PlanRefusal[] {
  if (field === 'timezone') return isTimeZone(String(value)) ? [] : [unknownZone]
  if (field !== 'authorized_keys') return []
  const existing = new Set(list(present))
  const faults = list(value).map((key) => (existing.has(key) ? undefined : keyTextFault(key)))
  return faults.flatMap((reason) => (reason === undefined ? [] : [{ field, reason }]))
}

/** The service decides about time zones, and would refuse it (gaps.md). An older Node lacks newer zones. */
const unknownZone: PlanRefusal = {
  field: 'timezone',
  reason:
    'Must be a time zone of the IANA list, with its capitals, such as Europe/Berlin; a new zone may need a newer Node',
}

const list = (value: unknown) => (Array.isArray(value) ? value.map(String) : [])

function isSame(desired: unknown, present: unknown): boolean {
  const areLists = Array.isArray(desired) || Array.isArray(present)
  return areLists ? isSameSet(list(desired), list(present)) : desired === present
}

/** Formats a value; keys are shortened, with their distinctive ends. */
function shown(value: unknown): string {
  if (!Array.isArray(value)) return String(value ?? 'none')
  return listed(
    value.map((key) =>
      String(key).length > 40 ? `${String(key).slice(0, 20)}...${String(key).slice(-20)}` : String(key),
    ),
  )
}
