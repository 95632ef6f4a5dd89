/** Checks of addresses. */
import type { IpAddress } from '../../catalogue/ips'
import { isMissing } from '../../catalogue/normalize'
import { hasDefaultName } from '../../rules/host-names'
import { auditCheck } from '../check'
import { serviceName } from '../firewall-facts'

export const addressWithoutRdns = auditCheck({
  code: 'address-without-rdns',
  severity: 'low',
  title: 'Addresses have no reverse DNS',
  needs: ['addresses'],
  find({ addresses, computeLabels }) {
    // Ranges and pools are not single addresses, so they have no reverse DNS.
    const single = addresses.filter(({ type, public: isPublic }) => isPublic && (type === 'ipv4' || type === 'ipv6'))
    return single
      .filter((address) => !address.rdns && !isMissing(address, 'rdns'))
      .map((one) => {
        const { address, compute_id: id } = one
        const none = isMissing(one, 'compute_id') ? 'an unknown instance' : 'no instance'
        const owner = id ? serviceName({ type: 'compute', id, label: computeLabels.get(id) ?? null }) : none
        return {
          subject: { kind: 'address', id: address, label: null },
          reason: `belongs to ${owner}`,
          command: ['ips', 'rdns', address, (id && nameOf(id, single)) || 'NAME'],
        }
      })
  },
})

/** Returns the custom reverse DNS of another address of the instance. */
const nameOf = (compute: number, addresses: readonly IpAddress[]) =>
  addresses.find((one) => one.compute_id === compute && !hasDefaultName(one))?.rdns
