/** Integers beyond 2^53 keep their digits in input and output; --filter and --query calculate and compare with doubles. */
import { describe, expect } from 'vitest'
import { faultServer, reply } from './support/fault-server'
import { test } from './support/skyctl'

/** Neighbouring integers; a double holds only the even ones. */
const [below, odd, above] = ['9007199254740992', '9007199254740993', '9007199254740994']
/** Required fields of a volume, after the fields under test. */
const requiredFields =
  '"status":"active","region":"us-east","filesystem_path":"/dev/x","hardware_type":"nvme","tags":[],"created":"","updated":""'
/** Nullable fields that the answers lack. */
const nullFields = '"compute_id":null,"compute_label":null'
const page = `{"data":[{"id":1,"label":"a","size":${above},${requiredFields}},{"id":2,"label":"b","size":${below},${requiredFields}},{"id":3,"label":"c","size":${odd},${requiredFields}},{"id":4,"label":"d","size":7,${requiredFields}}],"page":1,"pages":1,"results":4}`

async function service(text: string) {
  const server = await faultServer(reply(200, text))
  return { server, env: server.env }
}

describe('a record prints big integers', () => {
  test.for<[flags: string, text: string]>([
    [
      '--columns serial,nested --json',
      `{\n  "serial": ${odd},\n  "nested": {\n    "list": [\n      ${above},\n      1\n    ]\n  }\n}\n`,
    ],
    ['--columns serial,nested -o ndjson', `{"serial":${odd},"nested":{"list":[${above},1]}}\n`],
    ['--columns serial,nested -o yaml', `serial: ${odd}\nnested:\n  list:\n    - ${above}\n    - 1\n`],
    ['-o csv --columns serial,nested.list', `serial,nested.list\n${odd},"[${above},1]"\n`],
    ['-o tsv --columns nested --no-headers', `{"list":[${above},1]}\n`],
    ['--columns serial,nested.list', `serial       ${odd}\nnested.list  ${above}, 1\n`],
    ['--columns serial -o tsv --no-headers', `${odd}\n`],
    ['--query nested --json', `{\n  "list": [\n    ${above},\n    1\n  ]\n}\n`],
  ])('with %s', async ([flags, text], { skyctl }) => {
    const { env } = await service(
      `{"id":1,"label":"a","size":20,${requiredFields},"serial":${odd},"nested":{"list":[${above},1]}}`,
    )
    expect(await skyctl(`volumes view 1 ${flags}`, { env })).toEqual({ exit: 0, stdout: text, stderr: '' })
  })
})

describe('a list sorts by all digits, filters by doubles and prints all digits', () => {
  test.for<[flags: string, ids: string]>([
    ['--sort size', '4\n2\n3\n1\n'],
    ['--sort -size', '1\n3\n2\n4\n'],
    [`--filter size=${odd}`, '2\n3\n'],
    [`--filter size!=${odd}`, '1\n4\n'],
    [`--filter size>${below}`, '1\n'],
    [`--filter size<=${below}`, '2\n3\n4\n'],
    [`--filter size>${below} -o tsv --columns size --no-headers`, `${above}\n`],
    [`--filter size=${below} -o tsv --columns size --no-headers`, `${below}\n${odd}\n`],
  ])('%s', async ([flags, ids], { skyctl }) => {
    const { env } = await service(page)
    expect(await skyctl(`volumes list -q ${flags}`, { env })).toEqual({ exit: 0, stdout: ids, stderr: '' })
  })
})

