/** Fixtures for temporary openings of a firewall, and conditions to wait for. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, vi } from 'vitest'
import type { FirewallRule, FirewallRules } from '../../src/catalogue/firewall-rules'
import { temporaryOpening } from '../../src/firewall/temporary-opening'
import { rulesOf, ruleThat } from './firewall-rules'
import { test as base } from './in-process-shell'
import { type Lossy, lossyProxy } from './lossy-proxy'
import type { World } from './sandbox'
import { watchersOf } from './watchers'

const { ports: _ports, ...portless } = ruleThat({ protocol: 'ICMP', label: 'ping' })
export const ssh: FirewallRule = ruleThat({ label: 'ssh' })
export const ping: FirewallRule = portless
export const initialRules: FirewallRules = rulesOf([ssh, ping])

export interface Gate {
  rules(): FirewallRules
  /** Replaces the rules, as another administrator. */
  write(change: (rules: FirewallRules) => Partial<FirewallRules>): void
  /** Ports of the current temporary openings. */
  open(): (string | null | undefined)[]
}

export interface OpeningFixtures {
  /** The firewall `gate` (9100). */
  gate: Gate
  /** Records of watchers in the state folder, as texts. */
  records(): string[]
  watchers(): number[]
  /** A proxy before the sandbox. */
  proxy: Lossy
}

export function gateOf(world: World): Gate {
  const { firewalls } = world.network
  world.network.firewall({ id: 9100, label: 'gate', rules: initialRules } as never)
  const rules = () => firewalls.get(9100)?.rules as FirewallRules
  return {
    rules,
    write(change) {
      const firewall = firewalls.get(9100)
      if (firewall) firewalls.put({ ...firewall, rules: { ...rules(), ...change(rules()) } } as never)
    },
    open: () => rules().inbound.flatMap((rule) => (temporaryOpening(rule) ? [rule.ports] : [])),
  }
}

export const test = base.extend<OpeningFixtures>({
  gate: async ({ world }, use) => use(gateOf(world)),
  records: async ({ env }, use) => use(() => recordsIn(env.SKYCTL_STATE_DIR ?? '')),
  watchers: async ({ home }, use) => use(() => watchersOf(home)),
  proxy: async ({ sandbox }, use) => {
    const proxy = await lossyProxy(sandbox.baseUrl)
    await use(proxy)
    await proxy.close()
  },
})

export function recordsIn(state: string): string[] {
  const folder = join(state, 'watches')
  try {
    return readdirSync(folder)
      .filter((name) => name.endsWith('.ndjson'))
      .map((name) => readFileSync(join(folder, name), 'utf8'))
  } catch {
    return []
  }
}

/** Waits until a condition holds; `longer` extends the limit. */
export const until = (holds: () => unknown, longer = 0) =>
  vi.waitFor(() => expect(holds()).toBeTruthy(), { timeout: 30_000 + longer, interval: 50 })
