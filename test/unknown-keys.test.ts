/** A mistyped key of `--body` is told before anything is sent; what the service ignores, and says so, is passed on. */
import { describe, expect } from 'vitest'
import { test } from './support/skyctl'

const create = 'volumes create --body -'
const stdin = JSON.stringify({ label: 'a', region: 'us-east', lable: 'b', compute_id: null })

describe('an unknown key of --body', () => {
  test('is refused before anything is sent, whatever the service would do', async ({ skyctl, world }) => {
    const { exit, stderr } = await skyctl(create, { stdin })
    expect(exit).toBe(2)
    expect(stderr).toContain('lable')
    expect(world.requests('POST')).toEqual([])
  })

  test('is sent with --no-validate, and that it was ignored is said', async ({ skyctl, world }) => {
    const { exit, stdout, stderr } = await skyctl(`${create} --no-validate --quiet`, { stdin })
    expect({ exit, made: world.volumes.get(Number(stdout))?.label }).toEqual({ exit: 0, made: 'a' })
    expect(stderr).toContain('lable was ignored')
    expect(world.requests('POST')[0]?.body).toMatchObject({ lable: 'b' })
  })
})
