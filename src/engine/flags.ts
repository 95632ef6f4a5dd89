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
    { name: 'json', description: 'The same as --output json' },
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
      description: 'Give up a request and its retries after this time',
      defaultText: '2m',
    },
    { name: 'retries', value: 'n', description: 'How often to try again what is safe to repeat', defaultText: '2' },
    { name: 'max-wait', value: 'time', description: 'Longest wait that the service may ask for', defaultText: '60s' },
    { name: 'verbose', short: 'v', description: 'Say what is tried again, and why' },
    { name: 'debug', description: 'Show requests and answers, without secrets' },
    {
      name: 'debug-file',
      value: 'file',
      description: 'Add the same to a file that only you can read, with times',
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
  output({ name: 'raw', description: 'Leave csv and tsv cells as they are, even where a spreadsheet would run them' }),
]

const { smallest, largest } = pageSizes

export const listFlags: readonly Flag[] = [
  {
    name: 'filter',
    value: 'test',
    list: 'repeats',
    description: 'Keep what passes, as label=web, size>=40 or created>7d; see skyctl help output',
    values: 'filter',
  },
  { name: 'limit', value: 'n', description: 'Stop after this many' },
  { name: 'page', value: 'n', description: 'Read this page only' },
  {
    name: 'page-size',
    value: 'n',
    description: `How many to read at a time; ${smallest} to ${largest} are known to be taken`,
  },
  { name: 'concurrency', value: 'n', description: 'How many pages to read at once', defaultText: '8' },
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
  description: 'How many to do at once where several are named',
  defaultText: '8',
}

/** Flags of commands that change many resources (./journal). */
export const journalFlags: readonly Flag[] = [
  {
    name: 'journal',
    value: 'file',
    description: 'Keep in a new file what is done, to go on from where it is killed',
    values: 'files',
  },
  { name: 'resume', value: 'file', description: 'Go on with that file: nothing is done twice', values: 'files' },
]

/** Flag of commands whose requests must not be sent twice (./resumed). */
export const resendFlag: Flag = {
  name: 'resend-unknown',
  description: 'With --resume: send what may have been sent, where nothing new has its label',
}

export const dryRunFlag: Flag = { name: 'dry-run', description: 'Print the request, without secrets, and send nothing' }

export const waitFlags = (until: string): readonly Flag[] => [
  { name: 'wait', description: `Wait until ${until}` },
  { name: 'wait-timeout', value: 'time', description: 'How long to wait', defaultText: '5m' },
]

export const bodyFlags: readonly Flag[] = [
  {
    name: 'body',
    value: 'file',
    description: 'Take the body from a JSON or YAML file, - is stdin; flags win',
    values: 'files',
  },
  { name: 'validate', negative: 'only', description: 'Send what looks wrong here; the service decides' },
]

/** Body flags of commands that create a resource from each line of a file (./body-lines). */
export const bodyLinesFlags: readonly Flag[] = bodyFlags.map((flag) =>
  flag.name === 'body'
    ? { ...flag, description: 'Take the body from a JSON or YAML file, or many of NDJSON, - is stdin; flags win' }
    : flag,
)

/** Returns a flag for one or several services, by id or by a label that ./services looks up. */
export function serviceFlag(
  kind: 'computes' | 'balancers',
  more: Pick<Flag, 'description' | 'list' | 'required'>,
): Flag {
  return { name: kind === 'computes' ? 'compute-id' : 'balancer-id', value: 'id|label', values: kind, ...more }
}

/**
 * Flag with the id of an object that the new one replaces, in a step of a plan: it does not count as existing
 * (./if-absent).
 */
export const replacedFlag = 'replaces'

/** Flag of plan steps: the requested state is not refused as changed if somebody has reached it in the meantime. */
export const orDoneFlag = 'or-done'

/** Flag of commands that can create a resource idempotently (./if-absent). */
export const ifAbsentFlag: Flag = {
  name: 'if-absent',
  description: 'Take what has this label already, if it is as asked for, instead of making another',
}

/** Flag of commands that can delete a resource idempotently (./if-present). */
export const ifPresentFlag: Flag = {
  name: 'if-present',
  description: 'Be content where it does not exist, or not any more',
}

/** Flag of commands that set a label (./duplicates). */
export const allowDuplicateFlag: Flag = {
  name: 'allow-duplicate',
  description: 'Give the label although another has it: only ids tell them apart then',
}
