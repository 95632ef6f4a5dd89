import type { Account } from '../account/account'
import { sending } from '../account/history/history'
import { defaultIdempotency, type Method, type Schema } from '../catalogue/operation'
import { dryRunFlag } from '../engine/change-flags'
import type { Command, Flags } from '../engine/command'
import { listFlag, sizeFlag, textFlag } from '../engine/flag-values'
import { memoryFlag, outputFlags } from '../engine/flags'
import { holdWithin } from '../engine/held-answers'
import { viewOf } from '../engine/printing'
import type { Session } from '../engine/session'
import { Problem } from '../errors'
import type { Client } from '../http/client'
import { answerOf } from '../http/request-outcome'
import { expectSafePath } from '../http/request-path'
import type { Sending } from '../http/requests'
import { isForPeople } from '../output/formats'
import { isStreamed, printList, printMany, printOne, type View } from '../output/print'
import { withoutSecrets } from '../rules/secrets'
import { shellWord } from '../rules/texts'

const methods = ['GET', 'POST', 'PUT', 'DELETE'] as const

interface Request {
  method: Method
  path: string
  body?: unknown
  headers: Record<string, string>
}

const api: Command = {
  name: 'api',
  summary: 'Send any request to the service',
  requestsDependOn: 'its arguments',
  details: 'Prints JSON unless another format is set. A POST is sent only once, as it is not safe to repeat.',
  arguments: [
    { name: 'method', description: `${methods.join(', ')} (default GET)`, values: methods, optional: true },
    { name: 'path', description: 'Path below the base URL: /volumes?page_size=25', optional: true },
  ],
  flags: [
    { name: 'body', value: 'file', description: 'Send this JSON or YAML file; - is stdin', values: 'files' },
    {
      name: 'header',
      short: 'H',
      value: 'line',
      list: 'repeats',
      description: "Add a header, such as 'X-Filter: {}'",
    },
    { name: 'paginate', description: 'Read every page, and print the items as one array' },
    { name: 'openapi', description: 'Print the OpenAPI 3.1 document and send nothing' },
    dryRunFlag,
    memoryFlag,
    ...outputFlags.filter(({ name }) => name !== 'columns'),
  ],
  examples: [
    { what: 'Who am I?', line: 'skyctl api GET /profile' },
    { what: 'Every volume with all fields', line: 'skyctl api GET /volumes --paginate' },
    { what: 'Generate a client in another language', line: 'skyctl api --openapi > openapi.json' },
    { what: 'Let the service filter', line: 'skyctl api GET /volumes -H \'X-Filter: {"label":"data-1"}\'' },
  ],
  argumentsMeant: requestMeant,
  async run({ arguments: words, flags }, session) {
    const view = await apiView(flags, session)
    if (flags.openapi) return printDocument(words, view, session)
    const request = await readRequest(words, flags, session)
    if (flags['dry-run']) {
      const { headers: _headers, body, ...shown } = request
      await printOne({ ...shown, ...(body !== undefined && { body: withoutSecrets(body) }) }, view, session.ui.stdout)
      return session.ui.status('Nothing was sent')
    }
    if (flags.paginate)
      return printPages(await session.account.client(), request, {
        view,
        most: await sizeFlag(flags, 'max-memory'),
        session,
      })
    const idempotency = defaultIdempotency[request.method]
    const returns = await schemaOf(request)
    const body = await sendNoted({ ...request, idempotency, returns }, session.account).catch((error) =>
      rejectWithPaths(error, request),
    )
    await (Array.isArray(body) ? printMany(body, view, session.ui.stdout) : printOne(body, view, session.ui.stdout))
  },
}

/** Names the paths, if the service has nothing at the path of the request. */
function rejectWithPaths(error: unknown, { method, path }: Request): never {
  if (!(error instanceof Problem) || error.details.status !== 404 || error.details.hint !== undefined) throw error
  const [, meant] = requestMeant([method, path]) ?? []
  const search = "For the paths: skyctl api --openapi --query 'keys(paths)'"
  const hint = meant === undefined ? search : `Did you mean ${meant}? ${search}`
  throw error.with({ hint })
}

/** Sends any request, notes a change in the history, and resolves to the answer. */
async function sendNoted(request: Sending, account: Account): Promise<unknown> {
  const client = await account.client()
  const [path = ''] = request.path.split('?')
  const entry = await sending({ method: request.method, path: account.local.secrets.inMessage(path) }, account)
  const got = await client.onceAny(request)
  await (got.is === 'ok' ? entry.done(got.answer, got) : entry.failed(got))
  return answerOf(got)
}

