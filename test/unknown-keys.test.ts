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

  test("is sent with --no-validate, and the service's warning is printed", async ({ skyctl, world }) => {
    const { exit, stdout, stderr } = await skyctl(`${create} --no-validate --quiet`, { stdin })
    expect({ exit, label: world.volumes.get(Number(stdout))?.label }).toEqual({ exit: 0, label: 'a' })
    expect(stderr).toContain('lable was ignored')
    expect(world.requests('POST')[0]?.body).toMatchObject({ lable: 'b' })
  })
})
