/** Processes that change one firewall, or one volume, at the same time: no change is lost. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { rule, ruleSet, ssh, web } from '../support/firewall-rules'
import { test } from '../support/process'

const rules = ruleSet(ssh, web)

describe('two processes that change one firewall', () => {
  test('in an editor: who comes second stops with exit 6 and the difference, and keeps the text', async ({
    shell,
    world,
    home,
    sandbox,
  }) => {
    const { id } = world.network.firewall({ label: 'edge', rules })
    // An editor is not given our token.
    const other = `SKYCTL_TOKEN=${sandbox.ownerToken} EDITOR="sed -i s/443/8443/"`
    const { exit, stderr } = await shell('skyctl firewalls rules edit edge --yes', {
      // While the text is open, the other process begins and ends.
      env: { EDITOR: `${other} skyctl firewalls rules edit edge --yes && sed -i s/22/2222/` },
    })
    expect(exit).toBe(6)
    expect(stderr).toContain('Differences:\nchanged  inbound 2: ports 443 -> 8443\n')
    expect(stderr).toContain(`the rules of firewall "edge" (${id}) were changed meanwhile`)
    expect(world.network.firewalls.get(id)?.rules).toEqual({
      ...rules,
      inbound: [rule('ssh', '22'), rule('web', '8443')],
    })
    const [kept = ''] = readdirSync(join(home, 'state/drafts'))
    expect(readFileSync(join(home, 'state/drafts', kept), 'utf8')).toMatch(/ports: "?2222/)
    expect(stderr).toContain(kept)
  })

  test('by adding rules: each lands', async ({ start, world }) => {
    const { id } = world.network.firewall({ label: 'edge', rules: { ...rules, inbound: [] } })
    const line = 'firewalls rules add edge inbound --action accept --protocol tcp --from 203.0.113.0/24 --port'
    const ports = ['1', '2', '3', '4']
    const ended = await Promise.all(ports.map((port) => start(`${line} ${port}`, { stdin: '' }).end))
    expect(ended.map(({ exit }) => exit)).toEqual(ports.map(() => 0))
    const { inbound = [] } = world.network.firewalls.get(id)?.rules ?? {}
    expect(inbound.map(({ ports }) => ports).sort()).toEqual(ports)
  })
})

describe('12 processes that each add a tag to one volume', () => {
  test('at the same time: all tags stand', async ({ start, world }) => {
    const { id } = world.volume({ label: 'data', tags: ['first'] })
    const tags = Array.from({ length: 12 }, (_, index) => `t${index}`)
    const lines = tags.map((tag) => `volumes update data --add-tag ${tag} --quiet`)
    const ended = await Promise.all(lines.map((line) => start(line, { stdin: '' }).end))
    expect(ended.map(({ exit, stderr }) => ({ exit, stderr }))).toEqual(tags.map(() => ({ exit: 0, stderr: '' })))
    expect([...(world.volumes.get(id)?.tags ?? [])].sort()).toEqual(['first', ...tags].sort())
  })
})
