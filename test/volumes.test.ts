/** The volumes group: real command line, real client, real sandbox on a socket. */
import { describe, expect } from 'vitest'
import { faultServer, reply } from './support/fault-server'
import { completeRecord } from './support/records'
import { type Fixtures, test } from './support/skyctl'

const json = (text: string) => JSON.parse(text)

function clear({ volumes }: Fixtures['world']): void {
  for (const { id } of volumes.all()) volumes.delete(id)
}

describe('volumes list', () => {
  test('prints an array of complete records as the service sent them', async ({ skyctl, world }) => {
    clear(world)
    const { id } = world.volume({ label: 'data', size: 20, tags: ['a'] })
    const { exit, stdout, stderr } = await skyctl('volumes list --json')
    expect({ exit, stderr }).toEqual({ exit: 0, stderr: '' })
    expect(json(stdout)).toEqual([
      {
        id,
        label: 'data',
        status: 'active',
        size: 20,
        region: 'us-east',
        compute_id: null,
        compute_label: null,
        filesystem_path: '/dev/disk/by-id/scsi-0Cloud_Volume_data',
        hardware_type: 'nvme',
        tags: ['a'],
        created: '2026-01-15T12:00:00',
        updated: '2026-01-15T12:00:00',
      },
    ])
  })

  test('prints an empty array for an empty list, and a message only in a table', async ({ skyctl, world }) => {
    clear(world)
    expect(await skyctl('volumes list --json')).toEqual({ exit: 0, stdout: '[]\n', stderr: '' })
    expect(await skyctl('volumes list')).toEqual({ exit: 0, stdout: '', stderr: 'No volumes\n' })
    expect(await skyctl('volumes list --quiet')).toEqual({ exit: 0, stdout: '', stderr: '' })
  })

  test('reads every page, in order', async ({ skyctl, world }) => {
    clear(world)
    const ids = Array.from({ length: 130 }, () => world.volume({ created: '2025-01-01T00:00:00' }).id)
    const { stdout } = await skyctl('volumes list --quiet --page-size 25')
    expect(stdout.trim().split('\n').map(Number)).toEqual(ids)
    expect(world.requests('GET')).toHaveLength(6)
  })

  test('reads with --limit only the necessary pages', async ({ skyctl, world }) => {
    clear(world)
    for (let count = 0; count < 130; count += 1) world.volume()
    const { stdout } = await skyctl('volumes list --json --page-size 25 --limit 30')
    expect(json(stdout)).toHaveLength(30)
    expect(world.requests('GET').length).toBeLessThanOrEqual(2)
  })

  test('reads one page with --page', async ({ skyctl, world }) => {
    clear(world)
    const ids = Array.from({ length: 60 }, () => world.volume().id)
    const { stdout } = await skyctl('volumes list --quiet --page 2 --page-size 25')
    expect(stdout.trim().split('\n').map(Number)).toEqual(ids.slice(25, 50))
  })

  test('sorts everything before --limit cuts', async ({ skyctl, world }) => {
    clear(world)
    for (const size of [30, 10, 50, 20]) world.volume({ label: `v${size}`, size })
    const { stdout } = await skyctl('volumes list --sort -size --limit 2 -o tsv --no-headers --columns label,size')
    expect(stdout).toBe('v50\t50\nv30\t30\n')
  })

  test('applies --filter itself, whatever the service filtered', async ({ skyctl, world }) => {
    clear(world)
    world.volume({ label: 'web-1', size: 20, tags: ['a', 'b'] })
    world.volume({ label: 'web-2', size: 40, region: 'eu-west' })
    world.volume({ label: 'db', size: 80, tags: ['b'] })
    const labels = async (filters: string) =>
      (await skyctl(`volumes list -o tsv --no-headers --columns label ${filters}`)).stdout.trim().split('\n')
    expect(await labels('--filter label=db')).toEqual(['db'])
    expect(await labels('--filter label~WEB')).toEqual(['web-1', 'web-2'])
    expect(await labels('--filter size>20')).toEqual(['web-2', 'db'])
    expect(await labels('--filter size<80 --filter region!=eu-west')).toEqual(['web-1'])
    expect(await labels('--filter tags=b')).toEqual(['web-1', 'db'])
  })

  test.for([
    ['--filter label', 'is not a test'],
    ['--limit -1', '--limit'],
    ['--page 0', '--page'],
    ['--page-size 0', '--page-size: "0" is not a whole number of 1 or more'],
    ['--page-size -5', '--page-size'],
    ['--page-size many', '--page-size: "many" is not a whole number of 1 or more'],
    ['--page-size 2.5', '--page-size'],
    ['--query [', 'query'],
    ['--lable x', 'unknown flag "--lable"'],
    ['surplus', 'unexpected argument "surplus"'],
    ['-o xml', '"xml"'],
    ['--json -o csv', 'contradict'],
    ['--color sometimes', '"sometimes"'],
    ['--timeout soon', '"soon"'],
  ])('rejects %s before anything is sent', async ([flags, message], { skyctl, world }) => {
    const { exit, stdout, stderr } = await skyctl(`volumes list ${flags}`)
    expect({ exit, stdout }).toEqual({ exit: 2, stdout: '' })
    expect(stderr).toContain(message)
    expect(stderr.trimEnd()).not.toContain('\n')
    expect(world.requests()).toEqual([])
  })
})

