/** Plans and drift as HTML pages: the facts of the other forms, for a review elsewhere. */
import { describe, expect } from 'vitest'
import { test as base } from '../support/account-files'
import { chromium, type OpenPage } from '../support/chromium'
import { hostileInLines } from '../support/hostile-text'
import { faintTexts, harmlessElements, openPage, overflowOf, type ReadPage, readPage } from '../support/page-reader'
import { needs } from '../support/shells'

interface Pages {
  /** Writes a file of an account, with a change of each consequence. */
  changes: string
  /** Returns the page that a command line prints, which succeeds. */
  page(line: string): Promise<ReadPage & { html: string }>
  open(text: string): Promise<OpenPage>
}

const test = base.extend<Pages>({
  changes: async ({ file, world }, use) => {
    world.volume({ label: 'old', size: 15, tags: ['team'] })
    const edge = world.network.firewall({ label: 'edge' })
    world.network.device(edge.id, 'compute', 1004)
    await use(file('account.yaml', accountFile))
  },
  page: async ({ skyctl }, use) =>
    use(async (line) => {
      const { exit, stdout, stderr } = await skyctl(line)
      expect({ exit, stderr }).toEqual({ exit: 0, stderr: '' })
      return { ...readPage(stdout), html: stdout }
    }),
  open: async ({ home }, use) => use((text) => openPage(text, home)),
})

const accountFile = `owner: team
networks: { office: [203.0.113.0/24, 198.51.100.0/24] }
volumes:
  data-1: { size: 60 }
  new-1: { size: 40, region: us-east }
  new-2: { size: 40, region: us-east }
  new-3: { size: 40, region: us-east }
  new-4: { size: 40, region: us-east }
firewalls:
  edge: { status: disabled }
  web:
    rules:
      inbound:
        - { action: accept, protocol: tcp, ports: 443, from: anywhere, label: https }
        - { action: accept, protocol: tcp, ports: 22, from: office, label: ssh }
      inbound_policy: drop
`

