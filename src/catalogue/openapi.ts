/** Converts the catalogue to an OpenAPI 3.1 document, for clients and mocks of the same service. */
import { catalogue } from '.'
import { type Json, jsonSchemaOf, recordNames } from './json-schema'
import { type Operation, parametersOf, partsOf, type Schema } from './operation'
import { pageSizes } from './paging'
import { revision } from './revision'

export function openApi(): Json {
  const names = recordNames()
  return {
    openapi: '3.1.1',
    info: {
      title: 'Cloud Infrastructure API',
      version: revision,
      description: 'Profile, volumes, regions and networking of a cloud account.',
    },
    servers: [
      {
        url: '{base_url}',
        variables: { base_url: { default: 'http://127.0.0.1:8080/v4', description: 'Up to and including /v4' } },
      },
    ],
    paths: paths(names),
    components: {
      securitySchemes: {
        personalAccessToken: { type: 'http', scheme: 'bearer', description: 'A personal access token' },
        oauth: { type: 'http', scheme: 'bearer', description: 'The token of an OAuth authorization' },
      },
      parameters: { page, page_size: pageSize, filter },
      responses: { Refusal: refusal },
      schemas: Object.fromEntries(
        [...names].map(([schema, name]) => [name, jsonSchema(schema, 'output', names, name)]),
      ),
    },
  }
}

const page = {
  name: 'page',
  in: 'query',
  description: 'Page to read',
  schema: { type: 'integer', minimum: 1, default: 1 },
}

const pageSize = {
  name: 'page_size',
  in: 'query',
  description: 'Number of items on a page',
  schema: { type: 'integer', minimum: pageSizes.smallest, maximum: pageSizes.largest, default: pageSizes.unsaid },
}

const filter = {
  name: 'X-Filter',
  in: 'header',
  description: 'A JSON object: {"label": "data"}, {"+and": [...]}, {"+order_by": "label", "+order": "desc"}',
  schema: { type: 'string' },
}

const refusal = {
  description: 'The request was refused',
  content: {
    'application/json': {
      schema: {
        type: 'object',
        required: ['errors'],
        properties: {
          errors: {
            type: 'array',
            minItems: 1,
            items: {
              type: 'object',
              required: ['reason'],
              properties: {
                field: { type: ['string', 'null'], description: 'Path of the invalid field' },
                reason: { type: 'string' },
              },
            },
          },
        },
      },
    },
  },
}

function paths(names: Map<Schema, string>): Json {
  const result: Record<string, Json> = {}
  for (const [group, operations] of Object.entries(catalogue)) {
    for (const [verb, operation] of Object.entries(operations)) {
      const methods = result[operation.path] ?? pathParameters(operation)
      result[operation.path] = methods
      methods[operation.method.toLowerCase()] = describe(operation, { group, id: `${group}_${verb}`, names })
    }
  }
  return result
}

function pathParameters({ path }: Operation): Json {
  const parameters = parametersOf(path).map((name) => ({
    name,
    in: 'path',
    required: true,
    schema: name.endsWith('Id') && name !== 'regionId' ? { type: 'integer', minimum: 1 } : { type: 'string' },
  }))
  return parameters.length === 0 ? {} : { parameters }
}

function describe(
  operation: Operation,
  { group, id, names }: { group: string; id: string; names: Map<Schema, string> },
): Json {
  const { body, scopes } = operation
  return {
    operationId: id,
    tags: [group],
    summary: operation.summary,
    security: operation.isPublic ? [] : [{ personalAccessToken: scopes }, { oauth: scopes }],
    parameters: parameters(operation),
    ...(body && {
      requestBody: {
        required: true,
        content: { 'application/json': { schema: jsonSchema(body, 'input', names) } },
      },
    }),
    responses: { ...answers(operation, names), default: { $ref: '#/components/responses/Refusal' } },
  }
}

function parameters({ paged, query, filterable }: Operation): Json[] {
  const entries = Object.entries(query?.entries ?? {})
  return [
    ...(paged ? [reference('parameters/page'), reference('parameters/page_size')] : []),
    ...(filterable ? [reference('parameters/filter')] : []),
    ...entries.map(([name, schema]) => ({ name, in: 'query', schema: jsonSchema(schema, 'input', new Map()) })),
  ]
}

function answers({ returns, paged }: Operation, names: Map<Schema, string>): Json {
  // Only Grants List answers 204 without body, for an unrestricted user.
  const inner = (returns.type === 'nullable' ? partsOf(returns).wrapped : undefined) ?? returns
  const schema = jsonSchema(inner, 'output', names)
  return {
    200: {
      description: 'Done',
      content: { 'application/json': { schema: paged ? envelope(schema) : schema } },
    },
    ...(inner !== returns && { 204: { description: 'No content' } }),
  }
}

function envelope(item: Json): Json {
  const count = { type: 'integer', minimum: 0 }
  return {
    type: 'object',
    required: ['data', 'page', 'pages', 'results'],
    properties: { data: { type: 'array', items: item }, page: count, pages: count, results: count },
  }
}

function reference(path: string): Json {
  return { $ref: `#/components/${path}` }
}

/** Converts a schema; `within` is the component that is being written, which must not refer to itself. */
function jsonSchema(schema: Schema, mode: 'input' | 'output', names: Map<Schema, string>, within?: string): Json {
  return jsonSchemaOf(schema, { mode, names, within, reference: (name) => `#/components/schemas/${name}` })
}
