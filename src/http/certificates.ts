import { Problem } from '../errors'
import type { Environment } from '../rules/environment'
import { isLoopback } from '../rules/host-names'

/** Throws `usage` if Node accepts any certificate: the token would be sent to any server that answers. */
export function refuseUnverified(baseUrl: string, { NODE_TLS_REJECT_UNAUTHORIZED: verify }: Environment): void {
  const { hostname, host } = new URL(baseUrl)
  if (verify !== '0' || isLoopback(hostname)) return
  throw new Problem(
    'usage',
    `NODE_TLS_REJECT_UNAUTHORIZED=0 would send the token to any server that claims to be ${host}`,
    {
      hint: 'Unset it, and name the file of the certificate authority in NODE_EXTRA_CA_CERTS',
    },
  )
}
