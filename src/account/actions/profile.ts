/** Changes of the acting user's profile and SSH keys. */
import { profile } from '../../catalogue/profile/profile'
import { sshkeys } from '../../catalogue/profile/sshkeys'
import { tfa } from '../../catalogue/profile/tfa'
import type { Account } from '../account'
import type { Action } from '../action'
import type { RequestBody } from '../change-context'
import { sshKeyResource } from '../resources/ssh-key'

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
