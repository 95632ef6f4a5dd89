/** Whether an answer is as the OpenAPI document describes it. */
import Ajv2020 from 'ajv/dist/2020'
import { openApi } from '../../src/generate/openapi'

interface Described {
  operationId: string
  responses: Record<string, object>
}

export const document = openApi() as unknown as {
  paths: Record<string, Record<string, Described> & { parameters?: unknown[] }>
  components: object
}

const ajv = new Ajv2020({ strict: false })
ajv.addSchema({ $id: 'skyctl', ...document })

/** Every operation of the document; those with fewer holes in their path come first, as they are meant first. */
export const operations = Object.entries(document.paths)
  .flatMap(([path, item]) =>
    ['get', 'post', 'put', 'delete'].flatMap((method) =>
      item[method] ? [{ path, method, operation: item[method] as Described }] : [],
    ),
  )
  .sort((a, b) => holes(a.path) - holes(b.path))

function holes(path: string): number {
  return path.split('{').length
}

/** What is wrong with an answer; undefined where nothing is, or where the document knows no such path. */
export function mismatch(method: string, target: string, { status, body }: { status: number; body: unknown }): unknown {
  if (status >= 400) return faults('/components/responses/Refusal', body)
  const [path = ''] = target.split('?')
  const described = operations.find((one) => one.method === method.toLowerCase() && matches(one.path, path))
  if (described === undefined) return undefined
  if (status === 204) return described.operation.responses[204] ? undefined : `${method} ${target} may not answer 204`
  // 299 is a 200 with warnings (gaps.md).
  if (status !== 200 && status !== 299) return `${method} ${target} may not answer ${status}`
  return faults(`/paths/${escaped(described.path)}/${described.method}/responses/200`, body)
}

const matches = (template: string, path: string) =>
  new RegExp(`^${template.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(path)

const escaped = (key: string) => key.replaceAll('~', '~0').replaceAll('/', '~1')

function faults(pointer: string, body: unknown): unknown {
  const reference = `skyctl#${pointer}/content/application~1json/schema`
  const validate = ajv.getSchema(reference.replaceAll('{', '%7B').replaceAll('}', '%7D'))
  if (!validate) return `no schema at ${pointer}`
  return validate(body) ? undefined : validate.errors
}