describe('a page size outside the documented range', () => {
  test.for(['10', '24', '501', '1000'])('is sent with one warning: %s', async (size, { skyctl }) => {
    const server = await faultServer(reply(200, { data: [completeRecord({ id: 1 })], page: 1, pages: 1, results: 1 }))
    const env = { SKYCTL_BASE_URL: `http://${server.host}/v4` }
    expect(await skyctl(`volumes list -q --page-size ${size}`, { env })).toEqual({
      exit: 0,
      stdout: '1\n',
      stderr: `skyctl: warning: --page-size ${size} is outside the documented 25 to 500\n`,
    })
    expect(server.received.map(({ path }) => path)).toEqual([`/v4/volumes?page_size=${size}&page=1`])
  })

  test('is reported if the service rejects it, and sizes in the range cause no warning', async ({ skyctl }) => {
    const { exit, stdout, stderr } = await skyctl('volumes list --page-size 10 --json')
    expect({ exit, stdout }).toEqual({ exit: 6, stdout: '' })
    expect(stderr).toContain('Must be 25-500')
    for (const size of ['25', '500'])
      expect(await skyctl(`volumes list --page-size ${size} -q`)).toMatchObject({ exit: 0, stderr: '' })
  })
})

describe('targets', () => {
  test('of digits are ids, others are labels', async ({ skyctl, world }) => {
    const { id } = world.volume({ label: 'by-label' })
    for (const target of [id, `id:${id}`, 'by-label', 'label:by-label']) {
      const { exit, stdout } = await skyctl(`volumes view ${target} --json`)
      expect({ target, exit, id: json(stdout).id }).toEqual({ target, exit: 0, id })
    }
  })

  test('with the prefix label: are labels, even of digits', async ({ skyctl, world }) => {
    const { id } = world.volume({ label: '123' })
    expect(json((await skyctl('volumes view label:123 --json')).stdout).id).toBe(id)
  })

  test('without a match end with exit code 5 and similar labels', async ({ skyctl, world }) => {
    world.volume({ label: 'data-7' })
    expect(await skyctl('volumes view dta-7')).toEqual({
      exit: 5,
      stdout: '',
      stderr: 'skyctl: volume "dta-7" not found. Did you mean "data-7"?\n',
    })
    expect(await skyctl('volumes view 999999')).toEqual({
      exit: 5,
      stdout: '',
      stderr: 'skyctl: volume 999999 not found\n',
    })
  })

  test('with several matches end with exit code 6 and the candidates', async ({ skyctl, world }) => {
    const a = world.volume({ label: 'twin' }).id
    const b = world.volume({ label: 'twin' }).id
    const { exit, stderr } = await skyctl('volumes delete twin --yes')
    expect(exit).toBe(6)
    expect(stderr).toContain(`id:${a}, id:${b}`)
    expect(world.requests('DELETE')).toEqual([])
  })

  test.for(['..', '.', '0', '1e3', '９', '-1', '+1', '1.5', '007', '0x10', '9007199254740992', 'id:abc', ''])(
    'such as "%s" are rejected as ids, and nothing is sent',
    async (target, { skyctl, world }) => {
      for (const verb of [['view'], ['delete', '--yes'], ['resize', '--size', '40']]) {
        const { exit, stdout } = await skyctl(['volumes', ...verb, '--', target])
        expect({ verb, exit, stdout }).toEqual({ verb, exit: 2, stdout: '' })
      }
      expect(world.requests()).toEqual([])
    },
  )

  test('that are several print an array, and - reads them from stdin', async ({ skyctl, world }) => {
    const ids = [world.volume().id, world.volume().id, world.volume().id]
    const { stdout } = await skyctl(`volumes view ${ids[0]} - --json`, { stdin: `${ids[1]}\r\n\n  ${ids[2]}\n` })
    expect(json(stdout).map(({ id }: { id: number }) => id)).toEqual(ids)
  })

  test.for(['view -', 'delete - --yes', 'detach - --yes', 'wait -', 'delete - --yes --dry-run'])(
    'from an empty stdin do nothing, with a message: %s',
    async (line, { skyctl, world }) => {
      const nothing = 'Nothing to do: stdin names no volume\n'
      expect(await skyctl(`volumes ${line}`, { stdin: '\n' })).toMatchObject({
        exit: 0,
        stderr: expect.stringContaining(nothing),
      })
      expect(await skyctl(`volumes ${line} --json`, { stdin: '' })).toEqual({ exit: 0, stdout: '[]\n', stderr: '' })
      expect(world.requests()).toEqual([])
    },
  )

  test('that fail do not stop the others, and the exit code is 9', async ({ skyctl, world }) => {
    const [a, attached, b] = [world.volume().id, world.volume({ compute_id: 1001 }).id, world.volume().id]
    const { exit, stdout, stderr } = await skyctl(`volumes delete ${a} ${attached} ${b} --yes`)
    expect({ exit, stdout }).toEqual({ exit: 9, stdout: '' })
    expect(stderr).toContain('must be detached before it can be deleted')
    expect(world.volumes.get(a) ?? world.volumes.get(b)).toBeUndefined()
  })

  test('that fail are listed in JSON', async ({ skyctl, world }) => {
    const { id } = world.volume()
    const { exit, stdout, stderr } = await skyctl(`volumes view ${id} 999998 999999 --json`)
    expect({ exit, succeeded: json(stdout).map(({ ok }: { ok: boolean }) => ok) }).toEqual({
      exit: 9,
      succeeded: [true, false, false],
    })
    const { error } = json(stderr)
    expect(error).toMatchObject({ code: 'some_failed', exit_code: 9 })
    expect(error.failures.map(({ target }: { target: string }) => target)).toEqual(['999998', '999999'])
  })
})

