/** Flags of all commands, and of those that print records; ./change-flags has those of commands that change something. */
import { pageSizes } from '../catalogue/paging'
import { formatNames } from '../output/formats'
import type { Flag, FlagGroup } from './command'

/** Help topics that explain the groups of shared flags, in the order of help. */
export const groupTopics: Readonly<Record<FlagGroup, string>> = {
  'Paging flags': 'output',
  'Wait flags': 'wait',
  'Bulk flags': 'bulk',
  'Rule safety flags': 'lockout',
  'Output flags': 'output',
  'Global flags': 'flags',
}

/** Puts flags into a group. */
export function grouped(group: FlagGroup, flags: readonly Flag[]): readonly Flag[] {
  return flags.map((flag) => ({ ...flag, group }))
}

/** The most common ones first: pages name these. */
export const globalFlags = grouped('Global flags', [
  { name: 'context', value: 'name', description: 'Account to act on; "sandbox" is built in', values: 'contexts' },
  {
    name: 'output',
    short: 'o',
    value: 'format',
    description: `Print as ${formatNames.join(', ')}`,
    values: formatNames,
  },
  { name: 'json', description: 'Same as --output json' },
  { name: 'quiet', short: 'q', description: 'Print ids only, and no messages' },
  { name: 'yes', short: 'y', description: 'Answer every question with yes' },
  { name: 'verbose', short: 'v', description: 'Print retries and their causes' },
  { name: 'base-url', value: 'url', description: 'Address of the service, up to and including /v4' },
  {
    name: 'color',
    value: 'when',
    description: 'Use colour: auto, always, never',
    values: ['auto', 'always', 'never'],
  },
  {
    name: 'timeout',
    value: 'time',
    description: 'Time limit for a request with its retries',
    defaultText: '2m',
  },
  {
    name: 'retries',
    value: 'n',
    description: 'Maximum retries of requests that are safe to repeat',
    defaultText: '2',
  },
  { name: 'max-wait', value: 'time', description: 'Longest wait that the service may request', defaultText: '60s' },
  { name: 'debug', description: 'Show requests and answers, without secrets' },
  {
    name: 'debug-file',
    value: 'file',
    description: 'Append the output of --debug, with times, to a private file',
    values: 'files',
  },
])

/** Flags of commands that print records. */
export const outputFlags = grouped('Output flags', [
  {
    name: 'columns',
    aliases: ['format'],
    value: 'fields',
    list: 'commas',
    description: 'Fields to print in order, or "all"',
    values: 'columns',
  },
  { name: 'headers', negative: 'only', description: 'Leave out the header line' },
  { name: 'query', value: 'jmespath', description: 'Choose from the JSON with a JMESPath expression' },
  {
    name: 'raw',
    description: 'Do not escape csv and tsv cells that a spreadsheet would run as formulas',
    rare: true,
  },
])

/** Output flags of commands that only report what they did: accepted, but not shown. */
export const hiddenOutputFlags: readonly Flag[] = outputFlags.map((flag) => ({ ...flag, hidden: true }))

const sortFlag: Flag = {
  name: 'sort',
  value: 'field',
  list: 'commas',
  description: 'Sort by fields; - before one reverses',
  values: 'sort',
  group: 'Output flags',
}

const limitFlag: Flag = {
  name: 'limit',
  value: 'n',
  description: 'Maximum number of results',
  group: 'Output flags',
}

const { smallest, largest } = pageSizes

/** Flag of commands that print lists of any length (./held-answers). */
export const memoryFlag: Flag = {
  name: 'max-memory',
  value: 'size',
  description: 'Limit for a list that is held before it is printed',
  defaultText: '512MiB',
  group: 'Paging flags',
  rare: true,
}

const pageFlags = grouped('Paging flags', [
  { name: 'page', value: 'n', description: 'Read this page only', rare: true },
  {
    name: 'page-size',
    value: 'n',
    description: `Results per request; the API documents ${smallest} to ${largest}`,
    rare: true,
  },
  { name: 'concurrency', value: 'n', description: 'Number of pages to read at once', defaultText: '8', rare: true },
  memoryFlag,
])

/** Returns the flag with a test that its records can pass, such as `size>=40`, as example. */
const filterFlag = (test: string): Flag => ({
  name: 'filter',
  value: 'test',
  list: 'repeats',
  description: `Keep items with ${test} (skyctl help filter)`,
  values: 'filter',
})

export const listFlags = (test: string): readonly Flag[] => [
  filterFlag(test),
  ...pageFlags,
  limitFlag,
  sortFlag,
  ...outputFlags,
]

/** Flags of lists that are not read page by page. */
export const wholeListFlags = (test: string): readonly Flag[] => [filterFlag(test), limitFlag, sortFlag, ...outputFlags]

/** Flags of lists without filters. */
export const shortListFlags: readonly Flag[] = [limitFlag, sortFlag, ...outputFlags]

/** Flags of verbs that take several targets (./bulk), also to show them. */
export const concurrencyFlag: Flag = {
  name: 'concurrency',
  value: 'n',
  description: 'Number of targets to process at once',
  defaultText: '8',
  group: 'Bulk flags',
  rare: true,
}
