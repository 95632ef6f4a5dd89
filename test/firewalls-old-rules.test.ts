/** Rules with empty forms, which old firewalls answer and refuse in a PUT (gaps.md, Empty forms in answers). */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import type { FirewallRules } from '../src/catalogue/firewall-rules'
import { rulesOf, ruleThat } from './support/firewall-rules'
import { type EmptyForm, oldService, withOldRules } from './support/old-rules'
import { openProxy } from './support/proxy'
import { test as base } from './support/skyctl'

const { ports: _, ...ping } = ruleThat({ protocol: 'ICMP', label: 'ping' })
const { label: _label, ...unlabelled } = ruleThat({ ports: '8080', ipv4: [], ipv6: ['2001:db8::/32'] })
const plain = [ruleThat({ label: 'ssh' }), ping, unlabelled]
const sentRules = plain.map((rule) => ({ ...rule, origin: 'import' }))

interface Old {
  /** Starts the service of the firewall `edge` (9100), and returns the rules of each change that it got. */
  old(form: EmptyForm): Promise<ReturnType<typeof oldService>>
  rules(): FirewallRules
}

const test = base.extend<Old>({
  old: async ({ sandbox, world, env }, use) => {
    world.network.firewall({ id: 9100, label: 'edge', rules: rulesOf(plain) } as never)
    const ends: (() => Promise<void>)[] = []
    await use(async (form) => {
      const service = oldService(form)
      const proxy = await openProxy(sandbox.baseUrl, service)
      ends.push(proxy.close)
      env.SKYCTL_BASE_URL = proxy.baseUrl
      return service
    })
    for (const end of ends) await end()
  },
  rules: async ({ world }, use) => use(() => world.network.firewalls.get(9100)?.rules as FirewallRules),
})

