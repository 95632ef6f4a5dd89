/** Starting the watcher of a temporary change, and sending it orders (state.md, Guards around firewalls). */
import { setImmediate as turn } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import type { Order, WatcherReply } from '../../src/commands/firewalls/watch/messages'
import { startWatcher } from '../../src/commands/firewalls/watch/watcher'
import type { Session } from '../../src/engine/session'

const environment = { HOME: '/home/me', SKYCTL_STATE_DIR: '/state' }
const foreign = {
  SKYCTL_BASE_URL: 'https://elsewhere.example.net/v4',
  SKYCTL_TOKEN: 'foreign-token',
  SKYCTL_TOKEN_FILE: '/foreign/token',
  SKYCTL_CONTEXT: 'foreign',
  SKYCTL_DEBUG_FILE: '/foreign/debug',
}
const sandbox = { sandbox: true, context: { name: 'sandbox', from: 'flag' } }
const own = { baseUrl: 'https://api.example.net/v4', token: 'own-token' }
const account = { sandbox: false, baseUrl: own.baseUrl, secret: { from: 'environment' } }

/** Starts a watcher without a process: its input is recorded, and the test sends its answers. */
async function started(credential: object) {
  const orders: Order[] = []
  const environments: object[] = []
  let onLine = (_line: string) => {}
  const reply = (answer: WatcherReply) => onLine(JSON.stringify(answer))
  const detach = (_words: readonly string[], env: object) => {
    environments.push(env)
    return {
      send(line: string) {
        const order: Order = JSON.parse(line)
        orders.push(order)
        if (order.number === 1) queueMicrotask(() => reply({ heard: 1 }))
      },
      onLines(listener: (line: string) => void) {
        onLine = listener
      },
      release() {},
    }
  }
  const session = {
    env: { ...environment, ...foreign },
    host: async () => ({ detach }),
    account: {
      access: { credential: async () => credential, signedIn: async () => own },
      client: () => Promise.reject(new Error('no service')),
    },
  } as unknown as Session
  const watcher = await startWatcher({ undoings: [], deadline: null, stage: 'nothing' }, session)
  return { watcher, orders, environments, reply }
}

describe('A watcher', () => {
  test('of a sandbox run gets no base URL and no token, even if the environment has them', async () => {
    const { environments } = await started(sandbox)
    expect(environments).toEqual([{ ...environment, SKYCTL_CONTEXT: 'sandbox' }])
  })

  test('of an account gets the base URL and the token of its process, and no context or token file', async () => {
    const { environments } = await started(account)
    expect(environments).toEqual([{ ...environment, SKYCTL_BASE_URL: own.baseUrl, SKYCTL_TOKEN: own.token }])
  })

  test('watches a change only after its answer to that order, not to an earlier one', async () => {
    const { watcher, orders, reply } = await started(sandbox)
    let isWatched = false
    const watching = watcher.watch({ stage: 'writing' }).then(() => {
      isWatched = true
    })
    expect(orders.at(-1)).toMatchObject({ number: 2, what: 'watch', watch: { stage: 'writing' } })
    reply({ heard: 1 })
    await turn()
    expect(isWatched).toBe(false)
    reply({ heard: 2 })
    await watching
  })
})
