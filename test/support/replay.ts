/** A service that first passes what it is asked on to a sandbox, and then answers the same again, with one answer changed. */
import { createServer, type ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { listening } from './listening'

/** An answer as it was recorded. */
export interface Recorded {
  /** `GET /v4/volumes?page=1`, and its X-Filter, if it has one. */
  asked: string
  status: number
  body: string
  /** When it was given, as the sandbox's own clock says. */
  date: string | null
}

/** What comes in place of a recorded answer. */
export interface Other {
  body: string
  /** As recorded, where none is given. */
  status?: number | undefined
  type?: string | undefined
  /** Its length says more than comes, and the connection ends. */
  short?: boolean | undefined
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
  /** How often a request came since. */
  times(asked: string): number
  /** Requests since that change something, with their bodies. */
  readonly changes: readonly string[]
  /** From now on answers as recorded, but for the one of this index, if there is one. */
  spoil(index: number | undefined, other: Other): void
  close(): Promise<void>
}

const notFound = '{"errors":[{"field":null,"reason":"Not found"}]}'

function send({ status, body, date, type, short }: Other & Omit<Recorded, 'asked'>, response: ServerResponse): void {
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

/** `unchanged`: a service that answers what was not asked before, as it was before the recorded changes; else it is a 404. */
export async function openReplay(target: string, unchanged?: string): Promise<Replay> {
  const recorded: Recorded[] = []
  let spoiled: (Other & { index: number | undefined }) | undefined
  let served = false
  let readAfter = false
  /** How often each request came since the last change. */
  let counts = new Map<string, number>()
  let changes: string[] = []

  const passOn = async (asked: string, init: RequestInit, service: string): Promise<Recorded> => {
    const [, path = ''] = asked.split(' ')
    const answer = await fetch(new URL(path, service), init)
    return { asked, status: answer.status, body: await answer.text(), date: answer.headers.get('date') }
  }
  const record = async (asked: string, init: RequestInit): Promise<Recorded> => {
    const made = await passOn(asked, init, target)
    recorded.push(made)
    return made
  }
  /** The one that came at the same turn, or the last one to this request. */
  const again = async (asked: string, init: RequestInit): Promise<Other & Omit<Recorded, 'asked'>> => {
    readAfter ||= served && asked.startsWith('GET ')
    const turn = counts.get(asked) ?? 0
    counts.set(asked, turn + 1)
    const known = recorded.flatMap((one, index) => (one.asked === asked ? [{ ...one, index }] : []))
    const found = known[Math.min(turn, known.length - 1)]
    if (!found && unchanged !== undefined && init.method === 'GET') return passOn(asked, init, unchanged)
    if (!found) return { status: 404, body: notFound, date: null }
    if (found.index !== spoiled?.index) return found
    served = true
    return { ...found, ...spoiled, status: spoiled.status ?? found.status }
  }

  const server = createServer(async (request, response) => {
    const body = await buffer(request)
    const filter = request.headers['x-filter']
    const asked = [request.method, request.url, ...(filter === undefined ? [] : [filter])].join(' ')
    const kept = Object.entries(request.headers).filter(([name]) => !/^(host|connection|content-length)$/.test(name))
    if (request.method !== 'GET') changes.push(`${asked} ${body}`)
    const init = {
      method: request.method ?? 'GET',
      headers: kept as [string, string][],
      ...(body.length > 0 && { body }),
    }
    const answer = await (spoiled ? again(asked, init) : record(asked, init))
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
    times: (asked) => counts.get(asked) ?? 0,
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
