/** The OpenAPI document: valid, complete, and true of the sandbox's answers. */
import { Validator } from '@seriousme/openapi-schema-validator'
import Ajv2020 from 'ajv/dist/2020'
import { describe, expect, test as plain } from 'vitest'
import { openApi } from '../src/generate/openapi'
import { test } from './support/skyctl'

interface Operation {
  operationId: string
  responses: Record<string, { content?: { 'application/json': { schema: object } } }>
}

const document = openApi() as unknown as { paths: Record<string, Record<string, Operation>>; components: object }
const methods = ['get', 'post', 'put', 'delete']
const operations = Object.entries(document.paths).flatMap(([path, item]) =>
  methods.flatMap((method) => (item[method] ? [{ path, method, operation: item[method] }] : [])),
)

plain('is valid by a validator that is not ours', async () => {
  expect(await new Validator().validate(structuredClone(document) as never)).toEqual({ valid: true })
})

plain('describes the 69 operations of api.md, each under a name of its own', () => {
  expect(operations).toHaveLength(69)
  expect(new Set(operations.map(({ operation }) => operation.operationId)).size).toBe(69)
})

test('skyctl api --openapi prints it, and sends nothing', async ({ skyctl, world }) => {
  const { exit, stdout } = await skyctl('api --openapi')
  expect({ exit, document: JSON.parse(stdout) }).toEqual({ exit: 0, document: JSON.parse(JSON.stringify(document)) })
  expect(world.requests()).toEqual([])
})

describe('the answers of the sandbox are as described', () => {
  const ajv = new Ajv2020({ strict: false })
  ajv.addSchema({ $id: 'skyctl', ...document })

  function faults(path: string, method: string, status: number, body: unknown): unknown {
    const pointer = `/paths/${path.replaceAll('~', '~0').replaceAll('/', '~1')}/${method}/responses/${status}`
    const schema = `skyctl#${pointer}/content/application~1json/schema`.replaceAll('{', '%7B').replaceAll('}', '%7D')
    const validate = ajv.getSchema(schema)
    if (!validate) return `no schema for ${method} ${path}`
    return validate(body) ? undefined : validate.errors
  }

  const lists = operations.filter(({ path, method }) => method === 'get' && !path.includes('{'))

  test.for(lists)('GET $path', async ({ path }, { sandbox }) => {
    const answer = await fetch(`${sandbox.baseUrl}${path}`, {
      headers: { authorization: `Bearer ${sandbox.ownerToken}` },
    })
    if (answer.status === 204) return
    expect(answer.status).toBe(200)
    expect(faults(path, 'get', 200, await answer.json())).toBeUndefined()
  })

  const views = lists
    .map(({ path }) => ({
      path,
      view: operations.find(
        (one) =>
          one.method === 'get' && one.path.startsWith(`${path}/{`) && !one.path.slice(path.length + 1).includes('/'),
      ),
    }))
    .flatMap(({ path, view }) => (view ? [{ path, view: view.path }] : []))

  test.for(views)('GET $view', async ({ path, view }, { sandbox }) => {
    const headers = { authorization: `Bearer ${sandbox.ownerToken}` }
    const { data } = (await (await fetch(`${sandbox.baseUrl}${path}`, { headers })).json()) as {
      data: Record<string, unknown>[]
    }
    expect(data.length).toBeGreaterThan(0)
    for (const item of data) {
      const name = String(item.id ?? item.address ?? item.range)
      const answer = await fetch(`${sandbox.baseUrl}${path}/${encodeURIComponent(name)}`, { headers })
      expect(answer.status).toBe(200)
      expect(faults(view, 'get', 200, await answer.json())).toBeUndefined()
    }
  })
})
