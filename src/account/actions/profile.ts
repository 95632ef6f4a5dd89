/** Changes of the acting user's profile, and of the keys, devices and apps in it. */

import { bodyProblem } from '../../catalogue/body-problem'
import { apps } from '../../catalogue/profile/apps'
import { devices } from '../../catalogue/profile/devices'
import { phone } from '../../catalogue/profile/phone'
import { profile } from '../../catalogue/profile/profile'
import { securityQuestions } from '../../catalogue/profile/security-questions'
import { sshkeys } from '../../catalogue/profile/sshkeys'
import { tfa } from '../../catalogue/profile/tfa'
import { keyLine, keyTextFault } from '../../rules/ssh-keys'
import type { Account } from '../account'
import type { Action } from '../action'
import type { RequestBody } from '../change-context'
import { refusePrivateKey } from '../refuse-private-keys'
import { appResource, sshKeyResource, trustedDevice } from '../resources/profile'
import { refuseOwnApp } from '../token-in-use'

export async function readProfile(account: Account): Promise<RequestBody> {
  return (await account.client()).call(profile.view)
}

export const updateProfile: Action<typeof profile.update> = {
  operation: profile.update,
  safety: { guard: ({ authorized_keys }) => refusePrivateKey('authorized_keys', authorized_keys) },
  undo: {
    by: 'restoring',
    view: profile.view,
    does: 'profile update',
    lasting: {
      ip_whitelist_enabled: 'it cannot be switched on again',
      two_factor_auth: 'set it up again: skyctl profile tfa setup',
    },
  },
  async update(body, { account, options: { list } }) {
    if (!list) return undefined
    const { listUpdate } = await import('../list-update')
    return listUpdate(list, body, { what: ['profile'], name: 'the profile', look: () => readProfile(account) })
  },
}

export const enableTwoFactor: Action<typeof tfa.enable> = {
  operation: tfa.enable,
  undo: { by: 'hand', advice: 'It has no effect until it is confirmed. See skyctl profile view' },
}
export const confirmTwoFactor: Action<typeof tfa.confirm> = {
  operation: tfa.confirm,
  undo: { by: 'hand', advice: 'To reverse it: skyctl profile tfa disable' },
}

export const disableTwoFactor: Action<typeof tfa.disable> = {
  operation: tfa.disable,
  undo: { by: 'hand', advice: 'Set it up again: skyctl profile tfa setup' },
  async findDone(_body, { account }) {
    const client = await account.client()
    return (await client.call(profile.view)).two_factor_auth === false ? {} : undefined
  },
}

export const addSshKey: Action<typeof sshkeys.add> = {
  operation: sshkeys.add,
  resource: sshKeyResource,
  body: (input) => (typeof input.ssh_key === 'string' ? { ...input, ssh_key: keyLine(input.ssh_key) } : input),
  safety: {
    uniqueLabel: true,
    check({ ssh_key }) {
      const reason = keyTextFault(String(ssh_key))
      if (reason !== undefined) throw bodyProblem([{ field: 'ssh_key', reason }])
    },
    guard: ({ ssh_key }) => refusePrivateKey('ssh_key', ssh_key),
  },
  undo: { by: 'hand', advice: 'To reverse it: skyctl profile sshkeys delete {id}' },
}
export const updateSshKey: Action<typeof sshkeys.update> = {
  operation: sshkeys.update,
  resource: sshKeyResource,
  safety: { uniqueLabel: true },
  undo: { by: 'restoring', view: sshkeys.view, does: 'profile sshkeys update' },
}
export const deleteSshKey: Action<typeof sshkeys.delete> = {
  operation: sshkeys.delete,
  resource: sshKeyResource,
  undo: { by: 'hand', advice: 'The history lacks the key. Add it again: skyctl profile sshkeys add' },
}

export const sendPhoneCode: Action<typeof phone.send> = {
  operation: phone.send,
  undo: { by: 'hand', advice: 'The code expires on its own. See skyctl profile view' },
}
export const verifyPhone: Action<typeof phone.verify> = {
  operation: phone.verify,
  undo: { by: 'hand', advice: 'To reverse it: skyctl profile phone delete' },
}
export const deletePhone: Action<typeof phone.delete> = {
  operation: phone.delete,
  undo: { by: 'hand', advice: 'Verify the number again: skyctl profile phone setup' },
}

export const answerQuestions: Action<typeof securityQuestions.answer> = {
  operation: securityQuestions.answer,
  undo: { by: 'hand', advice: 'The history lacks the answers. Answer again: skyctl profile security-questions answer' },
}

export const revokeDevice: Action<typeof devices.revoke> = {
  operation: devices.revoke,
  resource: trustedDevice,
  undo: { by: 'hand', advice: 'The next login with it asks for a code. See skyctl profile devices list' },
}
export const revokeApp: Action<typeof apps.revoke> = {
  operation: apps.revoke,
  resource: appResource,
  safety: { guard: (_body, step) => refuseOwnApp(step) },
  undo: { by: 'hand', advice: 'The app must be authorized again. See skyctl profile apps list' },
}
