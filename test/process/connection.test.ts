/** Token commands and HTTP proxies. */
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { createServer, connect as dial, type Socket } from 'node:net'
import { join } from 'node:path'
import { describe, expect, onTestFinished } from 'vitest'
import { certificateFile, faultServer, reply } from '../support/fault-server'
import { test } from '../support/in-process-shell'
import { socksProxy } from '../support/socks-proxy'

const signedOut = { SKYCTL_TOKEN: undefined, SKYCTL_BASE_URL: undefined }

describe('token_command', () => {
  test('provides the token, which is stored nowhere', async ({ shell, sandbox, home }) => {
    // The compiled code contains the token of the sandbox.
    rmSync(join(home, '.cache'), { recursive: true, force: true })
    await shell('skyctl auth login --context prod --base-url "$SKYCTL_BASE_URL" --with-token', {
      stdin: sandbox.ownerToken,
    })
    const env = { ...signedOut, SECRET: sandbox.ownerToken }
    expect(await shell(`skyctl context update prod --token-command 'echo "$SECRET"'`, { env })).toMatchObject({
      exit: 0,
    })
    expect(await shell('skyctl volumes view 3001 --quiet', { env })).toMatchObject({ exit: 0, stdout: '3001\n' })
    expect(await shell(`grep -rl ${sandbox.ownerToken} ${home}`)).toMatchObject({ exit: 1, stdout: '' })
  })

  test('is named if it fails, without its output', async ({ shell, sandbox }) => {
    await shell('skyctl auth login --context prod --base-url "$SKYCTL_BASE_URL" --with-token', {
      stdin: sandbox.ownerToken,
    })
    await shell(`skyctl context update prod --token-command 'echo hunter2; echo hunter3 >&2; exit 7'`)
    expect(await shell('skyctl volumes list', { env: signedOut })).toEqual({
      exit: 3,
      signal: null,
      stdout: '',
      stderr: expect.stringMatching(/^skyctl: the token command failed with exit code 7(?!.*hunter)/),
    })
  })

  test('ends with the skyctl that waits for it', async ({ shell, start, sandbox, home }) => {
    await shell('skyctl auth login --context prod --base-url "$SKYCTL_BASE_URL" --with-token', {
      stdin: sandbox.ownerToken,
    })
    await shell(`skyctl context update prod --token-command 'echo runs > ${home}/fifo; sleep 20'`)
    await shell(`mkfifo ${home}/fifo`)
    const { kill, end } = start('volumes list', { env: signedOut })
    expect(await shell(`cat ${home}/fifo`)).toMatchObject({ stdout: 'runs\n' })
    kill('SIGINT')
    expect(await end).toMatchObject({ exit: 130, stderr: 'skyctl: interrupted\n' })
  })
})

