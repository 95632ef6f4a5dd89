/** Lists never lie: what is printed of them is all, or is said not to be (interface.md, Streams and output). */
import { describe, expect } from 'vitest'
import { faultServer, reply, type Script } from './support/fault-server'
import { whole } from './support/records'
import { type Fixtures, test } from './support/skyctl'

const numberOf = (path: string) => Number(new URL(path, 'http://host').searchParams.get('page'))

/** Four pages of 25 volumes, of which `spoil` may answer some. */
const pages =
  (spoil: (number: number) => Script | undefined = () => undefined): Script =>
  (socket, heard) => {
    const page = numberOf(heard.path)
    const data = Array.from({ length: 25 }, (_, index) => whole({ id: (page - 1) * 25 + index + 1 }))
    const script = spoil(page) ?? reply(200, { data, page, pages: 4, results: 100 })
    script(socket, heard)
  }

async function listed(skyctl: Fixtures['skyctl'], line: string, script: Script) {
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
])('that nothing was found is said to people alone: %j', async ([flags, said], { skyctl }) => {
  const { exit, stderr } = await skyctl(`volumes list --filter label=none-such ${flags}`)
  expect({ exit, stderr }).toEqual({ exit: 0, stderr: said })
})

test.for([25, 26, 49])('of --limit %i as many are printed, wherever a page ends', async (limit, { skyctl }) => {
  for (const more of ['', '--filter id>0']) {
    const { stdout } = await listed(skyctl, `volumes list --page-size 25 --limit ${limit} -q ${more}`, pages())
    expect({ more, count: stdout.trimEnd().split('\n').length }).toEqual({ more, count: limit })
  }
})

describe('a page that fails', () => {
  test.for(['-q', '', '--json', '-o yaml', '--sort label -o csv', '--query [].id -o ndjson'])(
    'leaves nothing on stdout with %j',
    async (flags, { skyctl }) => {
      const { exit, stdout } = await listed(skyctl, `volumes list --page-size 25 ${flags}`, broken)
      expect({ exit, stdout }).toEqual({ exit: 4, stdout: '' })
    },
  )

  test.for(['-o csv', '-o tsv'])('is told after the rows with %s: they are not all', async (flags, { skyctl }) => {
    const { exit, stdout, stderr } = await listed(skyctl, `volumes list --page-size 25 ${flags}`, broken)
    expect({ exit, lines: stdout.trimEnd().split('\n').length }).toEqual({ exit: 4, lines: 51 })
    expect(stderr.trimEnd().split('\n').at(-1)).toContain('the output is incomplete: it ends after 50 records')
  })

  test.for(['volumes list --page-size 25', 'api GET /volumes?page_size=25 --paginate'])(
    'is told as JSON after the lines of JSON: %s',
    async (line, { skyctl }) => {
      const { exit, stdout, stderr } = await listed(skyctl, `${line} -o ndjson`, broken)
      expect({ exit, lines: stdout.trimEnd().split('\n').length }).toEqual({ exit: 4, lines: 50 })
      expect(JSON.parse(stderr.trimEnd().split('\n').at(-1) ?? '')).toMatchObject({
        error: { code: 'not_allowed', incomplete: true },
      })
    },
  )
})

describe('an item that comes twice', () => {
  const twice = pages((number) => {
    const data = [whole({ id: 1 }), whole({ id: 2 }), whole({ id: 1 })]
    return number === 1 ? reply(200, { data, page: 1, pages: 1, results: 2 }) : undefined
  })

  test.for(['volumes list -q', 'volumes list -q --page 1', 'api GET /volumes --paginate -q'])(
    'is printed once: %s',
    async (line, { skyctl }) => {
      expect(await listed(skyctl, line, twice)).toEqual({ exit: 0, stdout: '1\n2\n', stderr: '' })
    },
  )
})

describe('pages are read', () => {
  /** Answers each page but the first when `held` of them wait; tells how many waited at most. */
  function gate(held: number) {
    const waiting: (() => void)[] = []
    let most = 0
    const answer = pages()
    const script: Script = (socket, heard) => {
      if (numberOf(heard.path) === 1) return answer(socket, heard)
      waiting.push(() => answer(socket, heard))
      most = Math.max(most, waiting.length)
      if (waiting.length < held) return
      // One too many would come meanwhile.
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
  ])('%j so many at once as is asked for, of three that are left: %i', async ([flag, atOnce], { skyctl }) => {
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

  test.for(['0', '65', 'many'])('never %s at once', async (count, { skyctl, world }) => {
    const { exit } = await skyctl(`volumes list --concurrency ${count}`)
    expect({ exit, sent: world.requests() }).toEqual({ exit: 2, sent: [] })
  })
})

test('an address that comes again with another name is the same', async ({ skyctl }) => {
  const data = ['a.example.net', 'b.example.net'].map((rdns) => whole({ address: '192.0.2.7', rdns }))
  const page = reply(200, { data, page: 1, pages: 1, results: 1 })
  expect((await listed(skyctl, 'ips list -q', page)).stdout).toBe('192.0.2.7\n')
})

test('an answer about another object is refused', async ({ skyctl }) => {
  const { exit, stdout, stderr } = await listed(skyctl, 'volumes view 7 --json', reply(200, whole({ id: 8 })))
  expect({ exit, stdout }).toEqual({ exit: 1, stdout: '' })
  expect(stderr).toContain('its id is not 7')
})
