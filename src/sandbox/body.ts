/** Bodies: those of requests are read within bounds. What JSON of Node's own cannot hold is left to ./json. */
import type { IncomingMessage } from 'node:http'
import { holdsLongNumber } from '../data/json'
import { refusal, refusedAs } from './refusal'

const largestBody = 1024 * 1024
/** A client that is still sending may not see its answer: so much is read for that, and not kept. */
const mostRead = 64 * largestBody

/** At most 1 MiB: no body of the document comes near it. */
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
    incoming.once('end', () => (size > largestBody ? reject(tooLarge()) : resolve(Buffer.concat(chunks))))
    incoming.once('error', reject)
  })
}

/** What it says, for who asks: a token that is missing is told before a body that is wrong. */
export async function understood(body: Uint8Array, contentType: string | undefined): Promise<() => unknown> {
  if (body.length === 0) return () => ({})
  if (!/^application\/json\s*(;|$)/i.test(contentType ?? '')) {
    return () => {
      throw refusal(null, 'Content-Type must be application/json')
    }
  }
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(body)
    const said = holdsLongNumber(text) ? (await import('./json')).readJson(text) : JSON.parse(text)
    return () => said
  } catch {
    return () => {
      throw refusal(null, 'Body not valid JSON')
    }
  }
}

/** The text of an answer. */
export async function written(body: object): Promise<string> {
  try {
    return JSON.stringify(body)
  } catch (error) {
    // It throws TypeError for a bigint.
    if (!(error instanceof TypeError)) throw error
    return (await import('./json')).writeJson(body)
  }
}
