/** Firewalls and their devices as objects that users name. */

import { rules } from '../../catalogue/firewall-rules'
import { type FirewallDevice, firewallDevices, firewalls } from '../../catalogue/firewalls'
import { normalize, SchemaMismatch } from '../../catalogue/normalize'
import { Problem } from '../../errors'
import { missingIn } from '../../firewall/rules'
import { isRecord } from '../../rules/records'
import type { Account } from '../account'
import { byId, findNamed } from '../find-target'
import { type FoundObject, type Id, nameOf, type Resource, readAll } from '../resource'

export const firewallResource: Resource = {
  noun: 'firewall',
  parameter: 'firewallId',
  list: firewalls.list,
  view: firewalls.view,
  values: 'firewalls',
}

export const deviceResource: Resource = {
  noun: 'device',
  parameter: 'deviceId',
  list: firewallDevices.list,
  view: firewallDevices.view,
  group: 'firewalls devices',
  reference: byId,
  parent: firewallResource,
}

/** Finds a firewall that the user named; its record is read only if `record` is set. */
export const findFirewall = async (input: string, account: Account, needs: { record: boolean }): Promise<FoundObject> =>
  (await findNamed([input], firewallResource, account, needs)).object

export async function readDevices(firewallId: Id, account: Account): Promise<FirewallDevice[]> {
  return readAll(await account.client(), firewallDevices.list, { path: { firewallId } })
}

/** Creates the problem of rules in an answer that are invalid or incomplete; the user is not at fault. */
export function invalidRulesProblem(firewall: Pick<FoundObject, 'id' | 'record'>): Problem {
  const reason = faultOf(firewall.record?.rules)
  return new Problem('defect', `the rules of ${nameOf(firewallResource, firewall)} are invalid${reason}`, {
    hint: 'Their effect is unknown: check the firewall in the web console',
    onlyTarget: true,
  })
}

function faultOf(answer: unknown): string {
  const lacking = isRecord(answer) && missingIn(answer)
  if (lacking) return `: rules.${lacking} is missing`
  try {
    normalize(rules, structuredClone(answer))
    return ''
  } catch (error) {
    return error instanceof SchemaMismatch ? `: ${error.within('rules').message}` : ''
  }
}
