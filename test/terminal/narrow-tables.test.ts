/** Tables on a terminal that is too narrow for all of their columns. */
import { describe, expect } from 'vitest'
import { test } from '../support/terminal'

/** Lists of the example account. */
const lists = [
  'volumes list',
  'regions list',
  'firewalls list',
  'firewalls devices list web',
  'ips list',
  'ipv6 pools list',
  'ipv6 ranges list',
  'vlans list',
  'tokens list',
  'profile apps list',
  'profile devices list',
  'profile logins list',
  'profile sshkeys list',
  'profile security-questions list',
  'context list',
  'history list',
]

const env = { SKYCTL_PAGER: '', NO_COLOR: '1' }

describe.for([60, 80, 120])('A table on %i columns', (columns) => {
  test.for(lists)('has a line for each record, all within the terminal: %s', async (line, { terminal, skyctl }) => {
    if (line === 'history list') {
      await skyctl('volumes update data-2 --tag x')
      await skyctl('volumes detach data-1 --yes')
    }
    const { exit, screen } = await terminal(line, { columns, rows: 50, env }).end
    const count = JSON.parse((await skyctl(`${line} --json`)).stdout).length
    const note = screen.findIndex((text) => /^(Too narrow for|Changes from this computer)/.test(text))
    const rows = note < 0 ? screen : screen.slice(0, note)
    expect(exit).toBe(0)
    expect(
      rows.filter((text) => !text.startsWith('Current context')),
      screen.join('\n'),
    ).toHaveLength(count + 1)
    expect(screen.filter((text) => text.length > columns)).toEqual([])
  })
})

test.for([
  [
    60,
    'ID LABEL STATUS SIZE (GiB) REGION COMPUTE_LABEL',
    'compute_id and tags: see --columns id,label,compute_id,tags',
  ],
  [80, 'ID LABEL STATUS SIZE (GiB) REGION COMPUTE_ID COMPUTE_LABEL', 'tags: see --columns id,label,tags'],
  [120, 'ID LABEL STATUS SIZE (GiB) REGION COMPUTE_ID COMPUTE_LABEL TAGS', undefined],
] as const)(
  'volumes list on %i columns leaves out tags first, and names what is left out',
  async ([columns, heading, leftOut], { terminal }) => {
    const { screen } = await terminal('volumes list', { columns, env }).end
    expect(screen[0]?.trim().replaceAll(/ +/g, ' ')).toBe(heading)
    expect(screen[3]?.includes('database, production')).toBe(leftOut === undefined)
    expect(screen.slice(7).join(' ')).toBe(leftOut === undefined ? '' : `Too narrow for ${leftOut}`)
    expect(screen.join('')).not.toContain('…')
  },
)

test.for([60, 80])(
  'history list on %i columns cuts no object and no outcome, and has the time',
  async (columns, { terminal, skyctl }) => {
    await skyctl('volumes delete database --yes')
    await skyctl('firewalls rules update legacy --inbound-policy drop --yes')
    await skyctl('volumes update data-2 --label data-archive')
    const { screen } = await terminal('history list', { columns, env }).end
    expect(screen[0]).toMatch(/^NO +TIME +COMMAND +OBJECT +OUTCOME$/)
    expect(screen.join('\n')).not.toContain('…')
    const [changed, refused] = screen.slice(2)
    if (columns === 80) {
      expect(changed).toMatch(/^ 2 +\S.* ago +firewalls rules update +firewall "legacy" \(4006\) +ok$/)
      expect(refused).toMatch(/volume "database" \(3003\) +failed$/)
    } else {
      expect(changed).toMatch(/^ 2 +\d\d-\d\d +firewalls rules update +"legacy" +ok$/)
      expect(refused).toMatch(/volumes delete +"database" +failed$/)
    }
  },
)

test('firewalls openings on 80 columns has the mark that closes an opening', async ({ terminal, skyctl }) => {
  await skyctl('firewalls open web --port 5432 --from 198.51.100.7 --for 1h')
  const { screen } = await terminal('firewalls openings', { columns: 80, env }).end
  expect(screen[0]).toMatch(/^FIREWALL +PORTS +FROM +UNTIL +STATE +MARK$/)
  expect(screen[1]).toMatch(/^web +tcp\/5432 +198\.51\.100\.7\/32 +.* +open +[0-9a-f]{16}$/)
})

test.for(['--filter tags=production', '--sort tags'])(
  'volumes list %s keeps the column that it names',
  async (flags, { terminal }) => {
    const { screen } = await terminal(`volumes list ${flags}`, { columns: 60, env }).end
    expect(screen[0]).toMatch(/ TAGS$/)
    expect(screen.join('\n')).toContain('database, production')
  },
)

test('a change has no note about columns that its one record does not fit', async ({ terminal }) => {
  const { screen } = await terminal('volumes create --label logs --region us-east', { columns: 60, env }).end
  expect(screen.at(-1)).toMatch(/logs +creating/)
  const list = await terminal('volumes list --filter label=logs', { columns: 60, env }).end
  expect(list.screen.slice(2).join(' ')).toMatch(/^Too narrow for compute_id and tags: /)
})

test.for([60, 80, 120])('history list on %i columns shows whole commands', async (columns, { terminal, skyctl }) => {
  await skyctl('volumes detach data-1 --yes')
  await skyctl('firewalls rules add web inbound --action accept --protocol tcp --port 8080 --from 203.0.113.9 --yes')
  const { screen } = await terminal('history list', { columns, env }).end
  expect(screen.join('\n')).toContain('  volumes detach  ')
  expect(screen.join('\n')).toContain('  firewalls rules add  ')
})

test.for([40, 50])(
  'history list on %i columns cuts objects rather than commands, which differ at their ends',
  async (columns, { terminal, skyctl }) => {
    await skyctl('volumes update media --label media-of-the-whole-company')
    await skyctl('volumes detach data-1 --yes')
    await skyctl('volumes delete data-2 --yes')
    if (columns === 50) await skyctl('profile phone delete --yes')
    const { screen } = await terminal('history list', { columns, env }).end
    const text = screen.join('\n')
    expect(screen[0], text).toMatch(/^NO +COMMAND +OBJECT +OUTCOME$/)
    expect(text).toMatch(/ volumes delete +".* ok\n/)
    expect(text).toMatch(/ volumes detach +".* ok\n/)
    expect(text).toMatch(/ volumes update +".*… +ok$/m)
    expect(text).toMatch(columns === 50 ? / profile phone delete +/ : /…/)
    expect(screen.filter((line) => line.length > columns)).toEqual([])
  },
)

test('history list shows each change by itself where its command leaves no place for the others', async ({
  terminal,
  skyctl,
}) => {
  await skyctl('firewalls rules update legacy --inbound-policy drop --yes')
  const { screen } = await terminal('history list', { columns: 40, env }).end
  expect(screen.join('\n')).toMatch(/^command +firewalls rules update$/m)
})

test('ips list on 80 columns has whole reverse DNS names', async ({ terminal }) => {
  const { screen } = await terminal('ips list', { columns: 80, rows: 50, env }).end
  expect(screen[0]).toBe('ADDRESS                            COMPUTE  REGION    RDNS')
  expect(screen.filter((text) => text.includes('…'))).toEqual([])
})
