/** Prints help as data: the tree of commands, or a part of it, from which help pages are generated. */
import { catalogue } from '../../catalogue'
import type { Operation } from '../../catalogue/operation'
import { formatJson } from '../../data/json'
import type { Argument, Command, Flag, Root } from '../../engine/command'
import { exitCodesOf, meanings } from '../../engine/command-exit-codes'
import { type CommandNode, nodeAt, usageOf } from '../../engine/command-nodes'
import { globalFlags, groupTopics } from '../../engine/flags'
import { exitCodes } from '../../errors'
import type { FormatName } from '../../output/formats'
import { isUnit } from '../../rules/flag-units'
import { keysOf } from '../../rules/records'
import { leastScopes } from '../../rules/scope-cover'
import type * as page from './document-schema'
import { dryReference, schemaReference } from './schema-place'
import { topics } from './topics'

/** Returns the document in a JSON format for a group or a command, or for the root without words. */
export async function helpText(program: Root, words: readonly string[], format: FormatName): Promise<string> {
  const node = await nodeAt(program, words)
  if (!node) throw new Error(`no command "${words.join(' ')}"`)
  return `${await formatJson(documentOf(node, program), format === 'ndjson' ? 0 : 2)}\n`
}

function documentOf(node: CommandNode, program: Root): page.HelpDocument {
  return {
    format_version: 1,
    version: program.version,
    command: pageOf(node),
    global_flags: globalFlags.map(flagOf),
    exit_codes: [
      { exit_code: 0, code: null, meaning: 'success, also for an empty list' },
      ...codes.map((code) => ({ exit_code: exitCodes[code], code, meaning: meanings[code] })),
    ],
    environment: variables,
  }
}

const codes = keysOf(exitCodes)

/** Variables from `skyctl help environment`. */
const variables = [...(topics.environment ?? '').matchAll(/^ {2}(SKYCTL_\w+) +(.*)$/gm)].map(
  ([, name = '', description = '']) => ({ name, description }),
)

function pageOf(node: CommandNode): page.CommandPage {
  const { words, aliases, summary, children, command } = node
  return {
    command: ['skyctl', ...words].join(' '),
    name: words.at(-1) ?? 'skyctl',
    aliases: [...aliases],
    summary,
    details: detailsOf(command),
    usage: usageOf(node),
    arguments: (command?.arguments ?? []).map(argumentOf),
    flags: (command?.flags ?? []).map(flagOf),
    form: command?.form ? { ...command.form } : null,
    ...accessOf(command),
    exit_codes: command ? exitCodesOf(command, words) : [],
    examples: [...(command?.examples ?? [])],
    output: command ? outputOf(command, words) : null,
    commands: children.map(pageOf),
  }
}

function detailsOf({ details, moreDetails }: Partial<Command> = {}): string | null {
  return [details, moreDetails].filter((text) => text !== undefined).join('\n\n') || null
}

function accessOf({ operations = [] }: Pick<Command, 'operations'> = {}) {
  return {
    operations: operations.map(operationOf),
    scopes: leastScopes(operations.flatMap(({ scopes }) => scopes)),
  }
}

const ids = new Map(
  Object.entries(catalogue).flatMap(([group, verbs]) =>
    Object.entries(verbs).map(([verb, operation]) => [operation, `${group}_${verb}`]),
  ),
)

function operationOf(operation: Operation): page.OperationPage {
  const { method, path, scopes, needs = null } = operation
  return { id: ids.get(operation) ?? '', method, path, scopes: [...scopes], needs }
}

function outputOf({ flags }: Command, words: readonly string[]) {
  const dry = flags.some(({ name }) => name === 'dry-run')
  return { schema: schemaReference(words), dry_run: dry ? dryReference(words) : null }
}

function argumentOf({ name, description, optional, many, values }: Argument): page.HelpArgument {
  return { name, description, required: optional !== true, repeatable: many === true, ...valuesOf(values) }
}

function flagOf(flag: Flag): page.HelpFlag {
  const { name, short, aliases = [], negative, value, list, values, required, defaultText, description } = flag
  const { group } = flag
  return {
    name: negative === 'only' ? null : `--${name}`,
    short: short === undefined ? null : `-${short}`,
    aliases: aliases.map((alias) => `--${alias}`),
    negation: negative ? `--no-${name}` : null,
    type: value === undefined ? 'boolean' : isWhole(value) ? 'integer' : 'string',
    value: value ?? null,
    ...valuesOf(values),
    default: defaultText ?? null,
    required: required === true,
    repeatable: list !== undefined,
    commas: list === 'commas',
    environment: variableOf(name),
    group: group ?? null,
    topic: group === undefined ? null : groupTopics[group],
    description,
  }
}

/** Placeholders for integers in help. */
const isWhole = (value: string) => value === 'n' || isUnit(value)

function valuesOf(values: Flag['values']): { values: string[] | null; completes: string | null } {
  return typeof values === 'string'
    ? { values: null, completes: values }
    : { values: values ? [...values] : null, completes: null }
}

function variableOf(flag: string): string | null {
  const name = `SKYCTL_${flag.replaceAll('-', '_').toUpperCase()}`
  return variables.find((variable) => variable.name === name)?.name ?? null
}
