/** Changes of the acting user's profile, and of the keys, devices and apps in it. */
import { apps } from '../../catalogue/profile/apps'
import { devices } from '../../catalogue/profile/devices'
import { phone } from '../../catalogue/profile/phone'
import { profile } from '../../catalogue/profile/profile'
import { securityQuestions } from '../../catalogue/profile/security-questions'
import { sshkeys } from '../../catalogue/profile/sshkeys'
import { tfa } from '../../catalogue/profile/tfa'
import type { Account } from '../account'
import type { Action } from '../action'
import type { RequestBody } from '../change-context'
import { appResource, sshKeyResource, trustedDevice } from '../resources/profile'

export async function readProfile(account: Account): Promise<RequestBody> {
  return (await account.client()).call(profile.view)
}

export const updateProfile: Action<typeof profile.update> = {
  operation: profile.update,
  readCurrent: readProfile,
  async update(change, { account, options: { list } }) {
    if (!list) return undefined
    const { changeList } = await import('../change-list')
    const owner = { what: ['profile'], name: 'the profile', look: () => readProfile(account) }
    return changeList(change, list, owner, { account })
  },
}

export const enableTwoFactor: Action<typeof tfa.enable> = { operation: tfa.enable }
export const confirmTwoFactor: Action<typeof tfa.confirm> = { operation: tfa.confirm }

export const disableTwoFactor: Action<typeof tfa.disable> = {
  operation: tfa.disable,
  async findDone(_body, { account }) {
    const client = await account.client()
    return (await client.call(profile.view)).two_factor_auth === false ? {} : undefined
  },
}

export const addSshKey: Action<typeof sshkeys.add> = { operation: sshkeys.add, resource: sshKeyResource }
export const updateSshKey: Action<typeof sshkeys.update> = { operation: sshkeys.update, resource: sshKeyResource }
export const deleteSshKey: Action<typeof sshkeys.delete> = { operation: sshkeys.delete, resource: sshKeyResource }

export const sendPhoneCode: Action<typeof phone.send> = { operation: phone.send }
export const verifyPhone: Action<typeof phone.verify> = { operation: phone.verify }
export const deletePhone: Action<typeof phone.delete> = { operation: phone.delete }

export const answerQuestions: Action<typeof securityQuestions.answer> = { operation: securityQuestions.answer }

export const revokeDevice: Action<typeof devices.revoke> = { operation: devices.revoke, resource: trustedDevice }
export const revokeApp: Action<typeof apps.revoke> = { operation: apps.revoke, resource: appResource }
