/**
 * A service that first forwards requests to a sandbox and records the answers, then repeats them with one answer
 * changed.
 */
import { createServer, type ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { listening } from './listening'

/** A recorded answer. */
export interface Recorded {
  /** Request line and X-Filter, if it has one: `GET /v4/volumes?page=1`. */
  request: string
  status: number
  body: string
  /** Date header, by the sandbox's clock. */
  date: string | null
}

/** Replaces a recorded answer. */
export interface Other {
  body: string
  /** Defaults to the recorded status. */
  status?: number | undefined
  type?: string | undefined
  /** Sends a larger Content-Length than the body has, and closes the connection. */
  short?: boolean | undefined
}

export interface Replay {
  /** Has the path of the sandbox's base URL. */
  baseUrl: string
  recorded: readonly Recorded[]
  /** Discards the recorded answers. */
  begin(): void
  /** Whether the changed answer was sent since `spoil`. */
  readonly served: boolean
  /** Whether something was read after the changed answer. */
  readonly readAfter: boolean
  /** Number of such requests since `spoil`. */
  times(request: string): number
  /** Changing requests since `spoil`, with their bodies. */
  readonly changes: readonly string[]
  /** Answers as recorded from now on, but with another answer at this index, if it is defined. */
  spoil(index: number | undefined, other: Other): void
  close(): Promise<void>
}

const notFound = '{"errors":[{"field":null,"reason":"Not found"}]}'

function send({ status, body, date, type, short }: Other & Omit<Recorded, 'request'>, response: ServerResponse): void {
  const length = Buffer.byteLength(body)
  response.writeHead(status, {
    'content-type': type ?? 'application/json',
    ...(date && { date }),
    ...(status !== 204 && { 'content-length': short ? length + 20 : length }),
  })
  if (!short) return void response.end(status === 204 ? undefined : body)
  response.flushHeaders()
  response.write(body, () => response.socket?.destroy())
}

/**
 * `unchanged` is a service that answers reads that were not recorded, as it was before the changes; otherwise they are
 * a 404.
 */
export async function openReplay(target: string, unchanged?: string): Promise<Replay> {
  const recorded: Recorded[] = []
  let spoiled: (Other & { index: number | undefined }) | undefined
  let served = false
  let readAfter = false
  /** Number of requests by request line since `spoil`. */
  let counts = new Map<string, number>()
  let changes: string[] = []

  const forward = async (asked: string, init: RequestInit, service: string): Promise<Recorded> => {
    const [, path = ''] = asked.split(' ')
    const answer = await fetch(new URL(path, service), init)
    return { request: asked, status: answer.status, body: await answer.text(), date: answer.headers.get('date') }
  }
  const record = async (asked: string, init: RequestInit): Promise<Recorded> => {
    const answer = await forward(asked, init, target)
    recorded.push(answer)
    return answer
  }
  /** Returns the answer that was recorded at the same turn, or the last one to this request. */
  const repeat = async (asked: string, init: RequestInit): Promise<Other & Omit<Recorded, 'request'>> => {
    readAfter ||= served && asked.startsWith('GET ')
    const turn = counts.get(asked) ?? 0
    counts.set(asked, turn + 1)
    const answers = recorded.flatMap((one, index) => (one.request === asked ? [{ ...one, index }] : []))
    const answer = answers[Math.min(turn, answers.length - 1)]
    if (!answer && unchanged !== undefined && init.method === 'GET') return forward(asked, init, unchanged)
    if (!answer) return { status: 404, body: notFound, date: null }
    if (answer.index !== spoiled?.index) return answer
    served = true
    return { ...answer, ...spoiled, status: spoiled.status ?? answer.status }
  }

  const server = createServer(async (request, response) => {
    const body = await buffer(request)
    const filter = request.headers['x-filter']
    const requestLine = [request.method, request.url, ...(filter === undefined ? [] : [filter])].join(' ')
    const headers = Object.entries(request.headers).filter(([name]) => !/^(host|connection|content-length)$/.test(name))
    if (request.method !== 'GET') changes.push(`${requestLine} ${body}`)
    const init = {
      method: request.method ?? 'GET',
      headers: headers as [string, string][],
      ...(body.length > 0 && { body }),
    }
    const answer = await (spoiled ? repeat(requestLine, init) : record(requestLine, init))
    send(answer, response)
  })
  const { origin, close } = await listening(server)
  return {
    baseUrl: `${origin}/v4`,
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
    times: (requestLine) => counts.get(requestLine) ?? 0,
    get changes() {
      return changes
    },
    spoil(index, other) {
      spoiled = { ...other, index }
      served = false
      readAfter = false
      counts = new Map()
      changes = []
    },
    close,
  }
}
