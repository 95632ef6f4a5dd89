/** Reads request bodies within a size limit. */
import type { IncomingMessage } from 'node:http'
import { holdsLongNumber } from '../data/json'
import { refusal, refusedAs } from './refusal'

const largestBody = 1024 * 1024
/** Excess bytes read and discarded: a client that is still sending might miss an early answer. */
const mostRead = 64 * largestBody

/** Reads a request body of at most 1 MiB; every body of api.md is far smaller. */
export function readBody(incoming: IncomingMessage): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let size = 0
  const tooLarge = () => refusedAs(413, `Body is larger than ${largestBody} bytes`)
  return new Promise((resolve, reject) => {
    incoming.on('data', (chunk: Uint8Array) => {
      size += chunk.length
      if (size <= largestBody) chunks.push(chunk)
      if (size > mostRead) reject(tooLarge())
    })
    incoming.on('end', () => (size > largestBody ? reject(tooLarge()) : resolve(Buffer.concat(chunks))))
    incoming.on('error', reject)
  })
}

/** Parses the body. Errors are deferred until the result is called, so that a missing token is reported first. */
export async function understood(body: Uint8Array, contentType: string | undefined): Promise<() => unknown> {
  if (body.length === 0) return () => ({})
  if (!/^application\/json\s*(;|$)/i.test(contentType ?? '')) {
    return () => {
      throw refusal(null, 'Content-Type must be application/json')
    }
  }
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(body)
    const value = holdsLongNumber(text) ? (await import('../data/lossless')).parseLossless(text) : JSON.parse(text)
    return () => value
  } catch {
    return () => {
      throw refusal(null, 'Body not valid JSON')
    }
  }
}
