/** Output of `skyctl help --json`, and of --help with --json. */
import * as v from 'valibot'
import { list, maybe } from '../../catalogue/document-fields'
import { boolean, integer, open, strings, text } from '../../catalogue/fields'
import type { Schema } from '../../catalogue/operation'

const values = v.nullable(strings('Possible values; null: any value of the type'))
const completes = maybe('Source of completions: names of objects, files, fields')

const argument = v.looseObject({
  name: text('Name as in help'),
  description: text('Description'),
  required: boolean('Whether it is required'),
  repeatable: boolean('Whether it accepts several'),
  values,
  completes,
})

const flag = v.looseObject({
  name: maybe('Spelling; null: only the negation exists'),
  short: maybe('Short form'),
  aliases: strings('Other names'),
  negation: maybe('Negation'),
  type: open(['boolean', 'integer', 'string'], 'Type of the value'),
  value: maybe('Placeholder of the value in help'),
  values,
  completes,
  default: maybe('Default'),
  required: boolean('Whether it is required, unless the file of the command sets it'),
  repeatable: boolean('Whether it is repeatable'),
  commas: boolean('Whether a value is a comma-separated list'),
  environment: maybe('Environment variable for the flag'),
  group: maybe('Group of flags that several commands share'),
  topic: maybe('Help topic that explains the group'),
  description: text('Description'),
})

const operation = v.looseObject({
  id: text('Operation id in docs/openapi.json'),
  method: open(['GET', 'POST', 'PUT', 'DELETE'], 'Method'),
  path: text('Path below the base URL'),
  scopes: strings('Scopes that the token needs'),
  needs: maybe('Grants that the user needs'),
})

const entries = {
  command: text('Full name'),
  name: text('Last word'),
  aliases: strings('Aliases'),
  summary: text('Summary'),
  details: maybe('Paragraphs'),
  usage: text('Usage line'),
  arguments: v.array(argument),
  flags: v.array(flag),
  form: v.nullable(
    v.looseObject({
      title: text('Purpose of the file'),
      text: text('Example in YAML'),
      topic: text('Help topic that explains the file'),
    }),
  ),
  operations: v.array(operation),
  scopes: strings('Minimal scopes for the command'),
  exit_codes: v.array(integer('Exit codes')),
  examples: list({ what: text('Purpose'), line: text('Command line') }),
  output: v.nullable(
    v.looseObject({
      schema: text('Schema of what --json prints'),
      dry_run: maybe('Schema of what --dry-run --json prints'),
    }),
  ),
}

/** Command, or group of commands; arrays without content are empty. */
export const commandPage: Schema = v.looseObject({ ...entries, commands: v.array(v.lazy(() => commandPage)) })

export const helpDocument = v.looseObject({
  format_version: v.literal(1),
  version: text('Version of skyctl'),
  command: commandPage,
  global_flags: v.array(flag),
  exit_codes: list({ exit_code: integer('Exit code'), code: maybe('As error.code'), meaning: text('Why') }),
  environment: list({ name: text('Name of the variable'), description: text('Purpose') }),
})

export type HelpFlag = v.InferOutput<typeof flag>
export type HelpArgument = v.InferOutput<typeof argument>
export type OperationPage = v.InferOutput<typeof operation>
export type CommandPage = v.InferOutput<v.LooseObjectSchema<typeof entries, undefined>> & { commands: CommandPage[] }
export type HelpDocument = v.InferOutput<typeof helpDocument>
