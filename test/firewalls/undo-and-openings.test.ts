/** Temporary openings stay as they are now, whatever an undo of rules restores. */
import { describe, expect } from 'vitest'
import { dns, ruleSet, ssh, web } from '../support/firewall-rules'
import type { World } from '../support/sandbox'
import { test } from '../support/skyctl'

const open = 'firewalls open edge --port 5432 --from 198.51.100.7 --for 1h --yes'
const removeSsh = 'firewalls rules remove edge inbound label:ssh --yes'
const restored = ['ssh', 'web']
const opening = expect.stringContaining('open until')
const arrange = ({ network }: World) => network.firewall({ id: 9100, label: 'edge', rules: ruleSet(ssh, web) })
const labels = ({ network }: World) => network.firewalls.get(9100)?.rules.inbound.map(({ label }) => label)

describe.for(['firewalls rules undo edge', 'history undo 2', 'history undo'])('%s --yes', (undo) => {
  test('does not bring back an opening that was closed since the change', async ({ skyctl, world }) => {
    arrange(world)
    await skyctl(open)
    await skyctl(removeSsh)
    await skyctl('firewalls close edge --yes')
    const { exit, stderr } = await skyctl(`${undo} --yes`)
    expect({ exit, stderr, now: labels(world) }).toEqual({
      exit: 0,
      stderr: expect.stringContaining('tcp/5432 from 198.51.100.7/32 stays closed: it was open temporarily\n'),
      now: restored,
    })
    expect(stderr).not.toMatch(/Since then|Undoing all/)
  })

  test('does not bring it back with --force, over changes of somebody else', async ({ skyctl, world }) => {
    const edge = arrange(world)
    await skyctl(open)
    await skyctl(removeSsh)
    world.network.firewalls.put({ ...edge, rules: ruleSet(web, dns) })
    expect(await skyctl(`${undo} --yes`)).toMatchObject({ exit: 6 })
    expect(await skyctl(`${undo} --yes --force`)).toMatchObject({ exit: 0 })
    expect(labels(world)).toEqual(restored)
  })
})

describe.for(['firewalls rules undo edge', 'history undo 1'])('%s --yes', (undo) => {
  test('keeps an opening that was opened since the change', async ({ skyctl, world }) => {
    arrange(world)
    await skyctl(removeSsh)
    await skyctl(open)
    expect(await skyctl(`${undo} --yes`)).toMatchObject({
      exit: 0,
      stderr: expect.not.stringContaining('stays closed'),
    })
    expect(labels(world)).toEqual([opening, ...restored])
    await skyctl('firewalls close edge --yes')
    // The second undo reverses the first.
    expect(await skyctl('firewalls rules undo edge --yes')).toMatchObject({ exit: 0 })
    expect(labels(world)).toEqual(['web'])
  })
})

test('history undo passes over a change of rules of which only a closed opening is left to undo', async ({
  skyctl,
  world,
}) => {
  arrange(world)
  await skyctl(open)
  await skyctl(removeSsh)
  await skyctl('firewalls close edge --yes')
  arrange(world)
  const { stderr } = await skyctl('history undo --yes')
  expect(stderr).toContain('the rules of firewall "edge" (9100) are as before it')
})
