import * as v from 'valibot'
import { check } from '../../catalogue/check'
import { checkedText } from '../../catalogue/fields'
import type { Answer } from '../../catalogue/operation'
import { sshkeys } from '../../catalogue/profile/sshkeys'
import { sshKeyData, sshKeyFault, sshKeyType } from '../../rules/ssh-keys'
import { type Case, type Kind, type Outcome, readAll, type Step } from '../kind'

const entry = v.strictObject({
  ssh_key: checkedText(sshKeyFault, 'Public key, as in a file that ends with .pub; `file` names such a file instead'),
})

type Entry = v.InferOutput<typeof entry>
type SshKey = Answer<typeof sshkeys.list>

export const sshKeyKind: Kind<Entry, SshKey> = {
  key: 'sshkeys',
  noun: 'SSH key',
  entry,
  files: [{ field: 'file', fills: 'ssh_key', holds: 'a text' }],
  nameFault: (label) => check(sshkeys.add.body.entries.label, label)[0]?.reason,
  read: (client) => readAll(client, sshkeys.list),
  list: sshkeys.list,
  noteOf: ({ id }) => `id ${id}`,
  nameOf: ({ label }) => label,
  idOf: ({ id }) => id,
  entryOf: ({ ssh_key }) => ({ ssh_key: ssh_key.trim() }),
  plan,
}

function plan({ name, wanted: { ssh_key }, record }: Case<Entry, SshKey>): Outcome {
  const body = { label: name, ssh_key }
  const adding: Step = {
    action: 'create',
    command: ['profile', 'sshkeys', 'add'],
    arguments: [],
    body,
    flags: { 'if-absent': true },
    changes: [`${sshKeyType(ssh_key)} key`],
  }
  if (record && sshKeyData(record.ssh_key) === sshKeyData(ssh_key)) return { steps: [], refusals: [] }
  return { steps: record ? [removing(record), adding] : [adding], refusals: [] }
}

/** The service has no way to change a key. */
const removing = ({ id, ssh_key }: SshKey): Step => ({
  action: 'delete',
  command: ['profile', 'sshkeys', 'delete'],
  arguments: [String(id)],
  flags: { 'if-present': true },
  changes: [`another ${sshKeyType(ssh_key)} key of this label is deleted`],
  consequences: [{ kind: 'destroys', text: 'the key that has this label; where it is deployed it stays' }],
})