describe.for<EmptyForm>(['null', 'empty'])('Rules with empty forms (%s)', (form) => {
  test.for<[string, unknown[]]>([
    ['rules add edge inbound --action drop --protocol icmp --from 192.0.2.0/24', [...sentRules, expect.anything()]],
    ['rules remove edge inbound label:ssh --yes', sentRules.slice(1)],
    ['rules move edge inbound label:ping --at 1 --yes', [sentRules[1], sentRules[0], sentRules[2]]],
    ['rules update edge --inbound-policy accept --yes', sentRules],
    ['rules update edge inbound label:ssh --port 2222', [{ ...sentRules[0], ports: '2222' }, ...sentRules.slice(1)]],
    ['rules edit edge --yes', [{ ...sentRules[0], ports: '2222' }, ...sentRules.slice(1)]],
    ['open edge --port 443 --from 198.51.100.7 --for 5m', [...sentRules, expect.anything()]],
  ])(
    'are sent without them, and with all other keys, by firewalls %s',
    async ([line, inbound], { old, skyctl, env }) => {
      const { sent } = await old(form)
      const { exit, stderr } = await skyctl(`firewalls ${line}`, { env: { ...env, EDITOR: 'sed -i s/22/2222/' } })
      expect({ exit, sent }, stderr).toEqual({ exit: 0, sent: [expect.objectContaining({ rules: expect.anything() })] })
      const open = line.startsWith('open') ? [expect.anything()] : []
      expect(sent[0]?.rules).toEqual(open.length > 0 ? expect.arrayContaining(sentRules) : inbound)
    },
  )

  test('are closed again', async ({ old, skyctl, rules }) => {
    await old(form)
    await skyctl('firewalls open edge --port 443 --from 198.51.100.7 --for 5m')
    const { exit, stderr } = await skyctl('firewalls close edge')
    expect({ exit, inbound: rules().inbound }, stderr).toEqual({ exit: 0, inbound: plain })
  })

  test('can be piped from rules list to rules update, changed or not', async ({ old, skyctl }) => {
    const { sent } = await old(form)
    const { stdout } = await skyctl('firewalls rules list edge --json')
    const update = 'firewalls rules update edge --file - --yes'
    const same = await skyctl(update, { stdin: stdout })
    expect(same).toMatchObject({ exit: 0, stderr: expect.stringContaining('No changes') })
    const changed = JSON.parse(stdout)
    for (const rule of changed.inbound) rule.description = 'checked'
    const { exit, stderr } = await skyctl(update, { stdin: JSON.stringify(changed) })
    expect({ exit, rules: sent[0]?.rules }, stderr).toEqual({
      exit: 0,
      rules: sentRules.map((rule) => ({ ...rule, description: 'checked' })),
    })
  })

  test.for(['firewalls rules undo edge --yes', 'history undo 1 --yes'])(
    'are restored by %s',
    async (line, { old, skyctl, rules }) => {
      const { sent } = await old(form)
      await skyctl('firewalls rules remove edge inbound label:ssh --yes')
      const { exit, stderr } = await skyctl(line)
      expect({ exit, inbound: rules().inbound }, stderr).toEqual({ exit: 0, inbound: plain })
      expect(sent.at(-1)?.rules).toEqual(sentRules)
    },
  )

  test('are exported, planned without a difference, and applied', async ({ old, skyctl, home }) => {
    const { sent } = await old(form)
    const file = join(home, 'account.yaml')
    const { stdout: text, ...exported } = await skyctl('export firewalls --filter label=edge')
    expect(exported).toEqual({ exit: 0, stderr: '' })
    expect(text).toContain('2001:db8::/32')
    writeFileSync(file, text)
    const plan = await skyctl(['plan', file])
    expect(plan).toMatchObject({ exit: 0, stdout: expect.stringContaining('No changes') })
    writeFileSync(file, text.replaceAll('8080', '8081'))
    const { exit, stderr } = await skyctl(['apply', file, '--yes', '--only', 'firewalls/edge'])
    expect({ exit, rules: sent[0]?.rules }, stderr).toEqual({
      exit: 0,
      rules: [...sentRules.slice(0, 2), expect.objectContaining({ ports: '8081' })],
    })
  })

  test('are those of a new firewall in the answer', async ({ old, skyctl, home }) => {
    await old(form)
    const file = join(home, 'rules.json')
    writeFileSync(file, JSON.stringify(rulesOf(plain)))
    const create = ['firewalls', 'create', '--label', 'copy', '--file', file, '--if-absent']
    expect(await skyctl(create)).toMatchObject({ exit: 0 })
    expect(await skyctl(create)).toMatchObject({ exit: 0, stderr: expect.stringContaining('already') })
  })
})

test('Rules of a file are not sent without ports that the file has empty', async ({ old, skyctl, home }) => {
  const { sent } = await old('empty')
  const file = join(home, 'rules.json')
  writeFileSync(file, JSON.stringify(withOldRules(rulesOf([ruleThat({ ports: '', label: 'new' })]), 'empty')))
  const { exit, stderr } = await skyctl(['firewalls', 'rules', 'update', 'edge', '--file', file, '--yes'])
  expect({ exit, sent }).toEqual({ exit: 2, sent: [] })
  expect(stderr).toContain('leave ports out for all of them')
})

test('A rule with a prefix list is left out of an export, with the reason, and stays when the file is applied', async ({
  skyctl,
  world,
  home,
}) => {
  const listed = { ...ruleThat({ label: 'cdn' }), addresses: { ipv4: ['pl:cdn'] } }
  world.network.firewall({ id: 9100, label: 'edge', rules: rulesOf([listed, ruleThat({ label: 'ssh' })]) } as never)
  const { exit, stdout, stderr } = await skyctl('export firewalls --filter label=edge')
  const reason = 'inbound rule 1 cannot be judged: "pl:cdn" is neither an address nor a network'
  expect({ exit, stderr }).toEqual({ exit: 0, stderr: expect.stringContaining(reason) })
  const file = join(home, 'account.yaml')
  writeFileSync(file, stdout)
  expect((await skyctl(['plan', file, '--exit-code'])).exit).toBe(0)
})
