/** A service that repeats every secret that it received, in every part of its answers. */
import { createServer } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { listening } from './listening'

/**
 * Part of the answer with the secrets: labels and the like, every text, a refusal of all requests but the first, or
 * warnings.
 */
export type EchoPlace = 'labels' | 'texts' | 'errors' | 'warnings'

export interface EchoService {
  /** Has the path of the sandbox's base URL. */
  baseUrl: string
  /** Received secrets, in the order of their arrival. */
  secrets: ReadonlySet<string>
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

/** Returns a secret as it is, URL-encoded, and in base64. */
const formsOf = (secret: string) =>
  [secret, encodeURIComponent(secret), Buffer.from(`user:${secret}:`).toString('base64')].join(' and ')

/** Opens such a service as a proxy before a sandbox. */
export async function openEchoService(target: string, place: EchoPlace): Promise<EchoService> {
  const secrets = new Set<string>()
  let answers = 0
  const echo = () => [...secrets].map(formsOf).join(', ')

  const withSecrets = (value: unknown, key = ''): unknown => {
    if (Array.isArray(value)) return value.map((item) => withSecrets(item, key))
    if (typeof value === 'object' && value !== null) {
      return Object.fromEntries(Object.entries(value).map(([inner, one]) => [inner, withSecrets(one, inner)]))
    }
    const isEchoed = typeof value === 'string' && !secretKeys.test(key) && (place === 'texts' || labels.test(key))
    return isEchoed ? `${value} ${echo()}` : value
  }
  const spoil = (status: number, text: string): { status: number; body: string } => {
    if (place === 'errors' && (status >= 400 || answers > 1)) {
      const errors = [...secrets].map((secret) => ({ field: secret, reason: `no ${formsOf(secret)}` }))
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
    return { status, body: JSON.stringify(withSecrets(JSON.parse(text))) }
  }

  const server = createServer(async (request, response) => {
    const body = await buffer(request)
    const token = request.headers.authorization?.replace(/^Bearer /, '')
    if (token) secrets.add(token)
    for (const secret of body.length > 0 ? secretsIn(JSON.parse(body.toString())) : []) secrets.add(secret)
    const headers = Object.entries(request.headers).filter(([name]) => !/^(host|connection|content-length)$/.test(name))
    const answer = await fetch(new URL(request.url ?? '', target), {
      method: request.method ?? 'GET',
      headers: headers as [string, string][],
      ...(body.length > 0 && { body }),
    })
    answers += 1
    const spoiled = spoil(answer.status, await answer.text())
    response.writeHead(spoiled.status, {
      'content-type': 'application/json',
      warning: `299 - "${echo()}"`,
      'x-request-id': echo(),
      'x-echo': echo(),
      'x-oauth-scopes': answer.headers.get('x-oauth-scopes') ?? '*',
      'set-cookie': `session=${echo()}`,
    })
    response.end(answer.status === 204 && spoiled.status === 204 ? undefined : spoiled.body)
  })
  const { origin, close } = await listening(server)
  return { baseUrl: `${origin}/v4`, secrets, close }
}
