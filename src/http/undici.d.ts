/**
 * Types of the undici files that transport.ts and tunnel.ts import by path: undici's index would load fetch, WebSocket and a cache.
 */

declare module 'undici/lib/core/connect.js' {
  import type { Socket } from 'node:net'
  import type { buildConnector as types } from 'undici'

  /** Returns the connecting socket, which its public type lacks. */
  export default function buildConnector(
    options?: types.BuildOptions,
  ): (options: types.Options, callback: types.Callback) => Socket
}

declare module 'undici/lib/core/symbols.js' {
  /** Key of a client's socket. */
  export const kSocket: symbol
  /** Key of a socket's HTTP parser. */
  export const kParser: symbol
}

declare module 'undici/lib/core/socks5-client.js' {
  import type { EventEmitter } from 'node:events'
  import type { Socket } from 'node:net'

  interface Events {
    authenticated: []
    connected: []
    close: []
    error: [Error]
  }

  /** Speaks SOCKS5 on a socket that is connected to a proxy. */
  export class Socks5Client extends EventEmitter<Events> {
    /** Authenticates only with both. */
    constructor(socket: Socket, options: { username: string; password: string })
    handshake(): void
    /** Connects to a name, or to an address without brackets. */
    connect(address: string, port: number): void
  }
}

declare module 'undici/lib/dispatcher/pool.js' {
  import { Pool } from 'undici'

  export default Pool
}

declare module 'undici/lib/llhttp/llhttp-wasm.js' {
  const bytes: Buffer
  export default bytes
}

/** What is used of it; the library of types that has it is that of browsers. */
declare namespace WebAssembly {
  let Module: new (bytes: Uint8Array) => object
  function compile(bytes: Uint8Array): Promise<object>
}
