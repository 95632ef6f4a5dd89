/** The transport on a socket. */
import type { Socket } from 'node:net'
import { expect, test } from 'vitest'
import { defaultLimits } from '../../src/http/limits'
import { createTransport } from '../../src/http/transport'
import { faultServer, reply } from '../support/fault-server'

test('After answers that arrived together, the next requests are sent one by one, not after the last answer', async () => {
  const atOnce = 16
  const sockets: Socket[] = []
  const server = await faultServer((socket, request) => {
    sockets.push(socket)
    if (sockets.length % atOnce === 0) for (const one of sockets.splice(0)) reply(200, {})(one, request)
  })
  const origin = `http://${server.host}`
  const transport = await createTransport({ origin, connections: atOnce, env: {}, limits: defaultLimits })
  const request = { method: 'GET', path: '/', headers: {} }
  const next: ReturnType<typeof transport.start>[] = []
  const sentBefore: number[] = []
  const work = async () => {
    await transport.start(request).answer
    sentBefore.push(next.filter(({ sent }) => sent).length)
    const following = transport.start(request)
    next.push(following)
    await following.answer
  }
  try {
    await Promise.all(Array.from({ length: atOnce }, work))
  } finally {
    await transport.close()
  }
  expect(sentBefore).toHaveLength(atOnce)
  expect(sentBefore.at(-1)).toBeGreaterThan(atOnce / 2)
})
