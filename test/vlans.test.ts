import { describe, expect } from 'vitest'
import { test } from './support/skyctl'

describe('vlans list', () => {
  test('prints what the service sent', async ({ skyctl, world }) => {
    expect(JSON.parse((await skyctl('vlans list --json')).stdout)).toEqual([...world.network.vlans])
  })

  test('--quiet prints labels, without a warning where the region supports VLANs', async ({ skyctl }) => {
    expect(await skyctl('vlans list --region us-ord -q')).toEqual({ exit: 0, stdout: 'replication\n', stderr: '' })
  })

  test('says where a region does not support VLANs, and which do', async ({ skyctl, world }) => {
    const [without] = world.regions.filter(({ capabilities }) => !capabilities.includes('Vlans'))
    const { exit, stdout, stderr } = await skyctl(`vlans list --region ${without?.id} -o csv --no-headers`)
    expect({ exit, stdout }).toEqual({ exit: 0, stdout: '' })
    expect(stderr).toMatch(new RegExp(`warning: ${without?.id} does not support VLANs; these regions do: .*us-east`))
  })

  test('a region that is none is refused with near names', async ({ skyctl, world }) => {
    const { exit, stderr } = await skyctl('vlans list --region us-eats')
    expect(exit).toBe(5)
    expect(stderr).toContain('"us-eats" is not a region. Did you mean "us-east"')
    expect(world.requests().every(({ path }) => path.startsWith('/regions'))).toBe(true)
  })
})
