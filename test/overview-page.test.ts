/** skyctl overview -o html: one file that anybody can open, with the facts of overview and audit. */
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { seedFrom } from '../src/sandbox/restore-world'
import { test as base, findingsOf } from './support/audit-stage'
import type { Lists } from './support/audited-world'
import { chromium, type OpenPage } from './support/chromium'
import { hostileInLines } from './support/hostile-text'
import { faintTexts, harmlessElements, openPage, overflowOf, readPage } from './support/page-reader'
import { environmentOf, openTestSandbox } from './support/sandbox'
import { needs } from './support/shells'
import { runSkyctl } from './support/skyctl'

interface Stage {
  /** The page of an account with 40 firewalls. */
  large: string
  pageOf(name: string): Promise<string>
  /** Prints the page of the sandbox's account. */
  page(): Promise<string>
  /** Opens a page in Chromium. */
  open(text: string): Promise<OpenPage>
}

const test = base.extend<Stage>({
  page: async ({ skyctl }, use) =>
    use(async () => {
      const { exit, stdout, stderr } = await skyctl('overview -o html')
      expect({ exit, stderr }).toEqual({ exit: 0, stderr: '' })
      return stdout
    }),
  large: async ({ clock, home }, use) => {
    const sandbox = await openTestSandbox({ clock, seed: seedFrom(busy) })
    const { stdout } = await runSkyctl('overview -o html', { clock, env: environmentOf(sandbox, join(home, 'large')) })
    await sandbox.close()
    await use(stdout)
  },
  pageOf: async ({ page, large, listing, skyctl }, use) =>
    use(async (name) => {
      if (name === 'large') return large
      if (name === 'sandbox') return page()
      return (await skyctl('overview -o html', { env: await listing(hostileLists) })).stdout
    }),
  open: async ({ home }, use) => use((text) => openPage(text, home)),
})

const anyone = { ipv4: ['0.0.0.0/0'], ipv6: ['::/0'] }
const many = <T>(count: number, make: (index: number) => T) => Array.from({ length: count }, (_, index) => make(index))

const regionOf = (index: number) => (index % 2 ? 'us-east' : 'fr-par')

/** 40 firewalls with 10 rules and two instances each, 20 instances without a firewall, and 20 detached volumes. */
const busy = {
  computes: many(100, (index) => ({ id: 8000 + index, label: `web-${index}`, region: regionOf(index) })),
  volumes: many(120, (index) => ({
    label: `data-${index}`,
    region: regionOf(index),
    ...(index < 100 && { compute_id: 8000 + index }),
  })),
  addresses: many(200, (index) => ({
    address: index < 100 ? `198.51.100.${index}` : `2001:db8:114::f03c:91ff:fe00:${index}`,
    type: index < 100 ? 'ipv4' : 'ipv6',
    compute_id: 8000 + (index % 100),
    region: regionOf(index),
  })),
  firewalls: many(40, (index) => ({
    label: `site-${index}`,
    rules: {
      inbound: many(10, (place) => ({
        action: 'ACCEPT',
        protocol: 'TCP',
        ports: `${1000 * place + 22},${1000 * place + 443}`,
        label: `rule-${place}`,
        addresses: place === 0 ? anyone : { ipv4: many(20, (one) => `203.0.${one}.${place}/32`) },
      })),
      inbound_policy: 'DROP',
      outbound: [],
      outbound_policy: 'ACCEPT',
    },
    devices: many(2, (one) => ({ type: 'compute', id: 8000 + 2 * index + one })),
  })),
}

const hostile = [
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  "'&amp;</style><base href=//example.net>",
  'evil\u202etxt.exe\u0000',
  'שלום עולם',
  'a'.repeat(300),
]
const visible = (label: string) => label.replace('\u202e', '\\u202e').replace('\u0000', '\\x00')
const times = { created: '2026-01-01T00:00:00', updated: '2026-01-01T00:00:00' }
const hostileLists: Lists = {
  '/volumes': hostile.map((label, index) => ({
    ...{ id: 1 + index, label, status: label, size: 20, region: label, compute_id: 50 + index, compute_label: label },
    ...{ filesystem_path: '/dev/x', hardware_type: 'nvme', tags: [], ...times },
  })),
  '/networking/vlans': hostile.map((label) => ({ label, region: label, computes: [50], created: times.created })),
  '/networking/ips': hostile.map((address, index) => ({
    ...{ address, type: address, public: true, compute_id: 50 + index, region: address, rdns: address },
    ...{ gateway: null, subnet_mask: null, prefix: 64 },
  })),
}

