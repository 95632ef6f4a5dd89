import * as v from 'valibot'
import { readAll } from '../../account/resource'
import { checkValue } from '../../catalogue/check'
import { checkedText } from '../../catalogue/fields'
import { copyWith } from '../../catalogue/normalize'
import type { Answer } from '../../catalogue/operation'
import { sshkeys } from '../../catalogue/profile/sshkeys'
import { keyLine, keyTextFault, sshKeyData, sshKeyFault, sshKeyType } from '../../rules/ssh-keys'
import type { Kind, PlanInput, StepOutcome } from '../kind'
import { labelKeys } from '../kind-functions'
import type { PlanStep } from '../plan-step'

const entry = v.strictObject({
  ssh_key: checkedText(keyTextFault, 'Public key, as in a file that ends with .pub; `file` names such a file instead'),
  ...labelKeys,
})

type Entry = v.InferOutput<typeof entry>
type SshKey = Answer<typeof sshkeys.list>

/** Returns the text of a key without its comment: it identifies the key. */
const traitsOf = ({ ssh_key }: Entry) => [sshKeyData(keyLine(ssh_key))]

export const sshKeyKind: Kind<Entry, SshKey> = {
  key: 'sshkeys',
  noun: 'SSH key',
  entry,
  included: { field: 'file', fills: 'ssh_key', holds: 'a text' },
  nameFault: (label) => checkValue(sshkeys.add.body.entries.label, label)[0]?.reason,
  read: (client, onUnreadable) => readAll(client, sshkeys.list, { essential: ['label', 'ssh_key'], onUnreadable }),
  list: sshkeys.list,
  noteOf: ({ id }) => `id ${id}`,
  nameOf: ({ label }) => label,
  idOf: ({ id }) => id,
  rename: {
    does: 'profile sshkeys update',
    relabel: (key, label) => copyWith(key, { label }),
    likeness: { traitsOf, desiredTraits: traitsOf },
  },
  entryOf: ({ ssh_key }) => ({ ssh_key: ssh_key.trim() }),
  plan,
  planSeveral,
}

function plan({ name, desired, record }: PlanInput<Entry, SshKey>): StepOutcome {
  const ssh_key = keyLine(desired.ssh_key)
  if (record && sshKeyData(record.ssh_key) === sshKeyData(ssh_key)) return { steps: [], refusals: [] }
  const fault = sshKeyFault(ssh_key)
  if (fault !== undefined) return { steps: [], refusals: [{ field: 'ssh_key', reason: fault }] }
  const adding: PlanStep = {
    action: 'create',
    does: 'profile sshkeys add',
    target: [],
    body: { label: name, ssh_key },
    options: { ifAbsent: true, ...(record && { replaces: String(record.id) }) },
    changes: [`${sshKeyType(ssh_key)} key`],
  }
  // Labels are not unique, so the new key can be added before the old one is deleted.
  return { steps: record ? [adding, removing(record)] : [adding], refusals: [] }
}

/** Plans the deletion of the old key if an earlier run was interrupted after adding the new one. */
function planSeveral({ desired }: Pick<PlanInput<Entry, SshKey>, 'desired'>, records: readonly SshKey[]) {
  const ssh_key = keyLine(desired.ssh_key)
  const [newest, ...older] = records.toSorted((one, other) => other.id - one.id)
  const isWanted = (key: SshKey) => sshKeyData(key.ssh_key) === sshKeyData(ssh_key)
  if (!newest || older.length !== 1 || !isWanted(newest) || older.some(isWanted)) return undefined
  return { record: newest, steps: older.map(removing) }
}

/** Deletes a key: the service cannot change one. */
const removing = ({ id, ssh_key }: SshKey): PlanStep => ({
  action: 'delete',
  does: 'profile sshkeys delete',
  target: [String(id)],
  options: { ifPresent: true },
  changes: [`another ${sshKeyType(ssh_key)} key of this label is deleted`],
  consequences: [{ kind: 'destroys', text: 'the key with this label; instances keep their copies' }],
})