describe('volumes create', () => {
  test('creates a volume of 20 GiB by default, and warns that billing starts', async ({ skyctl, world }) => {
    expect((await skyctl('volumes create --label first --region us-east')).stderr).toMatch(/billed until it is deleted/)
    const { exit, stdout } = await skyctl('volumes create --label data --region us-east --json')
    expect(exit).toBe(0)
    expect(json(stdout)).toMatchObject({
      label: 'data',
      size: 20,
      region: 'us-east',
      status: 'creating',
      compute_id: null,
    })
    expect(world.requests('POST').slice(1)).toEqual([
      { method: 'POST', path: '/volumes', body: { label: 'data', region: 'us-east' } },
    ])
  })

  test('accepts with --if-absent and no size a volume of any size', async ({ skyctl, world }) => {
    for (const size of [19, 20, 21]) world.volume({ label: `of-${size}`, region: 'us-east', size })
    const exitOf = async (label: string) =>
      (await skyctl(`volumes create --label ${label} --region us-east --if-absent`)).exit
    expect([await exitOf('of-19'), await exitOf('of-20'), await exitOf('of-21')]).toEqual([0, 0, 0])
    expect(world.requests('POST')).toEqual([])
  })

  test('sends every field of the API', async ({ skyctl, world }) => {
    const compute = world.compute({ region: 'eu-west' })
    const config = compute.configs[0]?.id
    await skyctl(
      `volumes create --label full --size 40 --region eu-west --compute-id ${compute.id} --config-id ${config} --tag a,b --tag c`,
    )
    expect(world.requests('POST')[0]?.body).toEqual({
      label: 'full',
      size: 40,
      region: 'eu-west',
      compute_id: compute.id,
      config_id: config,
      tags: ['a', 'b', 'c'],
    })
  })

  test('ends with --wait when the volume is active', async ({ skyctl }) => {
    const { exit, stdout } = await skyctl('volumes create --label slow --region us-east --wait --json')
    expect({ exit, status: json(stdout).status }).toEqual({ exit: 0, status: 'active' })
  })

  test('prints only the id with --quiet', async ({ skyctl, world }) => {
    const { stdout, stderr } = await skyctl('volumes create --label q --region us-east -q')
    const created = world.volumes.all().find(({ label }) => label === 'q')
    expect({ stdout, stderr }).toEqual({ stdout: `${created?.id}\n`, stderr: '' })
  })

  test('reads its body from a file or stdin, and flags override it', async ({ skyctl, world }) => {
    await skyctl('volumes create --body - --label flag', {
      stdin: '# a comment\nlabel: file\nregion: us-east\nsize: 30\n',
    })
    expect(world.requests('POST')[0]?.body).toEqual({ label: 'flag', region: 'us-east', size: 30 })
  })

  test.for(['resize 3001 --size 1000', 'update 3001 --label new', 'delete 3001'])(
    'sends nothing with --dry-run if the target is an id: %s',
    async (line, { skyctl, world }) => {
      expect((await skyctl(`volumes ${line} --dry-run`)).exit).toBe(0)
      expect(world.requests()).toEqual([])
    },
  )

  test('prints the request with --dry-run, and sends nothing', async ({ skyctl, world }) => {
    const { exit, stdout } = await skyctl('volumes create --label data --region us-east --dry-run --json')
    expect({ exit, request: json(stdout) }).toEqual({
      exit: 0,
      request: { method: 'POST', path: '/volumes', body: { label: 'data', region: 'us-east' } },
    })
    expect(world.requests()).toEqual([])
  })

  test('leaves checks to the service with --no-validate', async ({ skyctl, world }) => {
    const { exit } = await skyctl('volumes create --label data --region nowhere --no-validate')
    expect(exit).toBe(5)
    expect(world.requests('POST')).toHaveLength(1)
  })

  test('accepts flags in snake_case', async ({ skyctl, world }) => {
    const { id } = world.compute()
    const { exit } = await skyctl(`volumes create --label data --compute_id ${id} --dry_run`)
    expect(exit).toBe(0)
  })

  test.for<[flags: string, message: string, exit?: number]>([
    ['', '--label is required'],
    ['--label=', 'label'],
    [`--label ${'x'.repeat(33)} --region us-east`, '1-32 characters'],
    ['--label a', 'region'],
    ['--label a --region us-east --size 0', 'size'],
    ['--label a --region us-east --size -1', 'size'],
    ['--label a --region us-east --size 19.5', 'size'],
    ['--label a --region us-east --size 20GB', '"20GB"'],
    ['--label a --region us-east --size 1e3', '"1e3"'],
    ['--label a --compute-id 0', '--compute-id'],
    ['--label a --compute-id ９', 'compute instance id'],
    ['--label a --region us-east --config-id 5', 'needs --compute-id'],
    ['--label a --region us-east --size 40GiB', '--size: "40GiB" is not a whole number. The unit is GiB: --size 40'],
    ['--label a --region us-east --size 1TB', '--size: "1TB" is not a whole number'],
    ['--label a --region us-east --lbael b', 'unknown flag "--lbael". Did you mean --label?'],
    ['--label a --region us-east surplus', 'unexpected argument "surplus"'],
    ['--label', 'flag "--label" needs a value'],
    [
      '--region us-east --label --dry-run',
      'flag "--label" needs a value. The next word, "--dry-run", is a flag. To pass it as a value, write --label=--dry-run',
    ],
    ['--label a --region us-eats', 'Did you mean "us-east"?', 5],
  ])('rejects %s, and changes nothing', async ([flags, message, code = 2], { skyctl, world }) => {
    const { exit, stdout, stderr } = await skyctl(`volumes create ${flags}`)
    expect({ exit, stdout }).toEqual({ exit: code, stdout: '' })
    expect(stderr).toContain(message)
    expect(stderr.trimEnd()).not.toContain('\n')
    expect(world.requests('POST')).toEqual([])
  })

  test.for([
    ['label: [unclosed', 'neither JSON nor YAML'],
    ['[]', 'must hold an object'],
    ['"text"', 'must hold an object'],
    ['', 'is empty'],
    ['{"label":"a","region":"us-east","sise":1}', 'sise: unknown key. Did you mean "size"?'],
  ])('rejects a body %j', async ([stdin, message], { skyctl, world }) => {
    const { exit, stderr } = await skyctl('volumes create --body -', { stdin })
    expect(exit).toBe(2)
    expect(stderr).toContain(message)
    expect(world.requests('POST')).toEqual([])
  })

  test('counts the characters of a label, not UTF-16 units', async ({ skyctl }) => {
    const label = '\u{1f4be}'.repeat(32)
    expect((await skyctl(['volumes', 'create', '--label', label, '--region', 'us-east'])).exit).toBe(0)
    expect((await skyctl(['volumes', 'create', '--label', `${label}x`, '--region', 'us-east'])).exit).toBe(2)
  })

  test('reports the field that the service rejects', async ({ skyctl }) => {
    const { exit, stderr } = await skyctl('volumes create --label a --region us-east --size 5 --json')
    expect(exit).toBe(6)
    expect(json(stderr).error).toMatchObject({
      code: 'refused',
      status: 400,
      errors: [{ field: 'size', reason: 'Must be 10-10240' }],
      request: { method: 'POST', path: '/volumes' },
    })
  })

  test('names the flag of a rejected field, or the field if it comes from a file, and the unit', async ({ skyctl }) => {
    const flags = 'volumes create --label a --region us-east --size 5'
    expect(await skyctl(flags)).toMatchObject({ exit: 6, stderr: 'skyctl: --size: Must be 10-10240 GiB\n' })
    const stdin = JSON.stringify({ label: 'a', region: 'us-east', size: 5 })
    expect((await skyctl('volumes create --body -', { stdin })).stderr).toBe('skyctl: size: Must be 10-10240 GiB\n')
  })
})

