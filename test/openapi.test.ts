/** The OpenAPI document: valid, complete, and correct for the sandbox's answers. */
import { Validator } from '@seriousme/openapi-schema-validator'
import { describe, expect, test as plain } from 'vitest'
import { catalogued } from './support/catalogue'
import { document, mismatch, operations } from './support/openapi-document'
import { test } from './support/skyctl'

plain('the OpenAPI document is valid for an independent validator', async () => {
  expect(await new Validator().validate(structuredClone(document) as never)).toEqual({ valid: true })
})

plain('the OpenAPI document has every operation, each with its own operationId', () => {
  const described = operations.map(({ method, path }) => `${method.toUpperCase()} ${path}`)
  expect(described.sort()).toEqual(catalogued.map(({ operation: { method, path } }) => `${method} ${path}`).sort())
  expect(new Set(operations.map(({ operation }) => operation.operationId)).size).toBe(catalogued.length)
})

test('skyctl api --openapi prints the document, and sends nothing', async ({ skyctl, world }) => {
  const { exit, stdout } = await skyctl('api --openapi')
  expect({ exit, document: JSON.parse(stdout) }).toEqual({ exit: 0, document: JSON.parse(JSON.stringify(document)) })
  expect(world.requests()).toEqual([])
})

describe('answers of the sandbox match the document', () => {
  const lists = operations.filter(({ path, method }) => method === 'get' && !path.includes('{'))

  test.for(lists)('GET $path', async ({ path }, { sandbox }) => {
    const answer = await fetch(`${sandbox.baseUrl}${path}`, {
      headers: { authorization: `Bearer ${sandbox.ownerToken}` },
    })
    if (answer.status === 204) return
    expect(answer.status).toBe(200)
    expect(mismatch('GET', path, { status: 200, body: await answer.json() })).toBeUndefined()
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

  test.for(views)('GET $view', async ({ path }, { sandbox }) => {
    const headers = { authorization: `Bearer ${sandbox.ownerToken}` }
    const { data } = (await (await fetch(`${sandbox.baseUrl}${path}`, { headers })).json()) as {
      data: Record<string, unknown>[]
    }
    expect(data.length).toBeGreaterThan(0)
    for (const item of data) {
      const name = String(item.id ?? item.address ?? item.range)
      const target = `${path}/${encodeURIComponent(name)}`
      const answer = await fetch(`${sandbox.baseUrl}${target}`, { headers })
      expect(answer.status).toBe(200)
      expect(mismatch('GET', target, { status: 200, body: await answer.json() })).toBeUndefined()
    }
  })
})
