/**
 * A mistyped key of `--body` is rejected before anything is sent; skyctl passes on the service's warnings about ignored
 * keys.
 */
import { describe, expect } from 'vitest'
import { test } from './support/skyctl'

const create = 'volumes create --body -'
const stdin = JSON.stringify({ label: 'a', region: 'us-east', lable: 'b', compute_id: null })

describe('an unknown key of --body', () => {
  test('is rejected before anything is sent', async ({ skyctl, world }) => {
    const { exit, stderr } = await skyctl(create, { stdin })
    expect(exit).toBe(2)
    expect(stderr).toContain('lable')
    expect(world.requests('POST')).toEqual([])
  })

  test('is named with the valid keys, which are listed once', async ({ skyctl }) => {
    const { stderr } = await skyctl(create, { stdin: '{ "label": "a", "region": "us-east", "foo": 1, "quux": 2 }' })
    expect(stderr).toContain('quux: unknown key')
    expect(stderr.match(/The keys are: /g)).toHaveLength(1)
  })

  test('is no key of an account file: that is named as one', async ({ skyctl, world }) => {
    const account = { stdin: '{ "volumes": { "data": { "size": 20, "region": "us-east" } } }' }
    for (const line of [
      create,
      'firewalls create --body -',
      'firewalls rules update web --file -',
      'tokens create --body -',
    ]) {
      const { exit, stderr } = await skyctl(line, account)
      expect({ exit, stderr }).toMatchObject({
        exit: 2,
        stderr: expect.stringContaining(
          'stdin is an account file: it has "volumes". To preview and apply it: skyctl plan FILE',
        ),
      })
    }
    expect(world.requests('POST')).toEqual([])
  })

  test("is sent with --no-validate, and the service's warning is printed", async ({ skyctl, world }) => {
    const { exit, stdout, stderr } = await skyctl(`${create} --no-validate --quiet`, { stdin })
    expect({ exit, label: world.volumes.get(Number(stdout))?.label }).toEqual({ exit: 0, label: 'a' })
    expect(stderr).toContain('lable was ignored')
    expect(world.requests('POST')[0]?.body).toMatchObject({ lable: 'b' })
  })
})