/** Starts a proxy that connects every CONNECT to one port. */
async function connectProxy(port: number, answer = 'HTTP/1.1 200 Connection established\r\n\r\n') {
  const heads: string[] = []
  const open = new Set<Socket>()
  const server = createServer((client) => {
    open.add(client.on('error', () => {}))
    client.once('data', (head) => {
      heads.push(String(head))
      client.write(answer)
      if (!answer.includes(' 200 ')) {
        client.end()
        return
      }
      const service = dial(port, '127.0.0.1').on('error', () => {})
      open.add(service)
      client.pipe(service).pipe(client)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    for (const socket of open) socket.destroy()
    server.close()
  })
  const address = server.address()
  return { url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`, heads }
}

describe('HTTPS_PROXY', () => {
  // The certificate is for this name, which does not resolve without the proxy.
  const host = 'other.example.net'
  const service = async () => {
    const server = await faultServer(reply(200, { data: [], page: 1, pages: 1, results: 0 }), 'wrong-name')
    const env = {
      SKYCTL_BASE_URL: `https://${host}/v4`,
      NODE_EXTRA_CA_CERTS: certificateFile('wrong-name'),
      http_proxy: undefined,
    }
    return { ...server, env }
  }
  const list = 'skyctl volumes list --json --retries 0'
  // Node reads the certificate when it starts.
  const isProcess = true

  test('is used for the service', async ({ shell, sandbox }) => {
    const { port, env, received } = await service()
    const { url, heads } = await connectProxy(port)
    expect(await shell(list, { env: { ...env, HTTPS_PROXY: url }, isProcess })).toMatchObject({
      exit: 0,
      stdout: '[]\n',
    })
    expect(heads).toEqual([expect.stringMatching(`^CONNECT ${host}:443 HTTP/1.1\r\n`)])
    // The token goes through the tunnel, never to the proxy.
    expect(received[0]?.headers.authorization).toBe(`Bearer ${sandbox.ownerToken}`)
  })

  test.for(['ALL_PROXY', 'HTTPS_PROXY'])('can be a SOCKS5 proxy, from %s', async (variable, { shell, sandbox }) => {
    const { port, env, received } = await service()
    const login = { user: 'me', password: 'hunter2' }
    const proxy = await socksProxy({ port, login })
    const proxied = { ...env, [variable]: `socks5h://me:hunter2@${proxy.host}` }
    expect(await shell(list, { env: proxied, isProcess })).toEqual({
      ...{ exit: 0, signal: null, stdout: '[]\n', stderr: '' },
    })
    expect(proxy.requests).toEqual([`name ${host}:443`])
    expect(received[0]?.headers.authorization).toBe(`Bearer ${sandbox.ownerToken}`)
  })

  test('is not used for hosts in NO_PROXY', async ({ shell }) => {
    const NO_PROXY = 'a, .example.net'
    const { port, env } = await service()
    const { url, heads } = await connectProxy(port)
    expect(await shell(list, { env: { ...env, HTTPS_PROXY: url, NO_PROXY } })).toMatchObject({ exit: 8, stdout: '' })
    expect(heads).toEqual([])
  })

  test('gets the user and password of its URL', async ({ shell }) => {
    const { port, env } = await service()
    const { url, heads } = await connectProxy(port)
    const HTTPS_PROXY = url.replace('http://', 'me:p%40ss@')
    expect(await shell(list, { env: { ...env, HTTPS_PROXY }, isProcess })).toMatchObject({ exit: 0 })
    expect(heads[0]).toContain(`\r\nproxy-authorization: Basic ${btoa('me:p@ss')}\r\n`)
    expect(heads[0]).not.toMatch(/^authorization/im)
  })

  test('is not used for this machine', async ({ shell }) => {
    const { url, heads } = await connectProxy(9)
    const env = { HTTP_PROXY: url, http_proxy: url, HTTPS_PROXY: url, https_proxy: url }
    expect(await shell('skyctl volumes list --quiet', { env })).toMatchObject({ exit: 0 })
    expect(
      await shell('skyctl --context sandbox volumes list --quiet', { env: { ...env, ...signedOut } }),
    ).toMatchObject({
      exit: 0,
    })
    expect(heads).toEqual([])
  })

  test.for([
    { name: 'rejects the connection', answer: 'HTTP/1.1 407 Proxy Authentication Required\r\n\r\n' },
    { name: 'fails', answer: 'HTTP/1.1 502 Bad Gateway\r\n\r\n' },
    { name: 'hangs up', answer: '' },
  ])('is named in the error if it $name, and nothing is sent', async ({ answer }, { shell, sandbox }) => {
    const { env } = await service()
    const { url } = await connectProxy(9, answer)
    const create = 'skyctl volumes create --label x --region us-east --no-validate --retries 0'
    const { exit, stdout, stderr } = await shell(create, { env: { ...env, HTTPS_PROXY: url } })
    expect({ exit, stdout }).toEqual({ exit: 8, stdout: '' })
    expect(stderr).toMatch(/^skyctl: .*proxy/i)
    expect(stderr).not.toContain(sandbox.ownerToken)
  })

  test('is named in the error without its password if it is unreachable or its URL is invalid', async ({ shell }) => {
    const { env } = await service()
    for (const [url, exit] of [
      ['http://me:hunter2@127.0.0.1:9', 8],
      ['nonsense://me:hunter2', 2],
    ] as const) {
      const result = await shell(list, { env: { ...env, HTTPS_PROXY: url } })
      expect(result).toMatchObject({ exit, stdout: '' })
      expect(result.stderr).toMatch(/proxy/i)
      expect(result.stderr).not.toContain('hunter2')
    }
  })
})