interface Paging {
  view: View
  most: number | undefined
  session: Session
}

async function printPages(client: Client, request: Request, { view, most, session }: Paging): Promise<void> {
  const shown = { ...view, atOnce: view.quiet !== undefined }
  const onPage = isStreamed(shown) ? undefined : holdWithin(most)
  await printList(client.pagesAt(request, { onPage }), shown, session.ui.stdout)
}

/** Returns the schema of what a known change answers; undefined for reads and unknown paths. */
async function schemaOf({ method, path }: Request): Promise<Schema | undefined> {
  if (method === 'GET') return undefined
  const { kindOf } = await import('./history/kinds')
  return kindOf(method, path.split('?', 1)[0] ?? '')?.action.operation.returns
}

async function apiView(flags: Flags, session: Session): Promise<View> {
  const view = await viewOf({ columns: [], isAnswer: flags.paginate !== true }, flags, session)
  return isForPeople(view.format) ? { ...view, format: 'json' } : view
}

async function printDocument(words: readonly string[], view: View, session: Session): Promise<void> {
  if (words.length > 0) throw new Problem('usage', '--openapi takes no method and no path')
  const { openApi } = await import('../catalogue/openapi')
  await printOne(openApi(), view, session.ui.stdout)
}

/** `api volumes` lacks a slash, `api /v4/volumes` repeats what the base URL has, and `api user` is the profile here. */
function requestMeant(words: readonly string[]): readonly string[] | undefined {
  const [method = '', target = ''] = words.length === 1 ? ['GET', ...words] : words
  if (!/^\/?[a-z][\w/.-]*(\?.*)?$/.test(target)) return undefined
  const path = fromRoot(target)
    .replace(/^\/v4(beta)?(?=\/)/, '')
    .replace(/^\/(account|user|me)$/, '/profile')
  return path === target ? undefined : [method, path]
}

async function readRequest(words: readonly string[], flags: Flags, session: Session): Promise<Request> {
  // A path alone means GET, as in gh.
  const [methodName, target] = words.length === 1 && words[0]?.startsWith('/') ? ['GET', words[0]] : words
  if (methodName === undefined || target === undefined) {
    const request = requestMeant(words)
    throw new Problem('usage', 'a method and a path are needed', {
      hint: 'For example: skyctl api GET /profile',
      ...(request && methodName !== undefined && { otherWord: [methodName, ...request] }),
    })
  }
  if (methodName.startsWith('/') && flags.quiet) {
    const hint = `For a query: --query ${shellWord(target.replace(/^\.(?=.)/, ''))}; -q is --quiet`
    throw new Problem('usage', `unexpected argument "${target}"`, { hint })
  }
  const method = methods.find((one) => one === methodName.toUpperCase())
  if (!method) throw new Problem('usage', `"${methodName}" is not a method: ${methods.join(', ')}`)
  const path = fromRoot(target)
  const [, below] = /^(?:https?:\/\/[^/]+)?\/v4(?:beta)?(\/[\w/-]+)$/.exec(path) ?? []
  if (below !== undefined)
    throw new Problem('usage', `"${path}" repeats what the base URL has`, { hint: `Write ${below}` })
  expectSafePath(path)
  const file = textFlag(flags, 'body')
  if (method === 'GET' && file !== undefined) throw new Problem('usage', '--body: a GET carries no body')
  if (method !== 'GET' && flags.paginate) throw new Problem('usage', '--paginate: only a GET has pages')
  const body = file === undefined ? undefined : await (await import('../engine/body-file')).readObject(file, session)
  return { method, path, ...(body && { body }), headers: readHeaders(listFlag(flags, 'header') ?? []) }
}

/** Adds a missing slash: `volumes` is the same as `/volumes`, as in gh. */
function fromRoot(path: string): string {
  return /^\w[\w-]*(?:[/?]|$)/.test(path) ? `/${path}` : path
}

const ownHeaders = new Set([
  'authorization',
  'host',
  'content-length',
  'content-type',
  'transfer-encoding',
  'connection',
])

function readHeaders(lines: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    lines.map((line) => {
      const match = /^([!#$%&'*+\-.^_`|~\w]+):[ \t]*([\x20-\x7e]*)$/.exec(line)
      if (!match) throw new Problem('usage', '--header: write it as NAME: VALUE')
      const [, name = '', value = ''] = match
      if (ownHeaders.has(name.toLowerCase())) throw new Problem('usage', `--header: ${name} is set by skyctl`)
      return [name, value]
    }),
  )
}

export default api
