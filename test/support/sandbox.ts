/** A sandbox on a socket whose world a test can change in a line, and that records the requests that arrive. */
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { mkdirSync, writeFileSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { fileOf } from '../../src/account/identity'
import { openSandbox, type Sandbox, type SandboxOptions } from '../../src/sandbox/sandbox'
import { sandboxToken } from '../../src/sandbox/secrets'
import type { ServiceType } from '../../src/sandbox/tables/firewall-device'
import type { World as BareWorld } from '../../src/sandbox/world'

/** A request to the API as it arrived, for assertions such as "nothing was sent". */
export interface ReceivedRequest {
  method: string
  /** Relative to the base URL, with its query: `/volumes?page=2`. */
  path: string
  /** Parsed if it is JSON, otherwise its text; undefined if there is none. */
  body: unknown
}

type RequestObserver = ReturnType<typeof observe>
export type World = BareWorld & ReturnType<typeof creators> & Pick<RequestObserver, 'requests'>
export type TestSandbox = Omit<Sandbox, 'world'> & { world: World; baseUrl: string }

export async function openTestSandbox(options: SandboxOptions = {}): Promise<TestSandbox> {
  const sandbox = await openSandbox(options)
  const { baseUrl } = await sandbox.listen()
  const { requests, stop } = observe(Number(new URL(baseUrl).port))
  return {
    ...sandbox,
    baseUrl,
    world: Object.assign(sandbox.world, creators(sandbox.world), { requests }),
    close() {
      stop()
      return sandbox.close()
    },
  }
}

/**
 * Returns the environment of a user who is signed in to a sandbox as its owner, with all files below `home`. This
 * machine knows the token's user already, so that no request looks it up.
 */
export function environmentOf({ baseUrl, ownerToken }: TestSandbox, home: string): Record<string, string> {
  const users = join(home, 'state', 'users')
  mkdirSync(users, { recursive: true, mode: 0o700 })
  const user = JSON.stringify({ uid: 1, username: 'owner' })
  writeFileSync(join(users, fileOf({ service: baseUrl, token: ownerToken })), user, { mode: 0o600 })
  return {
    SKYCTL_BASE_URL: baseUrl,
    SKYCTL_TOKEN: ownerToken,
    SKYCTL_CONFIG_DIR: join(home, 'config'),
    SKYCTL_STATE_DIR: join(home, 'state'),
    XDG_CACHE_HOME: join(home, 'cache'),
  }
}

/** Returns functions that create records with default values for fields that a test does not set. */
function creators(world: BareWorld) {
  const { firewalls, devices, addresses } = world.network
  return {
    volume: (fields: Parameters<typeof world.volumes.add>[0] = {}) => world.volumes.add(fields),
    compute: (fields: Parameters<typeof world.computes.add>[0] = {}) => world.computes.add(fields),
    /** Creates a token with these scopes, of the owner unless a user is named, and returns its text. */
    token(scopes: string, user = 1): string {
      const label = `token-${world.tokens.nextId()}`
      return world.tokens.add({ label, user, scopes, token: sandboxToken(label.replace('-', ' ')) }).token
    },
    network: Object.assign(world.network, {
      firewall: (fields: Parameters<typeof firewalls.add>[0] = {}) => firewalls.add(fields),
      device: (firewall: number, type: ServiceType, entity: number) => devices.add({ firewall, type, entity }),
      address: (fields: Parameters<typeof addresses.add>[0]) => addresses.add(fields),
    }),
  }
}

const requestStart = 'http.server.request.start'

/** Subscribes to the requests that Node's servers receive, and records those to a port. */
function observe(port: number) {
  const received: ReceivedRequest[] = []
  const onStart = (message: unknown) => {
    const { request } = message as { request: IncomingMessage }
    const { method = '', url = '' } = request
    const [, path] = /^\/v4(\/.*)/.exec(url) ?? []
    if (request.socket.localPort !== port || path === undefined) return
    const entry: ReceivedRequest = { method, path, body: undefined }
    received.push(entry)
    onBody(request, (text) => {
      entry.body = parse(text)
    })
  }
  subscribe(requestStart, onStart)
  return {
    /** Returns the requests that arrived, oldest first, or those of one method. */
    requests: (method?: string) => received.filter((request) => method === undefined || request.method === method),
    stop: () => unsubscribe(requestStart, onStart),
  }
}

/** Passes on the body as it arrives, and leaves it for the service to read. */
function onBody(request: IncomingMessage, done: (text: string) => void): void {
  const chunks: Buffer[] = []
  const push = request.push.bind(request)
  request.push = (chunk: Buffer | null, ...more) => {
    if (chunk) chunks.push(chunk)
    else done(Buffer.concat(chunks).toString())
    return push(chunk, ...more)
  }
}

function parse(text: string): unknown {
  if (text === '') return undefined
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
