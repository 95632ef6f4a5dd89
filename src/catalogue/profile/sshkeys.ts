import * as v from 'valibot'
import { positive, text, textOf, timestamp } from '../fields'
import { operation } from '../operation'

const label = textOf(0, 64, 'Label of the key')

const sshkey = v.looseObject({
  id: positive('Unique ID'),
  label: text('Label'),
  ssh_key: text('Public key, for the root user of compute instances that are deployed with it'),
  created: timestamp('When it was added'),
})

export const sshkeys = {
  list: operation({
    method: 'GET',
    path: '/profile/sshkeys',
    scopes: ['account:read_only'],
    summary: 'List the SSH keys of the profile',
    returns: sshkey,
    paged: true,
    filterable: ['label', 'created'],
  }),
  add: operation({
    method: 'POST',
    path: '/profile/sshkeys',
    scopes: ['account:read_write'],
    summary: 'Add an SSH public key to the profile',
    body: v.strictObject({ label, ssh_key: text('Public key, as in a file that ends with .pub') }),
    returns: sshkey,
    creates: 'SSH key',
    repeats: ['label', 'ssh_key'],
  }),
  view: operation({
    method: 'GET',
    path: '/profile/sshkeys/{sshKeyId}',
    scopes: ['account:read_only'],
    summary: 'Show an SSH key',
    returns: sshkey,
    identityField: 'id',
  }),
  update: operation({
    method: 'PUT',
    path: '/profile/sshkeys/{sshKeyId}',
    scopes: ['account:read_write'],
    summary: 'Change the label of an SSH key',
    body: v.strictObject({ label }),
    returns: sshkey,
    identityField: 'id',
  }),
  delete: operation({
    method: 'DELETE',
    path: '/profile/sshkeys/{sshKeyId}',
    scopes: ['account:read_write'],
    summary: 'Delete an SSH key; instances keep their copies',
    returns: v.looseObject({}),
  }),
}
