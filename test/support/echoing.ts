/** A service that says again whatever secret it was sent, wherever it has something to say. */
import { createServer } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { listening } from './listening'

/** Where it says it: in labels and the like; in every text; in what it refuses everything but the first answer with; in warnings. */
export type Place = 'labels' | 'texts' | 'errors' | 'warnings'

export interface Echoing {
  /** As the sandbox's. */
  baseUrl: string
  /** The secrets that it was sent, the first one first. */
  heard: ReadonlySet<string>
  close(): Promise<void>
}

const labels = /^(label|description|tags|username|email|name|rdns|text|question)$/
const secretKeys = /^(token|secret|scratch|otp_code|tfa_code|response|password)$/

function secretsIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) =>
    secretKeys.test(key) && typeof inner !== 'object' ? [String(inner)] : secretsIn(inner),
  )
}

/** As it is, and as URLs and base64 write it. */
const sayings = (secret: string) =>
  [secret, encodeURIComponent(secret), Buffer.from(`user:${secret}:`).toString('base64')].join(' and ')

/** Before a sandbox. */
export async function openEchoing(target: string, place: Place): Promise<Echoing> {
  const heard = new Set<string>()
  let answers = 0
  const echo = () => [...heard].map(sayings).join(', ')

  const echoed = (value: unknown, key = ''): unknown => {
    if (Array.isArray(value)) return value.map((item) => echoed(item, key))
    if (typeof value === 'object' && value !== null) {
      return Object.fromEntries(Object.entries(value).map(([inner, one]) => [inner, echoed(one, inner)]))
    }
    const says = typeof value === 'string' && !secretKeys.test(key) && (place === 'texts' || labels.test(key))
    return says ? `${value} ${echo()}` : value
  }
  const spoken = (status: number, text: string): { status: number; body: string } => {
    if (place === 'errors' && (status >= 400 || answers > 1)) {
      const errors = [...heard].map((secret) => ({ field: secret, reason: `no ${sayings(secret)}` }))
      return { status: 400, body: JSON.stringify({ errors, page: echo() }) }
    }
    if (text === '') return { status, body: text }
    if (place === 'warnings') {
      const body = JSON.parse(text)
      return {
        status: status === 200 ? 299 : status,
        body: JSON.stringify({ ...body, warnings: [{ title: echo(), details: echo() }] }),
      }
    }
    return { status, body: JSON.stringify(echoed(JSON.parse(text))) }
  }

  const server = createServer(async (request, response) => {
    const body = await buffer(request)
    const token = request.headers.authorization?.replace(/^Bearer /, '')
    if (token) heard.add(token)
    for (const secret of body.length > 0 ? secretsIn(JSON.parse(body.toString())) : []) heard.add(secret)
    const kept = Object.entries(request.headers).filter(([name]) => !/^(host|connection|content-length)$/.test(name))
    const answer = await fetch(new URL(request.url ?? '', target), {
      method: request.method ?? 'GET',
      headers: kept as [string, string][],
      ...(body.length > 0 && { body }),
    })
    answers += 1
    const said = spoken(answer.status, await answer.text())
    response.writeHead(said.status, {
      'content-type': 'application/json',
      warning: `299 - "${echo()}"`,
      'x-request-id': echo(),
      'x-echo': echo(),
      'x-oauth-scopes': answer.headers.get('x-oauth-scopes') ?? '*',
      'set-cookie': `session=${echo()}`,
    })
    response.end(answer.status === 204 && said.status === 204 ? undefined : said.body)
  })
  const { origin, close } = await listening(server)
  return { baseUrl: `${origin}/v4`, heard, close }
}