describe('volumes update', () => {
  test('replaces, adds, removes and clears tags', async ({ skyctl, world }) => {
    const { id } = world.volume({ tags: ['a', 'b'] })
    const tags = () => world.volumes.get(id)?.tags
    await skyctl(`volumes update ${id} --add-tag c --remove-tag a`)
    expect(tags()).toEqual(['b', 'c'])
    await skyctl(`volumes update ${id} --tag x,y`)
    expect(tags()).toEqual(['x', 'y'])
    await skyctl(`volumes update ${id} --no-tags`)
    expect(tags()).toEqual([])
  })

  test.for([
    ['--tag x,y', 'tags: a, b -> x, y', '--tag replaces the tags a, b; --add-tag keeps them\n'],
    ['--no-tags', 'tags: a, b -> none', ''],
    ['--add-tag c', 'tags: a, b -> a, b, c', ''],
  ] as const)('prints the replaced tags: %s', async ([flags, change, note], { skyctl, world }) => {
    const { id } = world.volume({ label: 'data', tags: ['a', 'b'] })
    const { exit, stderr } = await skyctl(`volumes update ${id} ${flags}`)
    expect({ exit, stderr }).toEqual({ exit: 0, stderr: `${note}Updated volume "data" (${id}); ${change}\n` })
  })

  test('prints the tags that a volume has after --add-tag, with those that others added meanwhile', async ({
    skyctl,
    world,
    meanwhile,
  }) => {
    const volume = world.volume({ label: 'data', tags: ['a'] })
    let reads = 0
    await meanwhile({
      before({ method }) {
        if (method !== 'GET') return
        reads += 1
        if (reads === 2) world.volumes.put({ ...volume, tags: ['a', 'theirs'] })
      },
    })
    const { exit, stderr } = await skyctl(`volumes update ${volume.id} --add-tag ours`)
    const tags = 'tags: a -> a, theirs, ours'
    expect({ exit, stderr }).toEqual({ exit: 0, stderr: `Updated volume "data" (${volume.id}); ${tags}\n` })
  })

  test('warns that a new label changes filesystem_path', async ({ skyctl, world }) => {
    const { id } = world.volume({ label: 'old' })
    const { exit, stderr } = await skyctl(`volumes update ${id} --label new`)
    expect({ exit, label: world.volumes.get(id)?.label }).toEqual({ exit: 0, label: 'new' })
    expect(stderr).toContain('/dev/disk/by-id/scsi-0Cloud_Volume_new')
    expect(stderr).toContain('mount entries')
  })

  test.for([
    ['create --label new --region us-east --tag db,prod', 'db, prod'],
    ['update database --add-tag protected', 'database, production, protected'],
  ])('show the tags uncut that were just set: %s', async ([line = '', tags = ''], { skyctl }) => {
    const { exit, stdout } = await skyctl(`volumes ${line}`, { columns: 80 })
    expect({ exit, stdout }).toEqual({ exit: 0, stdout: expect.stringContaining(tags) })
  })

  test.for(['', '--tag a --add-tag b', '--no-tags --remove-tag b', `--label ${'x'.repeat(33)}`, '--label='])(
    'rejects %s, and changes nothing',
    async (flags, { skyctl, world }) => {
      const { id } = world.volume()
      expect((await skyctl(`volumes update ${id} ${flags}`)).exit).toBe(2)
      expect(world.requests('PUT')).toEqual([])
    },
  )
})