describe('--query', () => {
  test.for<[query: string, result: unknown]>([
    ['[2]', `{"id":3,"label":"c","size":${odd},${requiredFields},${nullFields}}`],
    ['[].size', `[${above},${below},${odd},7]`],
    ["[?label == 'c'].size", `[${odd}]`],
    ["[?contains(label, 'c')].{n: size}", `[{"n":${odd}}]`],
    ['[?size > `100`].size', `[${above},${below},${odd}]`],
    ['sort_by(@, &label)[].size', `[${above},${below},${odd},7]`],
    ['map(&size, @)', `[${above},${below},${odd},7]`],
    ['reverse([].size)', `[7,${odd},${below},${above}]`],
    [`[?size == \`${odd}\`].id`, '[2,3]'],
    [`[?size > \`${below}\`].id`, '[1]'],
    ['[2].size + `2`', above],
    ['sum([?size > `100`].size | [1:])', '18014398509481984'],
    ['avg([1:3].size)', below],
    ['sort_by(@, &size)[].id', '[4,2,3,1]'],
    ['sort([].size)', `[7,${below},${odd},${above}]`],
    ['max([].size)', above],
    ['min([].size)', '7'],
    ['max_by(@, &size).label', '"a"'],
    ['min_by(@, &size).label', '"d"'],
    ['ceil([2].size)', below],
    [`contains([].size, \`${odd}\`)`, 'true'],
    ['contains([].size, `9007199254740990`)', 'false'],
    [`to_number('${odd}')`, below],
    ['to_string([2].size)', `"${odd}"`],
    ['to_string([2])', JSON.stringify(`{"id":3,"label":"c","size":${odd},${requiredFields},${nullFields}}`)],
    ['type([2].size)', '"number"'],
    ['not_null([2].size)', odd],
    ['let $n = [2].size in [?size == $n].size', `[${below},${odd}]`],
  ])('%s is %s', async ([query, result], { skyctl }) => {
    const { env } = await service(page)
    const { exit, stdout, stderr } = await skyctl(['volumes', 'list', '--query', query, '--json'], { env })
    expect({ exit, stdout: stdout.replaceAll(/\n */g, '').replaceAll('": ', '":'), stderr }).toEqual({
      exit: 0,
      stdout: result,
      stderr: '',
    })
  })

  test.for(['length([2].size)', 'keys([2].size)', 'map(&@, [2].size)', "sort([[2].size, 'a'])", 'sort_by(@, &[size])'])(
    'rejects %s, which needs another type',
    async (query, { skyctl }) => {
      const { env } = await service(page)
      const { exit, stdout, stderr } = await skyctl(['volumes', 'list', '--query', query, '--json'], { env })
      expect({ exit, stdout }).toEqual({ exit: 2, stdout: '' })
      expect(JSON.parse(stderr).error.message).toContain('query')
    },
  )

  test.for<[query: string, result: unknown]>([
    ['sort(`[10, 9, 100]`)', [9, 10, 100]],
    ['sort(`["b", "a", "ä"]`)', ['a', 'b', 'ä']],
    ['max_by(`[{"n": "a"}, {"n": "b"}]`, &n).n', 'b'],
    ['sum(`[]`)', 0],
    ['avg(`[]`)', null],
    ['max(`[]`)', null],
    ["'a' < 'b'", null],
    ['`1e400` > `1`', true],
  ])('of other numbers and texts, %s is %j', async ([query, result], { skyctl }) => {
    const { env } = await service(page)
    const { stdout } = await skyctl(['volumes', 'list', '--query', query, '--json'], { env })
    expect(JSON.parse(stdout)).toEqual(result)
  })
})

describe('a body keeps big integers', () => {
  const files = [
    ['JSON', `{"label":"x","compute_id":${odd},"size":20}`],
    ['YAML', `label: x\ncompute_id: ${odd}\nsize: 20\n`],
  ] as const

  test.for(files)('from %s', async ([, stdin], { skyctl }) => {
    const none = reply(200, { data: [], page: 1, pages: 1, results: 0 })
    const created = reply(200, `{"id":1,"label":"x","size":20,${requiredFields}}`)
    const { env, received } = await faultServer((socket, heard) =>
      (heard.method === 'GET' ? none : created)(socket, heard),
    )
    expect(await skyctl('volumes create --body - --allow-duplicate --json', { env, stdin })).toMatchObject({ exit: 0 })
    const sent = received.find(({ method }) => method === 'POST')
    expect(sent?.body).toBe(`{"label":"x","compute_id":${odd},"size":20}`)
  })

  test.for(files)('in preferences and in any request, from %s', async ([, stdin], { skyctl }) => {
    // The last body of a PUT is the next answer.
    let preferences = '{}'
    const { env, received } = await faultServer((socket, heard) => {
      if (heard.method === 'PUT') preferences = String(heard.body)
      return reply(200, preferences)(socket, heard)
    })
    for (const line of ['profile preferences set --body - --yes', 'api PUT /anything --body -']) {
      expect(await skyctl(line, { env, stdin })).toMatchObject({ exit: 0 })
      const { body } = received.findLast(({ method }) => method === 'PUT') ?? {}
      expect(body).toContain(odd)
    }
  })

  test('but is rejected if the field cannot have them', async ({ skyctl }) => {
    const { server, env } = await service('{}')
    const stdin = `{"label":${odd},"size":-${odd}}`
    const { exit, stderr } = await skyctl('volumes create --region us-east --body -', { env, stdin })
    expect({ exit, received: server.received }).toEqual({ exit: 2, received: [] })
    expect(stderr).toContain('label: must be a string')
  })

  test('in a dry run', async ({ skyctl }) => {
    const { env } = await service('{}')
    const stdin = files[1][1]
    expect((await skyctl('volumes create --body - --dry-run --json', { env, stdin })).stdout).toContain(
      `"compute_id": ${odd}`,
    )
  })
})