describe('the page of a plan', () => {
  test('has the changes of the other forms, the gravest first, with the lines of the files', async ({
    changes,
    page,
    skyctl,
  }) => {
    const { text } = await page(`plan ${changes} --prune -o html`)
    expect(text).toMatch(/^Plan for \S+, \d{4}-\d\d-\d\d \d\d:\d\d UTC /)
    expect(text).toContain('4 to create, 3 to update, 1 to delete; 0 unchanged')
    const heads = ['Destroys (1 volume)', 'Unprotects (1 firewall)', 'Cuts off (1 firewall)']
    const places = [...heads, 'Starts billing (5 volumes, 180 GiB)'].map((head) => text.lastIndexOf(` ${head} `))
    expect(Math.min(...places)).toBeGreaterThan(0)
    expect(places).toEqual(places.toSorted((one, other) => one - other))
    expect(text).toMatch(/delete volume "old" \(\d+\) destroys: all of its data, for ever deleted, with 15 GiB /)
    expect(text).toMatch(/update firewall "edge" \(\d+\) \S*account\.yaml:10 unprotects: compute 1004 is open /)
    expect(text).toMatch(/create 4 volumes "new-1" … "new-4" \S*account\.yaml starts billing: 40 GiB, .* \(each\) /)

    const { objects } = JSON.parse((await skyctl(`plan ${changes} --prune --json`)).stdout)
    const full = await page(`plan ${changes} --prune --full -o html`)
    expect(full.text).toMatch(/create volume "new-1" \S*account\.yaml:\d+ starts billing: 40 GiB, /)
    const consequences = objects.flatMap(({ steps }: Planned) => steps.flatMap((step) => step.consequences))
    expect(consequences.length).toBeGreaterThan(8)
    for (const { kind, text: fact } of consequences) expect(text).toContain(`${kind}: ${fact}`)
  })

  test('is what apply --dry-run prints, and apply itself refuses it', async ({ changes, page, skyctl, world }) => {
    const { html } = await page(`apply ${changes} --prune --dry-run -o html`)
    expect(html).toBe((await page(`plan ${changes} --prune -o html`)).html)
    expect(await skyctl(`apply ${changes} -o html --yes`)).toEqual({
      exit: 2,
      stdout: '',
      stderr: expect.stringContaining('--output html prints a plan, and apply prints one only with --dry-run'),
    })
    expect(world.requests().every(({ method }) => method === 'GET')).toBe(true)
  })

  test.for([
    ['--keep-open tcp/80@203.0.113.9', 6, 'Refused: --keep-open: tcp/80 from 203.0.113.9 would be blocked at '],
    ['--prune --max-deletes 0', 6, 'Refused: '],
  ] as const)('says first why it may not be applied: %s', async ([flags, code, refusal], { changes, skyctl }) => {
    const { exit, stdout, stderr } = await skyctl(`plan ${changes} ${flags} -o html`)
    const [, , afterSummary] = /( unchanged )(.*?) Unprotects \(/.exec(readPage(stdout).text) ?? []
    expect(exit).toBe(code)
    expect(afterSummary).toContain(refusal)
    expect(afterSummary).toContain(stderr.replace('skyctl: ', '').split(/[;.]/)[0])
  })

  test('has networks that change, what is not as expected, and what stays', async ({ file, page, skyctl, world }) => {
    const write = (network: string) => file('account.yaml', withNetwork(network))
    await skyctl(`apply ${write('10.0.0.0/8')} --yes`)
    const { id } = world.volume({ label: 'mine', tags: ['team'] })
    const { text } = await page(`plan ${write('10.0.0.0/9')} -o html`)
    expect(text).toContain('Networks network "lan": +10.0.0.0/9 -10.0.0.0/8 (2 firewalls, 2 rules)')
    expect(text).toContain('Not as expected expected token "absent" ')
    expect(text).toContain(`Notes volume "mine" (${id}) is in no file and stays; --prune deletes it`)
  })

  test('has less than 200 KB for 40 firewalls with all rules and addresses', async ({ file, page }) => {
    const from = (site: number) => Array.from({ length: 200 }, (_, host) => `203.0.${site}.${host}/32`)
    const rules = (site: number) => ({
      ...{ inbound_policy: 'drop', outbound_policy: 'accept', outbound: [] },
      inbound: Array.from({ length: 25 }, (_, index) => {
        return { action: 'accept', protocol: 'tcp', ports: `${1000 + index}`, from: from(site), label: `rule-${index}` }
      }),
    })
    const sites = Array.from({ length: 40 }, (_, site) => [`site-${site}`, { status: 'enabled', rules: rules(site) }])
    const account = file('account.json', JSON.stringify({ firewalls: Object.fromEntries(sites) }))
    const { html, text } = await page(`plan ${account} -o html`)
    expect(Buffer.byteLength(html)).toBeLessThan(200_000)
    expect(text).toContain('from 203.0.39.0/32, 203.0.39.1/32, 203.0.39.2/32, 203.0.39.3/32 and 196 more')
    const one = file('one.json', JSON.stringify({ firewalls: Object.fromEntries(sites.slice(-1)) }))
    const full = await page(`plan ${one} --full -o html`)
    expect(full.text).toContain('203.0.39.198/32, 203.0.39.199/32')
    expect(full.text).not.toMatch(/and \d+ more/)
  })

  test('without changes says so', async ({ file, page }) => {
    const { text } = await page(`plan ${file('a.yaml', 'volumes: { data-1: {} }')} -o html`)
    expect(text).toMatch(/ No changes; 1 unchanged Written by skyctl \S+ Nothing was changed\.$/)
  })
})

/** Two firewalls whose rules name a network. */
const withNetwork = (network: string) => `owner: team
networks: { lan: [${network}] }
tokens: { absent: { scopes: [volumes:read_only] } }
firewalls:
  one: &ssh
    rules:
      inbound: [{ action: accept, protocol: tcp, ports: 22, from: lan, label: ssh }]
      inbound_policy: drop
      outbound_policy: accept
  two: *ssh
`

describe('the page of drift', () => {
  test('has what plan --drift reports', async ({ changes, page, skyctl }) => {
    await skyctl('volumes resize data-1 --size 50 --yes')
    const { text } = await page(`plan ${changes} --drift -o html`)
    expect(text).toMatch(/^Drift of \S+, /)
    expect(text).toContain('Missing in the account (4 resources) missing volume "new-1" the files have it, ')
    expect(text).toContain('differs volume "data-1" (3001) size: the account has 50 GiB, the files have 60 GiB ')
    expect(text).toMatch(/ 60 GiB last changed here: .* \(change 1, volumes resize\) /)
    expect(text).toMatch(/In no file \(1 resource\) extra volume "old" \(\d+\) the account has it with the tag /)
  })
})

describe('both pages', () => {
  const hostile = [
    '<script>alert(1)</script>',
    '"><img src=x onerror=alert(1)>',
    'evil\u202etxt',
    '</style><base href=/>',
  ]
  test.for(['--prune --max-deletes 9 ', '--drift '])(
    'load and run nothing, whatever names are in them: plan %s',
    async (flag, { file, skyctl, world }) => {
      for (const label of hostile) world.volume({ label, tags: ['team'] })
      const { exit, stdout } = await skyctl(`plan ${file('a.yaml', 'owner: team')} ${flag}-o html`)
      const { text, elements, attributes, policy, expectedPolicy } = readPage(stdout)
      expect({ exit, policy }).toEqual({ exit: 0, policy: expectedPolicy })
      for (const label of hostile) expect(text).toContain(label.replace('\u202e', '\\u202e'))
      expect([...elements].filter((name) => !harmlessElements.has(name))).toEqual([])
      expect(attributes.filter(({ name }) => /^(on|src|style|action)/.test(name))).toEqual([])
      expect(hostileInLines(stdout)).toEqual([])
    },
  )

  test.for(['', '--drift '])(
    'are readable in a browser of every width and scheme: plan %s',
    async (flag, { changes, open, page, skip }) => {
      needs(chromium, { skip })
      const shown = await open((await page(`plan ${changes} ${flag}-o html`)).html)
      const { requests, complaints } = shown
      expect({ requests, complaints }).toEqual({ requests: [], complaints: [] })
      for (const width of [320, 390, 820, 1280]) {
        await shown.show({ width })
        expect({ width, overflow: await overflowOf(shown) }).toEqual({ width, overflow: 0 })
      }
      for (const scheme of ['light', 'dark'] as const)
        for (const media of ['screen', 'print'] as const) {
          await shown.show({ width: 1280, scheme, media })
          expect(await faintTexts(shown)).toEqual([])
        }
    },
  )
})

interface Planned {
  steps: { consequences: { kind: string; text: string }[] }[]
}
