import { sshkeys } from '../../../catalogue/profile/sshkeys'
import { sshKeyFault, sshKeyType } from '../../../rules/ssh-keys'
import { allOwn, foundOwn, withoutUser } from '../../caller'
import { changeEvent, creationEvent, updateEvent } from '../../events'
import { serve } from '../../handler'
import { listing } from '../../pages'
import { refusal } from '../../refusal'

export const servedSshKeys = serve(sshkeys, {
  list: {
    handle: (_, { world, caller }) => listing(allOwn(world.profile.sshkeys, caller), withoutUser),
  },

  add: {
    event: creationEvent('sshkey', 'ssh_key_create'),
    handle({ label, ssh_key }, { world, caller, warn }) {
      const fault = sshKeyFault(ssh_key)
      if (fault !== undefined) throw refusal('ssh_key', fault)
      if (sshKeyType(ssh_key) === 'ssh-dss') {
        warn({ title: 'DSA keys are weak', details: 'OpenSSH no longer accepts ssh-dss keys; use ssh-ed25519.' })
      }
      const id = world.profile.sshkeys.nextId()
      return withoutUser(
        world.profile.sshkeys.put({ id, user: caller.user.id, label, ssh_key, created: world.timestamp() }),
      )
    },
  },

  view: {
    handle: ({ sshKeyId }, { world, caller }) => withoutUser(foundOwn(world.profile.sshkeys, sshKeyId, caller)),
  },

  update: {
    event: updateEvent('sshkey', 'sshKeyId', 'ssh_key_update'),
    handle({ sshKeyId, label }, { world, caller }) {
      return withoutUser(world.profile.sshkeys.put({ ...foundOwn(world.profile.sshkeys, sshKeyId, caller), label }))
    },
  },

  delete: {
    event: changeEvent('sshkey', 'sshKeyId', 'ssh_key_delete'),
    handle({ sshKeyId }, { world, caller }) {
      world.profile.sshkeys.delete(foundOwn(world.profile.sshkeys, sshKeyId, caller).id)
      return {}
    },
  },
})
