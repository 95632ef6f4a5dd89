/** Lists are complete or reported as incomplete (interface.md, Streams and output). */
import { describe, expect } from 'vitest'
import { faultServer, reply, type Script } from './support/fault-server'
import { completeRecord } from './support/records'
import { type Fixtures, test } from './support/skyctl'

const numberOf = (path: string) => Number(new URL(path, 'http://host').searchParams.get('page'))

/** Answers four pages of 25 volumes; `replace` may return others. */
const pages =
  (replace: (number: number) => Script | undefined = () => undefined): Script =>
  (socket, heard) => {
    const page = numberOf(heard.path)
    const data = Array.from({ length: 25 }, (_, index) => completeRecord({ id: (page - 1) * 25 + index + 1 }))
    const script = replace(page) ?? reply(200, { data, page, pages: 4, results: 100 })
    script(socket, heard)
  }

async function list(skyctl: Fixtures['skyctl'], line: string, script: Script) {
  const { env } = await faultServer(script)
  const flags = line.startsWith('api') ? '--retries 0' : '--retries 0 --concurrency 1'
  return skyctl(`${line} ${flags}`, { env })
}

const broken = pages((number) => (number === 3 ? reply(403, { errors: [{ reason: 'Unauthorized' }] }) : undefined))

test.for([
  ['', 'No volumes\n'],
  ['-o csv', ''],
  ['-o yaml', ''],
  ['--json', ''],
])('an empty result is reported only in tables: %j', async ([flags, message], { skyctl }) => {
  const { exit, stderr } = await skyctl(`volumes list --filter label=none-such ${flags}`)
  expect({ exit, stderr }).toEqual({ exit: 0, stderr: message })
})

test.for([25, 26, 49])('--limit %i prints as many records, wherever a page ends', async (limit, { skyctl }) => {
  for (const more of ['', '--filter id>0']) {
    const { stdout } = await list(skyctl, `volumes list --page-size 25 --limit ${limit} -q ${more}`, pages())
    expect({ more, count: stdout.trimEnd().split('\n').length }).toEqual({ more, count: limit })
  }
})

describe('a failed page', () => {
  test.for(['-q', '', '--json', '-o yaml', '--sort label -o csv', '--query [].id -o ndjson'])(
    'leaves nothing on stdout with %j',
    async (flags, { skyctl }) => {
      const { exit, stdout } = await list(skyctl, `volumes list --page-size 25 ${flags}`, broken)
      expect({ exit, stdout }).toEqual({ exit: 4, stdout: '' })
    },
  )

  test.for(['-o csv', '-o tsv'])(
    'ends %s with an error after the rows: the output is incomplete',
    async (flags, { skyctl }) => {
      const { exit, stdout, stderr } = await list(skyctl, `volumes list --page-size 25 ${flags}`, broken)
      expect({ exit, lines: stdout.trimEnd().split('\n').length }).toEqual({ exit: 4, lines: 51 })
      expect(stderr.trimEnd().split('\n').at(-1)).toContain('the output is incomplete: it ends after 50 records')
    },
  )

  test.for(['volumes list --page-size 25', 'api GET /volumes?page_size=25 --paginate'])(
    'ends NDJSON with a JSON error: %s',
    async (line, { skyctl }) => {
      const { exit, stdout, stderr } = await list(skyctl, `${line} -o ndjson`, broken)
      expect({ exit, lines: stdout.trimEnd().split('\n').length }).toEqual({ exit: 4, lines: 50 })
      expect(JSON.parse(stderr.trimEnd().split('\n').at(-1) ?? '')).toMatchObject({
        error: { code: 'not_allowed', incomplete: true },
      })
    },
  )
})

describe('a repeated item', () => {
  const twice = pages((number) => {
    const data = [completeRecord({ id: 1 }), completeRecord({ id: 2 }), completeRecord({ id: 1 })]
    return number === 1 ? reply(200, { data, page: 1, pages: 1, results: 2 }) : undefined
  })

  test.for(['volumes list -q', 'volumes list -q --page 1', 'api GET /volumes --paginate -q'])(
    'is printed once: %s',
    async (line, { skyctl }) => {
      expect(await list(skyctl, line, twice)).toEqual({ exit: 0, stdout: '1\n2\n', stderr: '' })
    },
  )
})

