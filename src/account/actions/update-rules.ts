/** Replaces the rules of a firewall, for plans and programs. */
import { firewallRules } from '../../catalogue/firewall-rules'
import type { CustomAction } from '../action-runner'
import { firewallResource } from '../resources/firewall'

export const updateRules: CustomAction = {
  operation: firewallRules.update,
  resource: firewallResource,
  undo: { by: 'rules' },
  async perform(...change) {
    const { performUpdate } = await import('./edit-rules')
    return performUpdate(...change)
  },
}
