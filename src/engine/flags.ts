/** Flags that many commands share. */
import { pageSizes } from '../catalogue/paging'
import { formatNames } from '../output/formats'
import type { Flag } from './command'

export const globalFlags: readonly Flag[] = (
  [
    { name: 'context', value: 'name', description: 'Account to act on; "sandbox" is built in', values: 'contexts' },
    { name: 'base-url', value: 'url', description: 'Address of the service, up to and including /v4' },
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
    { name: 'verbose', short: 'v', description: 'Print retries and their causes' },
    { name: 'debug', description: 'Show requests and answers, without secrets' },
    {
      name: 'debug-file',
      value: 'file',
      description: 'Append the output of --debug, with times, to a private file',
      values: 'files',
    },
  ] as const
).map((flag): Flag => ({ ...flag, group: 'Global flags' }))

const output = (flag: Flag): Flag => ({ ...flag, group: 'Output flags' })

/** Flags of commands that print records. */
export const outputFlags: readonly Flag[] = [
  output({
    name: 'columns',
    aliases: ['format'],
    value: 'fields',
    list: 'commas',
    description: 'Fields to print in order, or "all"',
    values: 'columns',
  }),
  output({ name: 'headers', negative: 'only', description: 'Leave out the header line' }),
  output({ name: 'query', value: 'jmespath', description: 'Choose from the JSON with a JMESPath expression' }),
  output({ name: 'raw', description: 'Do not escape csv and tsv cells that a spreadsheet would run as formulas' }),
]

const { smallest, largest } = pageSizes

export const listFlags: readonly Flag[] = [
  {
    name: 'filter',
    value: 'test',
    list: 'repeats',
    description: 'Keep matching items: label=web, size>=40 or created>7d; see skyctl help output',
    values: 'filter',
  },
  { name: 'limit', value: 'n', description: 'Maximum number of results' },
  { name: 'page', value: 'n', description: 'Read this page only' },
  {
    name: 'page-size',
    value: 'n',
    description: `Results per request; the API documents ${smallest} to ${largest}`,
  },
  { name: 'concurrency', value: 'n', description: 'Number of pages to read at once', defaultText: '8' },
  output({
    name: 'sort',
    value: 'field',
    list: 'commas',
    description: 'Sort by fields; - before one reverses',
    values: 'sort',
  }),
  ...outputFlags,
]

/** Flag of verbs that take several targets (./bulk). */
export const concurrencyFlag: Flag = {
  name: 'concurrency',
  value: 'n',
  description: 'Number of targets to process at once',
  defaultText: '8',
}

/** Flags of commands that change many resources (./journal). */
export const journalFlags: readonly Flag[] = [
  {
    name: 'journal',
    value: 'file',
    description: 'Record progress in a new file, so that --resume can continue',
    values: 'files',
  },
  { name: 'resume', value: 'file', description: 'Continue from that file; nothing is done twice', values: 'files' },
]

/** Flag of commands whose requests must not be sent twice (./resumed). */
export const resendFlag: Flag = {
  name: 'resend-unknown',
  description: 'With --resume: resend requests of unknown outcome if nothing new has their label',
}

export const dryRunFlag: Flag = { name: 'dry-run', description: 'Print the request, without secrets, and send nothing' }

export const waitFlags = (until: string): readonly Flag[] => [
  { name: 'wait', description: `Wait until ${until}` },
  { name: 'wait-timeout', value: 'time', description: 'Maximum time to wait', defaultText: '5m' },
]

export const bodyFlags: readonly Flag[] = [
  {
    name: 'body',
    value: 'file',
    description: 'Read the body from a JSON or YAML file, - is stdin; flags override it',
    values: 'files',
  },
  { name: 'validate', negative: 'only', description: 'Skip client-side validation' },
]

/** Body flags of commands that create a resource from each line of a file (./body-lines). */
export const bodyLinesFlags: readonly Flag[] = bodyFlags.map((flag) =>
  flag.name === 'body'
    ? {
        ...flag,
        description: 'Read the body from a JSON or YAML file, or many of NDJSON, - is stdin; flags override it',
      }
    : flag,
)

/** Returns a flag for one or several services, by id or by a label that ./services looks up. */
export function serviceFlag(
  kind: 'computes' | 'balancers',
  more: Pick<Flag, 'description' | 'list' | 'required'>,
): Flag {
  return { name: kind === 'computes' ? 'compute-id' : 'balancer-id', value: 'id|label', values: kind, ...more }
}

/** Flag of commands that can create a resource idempotently (./if-absent). */
export const ifAbsentFlag: Flag = {
  name: 'if-absent',
  description: 'Use the existing resource with this label if it matches',
}

/** Flag of commands that can delete a resource idempotently (./if-present). */
export const ifPresentFlag: Flag = {
  name: 'if-present',
  description: 'Succeed if the resource does not exist',
}

/** Flag of commands that set a label (./duplicates). */
export const allowDuplicateFlag: Flag = {
  name: 'allow-duplicate',
  description: 'Allow a label that is already in use',
}
