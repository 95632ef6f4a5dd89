/** An account that a program opens without a terminal: its changes return what became of them, and print nothing. */
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import type { Account } from '../../src/account/account'
import { carryOut, type Step } from '../../src/account/actions'
import type { ChangeResult } from '../../src/account/change'
import { AccountClients } from '../../src/clients'
import { KnownSecrets } from '../../src/rules/secrets'
import { test as onSandbox } from '../support/skyctl'
import { temporaryFolder } from '../support/temporary-folder'

interface Heard {
  told: string[]
  warned: string[]
}

const test = onSandbox.extend<{ heard: Heard; carry(step: Step, looks?: boolean): Promise<CarriedOut> }>({
  // biome-ignore lint/correctness/noEmptyPattern: vitest reads the names of fixtures from it
  heard: async ({}, use) => use({ told: [], warned: [] }),
  async carry({ env, clock, heard }, use) {
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
        status: async (text) => void heard.told.push(text),
        warn: async (text) => void heard.warned.push(text),
        progress: async () => ({ shown: true, done() {} }),
      },
      clock,
      signal: new AbortController().signal,
      client: (options = {}) => clients.client(options),
      identity: () => Promise.reject(new Error('nobody asks for the user')),
      changeLog: async () => undefined,
    }
    const clients = new AccountClients(account, {
      flags: {},
      random: () => 0.5,
      debugFile: undefined,
      log: async () => {},
      openSandbox: () => Promise.reject(new Error('no sandbox is asked for')),
    })
    await use((step, looks = false) => carryOut(step, account, { looks }))
    await clients.close()
  },
})

type CarriedOut = ChangeResult & { warnings: readonly string[] }

describe('a change of a program', () => {
  test('that creates returns what was created, and waits if it should', async ({ carry, heard, world }) => {
    const body = { label: 'data', size: 20, region: 'us-east' }
    const made = await carry({ does: 'volumes create', target: [], body, options: { wait: true } })
    const { id } = world.volumes.all().find(({ label }) => label === 'data') ?? {}
    expect(made).toMatchObject({
      outcome: { kind: 'done' },
      answer: { id, status: 'active' },
      created: { kind: 'volume', id, label: 'data' },
      sent: { name: `volume "data" (${id})`, body },
      warnings: [],
    })
    expect(heard).toEqual({ told: [], warned: [] })
  })

  test('that is made already sends nothing, and says what the object was', async ({ carry, world }) => {
    const { id } = world.volume({ label: 'data', size: 20 })
    const resized = await carry({ does: 'volumes resize', target: ['data'], body: { size: 20 } })
    expect(resized).toMatchObject({ outcome: { kind: 'already' }, before: { id, size: 20 } })
    expect(world.requests().filter(({ method }) => method !== 'GET')).toEqual([])
  })

  test('that removes what is not there is done, if that is no failure', async ({ carry }) => {
    const step = { does: 'volumes delete', target: ['gone'] } as const
    await expect(carry(step)).rejects.toMatchObject({ code: 'not_found' })
    expect(await carry({ ...step, options: { ifPresent: true } })).toMatchObject({ outcome: { kind: 'absent' } })
  })

  test('that is invalid is refused by the names of its fields, before anything is read', async ({ carry, world }) => {
    const step = { does: 'volumes resize', target: ['data'], body: { size: 'big' } } as const
    await expect(carry(step)).rejects.toMatchObject({ code: 'usage', message: expect.stringMatching(/^size: /) })
    expect(world.requests()).toEqual([])
  })

  test('of rules returns warnings of likely mistakes, and whether an undo can restore them', async ({
    carry,
    heard,
  }) => {
    const rules = { inbound: [], inbound_policy: 'DROP', outbound: [], outbound_policy: 'ACCEPT' }
    const { answer } = await carry({ does: 'firewalls create', target: [], body: { label: 'new', rules } })
    const everybody = { ipv4: ['0.0.0.0/0'] }
    const inbound = [{ action: 'ACCEPT', protocol: 'TCP', ports: '22', addresses: everybody, label: 'ssh' }]
    const made = await carry({ does: 'firewalls rules update', target: [`id:${answer.id}`], body: { inbound } })
    expect(made).toMatchObject({
      outcome: { kind: 'done', kept: true },
      answer: { inbound },
      warnings: ['inbound rule 1 lets everybody reach port 22 (SSH)'],
    })
    expect(heard).toEqual({ told: [], warned: made.warnings })
  })
})
