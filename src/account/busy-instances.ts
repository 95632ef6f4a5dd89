/** Names the compute instances that a refused change may have found busy: the service names none. */
import { ignoreProblem, Problem } from '../errors'
import { nameList } from '../rules/texts'
import type { Account } from './account'
import type { RequestBody } from './change-context'
import { readDevices } from './resources/firewall'

/** Adds the instance that a request or the volume of it names: `Compute busy (instance web-1)`. */
export function nameInstance(refusal: Problem, body: RequestBody, record: RequestBody = {}): Problem {
  const isDevice = body.type === 'compute'
  const name = isDevice ? body.id : (body.compute_id ?? record.compute_label ?? record.compute_id)
  return typeof name === 'string' || typeof name === 'number' ? named(refusal, [String(name)]) : refusal
}

/** Adds the instances of the firewall that the request is about: one of them is busy. */
export async function nameAssignedInstances(refusal: Problem, account: Account): Promise<Problem> {
  const [, firewall] = /^\/networking\/firewalls\/(\d+)/.exec(refusal.details.request?.path ?? '') ?? []
  if (firewall === undefined || refusal.message.endsWith(')')) return refusal
  // Without permission to read them, the service's own words have to do.
  const devices = (await readDevices(Number(firewall), account).catch(ignoreProblem)) ?? []
  const names = devices.flatMap(({ entity }) => (entity?.type === 'compute' ? [String(entity.label ?? entity.id)] : []))
  return names.length === 0 ? refusal : named(refusal, names)
}

function named({ code, message, details }: Problem, names: readonly string[]): Problem {
  const text = `${message.replace(/\.$/, '')} (${names.length === 1 ? 'instance' : 'one of'} ${nameList(names)})`
  return new Problem(code, text, details)
}
