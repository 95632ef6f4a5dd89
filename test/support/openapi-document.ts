/** Validates answers against the OpenAPI document. */
import Ajv2020 from 'ajv/dist/2020'
import { openApi } from '../../src/catalogue/openapi'

interface DescribedOperation {
  operationId: string
  responses: Record<string, object>
}

export const document = openApi() as unknown as {
  paths: Record<string, Record<string, DescribedOperation> & { parameters?: unknown[] }>
  components: object
}

const ajv = new Ajv2020({ strict: false })
ajv.addSchema({ $id: 'skyctl', ...document })

/** Every operation of the document. Paths with fewer placeholders come first, because they match first. */
export const operations = Object.entries(document.paths)
  .flatMap(([path, item]) =>
    ['get', 'post', 'put', 'delete'].flatMap((method) =>
      item[method] ? [{ path, method, operation: item[method] as DescribedOperation }] : [],
    ),
  )
  .sort((a, b) => placeholders(a.path) - placeholders(b.path))

function placeholders(path: string): number {
  return path.split('{').length
}

/** Returns what is wrong with an answer; undefined if nothing is, or if the document has no such path. */
export function mismatch(method: string, target: string, { status, body }: { status: number; body: unknown }): unknown {
  if (status >= 400) return faults('/components/responses/Refusal', body)
  const [path = ''] = target.split('?')
  const match = operations.find((one) => one.method === method.toLowerCase() && matches(one.path, path))
  if (match === undefined) return undefined
  if (status === 204) return match.operation.responses[204] ? undefined : `${method} ${target} may not answer 204`
  // 299 is a 200 with warnings (gaps.md).
  if (status !== 200 && status !== 299) return `${method} ${target} may not answer ${status}`
  return faults(`/paths/${escapePointer(match.path)}/${match.method}/responses/200`, body)
}

const matches = (template: string, path: string) =>
  new RegExp(`^${template.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(path)

const escapePointer = (key: string) => key.replaceAll('~', '~0').replaceAll('/', '~1')

function faults(pointer: string, body: unknown): unknown {
  const reference = `skyctl#${pointer}/content/application~1json/schema`
  const validate = ajv.getSchema(reference.replaceAll('{', '%7B').replaceAll('}', '%7D'))
  if (!validate) return `no schema at ${pointer}`
  return validate(body) ? undefined : validate.errors
}