describe('a list reads', () => {
  /** Answers pages after the first when `count` requests wait, and reports the most that waited at once. */
  function gate(count: number) {
    const waiting: (() => void)[] = []
    let most = 0
    const answer = pages()
    const script: Script = (socket, heard) => {
      if (numberOf(heard.path) === 1) return answer(socket, heard)
      waiting.push(() => answer(socket, heard))
      most = Math.max(most, waiting.length)
      if (waiting.length < count) return
      // Allows an excess request to arrive meanwhile.
      setTimeout(() => {
        for (const release of waiting.splice(0)) release()
      }, 20)
    }
    return { script, most: () => most }
  }

  test.for<[flag: string, atOnce: number]>([
    ['--concurrency 1', 1],
    ['--concurrency 3', 3],
    ['', 3],
  ])('the three remaining pages at once, or as many as %j allows: %i', async ([flag, atOnce], { skyctl }) => {
    const { script, most } = gate(atOnce)
    const { env } = await faultServer(script)
    const { exit, stdout } = await skyctl(`volumes list -q --page-size 25 ${flag}`, {
      env,
    })
    expect({ exit, lines: stdout.trimEnd().split('\n').length, most: most() }).toEqual({
      exit: 0,
      lines: 100,
      most: atOnce,
    })
  })

  test.for(['0', '65', 'many'])('never %s pages at once', async (count, { skyctl, world }) => {
    const { exit } = await skyctl(`volumes list --concurrency ${count}`)
    expect({ exit, sent: world.requests() }).toEqual({ exit: 2, sent: [] })
  })
})

describe('a sorted list', () => {
  const sizes = [40, null, 7, 40, 100]
  const data = sizes.map((size, index) => ({ ...completeRecord({ id: index + 1 }), size, label: `v${size}` }))
  const page = reply(200, { data, page: 1, pages: 1, results: data.length })
  const sortedBy = async (skyctl: Fixtures['skyctl'], flags: string) =>
    (await list(skyctl, `volumes list -q ${flags}`, page)).stdout.trim().split('\n').join(' ')

  test('ends with the objects without a value in both directions', async ({ skyctl }) => {
    expect(await sortedBy(skyctl, '--sort size')).toMatch(/^3 .* 5 2$/)
    expect(await sortedBy(skyctl, '--sort -size')).toMatch(/^5 .* 3 2$/)
  })

  test('keeps the order of the service between equal objects, in both directions', async ({ skyctl }) => {
    expect(await sortedBy(skyctl, '--sort size')).toBe('3 1 4 5 2')
    expect(await sortedBy(skyctl, '--sort -size')).toBe('5 1 4 3 2')
  })

  test('is cut by --limit after the sort over all pages', async ({ skyctl }) => {
    const { stdout } = await list(skyctl, 'volumes list -q --page-size 25 --sort -id --limit 2', pages())
    expect(stdout).toBe('100\n99\n')
  })
})

test.for<[query: string, flags: string, result: string]>([
  ['length(@)', '', '100'],
  ['length(@)', '--limit 30', '30'],
  ['[0].id', '--sort -id', '100'],
  ['[-1].id', '', '100'],
  ['max_by(@, &id).id', '', '100'],
  ['[?id > `74`].id | [1]', '', '76'],
])('a query gets the list of all pages, sorted and cut: %s %s', async ([query, flags, result], { skyctl }) => {
  const { env } = await faultServer(pages())
  const line = [
    'volumes',
    'list',
    '--page-size',
    '25',
    '--query',
    query,
    '--concurrency',
    '1',
    ...flags.split(' ').filter(Boolean),
  ]
  expect((await skyctl(line, { env })).stdout.trim()).toBe(result)
})

test('a list prints an address once that has two names', async ({ skyctl }) => {
  const data = ['a.example.net', 'b.example.net'].map((rdns) => completeRecord({ address: '192.0.2.7', rdns }))
  const page = reply(200, { data, page: 1, pages: 1, results: 1 })
  expect((await list(skyctl, 'ips list -q', page)).stdout).toBe('192.0.2.7\n')
})

test('a view rejects the answer about another object', async ({ skyctl }) => {
  const { exit, stdout, stderr } = await list(skyctl, 'volumes view 7 --json', reply(200, completeRecord({ id: 8 })))
  expect({ exit, stdout }).toEqual({ exit: 1, stdout: '' })
  expect(stderr).toContain('its id is not 7')
})