describe('volumes resize', () => {
  test('enlarges an active volume', async ({ skyctl, world }) => {
    const { id } = world.volume({ label: 'data', size: 20 })
    const { exit, stdout, stderr } = await skyctl(`volumes resize data --size 40 --json`)
    expect({ exit, stderr }).toEqual({ exit: 0, stderr: '' })
    expect(json(stdout)).toMatchObject({ id, size: 40, status: 'resizing' })
  })

  test('to the present size sends nothing', async ({ skyctl, world }) => {
    const { id } = world.volume({ label: 'data', size: 40 })
    const { exit, stderr } = await skyctl(`volumes resize ${id} --size 40`)
    expect({ exit, stderr }).toEqual({ exit: 0, stderr: `volume "data" (${id}) already has 40 GiB\n` })
    expect(world.requests('POST')).toEqual([])
  })

  test('of a volume that is not active is rejected by the service', async ({ skyctl, world }) => {
    const { id } = world.volume({ status: 'creating' })
    expect((await skyctl(`volumes resize ${id} --size 40`)).exit).toBe(6)
  })
})

describe('volumes attach and detach', () => {
  test('attach a volume, then detach it', async ({ skyctl, world }) => {
    const compute = world.compute({ region: 'us-east' })
    const { id } = world.volume({ label: 'data', region: 'us-east' })
    const attached = await skyctl(`volumes attach data --compute-id ${compute.id} --wait --json`)
    expect(json(attached.stdout)).toMatchObject({ id, compute_id: compute.id, compute_label: compute.label })
    const detached = await skyctl('volumes detach data --yes --wait --json')
    expect(json(detached.stdout)).toMatchObject({ id, compute_id: null })
  })

  test.for(['by this command', 'by somebody else'])(
    'detach ends if somebody attaches the volume elsewhere after its detachment %s',
    async (by, { skyctl, world, meanwhile }) => {
      const { id } = world.volume({ label: 'data', compute_id: 1001 })
      const attachTo = (compute_id: number | null) => {
        const volume = world.volumes.get(id)
        if (volume) world.volumes.put({ ...volume, compute_id })
      }
      await meanwhile({
        before: ({ method }) => void (method === 'POST' && by === 'by somebody else' && attachTo(null)),
        after: ({ method }) => void (method === 'POST' && attachTo(1002)),
      })
      const { exit, stdout } = await skyctl('volumes detach data --yes --wait --wait-timeout 0s --json')
      expect({ exit, ...json(stdout) }).toMatchObject({ exit: 0, id, compute_id: 1002 })
    },
  )

  test('leave the check of regions to the service if they are unknown', async ({ skyctl, world }) => {
    const compute = world.compute({ region: 'eu-west' })
    const { id } = world.volume({ region: 'us-east' })
    expect((await skyctl(`volumes attach ${id} --compute-id ${compute.id}`)).exit).toBe(6)
  })

  test('need a compute instance to attach to', async ({ skyctl, world }) => {
    const { id } = world.volume()
    const { exit, stderr } = await skyctl(`volumes attach ${id}`)
    expect({ exit, stderr }).toEqual({
      exit: 2,
      stderr: expect.stringContaining('--compute-id is required'),
    })
  })

  test('reject --no-persist-across-boots with --config-id', async ({ skyctl, world }) => {
    const { id } = world.volume()
    const { exit } = await skyctl(`volumes attach ${id} --compute-id 1 --config-id 2 --no-persist-across-boots`)
    expect({ exit, sent: world.requests('POST') }).toEqual({ exit: 2, sent: [] })
  })
})

