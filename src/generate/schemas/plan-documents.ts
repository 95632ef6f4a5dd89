/** Documents beside the plan itself: saved plans and reports of differences (state.md). */
import * as v from 'valibot'
import { kinds } from '../../account-file/kinds'
import { formatVersion, list, listWith } from '../../catalogue/document-fields'
import { boolean, integer, open, strings, text } from '../../catalogue/fields'
import { account, entry, id, mentioned, named, plan, step } from './account-file-outputs'
import { rulesChange } from './own'

/** File of `plan --out`: the plan, and what apply needs to carry out exactly this plan. */
export const savedPlan = v.looseObject({
  ...plan.entries,
  format_version: v.pipe(v.literal(2), v.description('Version of this file; not of the plan document')),
  skyctl: text('Version of skyctl that saved it'),
  prune: boolean('Whether it deletes what no file has'),
  only: v.optional(strings('Values of --only')),
  settings: v.looseObject({
    owner: v.optional(text('Tag of the owner')),
    adopts: v.optional(boolean('Whether existing objects get that tag')),
    defaults: v.looseObject({ region: v.optional(text('Region of new volumes')) }),
  }),
  wanted: v.pipe(
    v.looseObject(Object.fromEntries(kinds.map(({ key }) => [key, v.optional(v.looseObject({}))]))),
    v.description('The files, combined and without names of networks and groups'),
  ),
  found: listWith('Objects with their steps: apply refuses the plan if one of them has changed', {
    ...mentioned,
    id,
    before: entry('Entry when it was planned; null: a new object, or the default name'),
    steps: list({
      action: step.entries.action,
      does: text('Words of the command'),
      arguments: strings('Its arguments'),
      changes: step.entries.changes,
    }),
  }),
  digest: text('Hash of everything else; apply refuses an edited plan'),
})

const value = (description: string) =>
  v.pipe(
    v.nullable(v.union([v.string(), v.number(), v.boolean(), v.array(v.unknown()), v.looseObject({})])),
    v.description(description),
  )

/** Output of `plan --drift`. */
export const drift = v.looseObject({
  format_version: formatVersion,
  account,
  objects: list({
    ...named,
    id,
    state: open(
      ['differs', 'missing', 'extra'],
      'missing in the account; extra: in no file, with the tag of the owner',
    ),
    renamed_to: v.optional(v.looseObject({ id, name: text('Label of the object that had this label') })),
    differences: list({
      field: v.nullable(text('Key of the entry; null: the whole object')),
      account: value('Value in the account; null: none'),
      files: value('Value in the files; null: none'),
      rules: v.optional(v.array(rulesChange)),
      reason: v.nullable(text('Reason why apply cannot change it')),
      last_change: v.pipe(
        v.nullable(
          v.looseObject({
            number: integer('Argument of history view'),
            time: text('When it was made, in UTC'),
            command: text('Command that made it'),
            by: v.nullable(text('Login name of the user; null: unknown')),
          }),
        ),
        v.description('Last change of it from this machine, if the history has one; others may have changed it since'),
      ),
    }),
  }),
  same: integer('Number of objects that are as in the files'),
  expectations: plan.entries.expectations,
  notes: v.array(text('Sentence about what is in no file')),
  unread: v.looseObject({
    history: v.nullable(text('Reason why the history of this machine was not read; null: it was')),
  }),
})
