/** Flags that commands share which change something, act on several targets, or wait. */
import type { Flag } from './command'
import { grouped } from './flags'

/** Describes flags in other words than the schema, by their names. */
export const withDescriptions = (flags: readonly Flag[], descriptions: Readonly<Record<string, string>>): Flag[] =>
  flags.map((flag) => ({ ...flag, description: descriptions[flag.name] ?? flag.description }))

/** Flags of commands that change many resources (account/journal). */
export const journalFlags = grouped('Bulk flags', [
  {
    name: 'journal',
    value: 'file',
    description: 'Record progress in a new file, so that --resume can continue',
    values: 'files',
  },
  { name: 'resume', value: 'file', description: 'Continue from that file; nothing is done twice', values: 'files' },
])

/** Flags of commands whose requests must not be sent twice. */
export const resendFlag: Flag = {
  name: 'resend-unknown',
  description: 'With --resume: resend requests of unknown outcome if nothing new has their label',
  group: 'Bulk flags',
  rare: true,
}

export const dryRunFlag: Flag = { name: 'dry-run', description: 'Print the request and send nothing' }

export const waitTimeoutFlag: Flag = {
  name: 'wait-timeout',
  value: 'time',
  description: 'Maximum time to wait, for all targets together',
  defaultText: '5m',
  group: 'Wait flags',
}

/** Flag of changes that end with their answer, but may wait for a busy object before (account/retry-while-busy). */
export const busyTimeoutFlag: Flag = { ...waitTimeoutFlag, hidden: true }

export const waitFlags = (until: string): readonly Flag[] => [
  { name: 'wait', description: `Wait until ${until}`, group: 'Wait flags' },
  waitTimeoutFlag,
]

/** Flag of commands that check what the API would reject. */
export const noValidateFlag: Flag = {
  name: 'validate',
  negative: 'only',
  description: 'Skip client-side validation',
  rare: true,
}

export const bodyFlags: readonly Flag[] = [
  {
    name: 'body',
    value: 'file',
    description: 'JSON or YAML body, - is stdin; flags win',
    values: 'files',
  },
  noValidateFlag,
]

/** Body flags of commands that create a resource from each line of a file (./ndjson-input). */
export const bodyLinesFlags: readonly Flag[] = bodyFlags.map((flag) =>
  flag.name === 'body' ? { ...flag, description: 'JSON, YAML or NDJSON body, - is stdin; flags win' } : flag,
)

/** Returns a flag for one or several services, by id or by a label that account/service-lookup finds. */
export function serviceFlag(
  kind: 'computes' | 'balancers',
  more: Pick<Flag, 'description' | 'list' | 'required'>,
): Flag {
  return { name: kind === 'computes' ? 'compute-id' : 'balancer-id', value: 'id|label', values: kind, ...more }
}

/** Flag of commands that can create a resource idempotently (account/if-absent). */
export const ifAbsentFlag: Flag = {
  name: 'if-absent',
  description: 'Use the existing one with this label if it matches',
}

/** Flag of commands that can delete a resource idempotently (account/if-present). */
export const ifPresentFlag: Flag = {
  name: 'if-present',
  description: 'Succeed if the resource does not exist',
}

/** Flag of commands that can harm a protected resource (account/protection). */
export const protectionFlag: Flag = {
  name: 'force',
  description: 'Go on even if it has the tag "protected"',
}

/** Flag of commands that set a label (account/label-lookup). */
export const allowDuplicateFlag: Flag = {
  name: 'allow-duplicate',
  description: 'Allow a label that is already in use',
  rare: true,
}
