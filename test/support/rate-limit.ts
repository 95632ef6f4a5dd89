/** A sandbox that enforces its rate limits, and creations of volumes. */
import { openTestSandbox, type TestSandbox, type World } from './sandbox'
import { test as base } from './skyctl'

/** The sandbox enforces its rate limits: 25 created volumes a minute, and 800 requests in two minutes. */
const limited = base.extend<{ sandbox: TestSandbox }>({
  sandbox: async ({ clock }, use) => {
    const sandbox = await openTestSandbox({ clock, rateLimit: true })
    await use(sandbox)
    await sandbox.close()
  },
})

export const test = limited.extend<{
  /** Returns the seconds that have passed. */
  passed(): number
  /** Sends so many requests of another program with the same token. */
  useUp(count: number, method?: string): Promise<void>
}>({
  passed: async ({ clock }, use) => {
    const begun = clock.now()
    await use(() => (clock.now() - begun) / 1000)
  },
  useUp: async ({ sandbox: { baseUrl, ownerToken } }, use) =>
    use(async (count, method = 'GET') => {
      const headers = { authorization: `Bearer ${ownerToken}`, 'content-type': 'application/json' }
      for (let sent = 0; sent < count; sent += 1) {
        const body = method === 'GET' ? {} : { body: '{}' }
        await (await fetch(`${baseUrl}/volumes`, { method, headers, ...body })).text()
      }
    }),
})

export const bodies = (count: number) =>
  Array.from({ length: count }, (_, index) => JSON.stringify({ label: `v${index}`, region: 'us-east' })).join('\n')

export const creations = ({ requests }: World) =>
  requests().filter(({ method, path }) => method === 'POST' && path === '/volumes')
