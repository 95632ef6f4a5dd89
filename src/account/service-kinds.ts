/** Names of compute instances and balancers, which the API does not list. */
import type { Account } from './account'

/** Kinds of services, which the API does not list. */
export type ServiceKind = 'computes' | 'balancers'

export const serviceNouns: Readonly<Record<ServiceKind, string>> = {
  computes: 'compute instance',
  balancers: 'balancer',
}

export const serviceKindOfType: Readonly<Record<string, ServiceKind>> = { compute: 'computes', balancer: 'balancers' }

/** Labels by which services of an account were named, by kind and id. */
const namedLabels = new WeakMap<Account, Map<string, string>>()

export function rememberServiceLabel(
  { kind, id, label }: { kind: ServiceKind; id: number; label: string },
  account: Account,
): void {
  const labels = namedLabels.get(account) ?? new Map<string, string>()
  namedLabels.set(account, labels.set(`${kind} ${id}`, label))
}

export const rememberedServiceLabel = (
  { type, id }: { type: string; id: number },
  account: Account,
): string | undefined => namedLabels.get(account)?.get(`${serviceKindOfType[type]} ${id}`)
