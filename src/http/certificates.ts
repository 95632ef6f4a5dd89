import { Problem } from '../errors'
import type { Environment } from '../rules/environment'
import { isLoopback } from '../rules/host-names'
import type { Trust } from './authorities'

/**
 * Returns the authorities for a service, if not those of the runtime: its own, and those of NODE_EXTRA_CA_CERTS. Throws
 * `local` if the file that names them cannot be read.
 */
export async function authoritiesOf(service: URL, env: Environment): Promise<Trust | undefined> {
  if (service.protocol !== 'https:' || !(env.SSL_CERT_FILE || env.SSL_CERT_DIR)) return undefined
  return (await import('./authorities')).readTrust(env)
}

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
