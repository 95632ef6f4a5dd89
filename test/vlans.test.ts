import { describe, expect } from 'vitest'
import { test } from './support/skyctl'

describe('vlans list', () => {
  test('prints the records of the service', async ({ skyctl, world }) => {
    expect(JSON.parse((await skyctl('vlans list --json')).stdout)).toEqual([...world.network.vlans])
  })

  test('prints labels with --quiet, without a warning if the region supports VLANs', async ({ skyctl }) => {
    expect(await skyctl('vlans list --region us-ord -q')).toEqual({ exit: 0, stdout: 'replication\n', stderr: '' })
  })

  test('warns if a region does not support VLANs, and names those that do', async ({ skyctl, world }) => {
    const [region] = world.regions.filter(({ capabilities }) => !capabilities.includes('Vlans'))
    const { exit, stdout, stderr } = await skyctl(`vlans list --region ${region?.id} -o csv --no-headers`)
    expect({ exit, stdout }).toEqual({ exit: 0, stdout: '' })
    expect(stderr).toMatch(new RegExp(`warning: ${region?.id} does not support VLANs; these regions do: .*us-east`))
  })

  test('rejects an unknown region with similar ones', async ({ skyctl, world }) => {
    const { exit, stderr } = await skyctl('vlans list --region us-eats')
    expect(exit).toBe(5)
    expect(stderr).toContain('"us-eats" is not a region. Did you mean "us-east"')
    expect(world.requests().every(({ path }) => path.startsWith('/regions'))).toBe(true)
  })
})
