/** A service that first passes what it is asked on to a sandbox, and then answers the same again, with one answer changed. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** An answer as it was recorded. */
export interface Recorded {
  /** `GET /v4/volumes?page=1`. */
  asked: string
  status: number
  body: string
  /** When it was given, as the sandbox's own clock says. */
  date: string | null
}

export interface Replay {
  /** As the sandbox's. */
  baseUrl: string
  recorded: readonly Recorded[]
  /** Forgets what was recorded so far. */
  begin(): void
  /** Whether the changed answer was given since. */
  readonly served: boolean
  /** Whether something was read after it was. */
  readonly readAfter: boolean
  /** From now on answers as recorded, but the one of this index with another body, and another status where one is given. */
  spoil(index: number, body: string, status?: number): void
  close(): Promise<void>
}

const notFound = '{"errors":[{"field":null,"reason":"Not found"}]}'

export async function openReplay(target: string): Promise<Replay> {
  const recorded: Recorded[] = []
  let spoiled: { index: number; body: string; status: number | undefined } | undefined
  let served = false
  let readAfter = false
  /** How often each request came since the last change. */
  let counts = new Map<string, number>()

  const record = async (asked: string, init: RequestInit): Promise<Recorded> => {
    const [, path = ''] = asked.split(' ')
    const answer = await fetch(new URL(path, target), init)
    const made = { asked, status: answer.status, body: await answer.text(), date: answer.headers.get('date') }
    recorded.push(made)
    return made
  }
  /** The one that came at the same turn, or the last one to this request. */
  const again = (asked: string): Omit<Recorded, 'asked'> => {
    readAfter ||= served && asked.startsWith('GET ')
    const turn = counts.get(asked) ?? 0
    counts.set(asked, turn + 1)
    const known = recorded.flatMap((one, index) => (one.asked === asked ? [{ ...one, index }] : []))
    const found = known[Math.min(turn, known.length - 1)]
    if (!found) return { status: 404, body: notFound, date: null }
    if (found.index !== spoiled?.index) return found
    served = true
    return { ...found, status: spoiled.status ?? found.status, body: spoiled.body }
  }

  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const asked = `${request.method} ${request.url}`
    const kept = Object.entries(request.headers).filter(([name]) => !/^(host|connection|content-length)$/.test(name))
    const body = Buffer.concat(chunks)
    const init = {
      method: request.method ?? 'GET',
      headers: kept as [string, string][],
      ...(body.length > 0 && { body }),
    }
    const answer = spoiled ? again(asked) : await record(asked, init)
    response.writeHead(answer.status, { 'content-type': 'application/json', ...(answer.date && { date: answer.date }) })
    response.end(answer.status === 204 ? undefined : answer.body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    baseUrl: `http://127.0.0.1:${port}/v4`,
    recorded,
    begin() {
      recorded.length = 0
    },
    get served() {
      return served
    },
    get readAfter() {
      return readAfter
    },
    spoil(index, body, status) {
      spoiled = { index, body, status }
      served = false
      readAfter = false
      counts = new Map()
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
