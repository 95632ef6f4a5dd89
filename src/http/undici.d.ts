/** The two files of undici that transport.ts takes by their path: its index would load fetch, WebSocket and a cache. */

declare module 'undici/lib/core/connect.js' {
  import type { Socket } from 'node:net'
  import type { buildConnector as types } from 'undici'

  /** Unlike what its public type says, a connector returns the socket that it is connecting. */
  type Connector = (options: types.Options, callback: types.Callback) => Socket

  export default function buildConnector(options?: types.BuildOptions): Connector
}

declare module 'undici/lib/dispatcher/pool.js' {
  import { Pool } from 'undici'

  export default Pool
}
