import { preferences } from '../../catalogue/profile/preferences'
import type { Context } from '../../context'
import { formatJson } from '../../data/json'
import { actionCommand } from '../../engine/action'
import { checkBody } from '../../engine/body'
import { parseObject } from '../../engine/body-file'
import type { Command, Group } from '../../engine/command'
import { editDraft } from '../../engine/edit'
import { dryRunFlag, outputFlags } from '../../engine/flags'
import { planRequest, printRequests } from '../../engine/request'
import { viewOf } from '../../engine/view'
import { Problem } from '../../errors'
import { printOne } from '../../output/print'

type Preferences = Record<string, unknown>

async function read(context: Context): Promise<Preferences> {
  const client = await context.client()
  return client.call(preferences.view)
}

const view: Command = {
  name: 'view',
  aliases: ['get', 'show', 'describe'],
  summary: preferences.view.summary,
  operations: [preferences.view],
  // The keys are whatever was stored, so none can be told from a mistyped one.
  flags: outputFlags.filter(({ name }) => name !== 'columns'),
  examples: [{ what: 'Keep them in a file', line: 'skyctl profile preferences view --json > preferences.json' }],
  async run({ flags }, context) {
    const shown = await viewOf({ fields: [], columns: [] }, flags, context)
    const preferences = await read(context)
    await printOne(preferences, shown, context.stdout)
    if (Object.keys(preferences).length === 0 && context.format === 'table') await context.say('No preferences')
  },
}

const set = actionCommand({
  name: 'set',
  aliases: ['update'],
  operation: preferences.update,
  details: 'Every key that the file does not hold is gone afterwards; edit changes some of them.',
  precheck(_body, { flags }) {
    if (flags.body !== undefined) return
    throw new Problem('usage', 'no preferences are given', { hint: 'Give --body FILE, or - for stdin' })
  },
  done: () => 'Replaced the preferences',
  async settled(body, context) {
    const present = await read(context)
    return (await same(present, body)) ? present : undefined
  },
  examples: [
    { what: 'Replace all of them', line: `echo '{"theme": "dark"}' | skyctl profile preferences set --body -` },
  ],
})

const edit: Command = {
  name: 'edit',
  summary: 'Change the preferences in an editor',
  details: 'Opens $VISUAL or $EDITOR. Nothing is replaced where somebody else changed them meanwhile.',
  operations: [preferences.view, preferences.update],
  flags: [dryRunFlag, ...outputFlags.filter(({ name }) => name !== 'columns')],
  examples: [{ what: 'With another editor than your usual one', line: 'EDITOR=nano skyctl profile preferences edit' }],
  async run({ flags }, context) {
    const shown = await viewOf({ fields: [], columns: [] }, flags, context)
    const before = await read(context)
    const draft = {
      name: 'preferences.json',
      text: `${await formatJson(before)}\n`,
      takeUp: (path: string) => `skyctl profile preferences set --body "${path}"`,
    }
    await editDraft(draft, context, async (text, path) => {
      const body = await parseObject(text, `"${path}"`)
      checkBody(preferences.update.body, body, flags)
      if (await same(body, before)) return context.say('Nothing was changed')
      if (flags['dry-run']) return printRequests([planRequest(preferences.update, { body })], { flags, context })
      await printOne(await replace(before, body, context), shown, context.stdout)
      await context.say('Replaced the preferences')
    })
  },
}

/** Replaces what was read by what was made of it; throws `refused` where it is not what was read any more. */
async function replace(before: Preferences, body: Preferences, context: Context): Promise<Preferences> {
  if (!(await same(await read(context), before))) {
    throw new Problem('refused', 'the preferences were changed meanwhile; yours were not sent', {
      hint: 'See what they are now: skyctl profile preferences view',
    })
  }
  const client = await context.client()
  await client.call(preferences.update, { body })
  const after = await read(context)
  if (await same(after, body)) return after
  throw new Problem('refused', 'the preferences are not as they were sent: somebody else changed them too', {
    hint: 'See what they are now: skyctl profile preferences view',
  })
}

/** Whether two values are the same but for the order of their keys. */
async function same(one: Preferences, other: Preferences): Promise<boolean> {
  const { isDeepStrictEqual } = await import('node:util')
  return isDeepStrictEqual(one, other)
}

const group: Group = {
  name: 'preferences',
  aliases: ['preference'],
  summary: 'What this OAuth client keeps for the user',
  commands: [view, set, edit],
}

export default group
