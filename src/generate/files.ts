/** Generates all files derived from commands and catalogue, as texts by their path in the repository. */

import { released } from '../../package.json'
import { accountSchema } from '../account-file/json-schema'
import { openApi } from '../catalogue/openapi'
import { schemaFolder } from '../commands/help/schema-place'
import { program } from '../commands/index'
import type { Command, CommandGroup, Outline, Root } from '../engine/command'
import { loadTree } from '../engine/command-nodes'
import { loadCommands } from '../engine/command-tree'
import { completionTable } from './completions'
import { libraryTypes } from './library-types'
import { manPages } from './man'
import { referencePages } from './reference'
import { schemaFiles } from './schemas'

interface GeneratedFiles {
  committed: ReadonlyMap<string, string>
  /** Files that the build creates for the program and the package. */
  built: ReadonlyMap<string, string>
  /** Types of the library form, for dist/. */
  types: string
}

export async function generatedFiles(): Promise<GeneratedFiles> {
  const tree = await loadTree(program)
  const pages = [...referencePages(tree)].map(([name, text]) => [`docs/reference/${name}`, text] as const)
  const man = [...manPages(tree, { version: program.version, date: released })].map(
    ([name, text]) => [`docs/man/${name}`, text] as const,
  )
  const schemas = [...schemaFiles(tree)].map(([name, schema]) => [`${schemaFolder}/${name}`, json(schema)] as const)
  return {
    committed: new Map([
      ['docs/openapi.json', json(openApi())],
      ['docs/account.schema.json', json(accountSchema())],
      ...schemas,
      ...pages,
    ]),
    built: new Map([
      ['build/outline.json', JSON.stringify(await outlineOf(program))],
      ['build/completions.json', JSON.stringify(completionTable(tree))],
      ...man,
    ]),
    types: libraryTypes(),
  }
}

const json = (document: unknown) => `${JSON.stringify(document, null, 2)}\n`

/** Creates the outlines by command name, so that the help of groups need not load their commands. */
export async function outlineOf({ entries }: Root): Promise<Record<string, Outline>> {
  const outlines = await Promise.all(entries.map(async ({ load }) => outlineOfEntry(await load())))
  return Object.fromEntries(outlines.map((outline) => [outline.name, outline]))
}

async function outlineOfEntry(entry: CommandGroup | Command): Promise<Outline> {
  const { name, aliases, summary } = entry
  const common = { name, ...(aliases && { aliases }), summary }
  if ('commands' in entry) {
    const { defaultCommand } = entry
    return {
      ...common,
      ...(defaultCommand && { defaultCommand }),
      commands: await Promise.all((await loadCommands(entry)).map(outlineOfEntry)),
    }
  }
  return { ...common, ...(entry.hidden && { hidden: true }) }
}
