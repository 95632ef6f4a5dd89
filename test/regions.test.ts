/** The regions group, which needs no token. */
import { describe, expect } from 'vitest'
import { faultServer, reply } from './support/fault-server'
import { test } from './support/skyctl'

const json = (text: string) => JSON.parse(text)

describe('regions list', () => {
  test('prints every region with the fields of api.md', async ({ skyctl, world }) => {
    const { exit, stdout } = await skyctl('regions list --json')
    expect({ exit, count: json(stdout).length }).toEqual({ exit: 0, count: world.regions.length })
    for (const region of json(stdout)) {
      expect(Object.keys(region).sort()).toEqual(['capabilities', 'country', 'id', 'label', 'resolvers', 'status'])
    }
  })

  test('filters by a capability', async ({ skyctl }) => {
    const { stdout } = await skyctl('regions list --json --filter "capabilities=Block Storage"')
    const regions = json(stdout)
    expect(regions.length).toBeGreaterThan(0)
    expect(
      regions.every(({ capabilities }: { capabilities: string[] }) => capabilities.includes('Block Storage')),
    ).toBe(true)
  })

  test('accepts dotted columns', async ({ skyctl }) => {
    const { stdout } = await skyctl('regions list -o csv --columns id,resolvers.ipv4 --limit 1')
    expect(stdout.split('\n')[0]).toBe('id,resolvers.ipv4')
  })
})

test('regions list asks to sign in if a service requires a token', async ({ skyctl }) => {
  const server = await faultServer(reply(401, { errors: [{ field: null, reason: 'Invalid Token' }] }))
  const env = { SKYCTL_BASE_URL: `http://${server.host}/v4` }
  expect(await skyctl('regions list', { env })).toEqual({
    exit: 3,
    stdout: '',
    stderr: 'skyctl: the service requires a token. Sign in with: skyctl auth login\n',
  })
})

test('volumes create does not request a region that is cached for completion', async ({ skyctl, world }) => {
  const regionRequests = () => world.requests('GET').filter(({ path }) => path.startsWith('/regions')).length
  await skyctl('completion values regions')
  const before = regionRequests()
  expect(before).toBeGreaterThan(0)
  expect((await skyctl('volumes create --label data --region us-east')).exit).toBe(0)
  expect(regionRequests()).toBe(before)
})

describe('regions view', () => {
  test('prints one as an object and several as an array', async ({ skyctl }) => {
    expect(json((await skyctl('regions view us-east --json')).stdout).id).toBe('us-east')
    const several = json((await skyctl('region show us-east eu-west --json')).stdout)
    expect(several.map(({ id }: { id: string }) => id)).toEqual(['us-east', 'eu-west'])
  })

  test('works without a token, with suggestions', async ({ skyctl }) => {
    const env = { SKYCTL_TOKEN: undefined }
    expect((await skyctl('regions view us-east -q', { env })).stdout).toBe('us-east\n')
    expect((await skyctl('regions view us-eats', { env })).stderr).toBe(
      'skyctl: region "us-eats" not found. Did you mean "us-east"?\n',
    )
    expect(await skyctl('vlans list --region us-east', { env })).toMatchObject({ exit: 3, stdout: '' })
  })

  test('caches ids and labels for completion', async ({ skyctl, world }) => {
    const [region] = world.regions
    const { stdout } = await skyctl('completion values regions')
    expect(stdout.split('\n')).toContain(`${region?.id}\t${region?.label}`)
  })

  test('refers to the list for an id that resembles none', async ({ skyctl }) => {
    expect((await skyctl('regions view qqqqqqqqqqqq')).stderr).toBe(
      'skyctl: region "qqqqqqqqqqqq" not found. See skyctl regions list\n',
    )
  })

  test('reports a missing region even if the list cannot be read', async ({ skyctl }) => {
    const { env } = await faultServer((socket, heard) => {
      reply(heard.path.includes('/us-eats') ? 404 : 400, { errors: [{ reason: 'no' }] })(socket, heard)
    })
    const { exit, stderr } = await skyctl('regions view us-eats', { env })
    expect({ exit, stderr }).toEqual({
      exit: 5,
      stderr: 'skyctl: region "us-eats" not found. See skyctl regions list\n',
    })
  })

  test('reports other failures than a missing region unchanged', async ({ skyctl }) => {
    const { env } = await faultServer(reply(400, { errors: [{ reason: 'not today' }] }))
    const { exit, stderr } = await skyctl('regions view us-east', { env })
    expect({ exit, stderr }).toEqual({ exit: 6, stderr: expect.stringContaining('not today') })
  })

  test('does nothing for an empty stdin', async ({ skyctl, world }) => {
    const { exit, stdout, stderr } = await skyctl('regions view -', { stdin: '' })
    expect({ exit, stdout, sent: world.requests() }).toEqual({ exit: 0, stdout: '', sent: [] })
    expect(stderr).toContain('region')
  })

  test.for(['..', '.', 'us/east', 'us--east', '-east', 'us east', '%2e%2e', ''])(
    'rejects "%s" as a region id, and sends nothing',
    async (id, { skyctl, world }) => {
      for (const verb of ['view', 'availability'])
        expect(await skyctl(['regions', verb, '--', id])).toEqual({
          exit: 2,
          stdout: '',
          stderr: `skyctl: "${id}" is not a region id: letters, digits and single hyphens, as in us-east\n`,
        })
      expect(world.requests()).toEqual([])
    },
  )
})

describe('regions availability', () => {
  test('lists the rows of all pages', async ({ skyctl, world }) => {
    const { stdout } = await skyctl('regions availability --json --page-size 25')
    expect(json(stdout)).toHaveLength(world.availability.length)
  })

  test('of one region lists its rows', async ({ skyctl, world }) => {
    const { stdout } = await skyctl('regions availability us-east --json')
    expect(json(stdout)).toEqual(world.availability.filter(({ region }) => region === 'us-east'))
  })

  test('filters by plan', async ({ skyctl, world }) => {
    const plan = world.availability[0]?.plan
    const { stdout } = await skyctl(`regions availability --filter plan=${plan} --filter available=true --json`)
    expect(json(stdout)).toEqual(world.availability.filter((row) => row.plan === plan && row.available))
  })

  test('of an unknown region ends with exit code 5', async ({ skyctl }) => {
    expect((await skyctl('regions availability us-eats')).exit).toBe(5)
  })
})
