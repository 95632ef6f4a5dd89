/** Reads a JSON document from an address that is not the API's: without a token, a retry or a redirect. */
import { Problem } from '../errors'
import type { Environment } from '../rules/environment'
import { defaultLimits, OutOfTime } from './deadline'
import { toNetworkError } from './network-errors'

interface Options {
  env: Environment
  signal: AbortSignal
  /** Limit for the whole answer, in milliseconds. */
  timeoutMs: number
  userAgent: string
}

const mostBytes = 2 ** 20
const redirectHint = 'skyctl follows no redirect: name the final address'

/** Resolves to the document. Throws `unavailable`, or `not_the_api` for an answer that is not JSON. */
export async function readDocument(address: URL, { env, signal, timeoutMs, userAgent }: Options): Promise<unknown> {
  const { origin, pathname, search, host } = address
  const { createTransport, NoResponse } = await import('./transport')
  const transport = await createTransport({ origin, connections: 1, env, limits: defaultLimits })
  const headers = { accept: 'application/json', 'user-agent': userAgent }
  const running = transport.start({ method: 'GET', path: pathname + search, headers })
  const stop = () => running.abort(signal.reason)
  const late = setTimeout(() => running.abort(new OutOfTime(`${timeoutMs / 1000} s`)), timeoutMs)
  signal.addEventListener('abort', stop)
  try {
    const { status, body } = await running.answer
    const answered = `${host} answers ${status} for ${pathname}`
    if (status >= 300 && status < 400) throw new Problem('unavailable', answered, { status, hint: redirectHint })
    if (status !== 200) throw new Problem('unavailable', answered, { status })
    if (body.length > mostBytes) throw new Problem('not_the_api', `${host} sends over 1 MiB at ${pathname}`)
    return JSON.parse(body.toString())
  } catch (error) {
    signal.throwIfAborted()
    if (error instanceof SyntaxError)
      throw new Problem('not_the_api', `${host} does not answer with JSON at ${pathname}`)
    if (!(error instanceof NoResponse)) throw error
    const { code, reason, hint } = toNetworkError(error.cause, host)
    throw new Problem(code ?? 'unavailable', reason, hint ? { hint } : {})
  } finally {
    clearTimeout(late)
    signal.removeEventListener('abort', stop)
    await transport.close()
  }
}
