/** Changes by a program without a terminal, which return results and print nothing. */
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import type { Account } from '../../src/account/account'
import { runStep, type Step } from '../../src/account/actions'
import type { ChangeResult } from '../../src/account/change'
import { accountClock } from '../../src/account/wait-limit'
import { AccountClients } from '../../src/cli/clients'
import { KnownSecrets } from '../../src/rules/secrets'
import { test as onSandbox } from '../support/skyctl'
import { temporaryFolder } from '../support/temporary-folder'

interface Reports {
  messages: string[]
  warnings: string[]
}

const test = onSandbox.extend<{ reports: Reports; carry(step: Step, looks?: boolean): Promise<CarriedOut> }>({
  // biome-ignore lint/correctness/noEmptyPattern: vitest reads the names of fixtures from it
  reports: async ({}, use) => use({ messages: [], warnings: [] }),
  async carry({ env, clock, reports }, use) {
    const [state, cache] = [temporaryFolder(), temporaryFolder()]
    const { SKYCTL_BASE_URL: baseUrl = '', SKYCTL_TOKEN: token = '' } = env
    const account: Account = {
      access: {
        async credential() {
          return { sandbox: false, context: undefined, baseUrl, baseUrlFrom: 'flag', secret: { from: 'flag', token } }
        },
        signedIn: async () => ({ baseUrl, token }),
        context: async () => undefined,
      },
      local: {
        env: {},
        paths: { config: state, file: join(state, 'contexts'), state, cache },
        secrets: new KnownSecrets(),
      },
      reporter: {
        status: async (text) => void reports.messages.push(text),
        warn: async (text) => void reports.warnings.push(text),
        progress: async () => ({ shown: true, done() {} }),
      },
      clock: accountClock(clock, () => 0.5),
      signal: new AbortController().signal,
      client: (options = {}) => clients.client(options),
      identity: () => Promise.reject(new Error('the user is not needed')),
      history: async () => undefined,
    }
    const clients = new AccountClients(account, {
      flags: {},
      random: () => 0.5,
      debugFile: undefined,
      log: async () => {},
      openSandbox: () => Promise.reject(new Error('the sandbox is not needed')),
    })
    await use((step, looks = false) => runStep(step, account, { looks }))
    await clients.close()
  },
})

type CarriedOut = ChangeResult & { warnings: readonly string[] }

describe('A change by a program', () => {
  test('returns the object that it creates, and waits if requested', async ({ carry, reports, world }) => {
    const body = { label: 'data', size: 20, region: 'us-east' }
    const result = await carry({ does: 'volumes create', target: [], body, options: { wait: true } })
    const { id } = world.volumes.all().find(({ label }) => label === 'data') ?? {}
    expect(result).toMatchObject({
      outcome: { kind: 'done' },
      answer: { id, status: 'active' },
      created: { kind: 'volume', id, label: 'data' },
      sent: { name: `volume "data" (${id})`, body },
      warnings: [],
    })
    expect(reports).toEqual({ messages: [], warnings: [] })
  })

  test('that is already done sends nothing, and returns the object before it', async ({ carry, world }) => {
    const { id } = world.volume({ label: 'data', size: 20 })
    const resized = await carry({ does: 'volumes resize', target: ['data'], body: { size: 20 } })
    expect(resized).toMatchObject({ outcome: { kind: 'already' }, sent: { before: { id, size: 20 } } })
    expect(world.requests().filter(({ method }) => method !== 'GET')).toEqual([])
  })

  test('deletes a missing object successfully if requested', async ({ carry }) => {
    const step = { does: 'volumes delete', target: ['gone'] } as const
    await expect(carry(step)).rejects.toMatchObject({ code: 'not_found' })
    expect(await carry({ ...step, options: { ifPresent: true } })).toMatchObject({ outcome: { kind: 'absent' } })
  })

  test('is rejected with the names of invalid fields before any request', async ({ carry, world }) => {
    const step = { does: 'volumes resize', target: ['data'], body: { size: 'big' } } as const
    await expect(carry(step)).rejects.toMatchObject({ code: 'usage', message: expect.stringMatching(/^size: /) })
    expect(world.requests()).toEqual([])
  })

  test('of rules returns warnings of likely mistakes, and whether an undo is possible', async ({ carry, reports }) => {
    const rules = { inbound: [], inbound_policy: 'DROP', outbound: [], outbound_policy: 'ACCEPT' }
    const { answer } = await carry({ does: 'firewalls create', target: [], body: { label: 'new', rules } })
    const everybody = { ipv4: ['0.0.0.0/0'] }
    const inbound = [{ action: 'ACCEPT', protocol: 'TCP', ports: '22', addresses: everybody, label: 'ssh' }]
    const result = await carry({ does: 'firewalls rules update', target: [`id:${answer.id}`], body: { inbound } })
    expect(result).toMatchObject({
      outcome: { kind: 'done', hasBackup: true },
      answer: { inbound },
      warnings: ['inbound rule 1 lets any IPv4 address reach SSH (22), which gives away a shell'],
    })
    expect(reports).toEqual({ messages: [], warnings: result.warnings })
  })
})
