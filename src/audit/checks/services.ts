/** Checks of instances and balancers. The API lists no instances; addresses name theirs. */
import { groupBy } from '../../rules/records'
import { counted, joinNames } from '../../rules/texts'
import { auditCheck, type CheckResult } from '../check'
import { isActive, isAssigned } from '../firewall-facts'
import type { Guard } from '../snapshot'

export const instanceUnprotected = auditCheck({
  code: 'instance-unprotected',
  severity: 'high',
  title: 'Instances with a public address have no firewall',
  needs: ['addresses', 'firewalls'],
  find({ addresses, firewalls, computeLabels }) {
    const reachable = addresses.filter(({ public: isPublic }) => isPublic)
    return [...groupBy(reachable, ({ compute_id }) => compute_id)].flatMap(([id, own]) => {
      if (!id || isProtected(firewalls, 'compute', id)) return []
      const shown = own.slice(0, 1).map(({ address }) => address)
      if (own.length > 1) shown.push(counted(own.length - 1, 'other address'))
      return {
        subject: { kind: 'compute', id, label: computeLabels.get(id) ?? null },
        reason: `no firewall for ${joinNames(shown, 'and')}${unknownServices(firewalls)}`,
        ...protectCompute(id, firewalls),
      }
    })
  },
})

const isProtected = (firewalls: readonly Guard[], type: string, id: number) =>
  firewalls.some((guard) => isActive(guard) && isAssigned(guard, type, id))

/** Services of other kinds may be parts of instances. api.md does not define them, so the instance is unknown. */
function unknownServices(firewalls: readonly Guard[]): string {
  const others = firewalls.filter(isActive).flatMap(({ devices }) => devices.filter(({ entity }) => !isKnown(entity)))
  if (others.length === 0) return ''
  const count = counted(others.length, 'service')
  return `; firewalls protect ${count} of other kinds, which may belong to it`
}

const isKnown = ({ type }: { type: string }) => type === 'compute' || type === 'balancer'

type Fix = Pick<CheckResult, 'command' | 'alternatives'>

/** The right firewall for an instance is unknown: the user names one, or the rules of a new one. */
function protectCompute(id: number, firewalls: readonly Guard[]): Fix {
  const create = createFor('compute', id)
  const own = enableOwn('compute', id, firewalls)
  if (own) return { command: own }
  const isForComputes = (guard: Guard) =>
    isActive(guard) && guard.devices.some(({ entity }) => entity.type === 'compute')
  if (!firewalls.some(isForComputes)) return { command: create }
  const add = ['firewalls', 'devices', 'add', 'FIREWALL', '--compute-id', String(id)]
  return { command: add, alternatives: [create] }
}

const createFor = (type: 'compute' | 'balancer', id: number) => [
  ...['firewalls', 'create', '--label', `${type}-${id}`, '--file', 'RULES_FILE'],
  ...[`--${type}-id`, String(id)],
]

/** Returns the command to enable an assigned firewall, unless another one prevents that (api.md, Firewall behaviour 3). */
function enableOwn(type: string, id: number, firewalls: readonly Guard[]): string[] | undefined {
  const own = firewalls.find(
    (guard) =>
      guard.status === 'disabled' &&
      isAssigned(guard, type, id) &&
      guard.devices.every(({ entity }) => !isProtected(firewalls, entity.type, entity.id)),
  )
  return own && ['firewalls', 'enable', String(own.id)]
}

/** The API lists no balancers. Firewalls name their assigned balancers, and grants name those of a restricted user. */
export const balancerUnprotected = auditCheck({
  code: 'balancer-unprotected',
  severity: 'high',
  title: 'Balancers have no firewall',
  needs: ['firewalls', 'grants'],
  find({ firewalls, grants }) {
    const assigned = firewalls.flatMap(({ devices }) => devices.map(({ entity }) => entity))
    const balancers = [...assigned.filter(({ type }) => type === 'balancer'), ...(grants?.balancer ?? [])]
    const labels = new Map(balancers.map(({ id, label }) => [id, label]))
    return [...labels].flatMap(([id, label]) => {
      if (isProtected(firewalls, 'balancer', id)) return []
      return {
        subject: { kind: 'balancer', id, label },
        reason: `no firewall${grants ? ' visible to you' : ''} is enabled for it`,
        command: enableOwn('balancer', id, firewalls) ?? createFor('balancer', id),
      }
    })
  },
})
