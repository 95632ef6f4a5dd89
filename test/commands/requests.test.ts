/** Requests of commands: none is sent without need. */
import { expect } from 'vitest'
import { defaultPageSize } from '../../src/catalogue/paging'

import { ruleSet, ssh } from '../support/firewall-rules'
import type { World } from '../support/sandbox'
import { test } from '../support/skyctl'

const sent = (world: World, from = 0) =>
  world
    .requests()
    .slice(from)
    .map(({ method, path }) => `${method} ${path}`)

test('An object found by its label is not read again', async ({ skyctl, world }) => {
  const { id } = world.volume({ label: 'spare' })
  expect((await skyctl('volumes delete spare --yes')).exit).toBe(0)
  expect(sent(world)).toEqual([expect.stringMatching(/^GET \/volumes\?/), `DELETE /volumes/${id}`])
})

test('The label of a new object is looked up once', async ({ skyctl, world }) => {
  expect((await skyctl('volumes create --label fresh --region us-east')).exit).toBe(0)
  expect(sent(world).filter((one) => one.startsWith('GET /volumes'))).toHaveLength(1)
})

test('A dry run sends no request to prepare for a lost answer', async ({ skyctl, world }) => {
  const { exit } = await skyctl('ips allocate --compute-id 1001 --public --dry-run')
  expect({ exit, sent: sent(world) }).toEqual({ exit: 0, sent: [] })
})

test('A request without fields is sent without a body', async ({ skyctl, world }) => {
  const { id } = world.volume({ compute_id: 1001 })
  for (const verb of ['detach', 'delete']) expect((await skyctl(`volumes ${verb} ${id} --yes`)).exit).toBe(0)
  const changes = world.requests().filter(({ method }) => method !== 'GET')
  expect(changes.map(({ path, body }) => ({ path, body }))).toEqual([
    { path: `/volumes/${id}/detach`, body: undefined },
    { path: `/volumes/${id}`, body: undefined },
  ])
})

test('A list with a limit requests that page size, unless a filter or sort needs all objects', async ({
  skyctl,
  world,
}) => {
  for (const [flags, size] of [
    ['', 30],
    ['--filter size>=1', defaultPageSize],
    ['--sort label', defaultPageSize],
  ] as const) {
    const before = world.requests().length
    expect((await skyctl(`volumes list --limit 30 ${flags}`)).exit).toBe(0)
    expect(sent(world, before)).toEqual([`GET /volumes?page_size=${size}&page=1`])
  }
})

test('The devices of a firewall are read only if the effect of a change is printed', async ({ skyctl, world }) => {
  const { id } = world.network.firewall({ label: 'edge', rules: ruleSet(ssh) })
  world.network.device(id, 'compute', 1004)
  for (const [port, flags, interactive, isShown] of [
    [80, '', false, true],
    [81, '', true, true],
    [82, '--quiet', false, false],
    [83, '--quiet', true, false],
    [84, '--json', false, false],
  ] as const) {
    const before = world.requests().length
    const line = `firewalls rules add edge inbound --action accept --protocol tcp --port ${port} --from 192.0.2.0/24`
    const { exit, stderr } = await skyctl(`${line} --yes ${flags}`, { interactive })
    const isRead = sent(world, before).some((one) => one.startsWith(`GET /networking/firewalls/${id}/devices`))
    const isPrinted = stderr.includes('newly allowed at tiny-1')
    expect({ flags, interactive, exit, isRead, isPrinted }).toEqual({
      ...{ flags, interactive, exit: 0, isRead: isShown, isPrinted: isShown },
    })
  }
})
