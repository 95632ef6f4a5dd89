/** Generates all files derived from commands and catalogue, as texts by their path in the repository. */
import { released } from '../../package.json'
import { program } from '../program'
import { manPages } from './man'
import { openApi } from './openapi'
import { outlineOf } from './outline'
import { referencePages } from './reference'
import { accountSchema, schemaFiles } from './schemas'
import { schemaFolder } from './schemas/place'
import { completionScript } from './shells'
import { loadTree } from './tree'

interface GeneratedFiles {
  committed: ReadonlyMap<string, string>
  /** Files that the build creates for the program and the package. */
  built: ReadonlyMap<string, string>
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
      ['completions/skyctl.bash', completionScript('bash', tree)],
      ['completions/skyctl.zsh', completionScript('zsh', tree)],
      ['completions/skyctl.fish', completionScript('fish', tree)],
      ['completions/skyctl.ps1', completionScript('powershell', tree)],
      ['docs/openapi.json', json(openApi())],
      ['docs/account.schema.json', json(accountSchema())],
      ...schemas,
      ...pages,
    ]),
    built: new Map([['build/outline.json', JSON.stringify(await outlineOf(program))], ...man]),
  }
}

const json = (document: unknown) => `${JSON.stringify(document, null, 2)}\n`
