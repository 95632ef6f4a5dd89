/** Changes of firewalls and their devices. */
import { firewallDevices, firewalls } from '../../catalogue/firewalls'
import { areCurrent } from '../../firewall/diff'
import { areRules, shapedRules } from '../../firewall/rules'
import { type FirewallStatus, isKnownStatus, mayBeEnforced } from '../../firewall/status'
import { isRecord } from '../../rules/records'
import type { Account } from '../account'
import type { Action, ActionStep, ProtectionRule } from '../action'
import { recordShows } from '../action-functions'
import type { RequestBody } from '../change-context'
import { findTarget } from '../find-target'
import { compareFields, type Difference } from '../label-lookup'
import {
  explainOtherProtection,
  guardAssignment,
  guardCreation,
  guardStatusChange,
  guardUnassignment,
} from '../lockout/guard-firewall-changes'
import type { Item } from '../resource'
import { deviceResource, firewallResource, readDevices } from '../resources/firewall'
import type { Undo } from '../undo'

export const createFirewall: Action<typeof firewalls.create> = {
  operation: firewalls.create,
  resource: firewallResource,
  creation: {
    compare: (firewall, { rules, ...body }, step) =>
      compareFirewall(firewall, { ...body, ...(isRecord(rules) && { rules: { ...noRules, ...rules } }) }, step),
    compareNamed: compareFirewall,
  },
  safety: { traffic: guardCreation },
  explain: explainOtherProtection,
  undo: { by: 'hand', advice: 'To reverse it: skyctl firewalls delete {id}' },
}

/** Lists that a request may leave out. */
const noRules = { inbound: [], outbound: [] }

/**
 * Compares fields, the meaning of the rules, and the protected services, which are not in the record. Lists and policies
 * that the rules lack may have any value.
 */
async function compareFirewall(firewall: Item, body: RequestBody, { account }: ActionStep): Promise<Difference[]> {
  const { rules: requestedRules, devices: services, ...fields } = body
  const actual = shapedRules(firewall.rules)
  const rules = isRecord(requestedRules) ? { ...actual, ...requestedRules } : undefined
  const same = rules && areRules(rules) && actual && areCurrent(rules, actual)
  return [
    ...compareFields(firewall, fields),
    ...(rules && !same ? [{ field: 'rules', expected: rules, actual: firewall.rules }] : []),
    ...(isRecord(services) ? await compareDevices(firewall, services, account) : []),
  ]
}

async function compareDevices(
  { id }: Item,
  { computes, balancers }: Record<string, unknown>,
  account: Account,
): Promise<Difference[]> {
  const devices = await readDevices(id, account)
  const idsOf = (type: string) => devices.filter(({ entity }) => entity.type === type).map(({ entity }) => entity.id)
  return compareFields({ id, computes: idsOf('compute'), balancers: idsOf('balancer') }, { computes, balancers })
}

/** Protects firewalls that are enabled, or whose status is unknown, from being disabled. */
const fromDisabling: ProtectionRule = {
  harm: 'it cannot be disabled',
  applies: ({ status }) => status === 'disabled',
  isHarmed: ({ status }) => mayBeEnforced(status),
}

const undoOfUpdate: Undo = { by: 'restoring', view: firewalls.view, does: 'firewalls update' }

export const updateFirewall: Action<typeof firewalls.update> = {
  operation: firewalls.update,
  resource: firewallResource,
  safety: {
    protection: fromDisabling,
    traffic: ({ status }, step) => guardStatusChange(isKnownStatus(status) ? status : undefined, step),
  },
  explain: explainOtherProtection,
  undo: undoOfUpdate,
}

export const setStatus = (status: FirewallStatus): Action<typeof firewalls.update> => ({
  operation: firewalls.update,
  resource: firewallResource,
  body: { status },
  safety: {
    ...(status === 'disabled' && { protection: fromDisabling }),
    traffic: (_body, step) => guardStatusChange(status, step),
  },
  findDone: recordShows('status', (firewall) => firewall.status === status),
  explain: explainOtherProtection,
  undo: undoOfUpdate,
})

export const deleteFirewall: Action<typeof firewalls.delete> = {
  operation: firewalls.delete,
  resource: firewallResource,
  safety: {
    protection: { harm: 'it cannot be deleted' },
    traffic: (_body, step) => guardStatusChange('deleted', step),
  },
  undo: { by: 'hand', advice: 'Its rules are gone. Create another: skyctl firewalls create' },
}

export const deleteDevice: Action<typeof firewallDevices.delete> = {
  operation: firewallDevices.delete,
  resource: deviceResource,
  safety: {
    protection: {
      harm: 'no service can be removed from it',
      async read({ subject, account }) {
        const id = subject?.resource.path?.firewallId
        if (id === undefined) return undefined
        const target = { id, input: String(id) }
        const { record } = await findTarget(target, firewallResource, account, { record: true })
        return record && { resource: firewallResource, record }
      },
    },
    traffic: (_body, step) => guardUnassignment(step),
  },
  undo: {
    by: 'device',
    device: 'add',
    otherwise: 'To reverse it: skyctl firewalls devices add {firewallId} --compute-id ID',
  },
}

/** Assigns a firewall to a service. */
export const addDevice: Action<typeof firewallDevices.create> = {
  operation: firewallDevices.create,
  resource: firewallResource,
  safety: {
    async traffic({ id, type }, step) {
      const firewall = await step.subject?.find()
      return firewall ? guardAssignment(firewall, [{ type: String(type), id: Number(id) }], step) : []
    },
  },
  async findDone({ id, type }, { subject, account, isSent }) {
    const firewall = await subject?.find()
    // The service accepts a second assignment, so a look before the first is not worth a request.
    const devices = firewall && isSent ? await readDevices(firewall.id, account) : []
    return devices.find(({ entity }) => entity.id === id && entity.type === type)
  },
  explain: explainOtherProtection,
  undo: {
    by: 'device',
    device: 'delete',
    otherwise: 'Find its device and delete it: skyctl firewalls devices list {firewallId}',
  },
}
