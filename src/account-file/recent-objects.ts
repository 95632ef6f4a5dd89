/** Corrects lists that are late by what this machine has just created and deleted (account/recent-changes). */
import type { Account } from '../account/account'
import { withRecentChanges } from '../account/recent-changes'
import type { Item, Resource } from '../account/resource'
import { firewallResource } from '../account/resources/firewall'
import { sshKeyResource } from '../account/resources/profile'
import { volumeResource } from '../account/resources/volume'
import type { Client } from '../http/client'
import { isRecord } from '../rules/records'
import type { Kind } from './kind'
import { guardedOf } from './kinds/firewall/read-guarded'

interface ChangingKind {
  resource: Resource
  /** Returns the records of objects that were read by themselves; by default, these objects are the records. */
  recordsOf?(items: readonly Item[], client: Client): Promise<readonly unknown[]>
}

/** The kinds of objects that commands create and delete. */
const changingKinds: Readonly<Record<string, ChangingKind>> = {
  volumes: { resource: volumeResource },
  firewalls: { resource: firewallResource, recordsOf: guardedOf },
  sshkeys: { resource: sshKeyResource },
}

/** Returns the records of a kind, with those that its list lacks, and without those that no longer exist. */
export async function withRecentObjects(
  records: readonly unknown[],
  { key, listed = (record) => record }: Kind,
  account: Account,
): Promise<readonly unknown[]> {
  const { resource, recordsOf } = changingKinds[key] ?? {}
  const items = records.map(listed)
  if (!resource || !items.every(isItem)) return records
  const current = await withRecentChanges(items, undefined, resource, account)
  const [before, now] = [new Set<unknown>(items), new Set<unknown>(current)]
  const read = current.filter((item) => !before.has(item))
  const more = recordsOf && read.length > 0 ? await recordsOf(read, await account.client()) : read
  return [...records.filter((_, index) => now.has(items[index])), ...more]
}

const isItem = (record: unknown): record is Item => isRecord(record) && typeof record.id === 'number'
