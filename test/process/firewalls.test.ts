/** Processes that change one firewall or volume at the same time. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { rule, ruleSet, ssh, web } from '../support/firewall-rules'
import { test } from '../support/process'

const rules = ruleSet(ssh, web)

describe('Processes that change one firewall at once', () => {
  test('in an editor: the second fails with exit code 6 and the differences, and saves its text', async ({
    shell,
    world,
    home,
    sandbox,
  }) => {
    const { id } = world.network.firewall({ label: 'edge', rules })
    // An editor does not get the token.
    const other = `SKYCTL_TOKEN=${sandbox.ownerToken} EDITOR="sed -i s/443/8443/"`
    const { exit, stderr } = await shell('skyctl firewalls rules edit edge --yes', {
      // While the text is open, the other process runs.
      env: { EDITOR: `${other} skyctl firewalls rules edit edge --yes && sed -i s/22/2222/` },
    })
    expect(exit).toBe(6)
    expect(stderr).toContain('Differences:\nchanged  inbound 2 "web": ports 443 -> 8443\n')
    expect(stderr).toContain(`the rules of firewall "edge" (${id}) were changed meanwhile`)
    expect(world.network.firewalls.get(id)?.rules).toEqual({
      ...rules,
      inbound: [rule('ssh', '22'), rule('web', '8443')],
    })
    const [draft = ''] = readdirSync(join(home, 'state/drafts'))
    expect(readFileSync(join(home, 'state/drafts', draft), 'utf8')).toMatch(/ports: "?2222/)
    expect(stderr).toContain(draft)
  })

  test('with "rules add": no rule is lost', async ({ start, world }) => {
    const { id } = world.network.firewall({ label: 'edge', rules: { ...rules, inbound: [] } })
    const line = 'firewalls rules add edge inbound --action accept --protocol tcp --from 203.0.113.0/24 --port'
    const ports = ['1', '2', '3', '4']
    const ended = await Promise.all(ports.map((port) => start(`${line} ${port}`, { stdin: '' }).end))
    expect(ended.map(({ exit }) => exit)).toEqual(ports.map(() => 0))
    const { inbound = [] } = world.network.firewalls.get(id)?.rules ?? {}
    expect(inbound.map(({ ports }) => ports).sort()).toEqual(ports)
  })
})

describe('12 processes that add a tag to one volume at once', () => {
  test('lose no tag', async ({ start, world }) => {
    const { id } = world.volume({ label: 'data', tags: ['first'] })
    const tags = Array.from({ length: 12 }, (_, index) => `t${index}`)
    const lines = tags.map((tag) => `volumes update data --add-tag ${tag} --quiet`)
    const ended = await Promise.all(lines.map((line) => start(line, { stdin: '' }).end))
    expect(ended.map(({ exit, stderr }) => ({ exit, stderr }))).toEqual(tags.map(() => ({ exit: 0, stderr: '' })))
    expect([...(world.volumes.get(id)?.tags ?? [])].sort()).toEqual(['first', ...tags].sort())
  })
})
