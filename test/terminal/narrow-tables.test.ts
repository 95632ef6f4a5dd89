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
    const note = screen.findIndex((text) => text.startsWith('Too narrow for '))
    const rows = note < 0 ? screen : screen.slice(0, note)
    expect(exit).toBe(0)
    expect(
      rows.filter((text) => !text.startsWith('Current context')),
      screen.join('\n'),
    ).toHaveLength(count + 1)
    expect(screen.filter((text) => text.length > columns)).toEqual([])
  })
})

test('volumes list on 60 columns has seven lines for six volumes, and one that names what is left out', async ({
  terminal,
}) => {
  const { screen } = await terminal('volumes list', { columns: 60, env }).end
  expect(screen).toHaveLength(8)
  expect(screen[0]).toContain('COMPUTE_LABEL')
  expect(screen.at(-1)).toBe('Too narrow for compute_id: see --columns id,label,compute_id')
})

test('history list on 60 columns keeps the time, until a change has failed', async ({ terminal, skyctl }) => {
  await skyctl('volumes detach data-1 --yes')
  const { screen } = await terminal('history list', { columns: 60, env }).end
  expect(screen[0]).toMatch(/^NO +TIME +COMMAND +OBJECT/)
  await skyctl('volumes attach data-2 --compute-id 1001')
  await skyctl('volumes delete data-2 --yes')
  const failed = await terminal('history list', { columns: 60, env }).end
  expect(failed.screen[0]).toMatch(/^NO +.*COMMAND.* OUTCOME/)
})

test.for([60, 80, 120])('history list on %i columns shows whole commands', async (columns, { terminal, skyctl }) => {
  await skyctl('volumes detach data-1 --yes')
  await skyctl('firewalls rules add web inbound --action accept --protocol tcp --port 8080 --from 203.0.113.9 --yes')
  const { screen } = await terminal('history list', { columns, env }).end
  expect(screen.join('\n')).toContain('  volumes detach  ')
  expect(screen.join('\n')).toContain('  firewalls rules add  ')
})

test('ips list on 80 columns has whole reverse DNS names', async ({ terminal }) => {
  const { screen } = await terminal('ips list', { columns: 80, rows: 50, env }).end
  expect(screen[0]).toBe('ADDRESS                            COMPUTE  REGION    RDNS')
  expect(screen.filter((text) => text.includes('…'))).toEqual([])
})
