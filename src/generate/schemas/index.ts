/** JSON Schemas (2020-12) of the output with --json: one file per command group, and files of shared schemas. */

import { dialect, type Json, jsonSchemaOf, plain, recordNames } from '../../catalogue/json-schema'
import type { Schema } from '../../catalogue/operation'
import { grants } from '../../catalogue/profile/profile'
import { commandPage, helpDocument } from '../../commands/help/document-schema'
import { placeOfSchema } from '../../commands/help/schema-place'
import { type CommandNode, commandsIn } from '../../engine/command-nodes'
import { outputOf } from './outputs'
import * as own from './own'
import { drift, savedPlan } from './plan-documents'
import * as stderr from './stderr'

const recordsFile = 'records.json'
const stderrFile = 'stderr.json'

const shared: Readonly<Record<string, { title: string; schemas: ReadonlyMap<Schema, string> }>> = {
  [recordsFile]: {
    title: 'Records of the service and of skyctl',
    schemas: new Map<Schema, string>([
      ...recordNames(),
      [grants, 'Grants'],
      [own.context, 'Context'],
      [own.authStatus, 'AuthStatus'],
      [own.message, 'Message'],
      [own.verdict, 'Verdict'],
      [own.rulesChange, 'RulesChange'],
      [own.nothing, 'Nothing'],
      [stderr.outcome, 'Outcome'],
      [stderr.plannedRequest, 'PlannedRequest'],
      [stderr.plannedRequests, 'PlannedRequests'],
      [commandPage, 'CommandPage'],
      [helpDocument, 'HelpDocument'],
    ]),
  },
  [stderrFile]: {
    title: 'Lines of stderr: warnings and notes first, the failure last',
    schemas: new Map<Schema, string>([
      [stderr.line, 'Line'],
      [stderr.error, 'Error'],
      [stderr.warning, 'Warning'],
      [stderr.note, 'Note'],
      [stderr.debug, 'Debug'],
      [stderr.failure, 'Failure'],
      [stderr.failureOfTarget, 'FailureOfTarget'],
    ]),
  },
}

const fileOf = new Map(
  Object.entries(shared).flatMap(([file, { schemas }]) => [...schemas.values()].map((name) => [name, file])),
)
const names = new Map(Object.values(shared).flatMap(({ schemas }) => [...schemas]))

/** Creates the schema documents by file name. */
export function schemaFiles(tree: CommandNode): ReadonlyMap<string, Json> {
  const commons = Object.entries(shared).map(([file, { title, schemas }]) => {
    // Each definition is written in full; below that, it is referenced by name.
    const definitions = [...schemas].map(([schema, name]) => [name, written({ ...schema }, file)] as const)
    return [file, document(title, definitions)] as const
  })
  return new Map([...commons, ...tree.children.map(groupFile)])
}

/** Documents of a group beside those that its commands print with --json alone, by name. */
const others: Readonly<Record<string, Readonly<Record<string, readonly [title: string, schema: Schema]>>>> = {
  'plan.json': {
    drift: ['skyctl plan --drift', drift],
    saved: ['File of skyctl plan --out', savedPlan],
  },
}

function groupFile(group: CommandNode): readonly [string, Json] {
  const { file } = placeOfSchema(group.words)
  const outputs = commandsIn(group).map((node) => {
    const title = ['skyctl', ...node.words].join(' ')
    return [placeOfSchema(node.words).name, { title, ...written(outputOf(node), file) }] as const
  })
  const more = Object.entries(others[file] ?? {}).map(
    ([name, [title, schema]]) => [name, { title, ...written(schema, file) }] as const,
  )
  const definitions = [...outputs, ...more]
  return [file, document(`JSON output of "skyctl ${group.words.join(' ')}"`, definitions)]
}

function document(title: string, definitions: readonly (readonly [string, Json])[]): Json {
  return { $schema: dialect, title, $defs: Object.fromEntries(definitions) }
}

function written(schema: Schema, file: string): Json {
  const reference = (name: string) => {
    const place = fileOf.get(name)
    return `${place === file ? '' : place}#/$defs/${name}`
  }
  return plain(jsonSchemaOf(schema, { mode: 'output', names, reference }))
}
