import * as v from 'valibot'
import { readAll } from '../../account/resource'
import { type IpAddress, ips } from '../../catalogue/ips'
import type { Client } from '../../http/client'
import { isPrivateAddress, parseAddress, tidyAddress } from '../../rules/addresses'
import { domainNameFault, dottedName, hasDefaultName, withoutFinalDot } from '../../rules/host-names'
import { changed, nameList } from '../../rules/texts'
import type { Kind, PlanInput, RefusalCode, StepOutcome } from '../kind'
import { noted } from '../kind-functions'
import type { OnUnreadable } from '../unreadable-records'

const entry = v.nullable(
  v.pipe(
    v.string('Must be a string'),
    // Only the plan knows whether the address has a name already that no request could set, such as one with "_".
    v.regex(dottedName, ({ input }) => notADomainName(input)),
    v.description('Name; null: the default name of the service'),
  ),
)

const notADomainName = (name: string) => {
  const { reason = '', hint = '' } = domainNameFault(name) ?? {}
  return `${reason}. ${hint}`
}

type Entry = v.InferOutput<typeof entry>

/** Reads all addresses but private ones, which the API does not list. */
export const readAddresses = (client: Client, onUnreadable?: OnUnreadable) =>
  readAll(client, ips.list, { onUnreadable })

export const rdnsKind: Kind<Entry, IpAddress> = {
  key: 'rdns',
  noun: 'address',
  entry,
  settable: ['rdns'],
  tidyName: tidyAddress,
  nameFault: (name) => (parseAddress(name) ? undefined : 'Must be an IPv4 or IPv6 address'),
  read: readAddresses,
  list: ips.list,
  noteOf: ({ type, region, compute_id }) =>
    noted([type, region && `in ${region}`, compute_id && `of compute instance ${compute_id}`]),
  nameOf: ({ address }) => tidyAddress(address),
  idOf: ({ address }) => tidyAddress(address),
  isDefault: hasDefaultName,
  entryOf: (address) => (hasDefaultName(address) ? null : address.rdns),
  plan,
  noteOfUnlisted,
}

/** Exports leave out default names, so a name that somebody sets at such an address later is in no file. */
function noteOfUnlisted(records: readonly IpAddress[]): string | undefined {
  const names = records.flatMap((record) => (hasDefaultName(record) ? [] : [`${record.address} (${record.rdns})`]))
  if (names.length === 0) return undefined
  return names.length === 1
    ? `In no file, but with a name of its own: ${names[0]}`
    : `In no file, but with names of their own: ${nameList(names)}`
}

function plan({ name, desired: written, record }: PlanInput<Entry, IpAddress>): StepOutcome {
  const desired = withoutFinalDot(written)
  const refused = (reason: string, code: RefusalCode): StepOutcome => ({
    steps: [],
    refusals: [{ field: null, reason, code }],
  })
  if (!record) {
    // The API lists no private addresses.
    if (isPrivateAddress(name)) return refused('A private address has no reverse DNS', 'refused')
    return refused('The account has no such public address', 'not_found')
  }
  const present = hasDefaultName(record) ? null : record.rdns
  // A name that begins with the address may be the default, or one that somebody set: either is as wanted then.
  const isSet = desired !== null && desired.toLowerCase() === record.rdns?.toLowerCase()
  if (isSet || present === desired) return { steps: [], refusals: [] }
  const unnamable = desired === null ? undefined : domainNameFault(desired)
  if (unnamable) return refused(`${unnamable.reason}. ${unnamable.hint}`, 'usage')
  const shown = (rdns: string | null) => rdns ?? "the service's own"
  return {
    refusals: [],
    steps: [
      {
        action: 'update',
        does: 'ips rdns',
        target: [name],
        body: { rdns: desired },
        replaced: { rdns: record.rdns },
        changes: [changed('rdns', shown(present), shown(desired))],
      },
    ],
  }
}
