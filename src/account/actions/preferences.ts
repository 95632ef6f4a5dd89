/** Changes of the acting user's preferences. */
import { isDeepStrictEqual } from 'node:util'
import { preferences } from '../../catalogue/profile/preferences'
import { formatJson } from '../../data/json'
import { Problem } from '../../errors'
import { escapeText } from '../../rules/escape'
import type { Account } from '../account'
import type { Action } from '../action'
import { replacing, type SharedUpdate, type Unexpected } from '../optimistic-update'

export type Preferences = Record<string, unknown>

export async function readPreferences(account: Account): Promise<Preferences> {
  const client = await account.client()
  return client.call(preferences.view)
}

export const replacePreferences: Action<typeof preferences.update> = {
  operation: preferences.update,
  undo: { by: 'restoring', view: preferences.view, does: 'profile preferences set' },
  update: (body, { account }) => replacementOf(undefined, body, account),
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
 * Returns the update that replaces the preferences that were read, or any state if none were read. It throws `refused`
 * with the difference if they have changed since, or differ from the sent ones afterwards.
 */
export function replacementOf(before: Preferences | undefined, after: Preferences, account: Account): SharedUpdate {
  const name = 'the preferences'
  const refuse = async (current: Preferences, when: Unexpected) => {
    const lines = await preferenceChanges((when === 'after' ? after : before) ?? current, current)
    await account.reporter.status(['Differences:', ...lines].join('\n'))
    return new Problem('changed', refusals[when], {
      hint: 'Show them: skyctl profile preferences view',
      errors: lines.map((reason) => ({ field: null, reason })),
    })
  }
  return {
    what: [name],
    name,
    look: () => readPreferences(account),
    about: (_after, current) => ({ before: current, whole: true }),
    ...replacing<Preferences>({ before, after, same: isDeepStrictEqual, refuse }),
  }
}

const refusals = {
  before: 'the preferences were changed meanwhile; yours were not sent',
  after: 'the preferences differ from what was sent: somebody else changed them too',
  lost: 'the answer was lost, and the preferences were changed meanwhile',
}
