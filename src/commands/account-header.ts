/** Writes the comments at the top of an exported file: what it is, of which account, and how to use it. */
import { accountOf } from '../account/account'
import { knownUser } from '../account/identity'
import { escapeText } from '../rules/escape'
import { isRecord } from '../rules/records'
import type { Session } from '../session'

/** File of the schema that editors look for beside the exported file; `export --schema` prints it. */
export const schemaFile = 'account.schema.json'

/**
 * Returns the comments. They have the time of the newest change and not that of the export, so that exports of an
 * unchanged account are equal, and a repository of nightly exports has commits for changes only.
 */
export async function headerOf(records: Iterable<unknown>, { account }: Pick<Session, 'account'>): Promise<string> {
  const { context, service } = await accountOf(account)
  const user = await knownUser(account)
  const facts = [
    ...(context === null ? [] : [`context "${context}"`]),
    ...(user ? [`user ${user.username}`] : []),
    // The embedded sandbox has no address, and its context has its name.
    ...(service === context ? [] : [service]),
  ]
  const newest = newestChange(records)
  const lines = [
    `yaml-language-server: $schema=./${schemaFile}`,
    '',
    `Account file of skyctl, exported from ${facts.join(', ')}`,
    ...(newest === undefined ? [] : [`Newest change: ${newest}Z`]),
    '',
    'Preview the changes that would match it:  skyctl plan FILE',
    'Apply it to the account:                  skyctl apply FILE',
    `Schema for completion in editors:         skyctl export --schema > ${schemaFile}`,
  ]
  return `${lines.map((line) => `# ${escapeText(line)}`.trimEnd()).join('\n')}\n\n`
}

const timestamp = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}$/

/** Returns the last time at which a record, or a part of it, was created or updated. */
function newestChange(records: Iterable<unknown>): string | undefined {
  let newest: string | undefined
  for (const record of records)
    for (const time of timesIn(record)) if (newest === undefined || time > newest) newest = time
  return newest
}

/** A firewall comes with its devices: all are records with times of their own. */
function timesIn(record: unknown): string[] {
  if (Array.isArray(record)) return record.flatMap(timesIn)
  if (!isRecord(record)) return []
  const { created, updated, firewall, devices } = record
  const own = [created, updated].filter((time) => typeof time === 'string' && timestamp.test(time))
  return [...own.map(String), ...timesIn(firewall), ...timesIn(devices)]
}