describe('the page of an account', () => {
  test('has every resource, who may connect from where, and what is unused', async ({ page, skyctl, world }) => {
    world.volume({ label: 'bare', size: 30, compute_id: 1099 })
    const { text } = readPage(await page())
    const { stdout } = await skyctl('overview --json')
    const { instances, firewalls, vlans, unassigned_addresses, detached_volumes } = JSON.parse(stdout)
    const named = [
      ...instances,
      ...firewalls,
      ...instances.flatMap((one: Overviewed) => one.volumes),
      ...detached_volumes,
    ]
    for (const { id, label } of named) expect(text).toContain(label === null ? `${id}` : `${label} ${id}`)
    const addresses = [...unassigned_addresses, ...instances.flatMap((one: Overviewed) => one.addresses)]
    for (const { address } of addresses) expect(text).toContain(address)
    for (const { label } of vlans) expect(text).toContain(label)
    expect(text).toContain('database 4003 protects db-1 tcp/5432 192.0.2.11, 192.0.2.12 Rule')
    expect(text).toContain('web 4001 protects web-1, web-2, front-1 tcp/80,443, icmp anywhere Rule')
    expect(text).toContain('web-strict 4002 disabled not enforced at web-1')
    expect(text).toContain('instance 1004 no firewall all traffic from anywhere 192.0.2.14')
    expect(text).toMatch(/ bare \d+ 30 GiB instance 1099 us-\w+ active /)
    expect(text).toContain('Detached volumes (4, 790 GiB of 960 GiB) data-2 20 GiB in us-east')
  })

  test('has the problems that audit finds in these resources, with its reasons and commands', async ({
    page,
    skyctl,
  }) => {
    const { text } = readPage(await page())
    const findings = findingsOf((await skyctl('audit --json')).stdout)
    const own = findings.filter(({ object: { kind } }) =>
      /^(firewall|compute|balancer|volume|address|vlan|ip)/.test(kind),
    )
    expect(own.length).toBeGreaterThan(30)
    for (const { reason, command, alternatives } of own)
      for (const fact of [reason, command, ...alternatives]) expect(text).toContain(fact)
  })

  test('names the context in its title and in each command', async ({ skyctl }) => {
    const { stdout } = await skyctl('overview -o html --context sandbox')
    const { text } = readPage(stdout)
    expect(text).toMatch(/^Account sandbox, \d{4}-\d\d-\d\d \d\d:\d\d UTC /)
    const commands = text.split(/skyctl (?=[a-z])/).slice(1)
    expect(commands.length).toBeGreaterThan(30)
    expect(commands.filter((command) => !/^[\w :./-]+ --context sandbox/.test(command))).toEqual([])
  })

  test('loads and runs nothing: its policy allows its own style only', async ({ page }) => {
    const text = await page()
    const { elements, attributes, policy, expectedPolicy } = readPage(text)
    expect(policy).toBe(expectedPolicy)
    expect([...elements].filter((name) => !harmlessElements.has(name))).toEqual([])
    expect(attributes.filter(({ name }) => /^(on|src|style|action|srcset|data$)/.test(name))).toEqual([])
    expect(attributes.filter(({ name, value }) => name === 'href' && !value.startsWith('#'))).toEqual([])
    expect(text).not.toMatch(/@import|url\(/)
  })

  test('names what the token may not read first', async ({ skyctl, world }) => {
    const SKYCTL_TOKEN = world.token('account:read_only volumes:read_only ips:read_only computes:read_only')
    const { exit, stdout, stderr } = await skyctl('overview -o html', { env: { SKYCTL_TOKEN } })
    expect({ exit, stderr }).toEqual({ exit: 0, stderr: expect.stringContaining('warning: not read: firewalls: ') })
    const { text } = readPage(stdout)
    expect(text).toMatch(/Not read firewalls: .* Instances 11 /)
    expect(text).not.toMatch(/no firewall|nobody|No problems/)
  })

  test('shows labels as they are, and runs nothing in them', async ({ listing, skyctl }) => {
    const { stdout } = await skyctl('overview -o html', { env: await listing(hostileLists) })
    const { text, elements } = readPage(stdout)
    for (const label of hostile) expect(text).toContain(`${visible(label)} ${1 + hostile.indexOf(label)}`)
    expect([...elements].filter((name) => !harmlessElements.has(name))).toEqual([])
    expect(hostileInLines(stdout)).toEqual([])
  })

  test('is the same on a terminal and in a pipe', async ({ skyctl, page }) => {
    expect((await skyctl('overview -o html', { columns: 80 })).stdout).toBe(await page())
  })

  test('has less than 200 KB for 40 firewalls', async ({ large }) => {
    const { text } = readPage(large)
    expect(text.slice(0, 400)).toMatch(/ Instances 103 .* Firewalls 40 /)
    expect(
      text.includes('site-39 4046 protects web-78, web-79 tcp/22,443 anywhere Rule tcp/1022,1443 203.0.0.1, '),
    ).toBe(true)
    expect(Buffer.byteLength(large)).toBeLessThan(200_000)
  })
})

describe('in a browser, the page', () => {
  test('sends no requests, and the console stays empty', async ({ page, open, skip }) => {
    needs(chromium, { skip })
    const { requests, complaints } = await open(await page())
    expect({ requests, complaints }).toEqual({ requests: [], complaints: [] })
  })

  test.for(['sandbox', 'large', 'hostile'])(
    'fits windows of every width, for the account: %s',
    async (name, { open, pageOf, skip }) => {
      needs(chromium, { skip })
      const shown = await open(await pageOf(name))
      for (const width of [320, 390, 820, 1280]) {
        await shown.show({ width })
        expect({ width, overflow: await overflowOf(shown) }).toEqual({ width, overflow: 0 })
      }
    },
  )

  test.for(['light', 'dark'] as const)(
    'has readable contrasts, on screens and paper: %s',
    async (scheme, { open, page, skip }) => {
      needs(chromium, { skip })
      const shown = await open(await page())
      for (const media of ['screen', 'print'] as const) {
        await shown.show({ width: 1280, scheme, media })
        expect(await faintTexts(shown)).toEqual([])
      }
    },
  )

  test('has every problem on paper, also the folded ones', async ({ open, page, skip }) => {
    needs(chromium, { skip })
    const shown = await open(await page())
    const heightOf = '[...document.querySelectorAll("details:not([open]) .problem")].map((one) => one.offsetHeight)'
    await shown.show({ width: 800, media: 'print' })
    const heights = await shown.evaluate<number[]>(heightOf)
    expect(heights.length).toBeGreaterThan(10)
    expect(Math.min(...heights)).toBeGreaterThan(10)
  })

  test('has cells with the headings of their columns on a phone, and rows and columns with scopes', async ({
    open,
    page,
    skip,
  }) => {
    needs(chromium, { skip })
    const shown = await open(await page())
    await shown.show({ width: 390 })
    expect(await shown.evaluate<number>('document.querySelectorAll("th:not([scope])").length')).toBe(0)
    expect(await shown.evaluate<string[]>(`(${findWrongHeadings})()`)).toEqual([])
    const levels = await shown.evaluate<number[]>(
      '[...document.querySelectorAll("h1, h2, h3, h4")].map(({ tagName }) => Number(tagName[1]))',
    )
    expect(levels.filter((level, index) => level > (levels[index - 1] ?? 0) + 1)).toEqual([])
    const dead = '[...document.links].filter(({ hash }) => !document.getElementById(hash.slice(1))).map(String)'
    expect(await shown.evaluate<string[]>(dead)).toEqual([])
  })
})

// Runs in the browser.
const findWrongHeadings = `() => [...document.querySelectorAll("td")].flatMap((cell) => {
  const shown = getComputedStyle(cell, "::before").content
  const heading = cell.closest("table").querySelectorAll("thead th")[cell.cellIndex].textContent
  return shown === JSON.stringify(heading) ? [] : [shown + " at " + heading]
})`

interface Overviewed {
  volumes: { id: number; label: string }[]
  addresses: { address: string }[]
}
