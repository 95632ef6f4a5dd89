/** Changes of the acting user's preferences. */
import { isDeepStrictEqual } from 'node:util'
import { preferences } from '../../catalogue/profile/preferences'
import { formatJson } from '../../data/json'
import { Problem } from '../../errors'
import { escapeText } from '../../rules/escape'
import type { Account } from '../account'
import type { Action } from '../action'
import { send } from '../change'
import { optimisticUpdate, replacing, type Unexpected } from '../optimistic-update'

export type Preferences = Record<string, unknown>

export async function readPreferences(account: Account): Promise<Preferences> {
  const client = await account.client()
  return client.call(preferences.view)
}

export const replacePreferences: Action<typeof preferences.update> = {
  operation: preferences.update,
  undo: { by: 'restoring', view: preferences.view, does: 'profile preferences set' },
  update: async (change, { account }) => ({
    ...change,
    send: () => replaceIfUnchanged(undefined, change.body ?? {}, account),
  }),
}

/** Returns lines such as `changed  theme: "dark" -> "light"`, for each key. */
export async function preferenceChanges(before: Preferences, after: Preferences): Promise<string[]> {
  const lines: string[] = []
  const text = (value: unknown) => formatJson(value, 0)
  const has = (object: Preferences, key: string) => Object.hasOwn(object, key)
  for (const key of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const [from, to] = [before[key], after[key]]
    if (!has(after, key)) lines.push(`removed  ${key}: ${await text(from)}`)
    else if (!has(before, key)) lines.push(`added    ${key}: ${await text(to)}`)
    else if (!isDeepStrictEqual(from, to)) lines.push(`changed  ${key}: ${await text(from)} -> ${await text(to)}`)
  }
  return lines.map(escapeText)
}

/**
 * Replaces the preferences that were read, or any state if none were read. Throws `refused` with the difference if they
 * have changed since, or differ from the sent ones afterwards.
 */
export async function replaceIfUnchanged(
  before: Preferences | undefined,
  after: Preferences,
  account: Account,
): Promise<Preferences> {
  const name = 'the preferences'
  const refuse = async (current: Preferences, when: Unexpected) => {
    const lines = await preferenceChanges((when === 'after' ? after : before) ?? current, current)
    await account.reporter.status(['Differences:', ...lines].join('\n'))
    return new Problem('changed', refusals[when], {
      hint: 'Show them: skyctl profile preferences view',
      errors: lines.map((reason) => ({ field: null, reason })),
    })
  }
  const { current } = await optimisticUpdate<Preferences, Preferences>(
    {
      what: [name],
      name,
      look: () => readPreferences(account),
      write: (body, current) => {
        const snapshot = async () => ({ before: current, whole: true as const })
        return send({ operation: preferences.update, body, snapshot }, account)
      },
      ...replacing<Preferences>({ before, after, same: isDeepStrictEqual, refuse }),
    },
    account,
  )
  return current
}

const refusals = {
  before: 'the preferences were changed meanwhile; yours were not sent',
  after: 'the preferences differ from what was sent: somebody else changed them too',
  lost: 'the answer was lost, and the preferences were changed meanwhile',
}
