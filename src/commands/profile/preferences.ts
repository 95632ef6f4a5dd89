import { isDeepStrictEqual } from 'node:util'
import {
  type Preferences,
  preferenceChanges,
  readPreferences,
  replacementOf,
  replacePreferences,
} from '../../account/actions/preferences'
import { preferences } from '../../catalogue/profile/preferences'
import { parseJson } from '../../data/json'
import { checkBody } from '../../engine/body'
import { parseObject } from '../../engine/body-file'
import { changeCommand } from '../../engine/change-command'
import { type PrintedContext, printedContext } from '../../engine/change-command-context'
import { dryRunFlag } from '../../engine/change-flags'
import type { Command, CommandGroup } from '../../engine/command'
import { eagerCommands } from '../../engine/command-tree'
import { showDifference } from '../../engine/confirm'
import { editDraft } from '../../engine/edit'
import { outputFlags } from '../../engine/flags'
import { viewOf } from '../../engine/printing'
import { runOne } from '../../engine/run-all'
import { Problem } from '../../errors'
import { jsonText } from '../../output/documents'
import { isForPeople } from '../../output/formats'
import { isDrawn, printOne } from '../../output/print'
import { sentences } from '../change-messages'

const view: Command = {
  name: 'view',
  aliases: ['get', 'show', 'describe'],
  summary: preferences.view.summary,
  paged: true,
  operations: [preferences.view],
  // Preferences may have any keys, so misspelled columns could not be detected.
  flags: outputFlags.filter(({ name }) => name !== 'columns'),
  examples: [{ what: 'Keep them in a file', line: 'skyctl profile preferences view --json > preferences.json' }],
  async run({ flags }, session) {
    const shown = await viewOf({ columns: [] }, flags, session)
    const preferences = await readPreferences(session.account)
    await printOne(preferences, shown, session.ui.stdout)
    if (Object.keys(preferences).length === 0 && isForPeople(session.ui.format))
      await session.ui.status('No preferences')
  },
}

const setPreferences = changeCommand({
  name: 'set',
  aliases: ['update'],
  action: replacePreferences,
  ...sentences['profile preferences set'],
  help: {
    details:
      '--body is required. Removes all keys that are not in the file; to change some keys, use edit. Preferences have at ' +
      'most 65,535 characters.',
    examples: [
      { what: 'Replace all of them', line: `echo '{"theme": "dark"}' | skyctl profile preferences set --body -` },
    ],
  },
})

const set: Command = {
  ...setPreferences,
  async run(input, session) {
    // No file is not an empty one.
    if (input.flags.body === undefined)
      throw new Problem('usage', 'no preferences to send', { hint: 'Pass --body FILE, or - for stdin' })
    return setPreferences.run(input, session)
  },
}

const head = `# Preferences, as JSON. Lines that begin with # are comments; skyctl removes them
# again. It shows the difference before it sends anything; an unchanged text
# sends nothing. Lines that begin with #! describe problems.
`

const edit: Command = {
  name: 'edit',
  asks: true,
  summary: 'Change the preferences in an editor',
  details:
    'Opens VISUAL or EDITOR, shows the difference and asks. If the text has problems, the editor opens again, with each problem above its line. Replaces nothing if somebody else changed the preferences meanwhile. If anything fails, skyctl keeps the text.',
  operations: [preferences.view, preferences.update],
  flags: [dryRunFlag, ...outputFlags.filter(({ name }) => name !== 'columns')],
  examples: [{ what: 'Use another editor', line: 'EDITOR=nano skyctl profile preferences edit' }],
  async run({ flags }, session) {
    const context = printedContext(await viewOf({ columns: [] }, flags, session), flags, session)
    const before = await readPreferences(session.account)
    await editDraft(
      {
        // JSON is valid YAML, and editors support comments in YAML.
        name: 'preferences.yaml',
        text: head + (await jsonText(before)),
        dry: context.dry,
        instead: 'skyctl profile preferences set --body FILE',
        goOn: () => 'Run skyctl profile preferences edit again, and copy what you need',
        read: async (text) => {
          const body = await parseDraft(text, 'the text')
          await checkBody(preferences.update.body, body, flags)
          return body
        },
        use: (body) => replaceShown(before, body, context),
      },
      session,
    )
  },
}

/** Parses an object in JSON below comment lines with #, or in YAML. */
async function parseDraft(text: string, name: string): Promise<Preferences> {
  // Keeps the line breaks, so that errors have the right line numbers.
  const bare = text.replaceAll(/^[ \t]*#.*$/gm, '')
  const isJson = await parseJson(bare).then(
    () => true,
    () => false,
  )
  return parseObject(isJson ? bare : text, name)
}

async function replaceShown(before: Preferences, body: Preferences, context: PrintedContext): Promise<void> {
  const { session, view } = context
  if (isDeepStrictEqual(body, before) && !context.dry) {
    await session.ui.status('No changes')
    if (!isDrawn(view)) await printOne(before, view, session.ui.stdout)
    return
  }
  await showDifference(await preferenceChanges(before, body), session)
  const change = {
    operation: preferences.update,
    body,
    update: replacementOf(before, body, session.account),
  }
  const question = 'The current preferences will be lost. Replace the preferences'
  await runOne(change, context, { words: sentences['profile preferences set'], question })
}

const group: CommandGroup = {
  name: 'preferences',
  aliases: ['preference'],
  summary: 'Preferences of the user for this OAuth client',
  commands: eagerCommands(view, set, edit),
}

export default group
