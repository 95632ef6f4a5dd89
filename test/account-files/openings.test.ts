/** Temporary openings and account files: active ones stay, and expired ones are closed (state.md, Open for a while). */
import { describe, expect } from 'vitest'
import { openingRule } from '../../src/firewall/temporary-opening'
import { test as base } from '../support/account-files'
import { ruleSet, ssh, web } from '../support/firewall-rules'
import { openProxy } from '../support/proxy'

const json = (text: string) => JSON.parse(text)
const minutes = 60_000

interface Open {
  /** Creates the firewall `gate` with an opening that expires in so many minutes, and returns its id. */
  gate(minutes: number, rules?: (typeof ssh)[]): number
}

const test = base.extend<Open>({
  gate: async ({ world, clock }, use) =>
    use((time, rules = [ssh]) => {
      const access = { ...ssh, ports: '2222', addresses: { ipv4: ['198.51.100.7/32'] } }
      const opening = openingRule(access, { mark: '0123456789abcdef', until: clock.now() + time * minutes })
      return world.network.firewall({ label: 'gate', rules: ruleSet(opening as never, ...rules) }).id
    }),
})

const accountFile = (...rules: object[]) => JSON.stringify({ firewalls: { gate: { rules: { inbound: rules } } } })

describe('an active temporary opening', () => {
  test('is not a difference, and the plan notes that it stays unchanged', async ({ skyctl, gate, file }) => {
    const id = gate(30)
    const path = file('a.json', accountFile(ssh))
    const { exit, stdout } = await skyctl(`plan ${path} --exit-code`)
    expect({ exit, stdout }).toEqual({
      exit: 0,
      stdout: expect.stringMatching(
        new RegExp(
          `^  firewall "gate" \\(${id}\\): inbound rule 1 is a temporary opening until \\S+Z, and stays unchanged\nNo changes; 1 unchanged\n$`,
        ),
      ),
    })
    expect(json((await skyctl(`plan ${path} --json`)).stdout).notes).toMatchObject([
      { kind: 'firewalls', name: 'gate' },
    ])
  })

  test('stays the first rule if other rules of its firewall change', async ({ skyctl, gate, file, world }) => {
    const id = gate(30)
    const path = file('a.json', accountFile(web))
    const { stdout } = await skyctl(`plan ${path}`)
    expect(stdout).not.toMatch(/removed.*2222/)
    expect(await skyctl(`apply ${path} --yes`)).toMatchObject({ exit: 0 })
    expect(world.network.firewalls.get(id)?.rules.inbound.map(({ ports }) => ports)).toEqual(['2222', web.ports])
    expect((await skyctl(`plan ${path} --exit-code`)).exit).toBe(0)
  })

  test('is left out of an export with a comment, and is not a difference from it', async ({
    skyctl,
    gate,
    world,
    file,
  }) => {
    const id = gate(30)
    const { stdout, stderr } = await skyctl('export firewalls --filter label=gate')
    expect(stdout).toMatch(/# id \d+; left out: inbound rule 1 is a temporary opening until \S+Z/)
    expect(stdout).not.toContain('2222')
    expect(stderr).toContain('inbound rule 1 is a temporary opening')
    const rules = world.network.firewalls.get(id)?.rules.inbound ?? []
    expect((await skyctl(`plan ${file('a.json', accountFile(...rules))} --exit-code`)).exit).toBe(0)
  })

  test("is judged by the machine's clock if the API sends no time", async ({ skyctl, gate, file, sandbox, clock }) => {
    gate((Date.now() - clock.now()) / minutes + 30)
    const proxy = await openProxy(sandbox.baseUrl, { headers: { date: '' } })
    const env = { SKYCTL_BASE_URL: proxy.baseUrl }
    const { exit, stdout } = await skyctl(`plan ${file('a.json', accountFile(ssh))} --exit-code`, { env })
    await proxy.close()
    expect({ exit, stdout }).toEqual({ exit: 0, stdout: expect.stringContaining('is a temporary opening until') })
  })

  test('counts towards the limit of 25 rules (api.md, Limits)', async ({ skyctl, gate, file }) => {
    gate(30)
    const many = Array.from({ length: 25 }, (_, index) => ({ ...ssh, label: `rule-${index}` }))
    const { exit, stderr } = await skyctl(`plan ${file('a.json', accountFile(...many))}`)
    expect({ exit, stderr }).toEqual({ exit: 6, stderr: expect.stringContaining('Max allowed is 25') })
  })
})

test('an expired temporary opening is a difference, and apply closes it', async ({ skyctl, gate, file, world }) => {
  const id = gate(-1)
  const path = file('a.json', accountFile(ssh))
  expect((await skyctl(`plan ${path}`)).stdout).toMatch(/removed {2}inbound 1: ACCEPT TCP 2222/)
  expect(await skyctl(`apply ${path} --yes`)).toMatchObject({ exit: 0 })
  expect(world.network.firewalls.get(id)?.rules.inbound.map(({ ports }) => ports)).toEqual([ssh.ports])
})
