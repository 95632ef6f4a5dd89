/** `skyctl api`: any request, as it is. */
import { describe, expect } from 'vitest'
import { test } from './support/skyctl'

const json = (text: string) => JSON.parse(text)

describe('api', () => {
  test('prints the answer as JSON', async ({ skyctl, world }) => {
    const { id } = world.volume({ label: 'data' })
    const { exit, stdout, stderr } = await skyctl(`api GET /volumes/${id}`)
    expect({ exit, stderr, label: json(stdout).label }).toEqual({ exit: 0, stderr: '', label: 'data' })
  })

  test('takes a path without its first slash', async ({ skyctl, world }) => {
    expect((await skyctl('api GET profile')).exit).toBe(0)
    expect((await skyctl('api GET volumes?page_size=25')).exit).toBe(0)
    expect(world.requests().map(({ path }) => path)).toEqual(['/profile', '/volumes?page_size=25'])
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

  test('--header takes what is not ours to set', async ({ skyctl, world }) => {
    world.volume({ label: 'wanted' })
    const { stdout } = await skyctl(['api', 'GET', '/volumes', '-H', 'X-Filter: {"label":"wanted"}'])
    expect(json(stdout).data).toHaveLength(1)
  })

  test('--query chooses from the answer', async ({ skyctl, world }) => {
    const { stdout } = await skyctl('api GET /profile -o tsv --query username')
    expect(stdout.trim()).toBe(world.users.all()[0]?.username)
  })

  test('--dry-run sends nothing', async ({ skyctl, world }) => {
    const { stdout } = await skyctl('api DELETE /volumes/1 --dry-run')
    expect(json(stdout)).toEqual({ method: 'DELETE', path: '/volumes/1' })
    expect(world.requests()).toEqual([])
  })

  test('an error of the service has its exit code', async ({ skyctl }) => {
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
    ['PATCH', '/volumes'],
    ['GET /volumes', '/volumes'],
  ])('%j is refused, and nothing is sent', async (typed, { skyctl, world }) => {
    expect((await skyctl(['api', ...typed])).exit).toBe(2)
    expect(world.requests()).toEqual([])
  })

  test.for(['Authorization: Bearer x', 'host: evil', 'no colon', 'X-A: b\r\nX-C: d', 'Content-Type: text/plain'])(
    'the header %j is refused',
    async (line, { skyctl, world }) => {
      expect((await skyctl(['api', 'GET', '/volumes', '-H', line])).exit).toBe(2)
      expect(world.requests()).toEqual([])
    },
  )

  test.for(['api GET /volumes --body -', 'api DELETE /volumes/1 --paginate', 'api GET', 'api GET /volumes surplus'])(
    '%s is refused',
    async (line, { skyctl }) => {
      expect((await skyctl(line, { stdin: '{}' })).exit).toBe(2)
    },
  )

  test('--paginate of what is no list says so', async ({ skyctl }) => {
    expect((await skyctl('api GET /profile --paginate')).exit).toBe(2)
  })
})
