/** Output of `skyctl help --json`, and of --help with --json. */
import * as v from 'valibot'
import { boolean, integer, open, strings, text } from '../../catalogue/fields'
import type { Schema } from '../../catalogue/operation'

const maybe = (description: string) => v.nullable(text(description))
const values = v.nullable(strings('All that it may be; null: anything of its type'))
const completes = maybe('What a shell completes: names of objects, files, fields')

const argument = v.looseObject({
  name: text('As help shows it'),
  description: text('What it is'),
  required: boolean('Whether it must be given'),
  repeatable: boolean('Whether several may be given'),
  values,
  completes,
})

const flag = v.looseObject({
  name: maybe('As it is typed; null: there is only its negation'),
  short: maybe('Its one letter'),
  aliases: strings('Other names of it'),
  negation: maybe('What says the opposite'),
  type: open(['boolean', 'integer', 'string'], 'What its value is; a boolean has none'),
  value: maybe('What stands for the value in help'),
  values,
  completes,
  default: maybe('What holds where it is not given'),
  required: boolean('Whether it must be given, unless a file that the command takes does'),
  repeatable: boolean('Whether it may be given several times'),
  commas: boolean('Whether one value may hold several, with commas between them'),
  environment: maybe('Variable that says the same'),
  group: maybe('Heading of flags that commands share'),
  description: text('What it does'),
})

const operation = v.looseObject({
  id: text('As docs/openapi.json calls it'),
  method: open(['GET', 'POST', 'PUT', 'DELETE'], 'Method'),
  path: text('Path below the base URL'),
  scopes: strings('What a token needs'),
  needs: maybe('What the user needs besides'),
})

const entries = {
  command: text('As it is typed'),
  name: text('Its last word'),
  aliases: strings('Other words for that'),
  summary: text('One line'),
  details: maybe('Paragraphs'),
  usage: text('With its arguments'),
  arguments: v.array(argument),
  flags: v.array(flag),
  form: v.nullable(v.looseObject({ title: text('Which file'), text: text('What it looks like, in YAML') })),
  operations: v.array(operation),
  scopes: strings('The least that a token needs for all of it'),
  exit_codes: v.array(integer('How it may end')),
  examples: v.array(v.looseObject({ what: text('What for'), line: text('Whole line') })),
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
  version: text('Of the program'),
  command: commandPage,
  global_flags: v.array(flag),
  exit_codes: v.array(
    v.looseObject({ exit_code: integer('How the program ends'), code: maybe('As error.code'), meaning: text('Why') }),
  ),
  environment: v.array(v.looseObject({ name: text('Of the variable'), description: text('What it is for') })),
})

export type HelpFlag = v.InferOutput<typeof flag>
export type HelpArgument = v.InferOutput<typeof argument>
export type OperationPage = v.InferOutput<typeof operation>
export type CommandPage = v.InferOutput<v.LooseObjectSchema<typeof entries, undefined>> & { commands: CommandPage[] }
export type HelpDocument = v.InferOutput<typeof helpDocument>
