/** The files of undici that transport.ts takes by their path: its index would load fetch, WebSocket and a cache. */

declare module 'undici/lib/core/connect.js' {
  import type { Socket } from 'node:net'
  import type { buildConnector as types } from 'undici'

  /** Unlike what its public type says, this connector returns the socket that it is connecting. */
  export default function buildConnector(
    options?: types.BuildOptions,
  ): (options: types.Options, callback: types.Callback) => Socket
}

declare module 'undici/lib/core/symbols.js' {
  /** Of a client: its socket. */
  export const kSocket: symbol
  /** Of a socket: what reads HTTP from it. */
  export const kParser: symbol
}

declare module 'undici/lib/dispatcher/pool.js' {
  import { Pool } from 'undici'

  export default Pool
}
