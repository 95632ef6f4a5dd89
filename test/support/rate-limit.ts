/** A sandbox that enforces its rate limits, and creations of volumes. */
import { RateLimiter } from '../../src/sandbox/limits'
import { openTestSandbox, type TestSandbox, type World } from './sandbox'
import { test as base } from './skyctl'

/** The sandbox enforces its rate limits: 25 created volumes a minute, and 800 requests in two minutes. */
const limited = base.extend<{ limiter: RateLimiter; sandbox: TestSandbox }>({
  limiter: async ({ clock }, use) => use(new RateLimiter(clock)),
  sandbox: async ({ clock, limiter }, use) => {
    const sandbox = await openTestSandbox({ clock, rateLimit: true, limiter })
    await use(sandbox)
    await sandbox.close()
  },
})

export const test = limited.extend<{
  /** Returns the seconds that have passed. */
  passed(): number
  /** Counts so many requests of another program with the same token. */
  useUp(count: number, method?: 'GET' | 'POST'): void
}>({
  passed: async ({ clock }, use) => {
    const begun = clock.now()
    await use(() => (clock.now() - begun) / 1000)
  },
  useUp: async ({ limiter, sandbox: { ownerToken } }, use) =>
    use((count, method = 'GET') => {
      for (let used = 0; used < count; used += 1) limiter.count(ownerToken, { method, path: '/volumes' })
    }),
})

export const bodies = (count: number) =>
  Array.from({ length: count }, (_, index) => JSON.stringify({ label: `v${index}`, region: 'us-east' })).join('\n')

export const creations = ({ requests }: World) =>
  requests().filter(({ method, path }) => method === 'POST' && path === '/volumes')
