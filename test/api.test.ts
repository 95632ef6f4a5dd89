/** `skyctl api` sends any request. */
import { describe, expect } from 'vitest'
import { faultServer, type RawRequest, reply, type Script } from './support/fault-server'
import { type Fixtures, test } from './support/skyctl'

const json = (text: string) => JSON.parse(text)

describe('api', () => {
  test.for([
    ['/profile', '/profile'],
    ['GET profile', '/profile'],
    ['GET volumes?page_size=25', '/volumes?page_size=25'],
  ] as const)('%s reads %s', async ([words, path], { skyctl, world }) => {
    expect((await skyctl(`api ${words}`)).exit).toBe(0)
    expect(world.requests()).toEqual([{ method: 'GET', path, body: undefined }])
  })

  test('prints the answer as JSON', async ({ skyctl, world }) => {
    const { id } = world.volume({ label: 'data' })
    const { exit, stdout, stderr } = await skyctl(`api GET /volumes/${id}`)
    expect({ exit, stderr, label: json(stdout).label }).toEqual({ exit: 0, stderr: '', label: 'data' })
  })

  test('sends a body from stdin', async ({ skyctl, world }) => {
    const { stdout } = await skyctl('api post /volumes --body -', { stdin: 'label: raw\nregion: us-east\n' })
    expect(json(stdout)).toMatchObject({ label: 'raw', size: 20 })
    expect(world.requests('POST')[0]?.body).toEqual({ label: 'raw', region: 'us-east' })
  })

  test('--paginate reads every page, as one array', async ({ skyctl, world }) => {
    for (let count = 0; count < 60; count += 1) world.volume()
    const { stdout } = await skyctl('api GET /volumes?page_size=25 --paginate')
    expect(json(stdout)).toHaveLength(world.volumes.size)
  })

  test.for([
    ['GET /volumes --paginate', 'id,label,status,size,'],
    ['GET /regions/us-east/availability', 'region,plan,available'],
    ['GET /profile', 'username,uid,email,'],
    ['DELETE /volumes/1 --dry-run', 'method,path'],
  ] as const)(
    '%s: CSV and TSV have the fields of the records as columns',
    async ([line, heading], { skyctl, world }) => {
      world.volume({ label: 'data' })
      const answer = json((await skyctl(`api ${line}`)).stdout)
      for (const [format, separator] of Object.entries({ csv: ',', tsv: '\t' })) {
        const [head, ...rows] = (await skyctl(`api ${line} -o ${format}`)).stdout.trimEnd().split('\n')
        expect(head).toContain(heading.replaceAll(',', separator))
        expect(rows).toHaveLength([answer].flat().length)
        expect(rows[0]).toMatch(/^[\w-]+[,\t]/)
      }
    },
  )

  test.for([
    [[], ''],
    [{}, ''],
    [['a', 'b,c'], 'a\n"b,c"\n'],
    [[{ id: 1 }, { id: 2, inner: { list: [1] } }], 'id,inner.list\n1,\n2,[1]\n'],
  ] as const)('the answer %j is %j as CSV', async ([answer, stdout], { skyctl }) => {
    const { env } = await faultServer(reply(200, answer))
    expect(await skyctl('api GET /things -o csv', { env })).toEqual({ exit: 0, stdout, stderr: '' })
  })

  test('--header sets any header that skyctl does not set itself', async ({ skyctl, world }) => {
    world.volume({ label: 'wanted' })
    const { stdout } = await skyctl(['api', 'GET', '/volumes', '-H', 'X-Filter: {"label":"wanted"}'])
    expect(json(stdout).data).toHaveLength(1)
  })

  test('--query selects from the answer', async ({ skyctl, world }) => {
    const { stdout } = await skyctl('api GET /profile -o tsv --query username')
    expect(stdout.trim()).toBe(world.users.all()[0]?.username)
  })

  test('--dry-run sends nothing', async ({ skyctl, world }) => {
    const { stdout } = await skyctl('api DELETE /volumes/1 --dry-run')
    expect(json(stdout)).toEqual({ method: 'DELETE', path: '/volumes/1' })
    expect(world.requests()).toEqual([])
  })

  test('an API error has its exit code', async ({ skyctl }) => {
    expect((await skyctl('api GET /volumes/999999')).exit).toBe(5)
    expect((await skyctl('api GET /nowhere')).exit).toBe(5)
    expect((await skyctl('api POST /volumes --body -', { stdin: '{}' })).exit).toBe(6)
  })

  test.for([
    ['GET', 'https:/volumes'],
    ['GET', '//evil.example.net/volumes'],
    ['GET', 'https://evil.example.net/volumes'],
    ['GET', '/../../secrets'],
    ['GET', '/volumes/%2e%2e/profile'],
    ['GET', '/volumes/..'],
    ['GET', '/volumes\\..\\profile'],
    ['GET', '/volumes#x'],
    ['GET', '/a b'],
  ])('%j is rejected, and nothing is sent', async (words, { skyctl, world }) => {
    expect((await skyctl(['api', ...words])).exit).toBe(2)
    expect(world.requests()).toEqual([])
  })

  test.for(['Authorization: Bearer x', 'X-A: b\r\nX-C: d', 'Content-Type: text/plain'])(
    'the header %j is rejected',
    async (line, { skyctl, world }) => {
      expect((await skyctl(['api', 'GET', '/volumes', '-H', line])).exit).toBe(2)
      expect(world.requests()).toEqual([])
    },
  )

  describe('--paginate', () => {
    const queryOf = ({ path }: RawRequest) => new URL(path, 'http://service').searchParams
    const items = (first: number, count: number) => Array.from({ length: count }, (_, index) => ({ id: first + index }))

    /** Answers with pages of 25 out of `results` items, changed by `change`. */
    const pages =
      (results: number, change: (page: Record<string, unknown>, number: number) => unknown): Script =>
      (socket, heard) => {
        const page = Number(queryOf(heard).get('page'))
        const data = items((page - 1) * 25 + 1, 25)
        reply(200, change({ data, page, pages: results / 25, results }, page))(socket, heard)
      }

    async function paginate(script: Script, skyctl: Fixtures['skyctl'], words = ['/things']) {
      const server = await faultServer(script)
      return { ...(await skyctl(['api', 'GET', ...words, '--paginate', '--json'], { env: server.env })), server }
    }

    test.for<[string, (page: Record<string, unknown>, number: number) => unknown, RegExp]>([
      ['lack their number', ({ pages: _, ...page }) => page, /lacks the number of pages/],
      ['repeat the first page', (page) => ({ ...page, page: undefined, data: items(1, 25) }), /page 2 repeats/],
      [
        'have another number than requested',
        (page) => ({ ...page, page: 1, data: items(1, 25) }),
        /page 1 instead of page 2/,
      ],
      ['have fewer items than announced', (page) => ({ ...page, results: 1000 }), /75 items of 1000/],
      ['are empty before the last', (page, number) => (number === 2 ? { ...page, data: [] } : page), /2 of 3 is empty/],
      ['are not a list except for the first', (page, number) => (number === 2 ? {} : page), /not a page of a list/],
    ])('rejects pages that %s, and prints nothing', async ([, change, message], { skyctl }) => {
      const { exit, stdout, stderr } = await paginate(pages(75, change), skyctl)
      expect({ exit, stdout }).toEqual({ exit: 1, stdout: '' })
      expect(json(stderr).error.message).toMatch(message)
    })

    test('requests several pages at once', async ({ skyctl }) => {
      const waiting: (() => void)[] = []
      const script: Script = (socket, heard) => {
        const answer = () => pages(100, (page) => page)(socket, heard)
        if (queryOf(heard).get('page') === '1') return answer()
        waiting.push(answer)
        // No page is answered before the last is requested.
        if (waiting.length === 3) for (const release of waiting) release()
      }
      const { exit, stdout } = await paginate(script, skyctl)
      expect({ exit, items: json(stdout) }).toEqual({ exit: 0, items: items(1, 100) })
    })

    test('keeps query and headers on every page, and requests 500 items by default', async ({ skyctl }) => {
      const asIs = pages(50, (page) => page)
      const { server } = await paginate(asIs, skyctl, ['/things?x=a%26b&x=c?d', '-H', 'X-Filter: {}'])
      expect(server.received.map(({ path }) => path)).toEqual(
        [1, 2].map((page) => `/v4/things?x=a%26b&x=c%3Fd&page_size=500&page=${page}`),
      )
      expect(server.received.map(({ headers }) => headers['x-filter'])).toEqual(['{}', '{}'])
      const sized = await paginate(asIs, skyctl, ['/things?page_size=25&page=7'])
      expect(sized.server.received.map(({ path }) => path)).toEqual(
        [1, 2].map((page) => `/v4/things?page_size=25&page=${page}`),
      )
    })

    test('reads a page with more items than a function takes arguments', async ({ skyctl }) => {
      const data = items(1, 130_000)
      const { exit, stdout } = await paginate(reply(200, { data, page: 1, pages: 1, results: data.length }), skyctl)
      expect({ exit, count: json(stdout).length }).toEqual({ exit: 0, count: data.length })
    })

    test('prints a bare array, which has no pages', async ({ skyctl }) => {
      const { stdout } = await paginate(reply(200, ['a', 'b']), skyctl)
      expect(json(stdout)).toEqual(['a', 'b'])
    })
  })

  test('--paginate rejects an answer that is not a list', async ({ skyctl }) => {
    expect((await skyctl('api GET /profile --paginate')).exit).toBe(2)
  })

  test.for([
    ['', 'a method and a path are needed. For example: skyctl api GET /profile'],
    ['GET', 'a method and a path are needed. For example: skyctl api GET /profile'],
    ['profile', 'a method and a path are needed. Write skyctl api GET /profile'],
    ['/volumes GET', '"/volumes" is not a method: GET, POST, PUT, DELETE'],
    ['PATCH /volumes', '"PATCH" is not a method: GET, POST, PUT, DELETE'],
    ['GET /volumes --body -', '--body: a GET carries no body'],
    ['DELETE /volumes/1 --paginate', '--paginate: only a GET has pages'],
    ['GET /volumes --openapi', '--openapi takes no method and no path'],
    ['GET /volumes -H nothing', '--header: write it as NAME: VALUE'],
    ['GET /volumes -H Host:x', '--header: Host is set by skyctl'],
    ['GET /volumes -H Content-Length:1', '--header: Content-Length is set by skyctl'],
    ['GET /volumes -H transfer-encoding:x', '--header: transfer-encoding is set by skyctl'],
    ['GET /volumes -H Connection:close', '--header: Connection is set by skyctl'],
  ] as const)('"%s" is rejected with the reason', async ([words, message], { skyctl, world }) => {
    expect(await skyctl(`api ${words}`, { stdin: '{}' })).toEqual({
      exit: 2,
      stdout: '',
      stderr: `skyctl: ${message}\n`,
    })
    expect(world.requests()).toEqual([])
  })

  test('--dry-run prints the request without secrets and headers', async ({ skyctl, world }) => {
    const stdin = '{"password":"hunter2-hunter2","label":"x"}'
    const { exit, stdout, stderr } = await skyctl(
      ['api', 'POST', '/things', '--body', '-', '-H', 'X-A: b', '--dry-run'],
      {
        stdin,
      },
    )
    expect({ exit, stderr }).toEqual({ exit: 0, stderr: 'Nothing was sent\n' })
    expect(stdout).not.toContain('hunter2')
    expect(json(stdout)).toEqual({ method: 'POST', path: '/things', body: { password: expect.anything(), label: 'x' } })
    expect(world.requests()).toEqual([])
  })

  test('has no --columns, since its fields are unknown', async ({ skyctl, world }) => {
    expect(await skyctl('api GET /profile --columns username')).toMatchObject({ exit: 2, stdout: '' })
    expect(world.requests()).toEqual([])
  })

  test('a header needs no space before its value, and no value', async ({ skyctl }) => {
    const { env, received } = await faultServer(reply(200, {}))
    const lines = ['X-A:one', 'X-B: \ttwo', 'X-C:']
    expect((await skyctl(['api', 'GET', '/x', ...lines.flatMap((line) => ['-H', line])], { env })).exit).toBe(0)
    expect(received[0]?.headers).toMatchObject({ 'x-a': 'one', 'x-b': 'two', 'x-c': '' })
  })

  test.for([
    ['GET', 2],
    ['PUT', 2],
    ['DELETE', 2],
    ['POST', 1],
  ] as const)('a %s that fails with 503 is sent %i times', async ([method, count], { skyctl }) => {
    const { env, received } = await faultServer(reply(503, {}))
    expect((await skyctl(`api ${method} /things/1 --retries 1 --yes`, { env })).exit).not.toBe(0)
    expect(received.map((heard) => heard.method)).toEqual(Array.from({ length: count }, () => method))
  })

  test('an empty 200 for a known change means an unknown outcome', async ({ skyctl }) => {
    const { env, received } = await faultServer(reply(200, ''))
    const sent = (path: string) =>
      skyctl(['api', 'POST', path, '--body', '-', '--json'], { env, stdin: '{"label":"a"}' })
    expect(await sent('/volumes')).toMatchObject({ exit: 11, stdout: '' })
    expect(received).toHaveLength(1)
    // Answers of other paths are unknown.
    expect(await sent('/things')).toMatchObject({ exit: 0, stdout: 'null\n' })
  })

  test('prints each item of a list as a record', async ({ skyctl }) => {
    const { env } = await faultServer(reply(200, [{ id: 7 }, { id: 8 }]))
    expect((await skyctl('api /x --json', { env })).stdout).toBe(
      '[\n  {\n    "id": 7\n  },\n  {\n    "id": 8\n  }\n]\n',
    )
    expect((await skyctl('api /x --quiet', { env })).stdout).toBe('7\n8\n')
    expect((await skyctl('api /x -o yaml', { env })).stdout).toBe('- id: 7\n- id: 8\n')
  })

  test('--paginate --quiet prints no id unless all pages arrive', async ({ skyctl }) => {
    const { env } = await faultServer((socket, heard) => {
      const page = Number(new URL(heard.path, 'http://service').searchParams.get('page'))
      reply(page === 1 ? 200 : 400, { data: [{ id: 7 }], page: 1, pages: 2, results: 2 })(socket, heard)
    })
    const { exit, stdout } = await skyctl('api GET /things --paginate --quiet', {
      env,
    })
    expect([exit === 0, stdout]).toEqual([false, ''])
  })

  test('--openapi prints the document without a request', async ({ skyctl, world }) => {
    const { exit, stdout } = await skyctl('api --openapi')
    expect({ exit, version: json(stdout).openapi }).toEqual({ exit: 0, version: expect.stringMatching(/^3\.1/) })
    expect(world.requests()).toEqual([])
  })
})
