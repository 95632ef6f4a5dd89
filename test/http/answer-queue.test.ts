/** Answers that arrive together, on sockets. */
import type { Socket } from 'node:net'
import { expect, test } from 'vitest'
import { faultServer, reply } from '../support/fault-server'
import { observedClient } from '../support/service-client'

test('After answers that arrived together, the next requests are sent one by one, not after the last answer', async () => {
  const atOnce = 16
  const sockets: Socket[] = []
  const server = await faultServer((socket, request) => {
    sockets.push(socket)
    if (sockets.length % atOnce === 0) for (const one of sockets.splice(0)) reply(200, {})(one, request)
  })
  const { client } = observedClient(`http://${server.host}`, { concurrency: atOnce })
  const request = { method: 'GET', path: '/', idempotency: 'safe' } as const
  const receivedBefore: number[] = []
  const work = async () => {
    await client.onceAny(request)
    receivedBefore.push(server.received.length - atOnce)
    await client.onceAny(request)
  }
  await Promise.all(Array.from({ length: atOnce }, work))
  expect(receivedBefore).toHaveLength(atOnce)
  expect(receivedBefore.at(-1)).toBeGreaterThan(atOnce / 2)
})
