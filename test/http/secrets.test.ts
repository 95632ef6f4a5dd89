/** Redaction of secrets in --debug, notes and errors (reliability.md, Secrets). */
import { describe, expect, test } from 'vitest'
import { faultServer, reply } from '../support/fault-server'
import { volumes } from '../support/lenient-volume-operations'
import { observedClient, token } from '../support/service-client'

const inBase64 = ['', 'x', 'xy'].map((before) => Buffer.from(`${before}${token}:`).toString('base64'))
const echoed = [token, encodeURIComponent(token), ...inBase64, Buffer.from(token).toString('base64url')]
/** Texts that must not be shown: without the ends in base64, which depend on the text beside the token. */
const traces = [token, encodeURIComponent(token), ...inBase64.map((text) => text.slice(4, -6)), 'geheim']

describe('The output about a request', () => {
  test('has the request and the answer', async () => {
    const server = await faultServer(reply(200, { id: 1, label: 'data' }, { 'x-spec-version': '4.176.0' }))
    const { client, debug } = observedClient(`http://${server.host}/v4`)
    await client.call(volumes.create, { body: { label: 'data', region: 'eu-west' } })
    expect(debug).toEqual([
      `> POST http://${server.host}/v4/volumes`,
      '> accept: application/json',
      '> accept-encoding: gzip',
      '> user-agent: skyctl/test',
      '> content-type: application/json',
      '> authorization: [redacted]',
      '> {"label":"data","region":"eu-west"}',
      '< 200 in 0 ms',
      '< content-type: application/json',
      '< content-length: 23',
      '< x-spec-version: 4.176.0',
      '< {"id":1,"label":"data"}',
    ])
  })

  test('never has the token, in any form in which the service returns it', async () => {
    const echo = Object.fromEntries(echoed.map((form, index) => [`field${index}`, `see ${form}!`]))
    const server = await faultServer([
      reply(200, { id: 1, ...echo }, { 'x-echo': token, 'set-cookie': 'session=geheim' }),
      reply(400, { errors: [{ field: 'label', reason: `no ${token}` }] }),
      reply(503, ''),
      reply(404, token),
    ])
    const { client, debug, notes } = observedClient(`http://${server.host}/v4`)
    const failures: unknown[] = []
    await client.call(volumes.view, { path: { volumeId: 1 }, query: { q: token } })
    for (const query of [{ q: token }, { token: 'geheim' }]) {
      await client.call(volumes.view, { path: { volumeId: 1 }, query }).catch((error) => failures.push(error))
    }
    const output = JSON.stringify([debug, notes, failures, failures.map(String)])
    expect(failures).toHaveLength(2)
    for (const trace of traces) expect(output).not.toContain(trace)
  })

  test('redacts a secret of an earlier answer', async () => {
    const server = await faultServer([
      reply(200, { secret: 'JBSWY3DPEHPK3PXP' }),
      reply(400, { errors: [{ field: null, reason: 'JBSWY3DPEHPK3PXP is old' }] }),
    ])
    const { client, debug } = observedClient(`http://${server.host}`)
    const request = { method: 'POST', path: '/any', idempotency: 'never' } as const
    await client.onceAny(request)
    expect(await client.onceAny(request)).toMatchObject({ problem: { message: '[redacted] is old' } })
    expect(debug.join('\n')).not.toContain('JBSWY3DPEHPK3PXP')
  })

  test('redacts it in warnings and in the names of fields', async () => {
    const secret = 'JBSWY3DPEHPK3PXP'
    const server = await faultServer([
      reply(299, { secret, warnings: [{ title: 'old' }] }),
      reply(299, { warnings: [{ title: `${secret} is old`, details: `not ${secret}` }] }),
      reply(400, { errors: [{ field: secret, reason: 'no' }] }),
    ])
    const { client, warnings } = observedClient(`http://${server.host}`)
    const request = { method: 'POST', path: '/any', idempotency: 'never' } as const
    for (let sent = 0; sent < 2; sent += 1) await client.onceAny(request)
    expect(warnings).toEqual([{ title: 'old' }, { title: '[redacted] is old', details: 'not [redacted]' }])
    expect(await client.onceAny(request)).toMatchObject({
      problem: { details: { errors: [{ field: '[redacted]', reason: 'no' }] } },
    })
  })

  test('has only the length of a body that is not JSON', async () => {
    const server = await faultServer(reply(502, '<html>token=geheim</html>'))
    const { client, debug } = observedClient(`http://${server.host}`, { retries: 0 })
    await client.call(volumes.view, { path: { volumeId: 1 } }).catch(() => {})
    expect(debug).toContain('< (25 characters that are not JSON)')
  })
})
