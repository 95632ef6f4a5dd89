/** A proxy before a sandbox that records each request which arrives while a service has no enabled firewall. */
import { openProxy, type ProxyHooks } from './proxy'
import type { TestSandbox, World } from './sandbox'

export interface Exposure {
  baseUrl: string
  /** Requests that arrived while a service was unprotected, by service: `POST /networking/firewalls/4001/devices`. */
  unprotectedRequests: ReadonlyMap<string, readonly string[]>
  /** All changes in order. */
  changes: readonly string[]
  close(): Promise<void>
}

/** Returns the services that an enabled firewall protects: `compute 1001`. */
export function protectedIn({ network }: World): Set<string> {
  const isEnabled = (id: number) => network.firewalls.get(id)?.status === 'enabled'
  const devices = network.devices.all().filter(({ firewall }) => isEnabled(firewall))
  return new Set(devices.map(({ type, entity }) => `${type} ${entity}`))
}

export async function watchExposure(
  { world, baseUrl }: TestSandbox,
  services: Iterable<string>,
  { before, ...more }: Pick<ProxyHooks, 'before' | 'headers'> = {},
): Promise<Exposure> {
  const unprotectedRequests = new Map([...services].map((service) => [service, [] as string[]]))
  const changes: string[] = []
  const proxy = await openProxy(baseUrl, {
    ...more,
    async before(request) {
      const { method, path } = request
      const protectedNow = protectedIn(world)
      for (const [service, requests] of unprotectedRequests)
        if (!protectedNow.has(service)) requests.push(`${method} ${path}`)
      if (method !== 'GET') changes.push(`${method} ${path}`)
      return before?.(request)
    },
  })
  return { ...proxy, unprotectedRequests, changes }
}
