/** Messages about changes that a command, a plan or an undo may make. */
import type { ActionName } from '../account/actions'
import type { ResultListener, SentRequest } from '../account/change'
import type { firewalls } from '../catalogue/firewalls'
import { isMissing } from '../catalogue/normalize'
import type { profile } from '../catalogue/profile/profile'
import type { volumes } from '../catalogue/volumes'
import { type ChangeMessages, changeMessage } from '../engine/change-message'
import type { Session } from '../engine/session'
import { isRecord, isSameSet } from '../rules/records'
import { changed, listed } from '../rules/texts'

const attached: ChangeMessages<typeof volumes.attach> = {
  done: (volume, { name, body }) => `Attached ${name} to compute instance ${volume.compute_id ?? body.compute_id}`,
  already: ({ name, body }) => `${name} is already attached to compute instance ${body.compute_id}`,
}

const createdVolume: ChangeMessages<typeof volumes.create> = {
  done: ({ size, region }, { name }) =>
    `Created ${name}: ${sizeText(size)} in ${region ?? 'its region'}, billed until it is deleted`,
}

const resized: ChangeMessages<typeof volumes.resize> = {
  done: ({ size }, { name }) => `Resizing ${name} to ${sizeText(size)}`,
  already: ({ name, body }) => `${name} already has ${body.size} GiB`,
}

const updatedVolume: ChangeMessages<typeof volumes.update> = {
  done(volume, sent) {
    const { label } = sent.body
    if (label === undefined || label === sent.before?.label) return updatedText(volume, sent)
    const path = isMissing(volume, 'filesystem_path') ? 'has changed' : `is now ${volume.filesystem_path}`
    return `${updatedText(volume, sent)}. Its path ${path}. Change the mount entries that have the old path`
  },
}

/** Names the replaced tags, as a plan does: `Updated volume "data" (123); tags: staging -> production`. */
function updatedText(answer: object, { name, body, before }: SentRequest): string {
  // Others may have changed the tags after the body was made.
  const [old, now] = [tagsOf(before), body.tags && (tagsOf(answer) ?? body.tags)]
  if (!old || !areTags(now) || isSameSet(old, now)) return `Updated ${name}`
  return `Updated ${name}; ${changed('tags', listed(old), listed(now))}`
}

function tagsOf(record: object | undefined): readonly string[] | undefined {
  const { tags }: { tags?: unknown } = record ?? {}
  return record && !isMissing(record, 'tags') && areTags(tags) ? tags : undefined
}

const areTags = (value: unknown): value is string[] => Array.isArray(value)

/** Returns `40 GiB`; an answer may lack the size. */
export const sizeText = (size: unknown) => (size === null ? 'an unknown size' : `${size} GiB`)

const updatedProfile: ChangeMessages<typeof profile.update> = {
  done: ({ username }, { body: { ip_whitelist_enabled } }) =>
    ip_whitelist_enabled === false
      ? `Updated the profile of ${username}; the whitelist cannot be switched on again`
      : `Updated the profile of ${username}`,
}

const enabled: ChangeMessages<typeof firewalls.update> = {
  done: (_answer, { name }) => `Enabled ${name}`,
  already: ({ name }) => `${name} is already enabled`,
}

const disabled: ChangeMessages<typeof firewalls.update> = {
  done: (_answer, { name }) => `Disabled ${name}: its rules protect nothing`,
  already: ({ name }) => `${name} is already disabled`,
}

const assignedDevice: ChangeMessages = {
  done: (_answer, { name, body: { type, id } }) => `Assigned ${name} to ${type} ${id}`,
  already: ({ name, body: { type, id } }) => `${name} is already assigned to ${type} ${id}`,
}

const replacedRules: ChangeMessages = {
  done: (_answer, { name, id }, undoing) => {
    const undo = undoing === undefined ? '' : `. Undo with: skyctl firewalls rules undo ${id}${undoing}`
    return `Updated the rules of ${name}${undo}`
  },
}

const assignedIps: ChangeMessages = {
  done: (_answer, { body: { assignments } }) =>
    assignedText(Array.isArray(assignments) ? assignments.filter(isRecord) : []),
}

export function assignedText(all: readonly { address?: unknown; compute_id?: unknown }[]): string {
  const [only, ...others] = all
  return only && others.length === 0
    ? `Assigned ${only.address} to compute instance ${only.compute_id}`
    : `Assigned ${all.length} addresses`
}

const reverseDns: ChangeMessages = {
  done: (answer, { id, body, before }) =>
    `The reverse DNS of ${id} is ${domainIn(answer, body)}${typeof before?.rdns === 'string' ? ` (was ${before.rdns})` : ''}`,
  already: ({ id, body }, answer) => `The reverse DNS of ${id} is already ${domainIn(answer, body)}`,
}

const domainIn = (answer: Readonly<Record<string, unknown>>, { rdns }: Record<string, unknown>) =>
  isMissing(answer, 'rdns') ? (rdns ?? 'the default') : (answer.rdns ?? 'unset')

const named = (verb: string, more = ''): ChangeMessages => ({ done: (_answer, { name }) => `${verb} ${name}${more}` })

export const sentences = {
  'firewalls create': named('Created', '; it is enabled'),
  'firewalls delete': named('Deleted'),
  'firewalls disable': disabled,
  'firewalls enable': enabled,
  'firewalls update': { done: (firewall, sent) => updatedText(firewall, sent) },
  'firewalls devices add': assignedDevice,
  'firewalls devices delete': named('Deleted'),
  'firewalls rules update': replacedRules,
  'ips assign': assignedIps,
  'ips rdns': reverseDns,
  'profile preferences set': { done: () => 'Replaced the preferences' },
  'profile sshkeys add': named('Added'),
  'profile sshkeys delete': named('Deleted', '; instances keep their copies'),
  'profile sshkeys update': named('Updated'),
  'profile update': updatedProfile,
  'tokens update': named('Updated'),
  'volumes attach': attached,
  'volumes create': createdVolume,
  'volumes delete': named('Deleted'),
  'volumes detach': { ...named('Detached'), already: ({ name }) => `${name} is not attached` },
  'volumes resize': resized,
  'volumes update': updatedVolume,
  // Changes nothing.
  'volumes wait': undefined,
} satisfies Record<ActionName, ChangeMessages | undefined>

/** Returns the listener that prints the message about a step. */
export const telling =
  (does: ActionName, { ui, account }: Session): ResultListener =>
  async (result) => {
    const words = sentences[does]
    if (words) await ui.status(await changeMessage(result, words, account))
  }