describe('volumes clone', () => {
  test('copies size and data, and warns that billing starts', async ({ skyctl, world }) => {
    world.volume({ label: 'source', size: 33 })
    expect((await skyctl('volumes clone source --label first')).stderr).toMatch(/billed until it is deleted/)
    const { exit, stdout } = await skyctl('volumes clone source --label copy --wait --json')
    expect(exit).toBe(0)
    expect(json(stdout)).toMatchObject({ label: 'copy', size: 33, status: 'active' })
  })
})

test.for(['resize', 'clone'])(
  'volumes %s of a volume that is not active suggests to wait',
  async (verb, { skyctl, world }) => {
    const { id } = world.volume({ status: 'creating' })
    const line = verb === 'resize' ? `volumes resize ${id} --size 40` : `volumes clone ${id} --label copy`
    const { exit, stderr } = await skyctl(`${line} --yes`)
    expect(exit).toBe(6)
    expect(stderr).toMatch(/it is creating\. /)
    expect(stderr).toContain(`Wait for it first: skyctl volumes wait ${id} --for active\n`)
  },
)

describe('volumes delete', () => {
  test('prints {} as JSON', async ({ skyctl, world }) => {
    world.volume({ label: 'doomed' })
    expect(await skyctl('volumes delete doomed --yes --json')).toEqual({ exit: 0, stdout: '{}\n', stderr: '' })
  })

  test('prints the deleted volume', async ({ skyctl, world }) => {
    const { id } = world.volume({ label: 'doomed' })
    const stderr = `Deleted volume "doomed" (${id})\n`
    expect(await skyctl('volumes delete doomed --yes')).toEqual({ exit: 0, stdout: '', stderr })
  })

  test('needs --yes without a terminal', async ({ skyctl, world }) => {
    const { id } = world.volume()
    const { exit, stdout, stderr } = await skyctl(`volumes delete ${id}`)
    expect({ exit, stdout }).toEqual({ exit: 2, stdout: '' })
    expect(stderr).toContain('--yes')
    expect(world.requests()).toEqual([])
  })

  test('of an attached volume is rejected by the service, with the command to detach it', async ({ skyctl, world }) => {
    const { id } = world.volume({ compute_id: world.compute().id })
    const { exit, stderr } = await skyctl(`volumes delete ${id} --yes`)
    expect(exit).toBe(6)
    expect(stderr).toBe(
      'skyctl: This volume must be detached before it can be deleted. ' +
        `Detach it first: skyctl volumes detach ${id} --wait\n`,
    )
  })

  test('of a migrating volume is rejected without a question, as by api.md', async ({ skyctl }) => {
    const { env, received } = await faultServer(
      reply(200, { id: 7, label: 'data', compute_id: null, status: 'migrating', tags: [] }),
    )
    const { exit, stdout, stderr } = await skyctl('volumes delete 7', { env, interactive: true })
    // On a busy machine, an erased progress line precedes the message.
    const message = stderr.split('\x1b[J').at(-1)
    expect({ exit, stdout, message }).toEqual({
      exit: 6,
      stdout: '',
      message: 'skyctl: volume "data" (7) is migrating\n',
    })
    expect(received.map(({ method }) => method)).toEqual(['GET'])
  })
})

describe('volumes wait', () => {
  test('ends when the volume is active', async ({ skyctl, world }) => {
    const { id } = world.volume({ status: 'creating' })
    const { exit, stdout } = await skyctl(`volumes wait ${id} --json`)
    expect({ exit, status: json(stdout).status }).toEqual({ exit: 0, status: 'active' })
  })

  test('--for deleted succeeds for a volume that does not exist', async ({ skyctl }) => {
    expect((await skyctl('volumes wait 999999 --for deleted')).exit).toBe(0)
  })
})
